/* SPDX-License-Identifier: MIT */
/* Callers built with -fipa-ra keep values there. */
#include "broken_arch.h"

CODE(spoil_code, "xor %r11d, %r11d");
EMIT_SPOILING(spoil_code)

BROKEN_EMIT(clobber_r11, "every_register_survives", "called_once");
