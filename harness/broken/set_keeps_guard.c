/* SPDX-License-Identifier: MIT */
/* The guard is taken, and never given back. */
#include "set.h"

BROKEN_SET(set_keeps_guard, "chain_of_shared_sites", "newest_first", KEEPS_GUARD);
