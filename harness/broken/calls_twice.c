/* SPDX-License-Identifier: MIT */
/* One call of the function is two of the callback. */
#include "broken.h"

static void emit(struct tramp_code *code, struct ftrace_ops *ops, enum tramp_class class)
{
	arch_emit_enter(code, class);
	emit_right_call(code, ops);
	emit_right_call(code, ops);
	arch_emit_leave(code);
}

BROKEN_EMIT(calls_twice, "called_once", "ip_is_the_site");
