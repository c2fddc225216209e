/* SPDX-License-Identifier: MIT */
/* Strict mode hides no register from those who did not ask (S87). */
#include "set.h"

BROKEN_SET(set_shows_regs, "strict_hides_regs", "newest_first", SHOWS_REGS);
