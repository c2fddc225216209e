/* SPDX-License-Identifier: MIT */
/* The copy of an ops's code that the first site calls serves all its sites, however far they are (BUG-16). */
#include <stddef.h>
#include "broken.h"

static const struct ftrace_ops *owner;
static struct tramp_target first;

static void del(struct ftrace_ops *ops)
{
	owner = owner == ops ? NULL : owner;
}

static int resolve(struct tramp_site *site, struct ftrace_ops *const *ops, unsigned int nr,
		   struct tramp_target *target)
{
	int err;

	if (nr > 1)
		return tramp_target_list(site, ops, nr, target);
	if (owner == ops[0]) {
		*target = first;
		return 0;
	}
	err = tramp_target_image(site, emit_right, ops[0], tramp_ops_class(ops, 1), target);
	if (!err && !owner) {
		owner = ops[0];
		first = *target;
	}
	return err;
}

BROKEN(one_copy_near_and_far, "branch_limits_are_exact", "called_once", .del = del);
