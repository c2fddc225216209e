/* SPDX-License-Identifier: MIT */
/* The callback finds the direction flag set, against the ABI. */
#include "broken_arch.h"

CODE(set_df, "std");
CODE(clear_df, "cld");

static void emit(struct tramp_code *code, struct ftrace_ops *ops, enum tramp_class class)
{
	arch_emit_enter(code, class);
	PUT(code, set_df);
	emit_right_call(code, ops);
	PUT(code, clear_df);
	arch_emit_leave(code);
}

BROKEN_EMIT(leaves_df_set, "callback_finds_df_clear", "called_once");
