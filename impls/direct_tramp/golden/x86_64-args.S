/* SPDX-License-Identifier: MIT */
/*
 * The compact frame, from the stack pointer up: r11 r10 r9 r8 ax cx dx si di bp,
 * then at 80 what the site pushed, and at 88 the traced function's return address.
 */
#include "harness/tester/golden.h"

	golden	direct_tramp, args
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

	mov	80(%rsp), %rdi		/* ip */
	sub	$5, %rdi
	mov	88(%rsp), %rsi		/* parent_ip */
	lea	1(%rsp), %rcx		/* fregs: the frame, and that it is compact */
	mov	4f(%rip), %rdx		/* the ops' word */
1:	call	2f			/* the slot: at first through the veneer */

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
	/* the veneer, right before its word, which is aligned */
	.skip	(2 - (. - 94b)) & 7, 0xcc
2:	jmp	*3f(%rip)
3:	.quad	ftrace_ops_list_func
4:	.quad	0
	end_golden slot=1b, slot_far=3b, slot_ops=4b
