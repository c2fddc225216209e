/* SPDX-License-Identifier: MIT */
/* Sites of every shape that compilers emit and at awkward places (BUG-14 BUG-15 BUG-52). */

	.text

/* @site: what the record points to. */
.macro record site
	.section __patchable_function_entries, "awo", @progbits, \site
	.balign	8
	.quad	\site
	.text
.endm

.macro function name
	.globl	\name
	.type	\name, @function
\name:
.endm
.macro end_function name
	.size	\name, . - \name
.endm

/* The smallest: only the site and the return. */
function site_tiny
.Ltiny:	.fill	5, 1, 0x90
	ret
end_function site_tiny
	record	.Ltiny

/* Followed at once by breakpoints, which are padding and not ours. */
	.fill	11, 1, 0xcc

/* clang's one nop with its displacement of 8. */
function site_clang_nop
.Lclang:.byte	0x0f, 0x1f, 0x44, 0x00, 0x08
	lea	1(%rdi), %rax
	ret
end_function site_clang_nop
	record	.Lclang

/* A landing pad, the record at the function. */
	.p2align 4
function site_endbr
.Lendbr:endbr64
	.fill	5, 1, 0x90
	lea	1(%rdi), %rax
	ret
end_function site_endbr
	record	.Lendbr

/* A landing pad, the record behind it. */
	.p2align 4
function site_endbr_late
	endbr64
.Llate:	.fill	5, 1, 0x90
	lea	1(%rdi), %rax
	ret
end_function site_endbr_late
	record	.Llate

/* A branch back to the first instruction behind the site. */
	.p2align 4
function site_loop
.Lloop:	.fill	5, 1, 0x90
1:	inc	%rax
	dec	%rdi
	jnz	1b
	ret
end_function site_loop
	record	.Lloop

/* Two bytes before a page ends, and two before a cache line does. */
	.p2align 12
	.fill	4094, 1, 0xcc
function site_across_page
.Lpage:	.fill	5, 1, 0x90
	lea	1(%rdi), %rax
	ret
end_function site_across_page
	record	.Lpage

	.p2align 6
	.fill	62, 1, 0xcc
function site_across_line
.Lline:	.fill	5, 1, 0x90
	lea	1(%rdi), %rax
	ret
end_function site_across_line
	record	.Lline

/* --- with a word; the record at it --- */

/* @shift: how far behind a multiple of 8. */
.macro word_function name, shift=0
	.p2align 4
	.fill	\shift, 1, 0xcc
.Lword_\name:
	.fill	8, 1, 0x90
function \name
.endm
.macro end_word_function name
	lea	1(%rdi), %rax
	ret
end_function \name
	record	.Lword_\name
.endm

word_function site_word_gcc
	.fill	5, 1, 0x90
end_word_function site_word_gcc

word_function site_word_clang
	.byte	0x0f, 0x1f, 0x44, 0x00, 0x08
end_word_function site_word_clang

word_function site_word_endbr
	endbr64
	.fill	5, 1, 0x90
end_word_function site_word_endbr

/* The function begins a page, its word ends the one before. */
	.p2align 12
	.fill	4096 - 8, 1, 0xcc
.Lword_site_word_page:
	.fill	8, 1, 0x90
function site_word_page
	.fill	5, 1, 0x90
end_word_function site_word_page

/* =13,4: half of what looks like a word is the function's own. */
	.p2align 4
.Lword_site_word_inside:
	.fill	4, 1, 0x90
function site_word_inside
	.fill	4 + 5, 1, 0x90
end_word_function site_word_inside

/* Room that no store reaches whole: across two words, a cache line, a page. */
word_function site_word_odd, 3
	.fill	5, 1, 0x90
end_word_function site_word_odd

word_function site_word_odd_endbr, 4
	endbr64
	.fill	5, 1, 0x90
end_word_function site_word_odd_endbr

	.p2align 6
word_function site_word_across_line, 63
	.fill	5, 1, 0x90
end_word_function site_word_across_line

	.p2align 12
word_function site_word_across_page, 4095
	.fill	5, 1, 0x90
end_word_function site_word_across_page

	.section .note.GNU-stack, "", @progbits
