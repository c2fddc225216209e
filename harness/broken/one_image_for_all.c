/* SPDX-License-Identifier: MIT */
/* The code that was made for the first ops serves every other one, too (S71). */
#include <stddef.h>
#include "broken.h"

static struct ftrace_ops *first;

static int add(struct ftrace_ops *ops)
{
	first = first ? first : ops;
	return 0;
}

static void del(struct ftrace_ops *ops)
{
	first = first == ops ? NULL : first;
}

static int resolve(struct tramp_site *site, struct ftrace_ops *const *ops, unsigned int nr,
		   struct tramp_target *target)
{
	if (nr > 1)
		return tramp_target_list(site, ops, nr, target);
	return tramp_target_image(site, emit_right, first, tramp_ops_class(ops, 1), target);
}

BROKEN(one_image_for_all, "ops_argument_is_its_own", "called_once", .add = add, .del = del);
