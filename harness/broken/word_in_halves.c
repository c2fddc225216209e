/* SPDX-License-Identifier: MIT */
/* The word changes while threads read it, and in two stores: between them it names nobody's ops (S138, BUG-11). */
#include "late_words.h"

static int resolve(struct tramp_site *site, struct ftrace_ops *const *ops, unsigned int nr,
		   struct tramp_target *target)
{
	return resolve_late(site, ops, nr, target, site->target.word);
}

static unsigned long callee(const struct ftrace_ops *only)
{
	(void)only;
	write_late(sizeof(unsigned long) / 2);
	return 0;
}

BROKEN(word_in_halves, "every_state_by_filter", "called_once", .callee = callee);
