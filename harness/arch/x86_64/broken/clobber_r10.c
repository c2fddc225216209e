/* SPDX-License-Identifier: MIT */
/* The static chain. */
#include "broken_arch.h"

CODE(spoil_code, "xor %r10d, %r10d");
EMIT_SPOILING(spoil_code)

BROKEN_EMIT(clobber_r10, "every_register_survives", "called_once");
