/* SPDX-License-Identifier: MIT */
/* The shared entry calls a lone ops' function, and gives it no ops. */
#include "broken.h"

static void emit(struct tramp_code *code, struct ftrace_ops *ops, enum tramp_class class)
{
	(void)ops;
	arch_emit_enter(code, class);
	arch_emit_args(code);
	tramp_emit_call_list_slot(code, class);
	arch_emit_leave(code);
}

static int resolve(struct tramp_site *site, struct ftrace_ops *const *ops, unsigned int nr,
		   struct tramp_target *target)
{
	return tramp_target_image(site, emit, NULL, tramp_ops_class(ops, nr), target);
}

static unsigned long callee(const struct ftrace_ops *only)
{
	return only ? ftrace_ops_get_func(only) : 0;
}

BROKEN(slot_without_ops, "function_fits_ops", "newest_first", .callee = callee);
