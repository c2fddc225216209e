/* SPDX-License-Identifier: MIT */
/* The callback's stack is off by eight: a processor that looks (SCTLR_EL1.SA0) faults. */
#include "broken_arch.h"

CODE(down, "sub sp, sp, #8");
CODE(up, "add sp, sp, #8");

static void emit(struct tramp_code *code, struct ftrace_ops *ops, enum tramp_class class)
{
	arch_emit_enter(code, class);
	arch_emit_args(code);
	arch_emit_ops(code, ops);
	if (class == TRAMP_CLASS_ARGS)
		PUT(code, down);
	arch_emit_call(code, ftrace_ops_get_func(ops));
	if (class == TRAMP_CLASS_ARGS)
		PUT(code, up);
	arch_emit_leave(code);
}

BROKEN_EMIT(misaligned_stack, "callback_stack_is_aligned", "called_once");
