/* SPDX-License-Identifier: MIT */
/* Sites with the same set get code of their own each. */
#include <stdlib.h>
#include "core/core.h"
#include "set.h"

static void emit_set(struct tramp_code *code, struct ftrace_ops *const *ops, unsigned int nr,
		     enum tramp_class class)
{
	emit_set_but(code, ops, nr, class, 0);
}

/* With a STUB of the site's own it is another set. */
static int resolve(struct tramp_site *site, struct ftrace_ops *const *ops, unsigned int nr,
		   struct tramp_target *target)
{
	static struct ftrace_ops stub[1 << 16];
	struct ftrace_ops *own = &stub[(site->ip * FTRACE_HASH_MULT) >> 48];
	struct ftrace_ops **more;
	int err;

	if (nr == 1)
		return broken_resolve_set(site, ops, nr, target, NULL);
	more = calloc(nr + 1, sizeof(*more));
	if (!more)
		return -1;
	for (unsigned int i = 0; i < nr; i++)
		more[i] = ops[i];
	own->flags = FTRACE_OPS_FL_STUB;
	more[nr] = own;
	err = broken_resolve_set(site, more, nr + 1, target, emit_set);
	free(more);
	return err;
}

BROKEN(set_image_a_site, "code_for_sets_not_for_sites", "newest_first");
