/* SPDX-License-Identifier: MIT */
/*
 * The frames of golden code, by class; what a class saves is in no other file of
 * golden code.
 *
 *	noregs, args	r11 r10 r9 r8 ax cx dx si di bp, then at 80 what the site pushed,
 *			at 88 the traced function's return address
 *	others		a pt_regs: r15 at 0 to di at 112, orig_ax at 120, ip at 128, cs at
 *			136, flags at 144, sp at 152; at 168 the flags at the site with
 *			two marks (0x20 filled in, 0x8000 leave by the careful path), at
 *			176 what the site pushed, at 184 the return address
 *	args-reserved	of it r8..r11, ax, cx, dx, si, di, bp, ip and sp, and cs and
 *			orig_ax as 0
 *	vec		below it and 64-aligned the vector registers; rbp holds on to it
 */
#ifndef TRAMPLAB_GOLDEN_FRAMES_H
#define TRAMPLAB_GOLDEN_FRAMES_H

#include "harness/tester/golden.h"

/* Where it is, ip and return address in it, and fregs' mark of what it holds. */
#define FRAME_ARGS	%rsp, 80, 88, 1
#define FRAME_RESERVED	%rsp, 176, 184, 2
#define FRAME_REGS	%rsp, 176, 184, 3
#define FRAME_VEC	%rbp, 176, 184, 4

.macro enter_args
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

.macro leave_args
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

.macro enter_reserved
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
.endm

.macro leave_reserved
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
.endm

/* The entry is 98. */
.macro enter_regs
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
.endm

.macro leave_regs
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

.macro enter_vec area
	enter_regs
	mov	%rsp, %rbp
	sub	$\area, %rsp
	and	$-64, %rsp
.endm

.macro leave_vec
	mov	%rbp, %rsp
	leave_regs
.endm

#define EACH16	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#define EACH32	EACH16, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
#define EACH8	0, 1, 2, 3, 4, 5, 6, 7

.macro enter_sse
	enter_vec 256
	.irp n, EACH16
	movaps	%xmm\n, 16 * \n(%rsp)
	.endr
.endm

.macro leave_sse
	.irp n, EACH16
	movaps	16 * \n(%rsp), %xmm\n
	.endr
	leave_vec
.endm

.macro enter_avx
	enter_vec 512
	.irp n, EACH16
	vmovaps	%ymm\n, 32 * \n(%rsp)
	.endr
.endm

.macro leave_avx
	.irp n, EACH16
	vmovaps	32 * \n(%rsp), %ymm\n
	.endr
	leave_vec
.endm

.macro enter_avx512
	enter_vec 2112
	.irp n, EACH32
	vmovaps	%zmm\n, 64 * \n(%rsp)
	.endr
	.irp n, EACH8
	kmovq	%k\n, 2048 + 8 * \n(%rsp)
	.endr
.endm

.macro leave_avx512
	.irp n, EACH8
	kmovq	2048 + 8 * \n(%rsp), %k\n
	.endr
	.irp n, EACH32
	vmovaps	64 * \n(%rsp), %zmm\n
	.endr
	leave_vec
.endm

/* --- arguments and calls --- */

.macro ip_parent at, ip, parent
	mov	\ip(\at), %rdi
	sub	$5, %rdi
	mov	\parent(\at), %rsi
.endm

.macro args at, ip, parent, tag
	ip_parent \at, \ip, \parent
	lea	\tag(\at), %rcx
.endm

.macro call_for ops
	lea	\ops(%rip), %rdx
	call	golden_func
.endm

.macro own_ops at, ip, parent, tag
	args	\at, \ip, \parent, \tag
	call_for golden_ops
.endm

.macro call_list at, ip, parent, tag
	args	\at, \ip, \parent, \tag
	call	ftrace_ops_list_func
.endm

/* The ops' word, and the slot, which at first goes through the veneer. */
.macro slot_ops at, ip, parent, tag
	args	\at, \ip, \parent, \tag
	mov	4f(%rip), %rdx
1:	call	2f
.endm

/* The veneer, right before its word, which is aligned. */
.macro slot_words
	.skip	(2 - (. - 94b)) & 7, 0xcc
2:	jmp	*3f(%rip)
3:	.quad	ftrace_ops_list_func
4:	.quad	0
.endm

/* The function is 4 below ip or at it; below that its word, the ops. */
.macro word_ops at, ip, parent, tag
	args	\at, \ip, \parent, \tag
	mov	%rdi, %rdx
	and	$-8, %rdx
	mov	-8(%rdx), %rdx
97:	call	*(%rdx)
.endm

/* --- guarded sets --- */

/* The guard is the path's first byte; behind it, ip and parent_ip of the set that holds it. */
#define GUARD	%fs:tramp_path@tpoff
#define IP	%fs:tramp_path@tpoff + 8
#define PARENT	%fs:tramp_path@tpoff + 16

.macro set_guard
	cmpb	$0, GUARD
	{disp32} jne 96f		/* more ops make it far */
	movb	$1, GUARD
.endm

.macro set_unguard
	movb	$0, GUARD
.endm

/* Behind the leave of a set: the way of a thread that is inside already. */
.macro set_held at, ip, parent, tag
96:	call_list \at, \ip, \parent, \tag
.endm

.macro set_first at, ip, parent, tag, ops
	ip_parent \at, \ip, \parent
	mov	%rdi, IP
	mov	%rsi, PARENT
	lea	\tag(\at), %rcx
	call_for \ops
.endm

.macro set_later at, tag, ops
	mov	IP, %rdi		/* the callback before may have changed the frame's */
	mov	PARENT, %rsi
	lea	\tag(\at), %rcx
	call_for \ops
.endm

#endif
