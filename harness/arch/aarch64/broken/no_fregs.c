/* SPDX-License-Identifier: MIT */
/* The callback gets NULL for the registers that were saved. */
#include "broken_arch.h"

CODE(wrong, "mov x3, xzr");

static void emit(struct tramp_code *code, struct ftrace_ops *ops, enum tramp_class class)
{
	arch_emit_enter(code, class);
	arch_emit_args(code);
	PUT(code, wrong);
	arch_emit_ops(code, ops);
	arch_emit_call(code, ftrace_ops_get_func(ops));
	arch_emit_leave(code);
}

BROKEN_EMIT(no_fregs, "fregs_null_without_registers", "called_once");
