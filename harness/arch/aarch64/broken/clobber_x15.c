/* SPDX-License-Identifier: MIT */
/* Callers built with -fipa-ra keep values there. */
#include "broken_arch.h"

CODE(spoil_code, "mov x15, xzr");
EMIT_SPOILING(spoil_code)

BROKEN_EMIT(clobber_x15, "every_register_survives", "called_once");
