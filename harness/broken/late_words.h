/* SPDX-License-Identifier: MIT */
/* Words that the strategy writes itself, behind the poke, when callee() is asked. */
#ifndef TRAMPLAB_BROKEN_LATE_WORDS_H
#define TRAMPLAB_BROKEN_LATE_WORDS_H

#include "words.h"

static struct { struct tramp_site *site; unsigned long word; } late[16];
static unsigned int nr_late;

/* As is right, but that the core is to write @meanwhile. */
static int resolve_late(struct tramp_site *site, struct ftrace_ops *const *ops, unsigned int nr,
			struct tramp_target *target, unsigned long meanwhile)
{
	int err = resolve_word(site, ops, nr, target);

	if (!err && target->word && nr_late < 16) {
		late[nr_late].site = site;
		late[nr_late++].word = target->word;
		target->word = meanwhile;
	}
	return err;
}

static void write_late(size_t at_once)
{
	while (nr_late) {
		struct tramp_site *site = late[--nr_late].site;
		const char *word = (const char *)&late[nr_late].word;

		for (size_t i = 0; i < sizeof(late[0].word); i += at_once)
			tramp_text_write(site->word + i, word + i, at_once);
		site->target.word = late[nr_late].word;
	}
}

#endif
