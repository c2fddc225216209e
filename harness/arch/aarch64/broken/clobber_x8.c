/* SPDX-License-Identifier: MIT */
/* Where a function that returns a struct is to put it. */
#include "broken_arch.h"

CODE(spoil_code, "mov x8, xzr");
EMIT_SPOILING(spoil_code)

BROKEN_EMIT(clobber_x8, "every_register_survives", "called_once");
