/* SPDX-License-Identifier: MIT */
/* Two ops on a site are called in the order of registration. */
#include "broken.h"

static struct ftrace_ops *older;

static void emit_two(struct tramp_code *code, struct ftrace_ops *ops, enum tramp_class class)
{
	arch_emit_enter(code, class);
	emit_right_call(code, older);
	emit_right_call(code, ops);
	arch_emit_leave(code);
}

static int resolve(struct tramp_site *site, struct ftrace_ops *const *ops, unsigned int nr,
		   struct tramp_target *target)
{
	if (nr != 2)
		return broken_resolve(site, ops, nr, target, emit_right);
	older = ops[1];
	return tramp_target_image(site, emit_two, ops[0], tramp_ops_class(ops, nr), target);
}

BROKEN(oldest_first, "shared_site_is_guarded", "ip_is_the_site");
