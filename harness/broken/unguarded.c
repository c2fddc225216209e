/* SPDX-License-Identifier: MIT */
/* RECURSION is not looked at. */
#include "broken.h"

static void emit(struct tramp_code *code, struct ftrace_ops *ops, enum tramp_class class)
{
	arch_emit_enter(code, class);
	arch_emit_args(code);
	arch_emit_ops(code, ops);
	arch_emit_call(code, (uintptr_t)ops->func);
	arch_emit_leave(code);
}

BROKEN_EMIT(unguarded, "recursion_lets_one_through", "called_once");
