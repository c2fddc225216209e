/* SPDX-License-Identifier: MIT */
/*
 * One form a label: what the port must encode, written by the assembler.  Each
 * displacement at both its limits and one instruction beyond (BUG-16).
 */
#include "encodings.h"

/* As symbols: the preprocessor does not look into the quotes around a macro argument. */
	.set	pc, PC
	.set	max, DISP_MAX
	.set	min, DISP_MIN

/* @error: nothing is encoded then.  Records are looked at where they are: 16-aligned, plus @skew. */
.macro form name:req, kind:req, arg=0, error=0, skew=0
	.section .rodata.encodings, "a"
91:	.asciz	"\name"
	.section encodings, "aw"
	.p2align 3
	.quad	91b, \kind, \arg, -(\error), 94f, 95f
	.section .rodata.encodings, "a"
	.p2align 4
	.if	\skew
	.skip	\skew
	.endif
94:
.endm
.macro end_form
95:
	.skip	32		/* locate looks a little ahead */
.endm

/* --- sites --- */

form site_nop, SITE, 0
	nop
end_form
form site_call_next, SITE, "pc + 4"
	bl	. + 4
end_form
form site_call_itself, SITE, pc
	bl	.
end_form
form site_call_back, SITE, "pc - 4"
	bl	. - 4
end_form
form site_call_max, SITE, "pc + max"
	bl	. + max
end_form
form site_call_min, SITE, "pc + min"
	bl	. + min
end_form
form site_call_above_max, SITE, "pc + max + 4", E_RANGE
end_form
form site_call_below_min, SITE, "pc + min - 4", E_RANGE
end_form
form site_call_top, SITE, 0xfffffffffffffff0, E_RANGE
end_form
form site_call_between, SITE, "pc + 6", E_RANGE
end_form

.macro nops n
	.rept	\n
	nop
	.endr
.endm

form locate_plain, LOCATE, 4
	nops	2
	ret
end_form
form locate_bti, LOCATE, 8
	bti	c
	nops	2
	ret
end_form
form locate_behind_bti, LOCATE, 4, 0, 4
	nops	2
	ret
end_form
form locate_word, LOCATE_WORD, 12
	nops	4
	ret
end_form
form locate_word_bti, LOCATE_WORD, 16
	nops	2
	bti	c
	nops	2
	ret
end_form
/* Behind a pad comes what signs the return address. */
form locate_word_bti_pac, LOCATE_WORD, 16
	nops	2
	bti	c
	nops	2
	paciasp
end_form
/* The function is not 8-aligned: the entries would look elsewhere, and a store might tear (BUG-11). */
form locate_word_off, LOCATE, 12, 0, 4
	nops	4
	ret
end_form
form locate_word_off_bti, LOCATE, 16, 0, 4
	nops	2
	bti	c
	nops	2
	ret
end_form
form locate_prepared, LOCATE, 4
	mov	x9, x30
	nop
	ret
end_form
form locate_room_and_prepared, LOCATE_WORD, 12
	nops	2
	mov	x9, x30
	nop
	ret
end_form
form locate_one_nop, LOCATE, 0, E_INVAL
	nop
	ret
end_form
form locate_call, LOCATE, 0, E_INVAL
	mov	x9, x30
	bl	. + 4
end_form
form locate_body, LOCATE, 0, E_INVAL
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	nop
end_form
form locate_pac, LOCATE, 0, E_INVAL
	paciasp
	nops	2
end_form
form locate_between, LOCATE, 0, E_INVAL, 2
	nops	4
end_form

form prepare_nops, PREPARE, 1
	nops	2
end_form
form prepare_done, PREPARE, 0
	mov	x9, x30
	nop
end_form

/* --- what comes behind: the leave of noregs, from its frame --- */

.macro leave
	ldp	x0, x1, [sp, #16]
	ldp	x2, x3, [sp, #32]
	ldp	x4, x5, [sp, #48]
	ldp	x6, x7, [sp, #64]
	ldp	x8, x10, [sp, #80]
	ldp	x11, x12, [sp, #96]
	ldp	x13, x14, [sp, #112]
	ldp	x15, x18, [sp, #128]
	ldp	x29, x9, [sp], #160
	ldp	x29, x30, [sp], #16
	ret	x9
.endm
/* Filler, so that words are aligned. */
.macro words
	.if	(. - 94b) & 4
	udf	#0
	.endif
.endm

/* --- the ops argument --- */

form ops_constant, OPS, 0x0123456789abcdef
	ldr	x2, 3f
	leave
	words
3:	.quad	0x0123456789abcdef
end_form
form ops_high, OPS, 0xfffffffffffffff0
	ldr	x2, 3f
	leave
	words
3:	.quad	0xfffffffffffffff0
end_form

form ops_word, OPS_WORD
	and	x2, x30, #~7
	ldur	x2, [x2, #-16]
	leave
end_form

/* --- calls --- */

form call_ops, CALL_OPS
	ldr	x16, [x2]
	blr	x16
	leave
end_form

form call_max, CALL, "pc + max"
	bl	. + max
	leave
end_form
form call_min, CALL, "pc + min"
	bl	. + min
	leave
end_form
form call_far_above, CALL, "pc + max + 4"
	ldr	x16, 3f
	blr	x16
	leave
	words
3:	.quad	pc + max + 4
end_form
form call_far_below, CALL, "pc + min - 4"
	ldr	x16, 3f
	blr	x16
	leave
	words
3:	.quad	pc + min - 4
end_form
/* Out of reach of the first, in reach of the second. */
form call_twice_far_near, CALL_TWICE, "pc + max + 4"
	ldr	x16, 3f
	blr	x16
	bl	. + max - 4
	leave
	words
3:	.quad	pc + max + 4
end_form
form call_twice_near_far, CALL_TWICE, "pc + min"
	bl	. + min
	ldr	x16, 3f
	blr	x16
	leave
	words
3:	.quad	pc + min
end_form
/* The newest constant comes first. */
form call_twice_far_far, CALL_TWICE, 0x7766554433221100
	ldr	x16, 4f
	blr	x16
	ldr	x16, 3f
	blr	x16
	leave
	words
3:	.quad	0x7766554433221100
4:	.quad	0x7766554433221100
end_form

/* --- the call slot: near, or through the veneer behind the code --- */

.macro slot_image target, word
	ldr	x2, 4f
	bl	\target
	leave
	words
2:	ldr	x16, 3f
	br	x16
3:	.quad	\word
4:	.quad	0
.endm

form slot_near_max, SLOT, "pc + 4 + max"
	slot_image ". + max", SLOT_FIRST
end_form
form slot_near_min, SLOT, "pc + 4 + min"
	slot_image ". + min", SLOT_FIRST
end_form
form slot_veneer_above, SLOT, "pc + 4 + max + 4"
	slot_image 2f, "pc + 4 + max + 4"
end_form
form slot_veneer_below, SLOT, "pc + 4 + min - 4"
	slot_image 2f, "pc + 4 + min - 4"
end_form

	.section .note.GNU-stack, "", %progbits
