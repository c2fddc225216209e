/* SPDX-License-Identifier: MIT */
/*
 * A pt_regs (r15 at 0 to di at 112, orig_ax at 120, ip at 128, flags at 144), the
 * flags at the site with two marks at 168 (0x20 filled in, 0x8000 leave by the
 * careful path), at 176 what the site pushed, at 184 the return address.
 * Below and 64-aligned the vector registers; rbp holds on to the frame.
 */
#include "harness/tester/golden.h"

#define EACH16	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#define EACH32	EACH16, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
#define EACH8	0, 1, 2, 3, 4, 5, 6, 7

.macro enter area
.Ldf\@:	cld				/* rare: the callback needs it clear */
	orl	$0x8000, 168(%rsp)
	jmp	.Ldone\@
98:
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
	jnz	.Ldf\@
.Ldone\@:
	mov	%rsp, %rbp
	sub	$\area, %rsp
	and	$-64, %rsp
.endm

.macro args_and_call
	mov	176(%rbp), %rdi		/* ip */
	sub	$5, %rdi
	mov	184(%rbp), %rsi		/* parent_ip */
	lea	4(%rbp), %rcx		/* fregs: the frame, and that it is vec */
	mov	%rdi, %rdx		/* the function, 4 below ip or at it: */
	and	$-8, %rdx
	mov	-8(%rdx), %rdx		/* its word, the ops */
97:
	call	*(%rdx)			/* its func */
.endm

.macro leave
	mov	%rbp, %rsp
	testb	$0x80, 169(%rsp)	/* asked for the careful path? */
	jnz	.Lcareful\@
.Lfast\@:
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
.Lcareful\@:
	mov	168(%rsp), %rcx
	mov	%rcx, %rax
	test	$0x20, %cl		/* filled in: its ip and flags count */
	jz	.Lwhere\@
	mov	128(%rsp), %rax
	mov	%rax, 176(%rsp)
	mov	144(%rsp), %rax
.Lwhere\@:
	and	$~0x8020, %rax		/* no marks */
	xor	%rax, %rcx
	mov	%rax, 168(%rsp)
	test	$~0x88f5, %ecx		/* more than status flags and marks differ */
	jnz	.Lpopf\@
	test	$0x400, %eax		/* DF is to be set again */
	jz	.Lfast\@
.Lpopf\@:
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
.endm

	golden	call_ops, vec, sse
	enter	256
	.irp n, EACH16
	movaps	%xmm\n, 16 * \n(%rsp)
	.endr
	args_and_call
	.irp n, EACH16
	movaps	16 * \n(%rsp), %xmm\n
	.endr
	leave
	end_golden entry=98b, word_read=97b

	golden	call_ops, vec, avx
	enter	512
	.irp n, EACH16
	vmovaps	%ymm\n, 32 * \n(%rsp)
	.endr
	args_and_call
	.irp n, EACH16
	vmovaps	32 * \n(%rsp), %ymm\n
	.endr
	leave
	end_golden entry=98b, word_read=97b

	golden	call_ops, vec, avx512
	enter	2112
	.irp n, EACH32
	vmovaps	%zmm\n, 64 * \n(%rsp)
	.endr
	.irp n, EACH8
	kmovq	%k\n, 2048 + 8 * \n(%rsp)
	.endr
	args_and_call
	.irp n, EACH8
	kmovq	2048 + 8 * \n(%rsp), %k\n
	.endr
	.irp n, EACH32
	vmovaps	64 * \n(%rsp), %zmm\n
	.endr
	leave
	end_golden entry=98b, word_read=97b
