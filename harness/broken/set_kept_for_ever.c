/* SPDX-License-Identifier: MIT */
/* Code for a set stays when no site has that set any more (BUG-04). */
#include "core/core.h"
#include "set.h"

static void emit_set(struct tramp_code *code, struct ftrace_ops *const *ops, unsigned int nr,
		     enum tramp_class class)
{
	emit_set_but(code, ops, nr, class, 0);
}

static int resolve(struct tramp_site *site, struct ftrace_ops *const *ops, unsigned int nr,
		   struct tramp_target *target)
{
	int err = broken_resolve_set(site, ops, nr, target, emit_set);

	if (!err && nr > 1)
		tramp_image_hold(target->image);
	return err;
}

BROKEN(set_kept_for_ever, "sets_are_given_back", "newest_first");
