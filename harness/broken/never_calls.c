/* SPDX-License-Identifier: MIT */
/* The entry calls nobody. */
#include "broken.h"

static void emit(struct tramp_code *code, struct ftrace_ops *ops, enum tramp_class class)
{
	(void)ops;
	arch_emit_enter(code, class);
	arch_emit_leave(code);
}

BROKEN_EMIT(never_calls, "called_once", "return_value_kept");
