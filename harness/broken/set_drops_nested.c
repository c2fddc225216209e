/* SPDX-License-Identifier: MIT */
/* Who is inside already is sent home: no level is let through, nobody counts it (S120). */
#include "set.h"

BROKEN_SET(set_drops_nested, "shared_site_is_guarded", "newest_first", HELD_GOES_HOME);
