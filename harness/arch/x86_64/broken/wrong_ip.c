/* SPDX-License-Identifier: MIT */
/* ip is one byte behind the site. */
#include "broken_arch.h"

CODE(wrong_ip_code, "inc %rdi");

static void emit(struct tramp_code *code, struct ftrace_ops *ops, enum tramp_class class)
{
	arch_emit_enter(code, class);
	arch_emit_args(code);
	PUT(code, wrong_ip_code);
	arch_emit_ops(code, ops);
	arch_emit_call(code, ftrace_ops_get_func(ops));
	arch_emit_leave(code);
}

BROKEN_EMIT(wrong_ip, "ip_is_the_site", "called_once");
