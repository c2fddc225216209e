/* SPDX-License-Identifier: MIT */
/* A registration that never ends: for the runner's own test (tester/runner.sh), not for a case. */
#include <unistd.h>
#include "broken.h"

static int resolve(struct tramp_site *site, struct ftrace_ops *const *ops, unsigned int nr,
		   struct tramp_target *target)
{
	(void)site, (void)ops, (void)nr, (void)target;
	while (pause())
		;
	return 0;
}

static const struct tramp_strategy hangs = {
	.name		= "hangs",
	.summary	= "wrong on purpose, for the runner",
	.needs		= TRAMP_HAS_OPS_ARG,
	.resolve	= resolve,
};
TRAMP_STRATEGY(hangs);
