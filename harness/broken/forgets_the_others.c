/* SPDX-License-Identifier: MIT */
/* Of several ops on a site only the newest is called. */
#include "broken.h"

static int resolve(struct tramp_site *site, struct ftrace_ops *const *ops, unsigned int nr,
		   struct tramp_target *target)
{
	(void)nr;
	return tramp_target_image(site, emit_right, ops[0], tramp_ops_class(ops, 1), target);
}

BROKEN(forgets_the_others, "two_to_one_keeps_the_other", "called_once");
