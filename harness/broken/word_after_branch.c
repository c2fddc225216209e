/* SPDX-License-Identifier: MIT */
/* The branch changes first, the word behind it: between them the entry calls nobody (S137). */
#include "words.h"

static struct { struct tramp_site *site; unsigned long word; } late[16];
static unsigned int nr_late;

static int resolve(struct tramp_site *site, struct ftrace_ops *const *ops, unsigned int nr,
		   struct tramp_target *target)
{
	int err = resolve_word(site, ops, nr, target);

	if (!err && target->word && nr_late < 16) {
		late[nr_late].site = site;
		late[nr_late++].word = target->word;
		target->word = (unsigned long)&ftrace_nop_ops;
	}
	return err;
}

/* Asked behind the poke. */
static unsigned long callee(const struct ftrace_ops *only)
{
	(void)only;
	while (nr_late) {
		struct tramp_site *site = late[--nr_late].site;

		tramp_text_write(site->word, &late[nr_late].word, sizeof(late[0].word));
		site->target.word = late[nr_late].word;
	}
	return 0;
}

BROKEN(word_after_branch, "exact_while_another_toggles", "called_once", .callee = callee);
