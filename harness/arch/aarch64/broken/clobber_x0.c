/* SPDX-License-Identifier: MIT */
/* The first argument. */
#include "broken_arch.h"

CODE(spoil_code, "mov x0, xzr");
EMIT_SPOILING(spoil_code)

BROKEN_EMIT(clobber_x0, "every_register_survives", "called_once");
