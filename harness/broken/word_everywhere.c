/* SPDX-License-Identifier: MIT */
/* The entry that reads a word is called by sites that have none (BUG-11). */
#include "words.h"

static int resolve(struct tramp_site *site, struct ftrace_ops *const *ops, unsigned int nr,
		   struct tramp_target *target)
{
	int err = resolve_word(site, ops, nr, target);

	if (!err && !tramp_site_has_word(site))
		err = tramp_target_image(site, emit_word, NULL, tramp_ops_class(ops, nr), target);
	return err;
}

BROKEN(word_everywhere, "sites_without_a_word", "called_once");
