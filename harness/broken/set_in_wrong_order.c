/* SPDX-License-Identifier: MIT */
/* The oldest registration is called first (S126). */
#include "set.h"

BROKEN_SET(set_in_wrong_order, "registering_in_every_order", "called_once", OLDEST_FIRST);
