/* SPDX-License-Identifier: MIT */
/* The frame pointer. */
#include "broken_arch.h"

CODE(spoil_code, "xor %ebp, %ebp");
EMIT_SPOILING(spoil_code)

BROKEN_EMIT(clobber_rbp, "every_register_survives", "called_once");
