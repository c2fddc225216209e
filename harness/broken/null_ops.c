/* SPDX-License-Identifier: MIT */
/* The callback is not told for whom it is called. */
#include <stddef.h>
#include "broken.h"

static void emit(struct tramp_code *code, struct ftrace_ops *ops, enum tramp_class class)
{
	arch_emit_enter(code, class);
	arch_emit_args(code);
	arch_emit_ops(code, NULL);
	arch_emit_call(code, ftrace_ops_get_func(ops));
	arch_emit_leave(code);
}

BROKEN_EMIT(null_ops, "ops_argument_is_its_own", "not_before_register");
