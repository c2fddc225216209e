/* SPDX-License-Identifier: MIT */
/* The callback is told the ops that was registered before its own. */
#include <stddef.h>
#include "broken.h"

static struct ftrace_ops *last, *before;

static int add(struct ftrace_ops *ops)
{
	before = last;
	last = ops;
	return 0;
}

static void del(struct ftrace_ops *ops)
{
	(void)ops;
	last = before = NULL;
}

static void emit(struct tramp_code *code, struct ftrace_ops *ops, enum tramp_class class)
{
	arch_emit_enter(code, class);
	arch_emit_args(code);
	arch_emit_ops(code, before ? before : ops);
	arch_emit_call(code, ftrace_ops_get_func(ops));
	arch_emit_leave(code);
}

BROKEN_EMIT(neighbours_ops, "ops_argument_is_its_own", "called_once", .add = add, .del = del);
