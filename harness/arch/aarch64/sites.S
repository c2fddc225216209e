/* SPDX-License-Identifier: MIT */
/*
 * Sites of every shape that compilers emit and at awkward places (BUG-11 BUG-52):
 * with a word before the function (-fpatchable-function-entry=4,2) and without (=2),
 * with a landing pad and without, and the word where it cannot be one store.
 */

	.text

.macro record site
	.section __patchable_function_entries, "awo", %progbits, \site
	.balign	8
	.quad	\site
	.text
.endm

.macro nops n
	.rept	\n
	nop
	.endr
.endm

/* @word: nops before the function; what follows the name comes before the site's own. */
.macro function name, word=2
.Lrec_\name:
	nops	\word
	.globl	\name
	.type	\name, %function
\name:
.endm
.macro end_function name
	.size	\name, . - \name
	record	.Lrec_\name
.endm

/* The smallest: only the site and the return. */
	.p2align 3
function site_tiny
	nops	2
	ret
end_function site_tiny

/* Followed at once by breakpoints, which are padding and not ours. */
	.rept	4
	brk	#0
	.endr

/* No word. */
	.p2align 3
function site_plain, 0
	nops	2
	add	x0, x0, #1
	ret
end_function site_plain

/* A landing pad behind the word. */
	.p2align 3
function site_bti
	hint	#34			/* bti c */
	nops	2
	add	x0, x0, #1
	ret
end_function site_bti

/* A landing pad, no word: clang has the record at the function, gcc behind the pad. */
	.p2align 3
function site_bti_no_word, 0
	hint	#34
	nops	2
	add	x0, x0, #1
	ret
end_function site_bti_no_word

	.p2align 3
	.globl	site_bti_late
	.type	site_bti_late, %function
site_bti_late:
	hint	#34
.Lrec_site_bti_late:
	nops	2
	add	x0, x0, #1
	ret
end_function site_bti_late

/* The return address is signed behind the site. */
	.p2align 3
function site_signs
	nops	2
	hint	#25			/* paciasp */
	add	x0, x0, #1
	hint	#29			/* autiasp */
	ret
end_function site_signs

/* A branch back to the first instruction behind the site. */
	.p2align 3
function site_loop
	nops	2
1:	subs	x0, x0, #1
	b.ne	1b
	ret
end_function site_loop

/* Only four-aligned: the word would straddle two. */
	.p2align 3
	nop
function site_odd
	nops	2
	add	x0, x0, #1
	ret
end_function site_odd

/* The pair of instructions, and the word, on two pages; then in two cache lines. */
	.p2align 12
	.rept	1023
	brk	#0
	.endr
function site_across_page, 0
	nops	2
	add	x0, x0, #1
	ret
end_function site_across_page

	.p2align 6
	.rept	15
	brk	#0
	.endr
function site_across_line, 0
	nops	2
	add	x0, x0, #1
	ret
end_function site_across_line

	.section .note.GNU-stack, "", %progbits
