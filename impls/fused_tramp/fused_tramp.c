/* SPDX-License-Identifier: MIT */
/*
 * A trampoline for every distinct set of ops that sites have, shared by the sites
 * that have it: each ops a constant, each callback a direct call, no list, no
 * hash.  An ops that is alone is called as dyn_tramp calls it.
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

static void emit_set(struct tramp_code *code, struct ftrace_ops *const *ops, unsigned int nr,
		     enum tramp_class class)
{
	bool first = true;

	arch_emit_enter(code, class);
	arch_emit_guard(code);
	for (unsigned int i = 0; i < nr; i++) {
		if (ops[i]->flags & FTRACE_OPS_FL_STUB)
			continue;
		arch_emit_args_of_set(code, first, tramp_hides_regs(ops[i]));
		arch_emit_ops(code, ops[i]);
		arch_emit_call(code, ftrace_ops_get_guarded_func(ops[i]));
		first = false;
	}
	arch_emit_unguard(code);
	arch_emit_leave(code);

	/* Inside already: the list lets one level through, and counts the rest (S120). */
	arch_emit_held(code);
	arch_emit_args(code);
	tramp_emit_call_list(code, class);
	arch_emit_leave(code);
}

static int resolve(struct tramp_site *site, struct ftrace_ops *const *ops, unsigned int nr,
		   struct tramp_target *target)
{
	enum tramp_class class = tramp_ops_class(ops, nr);

	if (nr == 1)
		return tramp_target_image(site, emit_own, ops[0], class, target);
	return tramp_target_set(site, emit_set, ops, nr, class, target);
}

static const struct tramp_strategy fused_tramp = {
	.name		= "fused_tramp",
	.summary	= "a trampoline per distinct set of ops, shared by the sites that have it",
	.needs		= TRAMP_HAS_OPS_ARG,
	.differs	= "S59: a lone ops sees the frame that it asked for; S121: no guard unless it asks",
	.resolve	= resolve,
};

TRAMP_STRATEGY(fused_tramp);
