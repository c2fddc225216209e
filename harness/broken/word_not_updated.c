/* SPDX-License-Identifier: MIT */
/* A site's word keeps the first ops that was alone there, until the site goes quiet. */
#include "words.h"

static int resolve(struct tramp_site *site, struct ftrace_ops *const *ops, unsigned int nr,
		   struct tramp_target *target)
{
	static struct ftrace_ops *first;
	int err = resolve_word(site, ops, nr, target);

	if (nr == 1 && !first)
		first = ops[0];
	if (!err && first && target->word)
		target->word = (unsigned long)first;
	return err;
}

BROKEN(word_not_updated, "ops_argument_is_its_own", "called_once");
