/* SPDX-License-Identifier: MIT */
/* The static chain, for some compilers; the shadow call stack, for others. */
#include "broken_arch.h"

CODE(spoil_code, "mov x18, xzr");
EMIT_SPOILING(spoil_code)

BROKEN_EMIT(clobber_x18, "every_register_survives", "called_once");
