/* SPDX-License-Identifier: MIT */
/* The callback's stack is off by eight. */
#include "broken_arch.h"

CODE(push_one, "push %rax");
CODE(pop_one, "pop %rax");

static void emit(struct tramp_code *code, struct ftrace_ops *ops, enum tramp_class class)
{
	arch_emit_enter(code, class);
	arch_emit_args(code);
	arch_emit_ops(code, ops);
	PUT(code, push_one);
	arch_emit_call(code, ftrace_ops_get_func(ops));
	PUT(code, pop_one);
	arch_emit_leave(code);
}

BROKEN_EMIT(misaligned_stack, "callback_stack_is_aligned", "called_once");
