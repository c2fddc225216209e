/* SPDX-License-Identifier: MIT */
/* Several callbacks in turn, and no guard around them (S121). */
#include "set.h"

BROKEN_SET(set_without_guard, "chain_of_shared_sites", "newest_first", NO_GUARD);
