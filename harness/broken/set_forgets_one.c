/* SPDX-License-Identifier: MIT */
/* All but the oldest are called. */
#include "set.h"

BROKEN_SET(set_forgets_one, "registering_in_every_order", "called_once", FORGETS_OLDEST);
