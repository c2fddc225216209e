/* SPDX-License-Identifier: MIT */
/* Another registration destroys an ops' code, whoever is inside (BUG-01). */
#include <string.h>
#include "core/core.h"
#include "broken.h"

static int add(struct ftrace_ops *ops)
{
	for (struct tramp_image *i = tramp_images; i; i = i->next)
		if (i->ops && i->ops != ops)
			memset(i->code.w, 0xcc, i->code.len);
	return 0;
}

static int resolve(struct tramp_site *site, struct ftrace_ops *const *ops, unsigned int nr,
		   struct tramp_target *target)
{
	return broken_resolve(site, ops, nr, target, emit_right);
}

BROKEN(gives_up_code_early, "unregister_waits_for_the_callback", "called_once", .add = add);
