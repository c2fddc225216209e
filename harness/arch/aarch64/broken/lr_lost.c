/* SPDX-License-Identifier: MIT */
/* The function returns to itself: the site has put its return address into x9. */
#include "broken_arch.h"

CODE(spoil_code, "mov x9, x30");
EMIT_SPOILING(spoil_code)

BROKEN_EMIT(lr_lost, "every_register_survives", "called_once");
