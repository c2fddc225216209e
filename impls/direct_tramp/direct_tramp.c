/* SPDX-License-Identifier: MIT */
/*
 * Every site calls one shared entry.  While one ops is registered, the entry's
 * inner call goes straight to its func; with more, to the list function.
 */
#include "core/strategy.h"

static void emit_shared(struct tramp_code *code, struct ftrace_ops *ops, enum tramp_class class)
{
	(void)ops;
	arch_emit_enter(code, class);
	arch_emit_args(code);
	arch_emit_ops_slot(code);
	tramp_emit_call_list_slot(code, class);
	arch_emit_leave(code);
}

static int resolve(struct tramp_site *site, struct ftrace_ops *const *ops, unsigned int nr,
		   struct tramp_target *target)
{
	return tramp_target_image(site, emit_shared, NULL, tramp_ops_class(ops, nr), target);
}

static unsigned long callee(const struct ftrace_ops *only)
{
	return only ? ftrace_ops_get_func(only) : 0;
}

static const struct tramp_strategy direct_tramp = {
	.name		= "direct_tramp",
	.summary	= "one shared entry, re-pointed to the func of a single registered ops",
	.needs		= TRAMP_HAS_OPS_ARG | TRAMP_HAS_CALL_SLOT,
	.differs	= "S64: an unrelated ops turns every site's call into a list walk",
	.resolve	= resolve,
	.callee		= callee,
};

TRAMP_STRATEGY(direct_tramp);
