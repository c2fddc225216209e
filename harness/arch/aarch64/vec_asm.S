/* SPDX-License-Identifier: MIT */
/* vec_call(func, in, out) and vec_clobber(): see shim.h. */

	.text

.macro each_pair do
	.irp n, 0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30
	\do	\n, %(\n + 1)
	.endr
.endm
.altmacro
.macro load n, m
	ldp	q\n, q\m, [x1, #16 * \n]
.endm
.macro store n, m
	stp	q\n, q\m, [x19, #16 * \n]
.endm
.macro clobber n, m
	movi	v\n\().16b, #0xa5
	movi	v\m\().16b, #0x5a
.endm

.macro function name
	.p2align 4
	.globl	\name
	.type	\name, %function
\name:
.endm

/*
 *	+32 d8 to d15	+16 x19, x20	+0 x29, x30	<- sp
 *
 * x19: out, kept by the function called; x20: this thread's own fpcr.
 */
function vec_call
	stp	x29, x30, [sp, #-96]!
	stp	x19, x20, [sp, #16]
	stp	d8, d9, [sp, #32]
	stp	d10, d11, [sp, #48]
	stp	d12, d13, [sp, #64]
	stp	d14, d15, [sp, #80]
	mov	x19, x2
	mrs	x20, fpcr
	mov	x9, x0
	ldr	x2, [x1, #512]
	ldr	x3, [x1, #520]
	msr	fpsr, x2
	msr	fpcr, x3
	each_pair load
	blr	x9
	each_pair store
	mrs	x2, fpsr
	mrs	x3, fpcr
	str	x2, [x19, #512]
	str	x3, [x19, #520]
	msr	fpcr, x20
	ldp	d8, d9, [sp, #32]
	ldp	d10, d11, [sp, #48]
	ldp	d12, d13, [sp, #64]
	ldp	d14, d15, [sp, #80]
	ldp	x19, x20, [sp, #16]
	ldp	x29, x30, [sp], #96
	ret
	.size	vec_call, . - vec_call

/*
 * The flags of fpsr, and another rounding: a callback that leaves them so must not
 * matter.  Neither must what is in the general registers that a function may use.
 */
function vec_clobber
	.cfi_startproc
	each_pair clobber
	.irp	n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17
	mov	x\n, #-1
	.endr
	msr	fpsr, xzr
	mov	x0, #1 << 22
	msr	fpcr, x0
	ret
	.cfi_endproc
	.size	vec_clobber, . - vec_clobber

	.section .note.GNU-stack, "", %progbits
