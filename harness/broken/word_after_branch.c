/* SPDX-License-Identifier: MIT */
/* The branch changes first, the word behind it: between them the entry calls nobody (S137). */
#include "late_words.h"

static int resolve(struct tramp_site *site, struct ftrace_ops *const *ops, unsigned int nr,
		   struct tramp_target *target)
{
	return resolve_late(site, ops, nr, target, (unsigned long)&ftrace_nop_ops);
}

/* Asked behind the poke. */
static unsigned long callee(const struct ftrace_ops *only)
{
	(void)only;
	write_late(sizeof(unsigned long));
	return 0;
}

BROKEN(word_after_branch, "every_state_by_filter", "called_once", .callee = callee);
