/* SPDX-License-Identifier: MIT */
/*
 * The frames of golden code, by class; what a class saves is in no other file of
 * golden code.  x9 is the traced function's return address, x30 where it resumes.
 *
 *	noregs, args	sp+0 record, pc; 16 x0..x8; 88 x10..x15, x18; 144 a set's ip,
 *			parent_ip; 160 fp, lr
 *	others		sp+0 x0..x28; 232 fp, lr; 248 sp, pc, pstate; 272 record, pc;
 *			288 a set's ip, parent_ip
 *	vec		528 below: fpsr, fpcr, q0..q31
 */
#ifndef TRAMPLAB_GOLDEN_FRAMES_H
#define TRAMPLAB_GOLDEN_FRAMES_H

#include "harness/tester/golden.h"

.macro args_saved op
	\op	x0, x1, [sp, #16]
	\op	x2, x3, [sp, #32]
	\op	x4, x5, [sp, #48]
	\op	x6, x7, [sp, #64]
	\op	x8, x10, [sp, #80]
	\op	x11, x12, [sp, #96]
	\op	x13, x14, [sp, #112]
	\op	x15, x18, [sp, #128]
.endm

.macro enter_args
	stp	x29, x9, [sp, #-16]!
	mov	x29, sp
	stp	x29, x30, [sp, #-160]!
	mov	x29, sp
	args_saved stp
.endm

.macro leave_args
	args_saved ldp
	ldp	x29, x9, [sp], #160
	ldp	x29, x30, [sp], #16
	ret	x9
.endm

.macro records
	sub	sp, sp, #304
	stp	x29, x9, [sp, #232]
	add	x29, sp, #232
	stp	x29, x30, [sp, #272]
	add	x29, sp, #272
.endm

.macro resume
	ldp	x29, x30, [sp, #232]
	ldr	x9, [sp, #256]
	add	sp, sp, #304
	ret	x9
.endm

.macro upto_x15 op
	\op	x0, x1, [sp]
	\op	x2, x3, [sp, #16]
	\op	x4, x5, [sp, #32]
	\op	x6, x7, [sp, #48]
	\op	x8, x9, [sp, #64]
	\op	x10, x11, [sp, #80]
	\op	x12, x13, [sp, #96]
	\op	x14, x15, [sp, #112]
.endm

.macro from_x16 op
	\op	x16, x17, [sp, #128]
	\op	x18, x19, [sp, #144]
	\op	x20, x21, [sp, #160]
	\op	x22, x23, [sp, #176]
	\op	x24, x25, [sp, #192]
	\op	x26, x27, [sp, #208]
.endm

.macro enter_reserved
	records
	upto_x15 stp
	str	x18, [sp, #144]
	add	x10, sp, #304
	stp	x10, x30, [sp, #248]
.endm

.macro leave_reserved
	upto_x15 ldp
	ldr	x18, [sp, #144]
	resume
.endm

.macro enter_regs
	records
	upto_x15 stp
	from_x16 stp
	str	x28, [sp, #224]
	add	x10, sp, #304
	mrs	x11, nzcv
	str	x10, [sp, #248]
	stp	x30, x11, [sp, #256]
.endm

.macro leave_regs
	ldr	x9, [sp, #264]
	msr	nzcv, x9
	upto_x15 ldp
	from_x16 ldp
	ldr	x28, [sp, #224]
	resume
.endm

.macro vectors op
	\op	q0, q1, [sp, #16]
	\op	q2, q3, [sp, #48]
	\op	q4, q5, [sp, #80]
	\op	q6, q7, [sp, #112]
	\op	q8, q9, [sp, #144]
	\op	q10, q11, [sp, #176]
	\op	q12, q13, [sp, #208]
	\op	q14, q15, [sp, #240]
	\op	q16, q17, [sp, #272]
	\op	q18, q19, [sp, #304]
	\op	q20, q21, [sp, #336]
	\op	q22, q23, [sp, #368]
	\op	q24, q25, [sp, #400]
	\op	q26, q27, [sp, #432]
	\op	q28, q29, [sp, #464]
	\op	q30, q31, [sp, #496]
.endm

.macro enter_vec
	enter_regs
	mrs	x10, fpsr
	mrs	x11, fpcr
	sub	sp, sp, #528
	stp	x10, x11, [sp]
	vectors stp
.endm

.macro leave_vec
	vectors ldp
	ldp	x10, x11, [sp]
	msr	fpsr, x10
	msr	fpcr, x11
	add	sp, sp, #528
	leave_regs
.endm

/* Right behind enter: ip, parent_ip. */
.macro first_args
	sub	x0, x30, #4
	mov	x1, x9
.endm

/* The constants of ops, behind the code. */
.macro words
	.p2align 3
.endm

/* --- what a strategy does between enter and leave --- */

/* One ops, a constant; @fregs: the frame's offset from sp, and its class. */
.macro own_ops fregs
	first_args
	add	x3, sp, #\fregs
	ldr	x2, 81f
	bl	golden_func
.endm
.macro own_words
	words
81:	.quad	golden_ops
.endm

/* The ops in a word and the call through a veneer, which the core re-points. */
.macro slot_ops fregs
	first_args
	add	x3, sp, #\fregs
	ldr	x2, .Lops
.Lslot:	bl	.Lveneer
.endm
.macro slot_words func
	words
.Lveneer:
	ldr	x16, .Lfar
	br	x16
.Lfar:	.quad	\func
.Lops:	.quad	0
.endm

/* The list function finds the ops. */
.macro list_call fregs
	first_args
	add	x3, sp, #\fregs
	bl	ftrace_ops_list_func
.endm

/* The ops in the word before the function, which is 8-aligned: 16 below the multiple of 8 at or before x30. */
.macro word_ops fregs
	first_args
	add	x3, sp, #\fregs
	and	x2, x30, #0xfffffffffffffff8
	ldur	x2, [x2, #-16]
.Lread:	ldr	x16, [x2]
	blr	x16
.endm

/* Several, in turn.  The guard is the path's first byte: 0 or any other. */
.macro set_guard fregs
	mrs	x10, tpidr_el0
	ldrb	w11, [x10, #:tprel_lo12:tramp_path]
	cbnz	w11, 96f
	add	x3, sp, #\fregs
	strb	w3, [x10, #:tprel_lo12:tramp_path]
.endm
.macro set_first note
	first_args
	stp	x0, x1, [x29, #\note]
	ldr	x2, 81f
	bl	golden_func
.endm
.macro set_later note, fregs, ops
	ldp	x0, x1, [x29, #\note]
	add	x3, sp, #\fregs
	ldr	x2, \ops
	bl	golden_func
.endm
.macro set_unguard
	mrs	x10, tpidr_el0
	strb	wzr, [x10, #:tprel_lo12:tramp_path]
.endm
/* A thread that is inside already; @pc, @lr: where they lie. */
.macro set_held fregs, pc, lr
96:	ldr	x0, [sp, #\pc]
	ldr	x1, [sp, #\lr]
	sub	x0, x0, #4
	add	x3, sp, #\fregs
	bl	ftrace_ops_list_func
.endm
/* The newest constant comes first. */
.macro set_words2
	words
82:	.quad	golden_ops2
81:	.quad	golden_ops
.endm
.macro set_words3
	words
83:	.quad	golden_ops3
82:	.quad	golden_ops2
81:	.quad	golden_ops
.endm

#endif
