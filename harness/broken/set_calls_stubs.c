/* SPDX-License-Identifier: MIT */
/* STUB ops are called like others (S27). */
#include "set.h"

BROKEN_SET(set_calls_stubs, "stubs_beside_others", "newest_first", CALLS_STUBS);
