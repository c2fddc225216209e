/* SPDX-License-Identifier: MIT */
/* A register that the function's caller relies on. */
#include "broken_arch.h"

CODE(spoil_code, "mvn x19, x19");
EMIT_SPOILING(spoil_code)

BROKEN_EMIT(clobber_x19, "every_register_survives", "called_once");
