/* SPDX-License-Identifier: MIT */
/*
 * The compact frame, from the stack pointer up: r11 r10 r9 r8 ax cx dx si di bp,
 * then at 80 what the site pushed, and at 88 the traced function's return address.
 */
#include "harness/tester/golden.h"
#include "x86_64-set.h"

.macro enter
	push	%rbp
	push	%rdi
	push	%rsi
	push	%rdx
	push	%rcx
	push	%rax
	push	%r8
	push	%r9
	push	%r10
	push	%r11
.endm

.macro leave
	pop	%r11
	pop	%r10
	pop	%r9
	pop	%r8
	pop	%rax
	pop	%rcx
	pop	%rdx
	pop	%rsi
	pop	%rdi
	pop	%rbp
	ret
.endm

#define FRAME %rsp, 80, 88, 1

	golden	fused_tramp, args
	enter
	args	FRAME
	call_for golden_ops
	leave
	end_golden

	golden	fused_tramp, args, nr=2
	enter
	guard
	first	FRAME, golden_ops
	later	%rsp, 1, golden_ops2
	unguard
	leave
	held	FRAME
	leave
	end_golden

	golden	fused_tramp, args, nr=3
	enter
	guard
	first	FRAME, golden_ops
	later	%rsp, 1, golden_ops2
	later	%rsp, 1, golden_ops3
	unguard
	leave
	held	FRAME
	leave
	end_golden
