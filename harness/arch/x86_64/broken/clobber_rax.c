/* SPDX-License-Identifier: MIT */
/* Varargs functions find no count of vector registers, and others no rax. */
#include "broken_arch.h"

CODE(spoil_code, "xor %eax, %eax");
EMIT_SPOILING(spoil_code)

BROKEN_EMIT(clobber_rax, "every_register_survives", "called_once");
