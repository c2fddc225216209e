/* SPDX-License-Identifier: MIT */
/* The shared entry's call keeps going to the first ops' function, with the new one's ops. */
#include "broken.h"

static void emit(struct tramp_code *code, struct ftrace_ops *ops, enum tramp_class class)
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
	return tramp_target_image(site, emit, NULL, tramp_ops_class(ops, nr), target);
}

static unsigned long callee(const struct ftrace_ops *only)
{
	static unsigned long first;

	if (only && !first)
		first = ftrace_ops_get_func(only);
	return only ? first : 0;
}

BROKEN(stale_callee, "function_fits_ops", "called_once", .callee = callee);
