/* SPDX-License-Identifier: MIT */
/* Once two ops have met, the list serves whoever stays: right, and slower. */
#include "words.h"

static int resolve(struct tramp_site *site, struct ftrace_ops *const *ops, unsigned int nr,
		   struct tramp_target *target)
{
	static bool met;
	int err = resolve_word(site, ops, nr, target);

	met |= nr > 1;
	if (!err && met && target->word)
		target->word = (unsigned long)tramp_list_ops();
	return err;
}

BROKEN(word_left_to_the_list, "word_names_who_is_called", "two_to_one_keeps_the_other");
