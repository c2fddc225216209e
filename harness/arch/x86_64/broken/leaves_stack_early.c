/* SPDX-License-Identifier: MIT */
/*
 * The frame is given back before the registers are loaded: what lies deeper than the
 * red zone is a signal handler's.  One of them by far, since the kernel aligns what it
 * writes there.
 */
#include "broken_arch.h"

CODE(leave_code,
     "mov 32(%rsp), %rax; mov %rax, -128(%rsp);"
     "mov 128(%rsp), %rax; mov %rax, 176(%rsp); add $176, %rsp;"
     "mov 80 - 176(%rsp), %rax; mov 88 - 176(%rsp), %rcx; mov 96 - 176(%rsp), %rdx;"
     "mov 104 - 176(%rsp), %rsi; mov 112 - 176(%rsp), %rdi; mov -128 - 176(%rsp), %rbp;"
     "mov 72 - 176(%rsp), %r8; mov 64 - 176(%rsp), %r9; mov 56 - 176(%rsp), %r10;"
     "mov 48 - 176(%rsp), %r11; ret");

static void emit(struct tramp_code *code, struct ftrace_ops *ops, enum tramp_class class)
{
	arch_emit_enter(code, class);
	emit_right_call(code, ops);
	if (class == TRAMP_CLASS_ARGS_RESERVED)
		PUT(code, leave_code);
	else
		arch_emit_leave(code);
}

BROKEN_EMIT(leaves_stack_early, "signal_at_every_instruction", "every_register_survives");
