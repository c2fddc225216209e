/* SPDX-License-Identifier: MIT */
/*
 * One form a label: what the port must encode, written by the assembler.  Each
 * displacement at both its limits and one beyond (BUG-16).
 */
#include "encodings.h"

/* As symbols: the preprocessor does not look into the quotes around a macro argument. */
	.set	pc, PC
	.set	max, DISP_MAX
	.set	min, DISP_MIN

/* @error: nothing is encoded then.  @shift: the bytes begin so far behind a multiple of 8. */
.macro form name:req, kind:req, arg=0, error=0, shift=0
	.section .rodata.encodings, "a"
91:	.asciz	"\name"
	.section encodings, "aw"
	.p2align 3
	.quad	91b, \kind, \arg, -(\error), 94f, 95f
	.section .rodata.encodings, "a"
	.p2align 3
	.fill	\shift, 1, 0xcc
94:
.endm
.macro end_form
95:
.endm

/* --- sites --- */

form site_nop, SITE, 0
	.byte	0x0f, 0x1f, 0x44, 0x00, 0x00	/* the assembler would leave the displacement out */
end_form
form site_call_next, SITE, "pc + 5"
	call	. + 5
end_form
form site_call_itself, SITE, pc
	call	.
end_form
form site_call_max, SITE, "pc + 5 + max"
	call	. + 5 + max
end_form
form site_call_min, SITE, "pc + 5 + min"
	call	. + 5 + min
end_form
form site_call_above_max, SITE, "pc + 5 + max + 1", E_RANGE
end_form
form site_call_below_min, SITE, "pc + 5 + min - 1", E_RANGE
end_form
form site_call_top, SITE, 0xfffffffffffffff0, E_RANGE
end_form

form locate_gcc, LOCATE, 0
	.rept	5
	nop
	.endr
end_form
form locate_gcc_endbr, LOCATE, 4
	endbr64
	.rept	5
	nop
	.endr
end_form
form locate_clang, LOCATE, 0
	.byte	0x0f, 0x1f, 0x44, 0x00, 0x08
end_form
form locate_clang_endbr, LOCATE, 4
	endbr64
	.byte	0x0f, 0x1f, 0x44, 0x00, 0x08
end_form
form locate_four_nops, LOCATE, 0, E_INVAL
	.rept	4
	nop
	.endr
	ret
end_form
form locate_call, LOCATE, 0, E_INVAL
	call	. + 5
end_form
form locate_int3, LOCATE, 0, E_INVAL
	int3
	.rept	4
	nop
	.endr
end_form
form locate_body, LOCATE, 0, E_INVAL
	push	%rbp
	mov	%rsp, %rbp
	nop
end_form

/* --- with a word --- */

form locate_word_gcc, LOCATE_WORD, 8
	.rept	8 + 5
	nop
	.endr
end_form
form locate_word_gcc_endbr, LOCATE_WORD, "8 + 4"
	.rept	8
	nop
	.endr
	endbr64
	.rept	5
	nop
	.endr
end_form
form locate_word_clang, LOCATE_WORD, 8
	.rept	8
	nop
	.endr
	.byte	0x0f, 0x1f, 0x44, 0x00, 0x08
end_form
form locate_word_clang_endbr, LOCATE_WORD, "8 + 4"
	.rept	8
	nop
	.endr
	endbr64
	.byte	0x0f, 0x1f, 0x44, 0x00, 0x08
end_form
/* One byte before and behind a multiple of 8: a store would tear. */
form locate_word_below, LOCATE, 8, shift=7
	.rept	8 + 5
	nop
	.endr
end_form
form locate_word_above, LOCATE, "8 + 4", shift=1
	.rept	8
	nop
	.endr
	endbr64
	.rept	5
	nop
	.endr
end_form
form locate_word_half, LOCATE, 8, shift=4
	.rept	8
	nop
	.endr
	.byte	0x0f, 0x1f, 0x44, 0x00, 0x08
end_form
/* Seven nops are no room: the site is the first five. */
form locate_seven_nops, LOCATE, 0
	.rept	7
	nop
	.endr
	endbr64
	.byte	0x0f, 0x1f, 0x44, 0x00, 0x08
end_form
/* Room before a function that has no site: what there is, is five nops. */
form locate_room_only, LOCATE, 0
	.rept	8
	nop
	.endr
	ret
end_form

form prepare_gcc, PREPARE, 1
	.rept	5
	nop
	.endr
end_form
form prepare_clang, PREPARE, 1
	.byte	0x0f, 0x1f, 0x44, 0x00, 0x08
end_form
form prepare_done, PREPARE, 0
	.byte	0x0f, 0x1f, 0x44, 0x00, 0x00
end_form

/* --- the ops argument --- */

form ops_lea_max, OPS, "pc + 7 + max"
	lea	max(%rip), %rdx
end_form
form ops_lea_min, OPS, "pc + 7 + min"
	lea	min(%rip), %rdx
end_form
form ops_movabs_above, OPS, "pc + 7 + max + 1"
	movabs	$pc + 7 + max + 1, %rdx
end_form
form ops_movabs_below, OPS, "pc + 7 + min - 1"
	movabs	$pc + 7 + min - 1, %rdx
end_form
form ops_movabs_bytes, OPS, 0x0123456789abcdef
	movabs	$0x0123456789abcdef, %rdx
end_form

form ops_word, OPS_WORD
	mov	%rdi, %rdx
	and	$-8, %rdx
	mov	-8(%rdx), %rdx
end_form

/* --- calls --- */

form call_ops, CALL_OPS
	call	*(%rdx)
end_form

form call_max, CALL, "pc + 5 + max"
	call	. + 5 + max
end_form
form call_min, CALL, "pc + 5 + min"
	call	. + 5 + min
end_form
form call_far_above, CALL, "pc + 5 + max + 1"
	movabs	$pc + 5 + max + 1, %rax
	call	*%rax
end_form
form call_far_below, CALL, "pc + 5 + min - 1"
	movabs	$pc + 5 + min - 1, %rax
	call	*%rax
end_form
/* Out of reach of the first, in reach of the second. */
form call_twice_far_near, CALL_TWICE, "pc + 5 + max + 1"
	movabs	$pc + 5 + max + 1, %rax
	call	*%rax
	call	. + 5 + max + 1 - 12
end_form
form call_twice_near_far, CALL_TWICE, "pc + 5 + min"
	call	. + 5 + min
	movabs	$pc + 5 + min, %rax
	call	*%rax
end_form

/* --- the call slot: near, or through the veneer behind the code --- */

.macro slot_image target, word
	mov	4f(%rip), %rdx
	call	\target
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
	.skip	(2 - (. - 94b)) & 7, 0xcc
2:	jmp	*3f(%rip)
3:	.quad	\word
4:	.quad	0
.endm

form slot_near_max, SLOT, "pc + 12 + max"
	slot_image ". + 5 + max", SLOT_FIRST
end_form
form slot_near_min, SLOT, "pc + 12 + min"
	slot_image ". + 5 + min", SLOT_FIRST
end_form
form slot_veneer_above, SLOT, "pc + 12 + max + 1"
	slot_image 2f, "pc + 12 + max + 1"
end_form
form slot_veneer_below, SLOT, "pc + 12 + min - 1"
	slot_image 2f, "pc + 12 + min - 1"
end_form

	.section .note.GNU-stack, "", @progbits
