/* SPDX-License-Identifier: MIT */
/* ip is one instruction behind the site. */
#include "broken_arch.h"

CODE(wrong, "add x0, x0, #4");

static void emit(struct tramp_code *code, struct ftrace_ops *ops, enum tramp_class class)
{
	arch_emit_enter(code, class);
	arch_emit_args(code);
	PUT(code, wrong);
	arch_emit_ops(code, ops);
	arch_emit_call(code, ftrace_ops_get_func(ops));
	arch_emit_leave(code);
}

BROKEN_EMIT(wrong_ip, "ip_is_the_site", "called_once");
