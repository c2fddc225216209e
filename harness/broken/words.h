/* SPDX-License-Identifier: MIT */
/* What strategies with a word beside each site have in common, before one thing goes wrong. */
#ifndef TRAMPLAB_BROKEN_WORDS_H
#define TRAMPLAB_BROKEN_WORDS_H

#include "core/core.h"
#include "broken.h"

static inline void emit_word(struct tramp_code *code, struct ftrace_ops *ops, enum tramp_class class)
{
	(void)ops;
	arch_emit_enter(code, class);
	arch_emit_args(code);
	arch_emit_ops_word(code);
	arch_emit_call_ops(code);
	arch_emit_leave(code);
}

static inline bool is_direct(const struct ftrace_ops *ops)
{
	return ftrace_ops_get_func(ops) == (unsigned long)ops->func;
}

/* Where the port has no words, nothing is proved. */
static inline int resolve_word(struct tramp_site *site, struct ftrace_ops *const *ops, unsigned int nr,
			       struct tramp_target *target)
{
	int err;

	if (!tramp_site_has_word(site))
		return tramp_target_list(site, ops, nr, target);
	err = tramp_target_image(site, emit_word, NULL, tramp_ops_class(ops, nr), target);
	if (!err)
		target->word = (unsigned long)(nr == 1 && is_direct(ops[0]) ? ops[0] : tramp_list_ops());
	return err;
}

#endif
