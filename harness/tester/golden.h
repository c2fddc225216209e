/* SPDX-License-Identifier: MIT */
/*
 * Golden code: what a strategy must generate, as ordinary assembly, written
 * from the drawing of the frame and not from the port's parts.  The assembler
 * is the oracle, and no disassembler stands in between: golden.c has the
 * strategy generate code for the very address of its golden code, and compares
 * the bytes.
 *
 *		golden	dyn_tramp, args
 *		push	%rbp
 *		...
 *		lea	golden_ops(%rip), %rdx
 *		call	golden_func
 *		...
 *		ret
 *		end_golden
 *
 * One file a strategy and class, impls/NAME/golden/ARCH-CLASS.S; with nr=2 and nr=3
 * also what several ops on a site enter, where that is neither of the two nor the
 * shared list entry.  What frames look like stands once, in
 * harness/arch/ARCH/golden_frames.h.
 */
#ifndef TRAMPLAB_GOLDEN_H
#define TRAMPLAB_GOLDEN_H

#ifdef __ASSEMBLER__

/*
 * @form: of a class that differs by processor, as golden_form() names it.  @nr: ops
 * on the site, called in the order golden_ops, golden_ops2, golden_ops3.
 */
.macro golden strategy:req, class:req, form, nr=1
	.set	golden_nr, \nr
	.section .rodata.golden, "a"
91:	.asciz	"\strategy"
92:	.asciz	"\class"
93:	.asciz	"\form"
	/* Never run, and words in it are relocated: not in .text. */
	.section .data.rel.ro.golden, "aw"
	.p2align 6
94:
.endm

/*
 * @entry: where the site calls to, unless it is the start.  @slot: the
 * re-pointable call; @slot_far: its veneer's word; @slot_ops: the word of its ops;
 * @word_read: behind the load of the site's word.
 */
.macro end_golden entry=94b, slot=0, slot_far=0, slot_ops=0, word_read=0
95:
	.section golden_records, "aw"
	.p2align 3
	.quad	91b, 92b, 93b, golden_nr, 94b, 95b, \entry, \slot, \slot_far, \slot_ops, \word_read
	.section .note.GNU-stack, "", @progbits
	.text
.endm

#else

#include <stdint.h>
#include "core/core.h"

struct golden {
	const char	*strategy, *class, *form;
	unsigned long	nr;
	const uint8_t	*start, *end;
	uintptr_t	entry, slot, slot_far, slot_ops, word_read;
};

/* What golden code calls, and for whom. */
extern struct ftrace_ops golden_ops, golden_ops2, golden_ops3;
void golden_func(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		 struct ftrace_regs *fregs);

/* --- encodings.c: the port's, form by form --- */

unsigned int encodings_nr(void);
/* One result each. */
void encodings_run(void);

#endif
#endif
