/* SPDX-License-Identifier: MIT */
/*
 * Every site calls one shared entry, which takes the ops from the word beside the
 * site and calls that ops's func.  The word names the ops that is alone on the
 * site, or the ops that stands for the list.
 */
#include "core/strategy.h"

static void emit_shared(struct tramp_code *code, struct ftrace_ops *ops, enum tramp_class class)
{
	(void)ops;
	arch_emit_enter(code, class);
	arch_emit_args(code);
	arch_emit_ops_word(code);
	arch_emit_call_ops(code);
	arch_emit_leave(code);
}

/* One that needs no guard; asked of the ops that are left, whoever has gone (S66, S67). */
static bool is_direct(struct ftrace_ops *const *ops, unsigned int nr)
{
	return nr == 1 && ftrace_ops_get_func(ops[0]) == (unsigned long)ops[0]->func;
}

static int resolve(struct tramp_site *site, struct ftrace_ops *const *ops, unsigned int nr,
		   struct tramp_target *target)
{
	int err;

	if (!tramp_site_has_word(site))
		return tramp_target_list(site, ops, nr, target);
	err = tramp_target_image(site, emit_shared, NULL, tramp_ops_class(ops, nr), target);
	if (!err)
		target->word = (unsigned long)(is_direct(ops, nr) ? ops[0] : tramp_list_ops());
	return err;
}

static const struct tramp_strategy call_ops = {
	.name		= "call_ops",
	.summary	= "one shared entry; the ops in a word beside each site, the list's where several share it",
	.needs		= TRAMP_HAS_OPS_ARG | TRAMP_HAS_SITE_WORD,
	.differs	= "S59: a lone ops sees the frame that it asked for; S66: through its word only where it needs no guard; S121: no guard unless it asks",
	.resolve	= resolve,
};

TRAMP_STRATEGY(call_ops);
