/* SPDX-License-Identifier: MIT */
/*
 * Hand-written entries that the strategies are held against.  Each is called
 * by the site and calls one known callback; none has a way to serve another
 * ops, and none has a frame that a callback could use.
 *
 * On entry: x30 = site + 4, x9 = the traced function's return address.
 * Live there: x0-x8, and x10-x15 and x18, which callers with interprocedural
 * register allocation may hold.
 */

	.macro CALL_ARGS
	sub	x0, x30, #4
	mov	x1, x9
	adrp	x2, bench_ref_ops
	add	x2, x2, :lo12:bench_ref_ops
	mov	x3, sp
	.endm

/*
 * The least that does the job for one known callback.
 *
 *	+128 x30 +120 x18 +112 x15 ... +80 x10
 *	+72  x9  +64  x8  +56  x7  ... +0  x0		<- sp
 */
#define FLOOR_SIZE	144
	.macro EACH_floor op
	\op	x2, x3, [sp, #16]
	\op	x4, x5, [sp, #32]
	\op	x6, x7, [sp, #48]
	\op	x10, x11, [sp, #80]
	\op	x12, x13, [sp, #96]
	\op	x14, x15, [sp, #112]
	.endm
	.macro SAVE_floor
	stp	x0, x1, [sp, #-FLOOR_SIZE]!
	stp	x8, x9, [sp, #64]
	stp	x18, x30, [sp, #128]
	EACH_floor stp
	.endm
	.macro RESTORE_floor
	EACH_floor ldp
	ldp	x18, x9, [sp, #128]			/* where the site resumes */
	ldp	x8, x30, [sp, #64]
	ldp	x0, x1, [sp], #FLOOR_SIZE
	ret	x9
	.endm
	.macro BODY_floor callee
	SAVE_floor
	CALL_ARGS
	bl	\callee
	RESTORE_floor
	.endm

/* The kernel's clobber rule: x10-x18 are nobody's at function entry.  +80 x30 +72 x9 +64 x8 ... +0 x0 */
#define FLOOR7_SIZE	96
	.macro EACH_floor7 op
	\op	x2, x3, [sp, #16]
	\op	x4, x5, [sp, #32]
	\op	x6, x7, [sp, #48]
	.endm
	.macro BODY_floor7 callee
	stp	x0, x1, [sp, #-FLOOR7_SIZE]!
	stp	x8, x9, [sp, #64]
	str	x30, [sp, #80]
	EACH_floor7 stp
	CALL_ARGS
	bl	\callee
	EACH_floor7 ldp
	ldr	x9, [sp, #80]
	ldp	x8, x30, [sp, #64]
	ldp	x0, x1, [sp], #FLOOR7_SIZE
	ret	x9
	.endm

/*
 * Class noregs: ip and parent_ip alone, to a list function.  Two, alike but
 * for what stands between: where is the stop switch tested?
 */
	.macro BODY_noregs callee
	SAVE_floor
	sub	x0, x30, #4
	mov	x1, x9
	bl	\callee
	RESTORE_floor
	.endm

	.macro ENTRY name body callee
	.text
	.p2align 6
	.globl	\name
	.type	\name, %function
\name:
	\body	\callee
	.size	\name, . - \name
	.endm

/* The last line of each: two copies of one text, and a struct bench_ref. */
	.macro REF name
	ENTRY ref_\name BODY_\name bench_callback_0
	ENTRY ref_\name\()_check BODY_\name bench_callback_check
	.pushsection .rodata.str1.1, "aMS", %progbits, 1
1:	.asciz	"\name"
	.popsection
	.pushsection bench_refs, "aw"
	.p2align 3
	.quad	1b, ref_\name, ref_\name\()_check
	.popsection
	.endm

	REF floor
	REF floor7

	ENTRY bench_noregs_list BODY_noregs ftrace_ops_list_func_noregs
	ENTRY bench_noregs_helper BODY_noregs bench_stop_helper

/* Called from inside bench_callback_check: whatever a C callback may overwrite, it does. */
	.globl	bench_clobber
	.type	bench_clobber, %function
	.p2align 4
bench_clobber:
	movz	x0, #0x5a5a
	movk	x0, #0x5a5a, lsl #48
	.irp	n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18
	mov	x\n, x0
	.endr
	cmp	x0, x1
	ret
	.size	bench_clobber, . - bench_clobber

	.section .note.GNU-stack, "", %progbits
