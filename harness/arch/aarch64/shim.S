/* SPDX-License-Identifier: MIT */
/*
 * shim_call's frame: the callee-saved registers.
 *
 *	+80  x27 x28	+64 x25 x26	+48 x23 x24
 *	+32  x21 x22	+16 x19 x20	+0  x29 x30	<- sp
 */
#include "shim.h"

#define OF(reg)		(8*SHIM_##reg)
#define FRAME		96

	.text

/* Pairs of neighbours in struct shim_regs. */
.macro each_pair do, base
	\do	x0, x1, OF(x0), \base
	\do	x2, x3, OF(x2), \base
	\do	x4, x5, OF(x4), \base
	\do	x6, x7, OF(x6), \base
	\do	x8, x10, OF(x8), \base
	\do	x11, x12, OF(x11), \base
	\do	x13, x14, OF(x13), \base
	\do	x15, x18, OF(x15), \base
	\do	x19, x20, OF(x19), \base
	\do	x21, x22, OF(x21), \base
	\do	x23, x24, OF(x23), \base
	\do	x25, x26, OF(x25), \base
	\do	x27, x28, OF(x27), \base
.endm
.macro load a, b, offset, base
	ldp	\a, \b, [\base, #\offset]
.endm
.macro store a, b, offset, base
	stp	\a, \b, [\base, #\offset]
.endm

.macro address reg, name
	adrp	\reg, \name
	add	\reg, \reg, :lo12:\name
.endm

.macro function name
	.p2align 4
	.globl	\name
	.type	\name, %function
\name:
.endm
.macro end_function name
	.size	\name, . - \name
.endm

/* x0: func, x1: struct shim_regs * */
function shim_call
	stp	x29, x30, [sp, #-FRAME]!
	stp	x19, x20, [sp, #16]
	stp	x21, x22, [sp, #32]
	stp	x23, x24, [sp, #48]
	stp	x25, x26, [sp, #64]
	stp	x27, x28, [sp, #80]
	mov	x16, x0
	mov	x17, x1
	mov	x9, sp
	str	x9, [x17, #OF(sp)]
	adr	x9, 1f
	str	x9, [x17, #OF(lr)]
	ldr	x9, [x17, #OF(flags)]
	msr	nzcv, x9
	ldr	x29, [x17, #OF(fp)]
	each_pair load, x17
	blr	x16
1:	address	x17, shim_after
	each_pair store, x17
	str	x29, [x17, #OF(fp)]
	str	x30, [x17, #OF(lr)]
	mrs	x9, nzcv
	str	x9, [x17, #OF(flags)]
	mov	x9, sp
	str	x9, [x17, #OF(sp)]
	ldp	x19, x20, [sp, #16]
	ldp	x21, x22, [sp, #32]
	ldp	x23, x24, [sp, #48]
	ldp	x25, x26, [sp, #64]
	ldp	x27, x28, [sp, #80]
	ldp	x29, x30, [sp], #FRAME
	ret
end_function shim_call

.macro record site
	.section __patchable_function_entries, "awo", %progbits, \site
	.balign	8
	.quad	\site
	.text
.endm

/* With a word and a site, as -fpatchable-function-entry=4,2 has them. */
	.p2align 4
.Lshim_word:
	nop
	nop
	.globl	shim_tracee
	.type	shim_tracee, %function
shim_tracee:
	nop
	nop
	address	x17, shim_body
	each_pair store, x17
	str	x29, [x17, #OF(fp)]
	str	x30, [x17, #OF(lr)]
	mrs	x9, nzcv
	str	x9, [x17, #OF(flags)]
	mov	x9, sp
	str	x9, [x17, #OF(sp)]
	ret
end_function shim_tracee
	record	.Lshim_word

/* PACIASP and AUTIASP: hints, for processors without (Arm ARM, C6.2). */
	.p2align 4
.Lsigns_word:
	nop
	nop
	.globl	shim_signs
	.type	shim_signs, %function
shim_signs:
	nop
	nop
	hint	#25
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	add	x0, x0, #1
	ldp	x29, x30, [sp], #16
	hint	#29
	ret
end_function shim_signs
	record	.Lsigns_word

/* x0: unsigned long in[2], x1: the same, as shim_scratch_tracee finds them. */
function shim_scratch
	stp	x29, x30, [sp, #-32]!
	str	x19, [sp, #16]
	mov	x19, x1
	ldp	x16, x17, [x0]
	bl	shim_scratch_tracee
	ldr	x19, [sp, #16]
	ldp	x29, x30, [sp], #32
	ret
end_function shim_scratch

	.p2align 4
.Lscratch_word:
	nop
	nop
	.globl	shim_scratch_tracee
	.type	shim_scratch_tracee, %function
shim_scratch_tracee:
	nop
	nop
	stp	x16, x17, [x19]
	ret
end_function shim_scratch_tracee
	record	.Lscratch_word

/* What a function may overwrite, all of it; sets and clears flags on the way. */
function case_clobber
	.cfi_startproc
	ldr	x0, =0xdeadbeefdeadbeef
	.irp n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,18
	mov	x\n, x0
	.endr
	address	x17, shim_toggle
	ldr	w1, [x17]
	eor	w1, w1, #1
	str	w1, [x17]
	mov	x17, x0
	cbz	w1, 1f
	mov	x1, #0x90000000		/* N V */
	msr	nzcv, x1
	mov	x1, x0
	ret
1:	mov	x1, #0x60000000		/* Z C */
	msr	nzcv, x1
	mov	x1, x0
	ret
	.cfi_endproc
end_function case_clobber
	.ltorg

function shim_sleep
	mov	x10, x0
1:	ldr	w2, [x10]
	cbnz	w2, 2f
	mov	x0, x10
	mov	x1, #0			/* FUTEX_WAIT while it is 0, for ever */
	mov	x2, #0
	mov	x3, #0
	mov	x8, #98
	svc	#0
	b	1b
2:	ret
end_function shim_sleep

function shim_flags
	mrs	x0, nzcv
	ret
end_function shim_flags

/* 16 words just above the stack pointer, where a frame that starts too high would lie. */
function shim_red_zone
	sub	sp, sp, #128
	mov	x2, #0x5a5a
	.set	i, 0
	.rept	16
	add	x2, x2, #1
	str	x2, [sp, #8 * i]
	.set	i, i + 1
	.endr
1:	subs	x0, x0, #1
	b.ne	1b
	mov	x2, #0x5a5a
	.set	i, 0
	.rept	16
	add	x2, x2, #1
	ldr	x3, [sp, #8 * i]
	cmp	x2, x3
	b.ne	2f
	.set	i, i + 1
	.endr
	add	sp, sp, #128
	mov	x0, #0
	ret
2:	add	sp, sp, #128
	mov	x0, #1
	ret
end_function shim_red_zone

	.bss
	.balign 8
	.globl	shim_body, shim_after
shim_body:	.skip	8*SHIM_NR
shim_after:	.skip	8*SHIM_NR
shim_toggle:	.skip	4

	.section .note.GNU-stack, "", %progbits
