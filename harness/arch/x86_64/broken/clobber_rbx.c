/* SPDX-License-Identifier: MIT */
/* A register that the function's caller relies on. */
#include "broken_arch.h"

CODE(spoil_code, "not %rbx");
EMIT_SPOILING(spoil_code)

BROKEN_EMIT(clobber_rbx, "every_register_survives", "called_once");
