/* SPDX-License-Identifier: MIT */
/* Class regs gives back no status flag. */
#include "broken_arch.h"

#define STR(x)	#x
#define XSTR(x)	STR(x)
CODE(lose, "str xzr, [sp, #" XSTR(REGS_pstate) "]");

static void emit(struct tramp_code *code, struct ftrace_ops *ops, enum tramp_class class)
{
	arch_emit_enter(code, class);
	emit_right_call(code, ops);
	if (class == TRAMP_CLASS_REGS)
		PUT(code, lose);
	arch_emit_leave(code);
}

BROKEN_EMIT(flags_lost, "every_flag_survives", "called_once");
