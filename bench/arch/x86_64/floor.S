/* SPDX-License-Identifier: MIT */
/*
 * Hand-written entries that the strategies are held against.  Each is called
 * by the site and calls one known callback; none has a way to serve another
 * ops, and none has a frame that a callback could use except where it says so.
 *
 * On entry: 0(%rsp) = site + 5, 8(%rsp) = the traced function's return address.
 * Live there: the arguments (ax cx dx si di r8 r9), and r10 and r11, which
 * callers built with -fipa-ra may hold.
 */

	.macro CALL_ARGS regs_off			/* to the address of site + 5 */
	mov	\regs_off(%rsp), %rdi
	mov	\regs_off+8(%rsp), %rsi
	sub	$5, %rdi
	lea	bench_ref_ops(%rip), %rdx
	mov	%rsp, %rcx
	.endm

/* The least that does the job for one known callback: nine pushes, one word for alignment. */
	.macro BODY_floor callee
	push	%rax
	push	%rcx
	push	%rdx
	push	%rsi
	push	%rdi
	push	%r8
	push	%r9
	push	%r10
	push	%r11
	push	%rax					/* alignment only */
	CALL_ARGS 80
	call	\callee
	pop	%r11
	pop	%r11
	pop	%r10
	pop	%r9
	pop	%r8
	pop	%rdi
	pop	%rsi
	pop	%rdx
	pop	%rcx
	pop	%rax
	ret
	.endm

/* The kernel's clobber rule: r10 and r11 are nobody's at function entry. */
	.macro BODY_floor7 callee
	push	%rax
	push	%rcx
	push	%rdx
	push	%rsi
	push	%rdi
	push	%r8
	push	%r9
	push	%rax					/* alignment only */
	CALL_ARGS 64
	call	\callee
	pop	%r11
	pop	%r9
	pop	%r8
	pop	%rdi
	pop	%rsi
	pop	%rdx
	pop	%rcx
	pop	%rax
	ret
	.endm

/*
 * Shaped like the kernel's partial entry (S91, S94, S95): room for a whole
 * pt_regs, stored with mov and only in part; cs and orig_ax cleared to mark
 * it partial; ip and sp stored beside what the stack already says; ip taken
 * back from the frame on the way out.  The callback's ops comes from memory.
 */
#define K_bp		32
#define K_r9		64
#define K_r8		72
#define K_ax		80
#define K_cx		88
#define K_dx		96
#define K_si		104
#define K_di		112
#define K_orig_ax	120
#define K_ip		128
#define K_cs		136
#define K_sp		152
#define K_size		176	/* pt_regs, and a word that aligns the stack */
	.macro BODY_kernel_shaped callee
	sub	$K_size, %rsp
	mov	%rax, K_ax(%rsp)
	mov	%rcx, K_cx(%rsp)
	mov	%rdx, K_dx(%rsp)
	mov	%rsi, K_si(%rsp)
	mov	%rdi, K_di(%rsp)
	mov	%r8, K_r8(%rsp)
	mov	%r9, K_r9(%rsp)
	movq	$0, K_orig_ax(%rsp)
	mov	%rbp, K_bp(%rsp)
	mov	K_size+8(%rsp), %rsi			/* parent_ip */
	mov	K_size(%rsp), %rdi
	mov	%rdi, K_ip(%rsp)
	sub	$5, %rdi				/* ip */
	movq	$0, K_cs(%rsp)
	lea	K_size+8(%rsp), %rcx
	mov	%rcx, K_sp(%rsp)
	mov	bench_ref_ops_ptr(%rip), %rdx
	mov	%rsp, %rcx
	call	\callee
	mov	K_ip(%rsp), %rax
	mov	%rax, K_size(%rsp)
	mov	K_r9(%rsp), %r9
	mov	K_r8(%rsp), %r8
	mov	K_di(%rsp), %rdi
	mov	K_si(%rsp), %rsi
	mov	K_dx(%rsp), %rdx
	mov	K_cx(%rsp), %rcx
	mov	K_ax(%rsp), %rax
	mov	K_bp(%rsp), %rbp
	add	$K_size, %rsp
	ret
	.endm

/* A whole pt_regs by pushes, and the flags put back by popfq: what does that one instruction cost? */
	.macro BODY_popfq callee
	pushfq
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
	CALL_ARGS 128
	call	\callee
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
	popfq
	ret
	.endm

/* popfq's twin, without the flags: the difference of the two rows is the answer. */
	.macro BODY_pushregs callee
	push	%rax					/* where the flags would be */
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
	CALL_ARGS 128
	call	\callee
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
	lea	8(%rsp), %rsp
	ret
	.endm

/*
 * Class noregs: ip and parent_ip alone, to a list function.  Two, alike but
 * for what stands between: where is the stop switch tested?
 */
	.macro BODY_noregs callee
	push	%rax
	push	%rcx
	push	%rdx
	push	%rsi
	push	%rdi
	push	%r8
	push	%r9
	push	%r10
	push	%r11
	push	%rax					/* alignment only */
	mov	80(%rsp), %rdi
	mov	88(%rsp), %rsi
	sub	$5, %rdi
	call	\callee
	pop	%r11
	pop	%r11
	pop	%r10
	pop	%r9
	pop	%r8
	pop	%rdi
	pop	%rsi
	pop	%rdx
	pop	%rcx
	pop	%rax
	ret
	.endm

	.macro ENTRY name body callee
	.text
	.p2align 6
	.globl	\name
	.type	\name, @function
\name:
	\body \callee
	.size	\name, . - \name
	.endm

/* The last line of each: two copies of one text, and a struct bench_ref. */
	.macro REF name
	ENTRY ref_\name BODY_\name bench_callback_0
	ENTRY ref_\name\()_check BODY_\name bench_callback_check
	.pushsection .rodata.str1.1, "aMS", @progbits, 1
1:	.asciz	"\name"
	.popsection
	.pushsection bench_refs, "aw"
	.p2align 3
	.quad	1b, ref_\name, ref_\name\()_check
	.popsection
	.endm

	REF floor
	REF floor7
	REF kernel_shaped
	REF popfq
	REF pushregs

	ENTRY bench_noregs_list BODY_noregs ftrace_ops_list_func_noregs
	ENTRY bench_noregs_helper BODY_noregs bench_stop_helper

/* Called from inside bench_callback_check: whatever a C callback may overwrite, it does. */
	.globl	bench_clobber
	.type	bench_clobber, @function
	.p2align 4
bench_clobber:
	mov	$0x5a5a5a5a5a5a5a5a, %rax
	mov	%rax, %rcx
	mov	%rax, %rdx
	mov	%rax, %rsi
	mov	%rax, %rdi
	mov	%rax, %r8
	mov	%rax, %r9
	mov	%rax, %r10
	mov	%rax, %r11
	cmp	%rax, %rcx
	ret
	.size	bench_clobber, . - bench_clobber

	.section .note.GNU-stack, "", @progbits
