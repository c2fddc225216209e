/* SPDX-License-Identifier: MIT */
/*
 * A pt_regs (r15 at 0 to di at 112, orig_ax at 120, ip at 128, flags at 144), the
 * flags at the site with two marks at 168 (0x20 filled in, 0x8000 leave by the
 * careful path), at 176 what the site pushed, at 184 the return address.
 */
#include "harness/tester/golden.h"

	golden	call_ops, regs
.Ldf:	cld				/* rare: the callback needs it clear */
	orl	$0x8000, 168(%rsp)
	jmp	.Ldone
.Lentry:
	pushfq
	sub	$48, %rsp		/* orig_ax to ss */
	push	%rdi
	push	%rsi
	push	%rdx
	push	%rcx
	push	%rax
	push	%r8
	push	%r9
	push	%r10
	push	%r11
	push	%rbx
	push	%rbp
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	testb	$4, 169(%rsp)		/* DF */
	jnz	.Ldf
.Ldone:
	mov	176(%rsp), %rdi		/* ip */
	sub	$5, %rdi
	mov	184(%rsp), %rsi		/* parent_ip */
	lea	3(%rsp), %rcx		/* fregs: the frame, and that it is full */
	mov	%rdi, %rdx		/* the function, 4 below ip or at it: */
	and	$-8, %rdx
	mov	-8(%rdx), %rdx		/* its word, the ops */
.Lread:
	call	*(%rdx)			/* its func */

	testb	$0x80, 169(%rsp)	/* asked for the careful path? */
	jnz	.Lcareful
.Lfast:
	mov	169(%rsp), %al
	and	$0x08, %al		/* OF */
	add	$0x78, %al
	mov	168(%rsp), %ah		/* SF ZF AF PF CF */
	sahf
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbp
	pop	%rbx
	pop	%r11
	pop	%r10
	pop	%r9
	pop	%r8
	pop	%rax
	pop	%rcx
	pop	%rdx
	pop	%rsi
	pop	%rdi
	lea	56(%rsp), %rsp
	ret
.Lcareful:
	mov	168(%rsp), %rcx
	mov	%rcx, %rax
	test	$0x20, %cl		/* filled in: its ip and flags count */
	jz	.Lwhere
	mov	128(%rsp), %rax
	mov	%rax, 176(%rsp)
	mov	144(%rsp), %rax
.Lwhere:
	and	$~0x8020, %rax		/* no marks */
	xor	%rax, %rcx
	mov	%rax, 168(%rsp)
	test	$~0x88f5, %ecx		/* more than status flags and marks differ */
	jnz	.Lpopf
	test	$0x400, %eax		/* DF is to be set again */
	jz	.Lfast
.Lpopf:
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbp
	pop	%rbx
	pop	%r11
	pop	%r10
	pop	%r9
	pop	%r8
	pop	%rax
	pop	%rcx
	pop	%rdx
	pop	%rsi
	pop	%rdi
	lea	48(%rsp), %rsp
	popfq
	ret
	end_golden entry=.Lentry, word_read=.Lread
