/* SPDX-License-Identifier: MIT */
/* Another registration destroys the sets' code, whoever is inside (BUG-01). */
#include <string.h>
#include "core/core.h"
#include "set.h"

static void emit_set(struct tramp_code *code, struct ftrace_ops *const *ops, unsigned int nr,
		     enum tramp_class class)
{
	emit_set_but(code, ops, nr, class, 0);
}

static int add(struct ftrace_ops *ops)
{
	(void)ops;
	for (struct tramp_image *i = tramp_images; i; i = i->next)
		if (i->maker.emit_set)
			memset(i->code.w, 0xcc, i->code.len);
	return 0;
}

static int resolve(struct tramp_site *site, struct ftrace_ops *const *ops, unsigned int nr,
		   struct tramp_target *target)
{
	return broken_resolve_set(site, ops, nr, target, emit_set);
}

BROKEN(set_given_up_early, "code_stays_while_a_thread_is_inside", "called_once", .add = add);
