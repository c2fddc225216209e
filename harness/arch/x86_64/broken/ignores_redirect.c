/* SPDX-License-Identifier: MIT */
/* The function is resumed at its site, wherever the callback says. */
#include "broken_arch.h"

/* A copy of the resume address, below the compact frame. */
CODE(remember, "sub $16, %rsp\n"
	       "mov 96(%rsp), %rdi\n"
	       "mov %rdi, (%rsp)\n"
	       "sub $5, %rdi\n"
	       "mov 104(%rsp), %rsi\n"
	       "lea 17(%rsp), %rcx");
CODE(ignore, "mov (%rsp), %rax\n"
	     "add $16, %rsp\n"
	     "mov %rax, 80(%rsp)");

static void emit_compact(struct tramp_code *code, struct ftrace_ops *ops)
{
	arch_emit_enter(code, TRAMP_CLASS_ARGS);
	PUT(code, remember);
	arch_emit_ops(code, ops);
	arch_emit_call(code, ftrace_ops_get_func(ops));
	PUT(code, ignore);
	arch_emit_leave(code);
}

static void emit(struct tramp_code *code, struct ftrace_ops *ops, enum tramp_class class)
{
	if (class == TRAMP_CLASS_ARGS)
		emit_compact(code, ops);
	else
		emit_right(code, ops, class);
}

BROKEN_EMIT(ignores_redirect, "redirect_runs_the_other", "every_register_survives");
