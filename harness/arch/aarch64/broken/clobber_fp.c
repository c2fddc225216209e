/* SPDX-License-Identifier: MIT */
/* The frame pointer. */
#include "broken_arch.h"

CODE(spoil_code, "mov x29, xzr");
EMIT_SPOILING(spoil_code)

BROKEN_EMIT(clobber_fp, "every_register_survives", "called_once");
