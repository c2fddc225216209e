/* SPDX-License-Identifier: MIT */
/* Every site calls one shared entry, which loops over all registered ops. */
#include "core/strategy.h"

static const struct tramp_strategy list_func = {
	.name		= "list_func",
	.summary	= "one shared entry; the list function tests every registered ops' hash",
	.differs	= "S121: the list guards every callback against recursion",
	.resolve	= tramp_target_list,
};

TRAMP_STRATEGY(list_func);
