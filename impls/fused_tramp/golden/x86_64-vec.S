/* SPDX-License-Identifier: MIT */
/*
 * A pt_regs (r15 at 0 to di at 112, orig_ax at 120, ip at 128, flags at 144), the
 * flags at the site with two marks at 168 (0x20 filled in, 0x8000 leave by the
 * careful path), at 176 what the site pushed, at 184 the return address.
 * Below and 64-aligned the vector registers; rbp holds on to the frame.
 */
#include "harness/tester/golden.h"
#include "x86_64-set.h"

#define EACH16	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#define EACH32	EACH16, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
#define EACH8	0, 1, 2, 3, 4, 5, 6, 7

.macro enter_regs area
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

.macro leave_regs
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

#define FRAME %rbp, 176, 184, 4

.macro enter_sse
	enter_regs 256
	.irp n, EACH16
	movaps	%xmm\n, 16 * \n(%rsp)
	.endr
.endm

.macro leave_sse
	.irp n, EACH16
	movaps	16 * \n(%rsp), %xmm\n
	.endr
	leave_regs
.endm

.macro enter_avx
	enter_regs 512
	.irp n, EACH16
	vmovaps	%ymm\n, 32 * \n(%rsp)
	.endr
.endm

.macro leave_avx
	.irp n, EACH16
	vmovaps	32 * \n(%rsp), %ymm\n
	.endr
	leave_regs
.endm

.macro enter_avx512
	enter_regs 2112
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
	leave_regs
.endm

	golden	fused_tramp, vec, sse
	enter_sse
	args	FRAME
	call_for golden_ops
	leave_sse
	end_golden entry=98b

	golden	fused_tramp, vec, sse, nr=2
	enter_sse
	guard
	first	FRAME, golden_ops
	later	%rbp, 4, golden_ops2
	unguard
	leave_sse
	held	FRAME
	leave_sse
	end_golden entry=98b

	golden	fused_tramp, vec, sse, nr=3
	enter_sse
	guard
	first	FRAME, golden_ops
	later	%rbp, 4, golden_ops2
	later	%rbp, 4, golden_ops3
	unguard
	leave_sse
	held	FRAME
	leave_sse
	end_golden entry=98b

	golden	fused_tramp, vec, avx
	enter_avx
	args	FRAME
	call_for golden_ops
	leave_avx
	end_golden entry=98b

	golden	fused_tramp, vec, avx, nr=2
	enter_avx
	guard
	first	FRAME, golden_ops
	later	%rbp, 4, golden_ops2
	unguard
	leave_avx
	held	FRAME
	leave_avx
	end_golden entry=98b

	golden	fused_tramp, vec, avx, nr=3
	enter_avx
	guard
	first	FRAME, golden_ops
	later	%rbp, 4, golden_ops2
	later	%rbp, 4, golden_ops3
	unguard
	leave_avx
	held	FRAME
	leave_avx
	end_golden entry=98b

	golden	fused_tramp, vec, avx512
	enter_avx512
	args	FRAME
	call_for golden_ops
	leave_avx512
	end_golden entry=98b

	golden	fused_tramp, vec, avx512, nr=2
	enter_avx512
	guard
	first	FRAME, golden_ops
	later	%rbp, 4, golden_ops2
	unguard
	leave_avx512
	held	FRAME
	leave_avx512
	end_golden entry=98b

	golden	fused_tramp, vec, avx512, nr=3
	enter_avx512
	guard
	first	FRAME, golden_ops
	later	%rbp, 4, golden_ops2
	later	%rbp, 4, golden_ops3
	unguard
	leave_avx512
	held	FRAME
	leave_avx512
	end_golden entry=98b
