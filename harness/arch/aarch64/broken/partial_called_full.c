/* SPDX-License-Identifier: MIT */
/* A partial frame is handed out as a full one. */
#include "broken_arch.h"

CODE(wrong, "add x3, x3, #2");	/* class args to class regs */

static void emit(struct tramp_code *code, struct ftrace_ops *ops, enum tramp_class class)
{
	arch_emit_enter(code, class);
	arch_emit_args(code);
	if (class == TRAMP_CLASS_ARGS)
		PUT(code, wrong);
	arch_emit_ops(code, ops);
	arch_emit_call(code, ftrace_ops_get_func(ops));
	arch_emit_leave(code);
}

BROKEN_EMIT(partial_called_full, "class_decides_pt_regs", "every_register_survives");
