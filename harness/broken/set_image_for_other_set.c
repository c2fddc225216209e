/* SPDX-License-Identifier: MIT */
/* A set is known by its newest ops and its size: the first such set's code serves all. */
#include <string.h>
#include "set.h"

#define MAX 8

static struct ftrace_ops *first[MAX];
static unsigned int first_nr;

static void emit_set(struct tramp_code *code, struct ftrace_ops *const *ops, unsigned int nr,
		     enum tramp_class class)
{
	emit_set_but(code, ops, nr, class, 0);
}

static int resolve(struct tramp_site *site, struct ftrace_ops *const *ops, unsigned int nr,
		   struct tramp_target *target)
{
	if (nr == first_nr && ops[0] == first[0])
		ops = first;
	else if (nr > 1 && nr <= MAX)
		memcpy(first, ops, (first_nr = nr) * sizeof(*first));
	return broken_resolve_set(site, ops, nr, target, emit_set);
}

static void del(struct ftrace_ops *ops)
{
	(void)ops;
	first_nr = 0;
}

BROKEN(set_image_for_other_set, "sites_have_their_own_sets", "newest_first", .del = del);
