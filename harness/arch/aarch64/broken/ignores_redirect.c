/* SPDX-License-Identifier: MIT */
/* The function is resumed at its site, wherever the callback says. */
#include "broken_arch.h"

#define STR(x)	#x
#define XSTR(x)	STR(x)

/* A copy of the resume address, below the compact frame. */
CODE(remember, "ldr x0, [sp, #" XSTR(ARGS_pc) "]\n"
	       "ldr x1, [sp, #" XSTR(ARGS_lr) "]\n"
	       "add x3, sp, #1\n"
	       "str x0, [sp, #-16]!\n"
	       "sub x0, x0, #4");
CODE(ignore, "ldr x9, [sp], #16\n"
	     "str x9, [sp, #" XSTR(ARGS_pc) "]");

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
