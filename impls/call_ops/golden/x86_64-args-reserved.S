/* SPDX-License-Identifier: MIT */
/*
 * A pt_regs of which r8..r11, ax, cx, dx, si, di, bp, ip and sp are stored, and cs
 * and orig_ax as 0; at 176 what the site pushed, at 184 the return address.
 */
#include "harness/tester/golden.h"

	golden	call_ops, args-reserved
	sub	$176, %rsp
	mov	%rax, 80(%rsp)
	mov	%rcx, 88(%rsp)
	mov	%rdx, 96(%rsp)
	mov	%rsi, 104(%rsp)
	mov	%rdi, 112(%rsp)
	mov	%rbp, 32(%rsp)
	mov	%r8, 72(%rsp)
	mov	%r9, 64(%rsp)
	mov	%r10, 56(%rsp)
	mov	%r11, 48(%rsp)
	mov	176(%rsp), %rdi
	lea	184(%rsp), %rsi
	mov	%rdi, 128(%rsp)		/* ip */
	mov	%rsi, 152(%rsp)		/* sp */
	movq	$0, 136(%rsp)		/* cs */
	movq	$0, 120(%rsp)		/* orig_ax */

	mov	176(%rsp), %rdi		/* ip */
	sub	$5, %rdi
	mov	184(%rsp), %rsi		/* parent_ip */
	lea	2(%rsp), %rcx		/* fregs: the frame, and that it is reserved */
	mov	%rdi, %rdx		/* the function, 4 below ip or at it: */
	and	$-8, %rdx
	mov	-8(%rdx), %rdx		/* its word, the ops */
.Lread:
	call	*(%rdx)			/* its func */

	mov	128(%rsp), %rax		/* resume where ip says */
	mov	%rax, 176(%rsp)
	mov	80(%rsp), %rax
	mov	88(%rsp), %rcx
	mov	96(%rsp), %rdx
	mov	104(%rsp), %rsi
	mov	112(%rsp), %rdi
	mov	32(%rsp), %rbp
	mov	72(%rsp), %r8
	mov	64(%rsp), %r9
	mov	56(%rsp), %r10
	mov	48(%rsp), %r11
	add	$176, %rsp
	ret
	end_golden word_read=.Lread
