/* SPDX-License-Identifier: MIT */
/*
 * An ops that is alone on a site is called through a trampoline made for it;
 * several share the entry that calls the list function.
 */
#include "core/strategy.h"

static void emit_own(struct tramp_code *code, struct ftrace_ops *ops, enum tramp_class class)
{
	arch_emit_enter(code, class);
	arch_emit_args(code);
	arch_emit_ops(code, ops);
	arch_emit_call(code, ftrace_ops_get_func(ops));
	arch_emit_leave(code);
}

static int resolve(struct tramp_site *site, struct ftrace_ops *const *ops, unsigned int nr,
		   struct tramp_target *target)
{
	if (nr > 1)
		return tramp_target_list(site, ops, nr, target);
	return tramp_target_image(site, emit_own, ops[0], tramp_ops_class(ops, 1), target);
}

static const struct tramp_strategy dyn_tramp = {
	.name		= "dyn_tramp",
	.summary	= "a trampoline per ops while it is alone on a site; else the list function",
	.needs		= TRAMP_HAS_OPS_ARG,
	.differs	= "S59: a lone ops sees the frame that it asked for; S121: no guard unless it asks",
	.resolve	= resolve,
};

TRAMP_STRATEGY(dyn_tramp);
