/* SPDX-License-Identifier: MIT */
/* The ops that leaves decides how the one that stays is called (S67). */
#include "words.h"

static int resolve(struct tramp_site *site, struct ftrace_ops *const *ops, unsigned int nr,
		   struct tramp_target *target)
{
	static const struct ftrace_ops *pair[2];
	int err = resolve_word(site, ops, nr, target);

	if (nr == 2) {
		pair[0] = ops[0];
		pair[1] = ops[1];
	} else if (!err && target->word && pair[0]) {
		target->word = (unsigned long)(is_direct(pair[ops[0] == pair[0]]) ? ops[0] : tramp_list_ops());
		pair[0] = NULL;
	}
	return err;
}

BROKEN(word_of_the_leaving, "remaining_ops_decides_the_guard", "two_to_one_keeps_the_other");
