/* SPDX-License-Identifier: MIT */
/*
 * The compact frame, from the stack pointer up: r11 r10 r9 r8 ax cx dx si di bp,
 * then at 80 what the site pushed, and at 88 the traced function's return address.
 */
#include "harness/tester/golden.h"

	golden	call_ops, args
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
	mov	%rdi, %rdx		/* the function, 4 below ip or at it: */
	and	$-8, %rdx
	mov	-8(%rdx), %rdx		/* its word, the ops */
.Lread:
	call	*(%rdx)			/* its func */

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
	end_golden word_read=.Lread
