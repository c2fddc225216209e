/* SPDX-License-Identifier: MIT */
/*
 * The fixed parts of generated entry code.  emit.c copies them: enter, args,
 * then the ops argument and the call, then leave.  Each part runs anywhere; it
 * branches only within itself.
 *
 * At the site's bl: x0-x7 arguments, x8 where the result goes, x9 the traced
 * function's return address (the site's own mov), x30 where the site resumes.
 * Callers and functions may find values in x10-x15 and x18 as well (a static
 * chain; callees that are known by interprocedural register allocation), in
 * x16 and x17 never: whatever stands between a call and its callee may use them
 * (AAPCS64, 6.1.1).  x19-x28 and fp are callee-saved.
 *
 * noregs, args: the compact frame, nothing stored twice.  fp and lr are a frame
 * record, that of the traced function's caller; below is one of the traced
 * function, whose return address is pc.  Unwinding by frame pointers thus passes
 * both (S146).
 *
 *	+160 sp at the site
 *	+152 lr  +144 fp			<- pointed to by +0
 *	+136 x18
 *	+128 x15 +120 x14 +112 x13 +104 x12 +96 x11 +88 x10
 *	+80  x8
 *	+72  x7  +64 x6 ... +24 x1  +16 x0
 *	+8   pc  +0 record			<- sp, fp; fregs | class
 *
 * args-reserved, regs, vec: a pt_regs, and behind it the traced function's record.
 *
 *	+288 sp at the site
 *	+280 pc as it came  +272 record		<- fp
 *	+264 pstate  +256 pc  +248 sp
 *	+240 lr  +232 fp			<- pointed to by +272
 *	+224 x28 ... +0 x0			<- sp, fregs | class
 */
#include <asm/ftrace.h>

#define TAG_ARGS	1
#define TAG_RESERVED	2
#define TAG_REGS	3
#define TAG_VEC		4

	.section .rodata.tramp_parts, "a", %progbits

.macro part name
	.globl	part_\name
	.hidden	part_\name
	.p2align 4
part_\name:
.endm
.macro end_part name
	.globl	part_\name\()_end
	.hidden	part_\name\()_end
part_\name\()_end:
.endm

/*
 * enter and leave carry unwind rules, which emit.c copies with the code: the
 * part's own FDE is found by its address.  Where the traced function resumes is
 * not in x30's column, which is that function's own return address: it has a
 * column of its own, the one that unwinders use for signal frames.
 */
#define RESUME	96
.macro enter_part name
part \name\()_enter
	.cfi_startproc
.endm
.macro end_enter name
	.cfi_endproc
end_part \name\()_enter
.endm
.macro leave_part name
part \name\()_leave
	.cfi_startproc
.endm
.macro end_leave name
	.cfi_endproc
end_part \name\()_leave
.endm

/* The rules once the frame stands; also where code goes on behind another's leave. */
.macro compact_rules
	.cfi_def_cfa sp, ARGS_size
	.cfi_offset x29, ARGS_fp - ARGS_size
	.cfi_offset x30, ARGS_lr - ARGS_size
	.cfi_offset RESUME, ARGS_pc - ARGS_size
.endm

/* --- noregs and args --- */

enter_part compact
	stp	x29, x9, [sp, #ARGS_fp - ARGS_size]!
	.cfi_def_cfa_offset ARGS_size - ARGS_fp
	.cfi_offset x29, ARGS_fp - ARGS_size
	.cfi_offset x30, ARGS_lr - ARGS_size
	mov	x29, sp
	stp	x29, x30, [sp, #-ARGS_fp]!
	compact_rules
	mov	x29, sp
	stp	x0, x1, [sp, #ARGS_x0]
	stp	x2, x3, [sp, #ARGS_x2]
	stp	x4, x5, [sp, #ARGS_x4]
	stp	x6, x7, [sp, #ARGS_x6]
	stp	x8, x10, [sp, #ARGS_x8]
	stp	x11, x12, [sp, #ARGS_x11]
	stp	x13, x14, [sp, #ARGS_x13]
	stp	x15, x18, [sp, #ARGS_x15]
end_enter compact

/*
 * Right behind enter ip and parent are still in registers (first_args); for
 * another call they are loaded.
 */
part first_args
	sub	x0, x30, #4
	mov	x1, x9
end_part first_args

part compact_args
	ldr	x0, [sp, #ARGS_pc]
	ldr	x1, [sp, #ARGS_lr]
	sub	x0, x0, #4
end_part compact_args

part compact_fregs
	add	x3, sp, #TAG_ARGS
end_part compact_fregs

leave_part compact
	compact_rules
	ldp	x0, x1, [sp, #ARGS_x0]
	ldp	x2, x3, [sp, #ARGS_x2]
	ldp	x4, x5, [sp, #ARGS_x4]
	ldp	x6, x7, [sp, #ARGS_x6]
	ldp	x8, x10, [sp, #ARGS_x8]
	ldp	x11, x12, [sp, #ARGS_x11]
	ldp	x13, x14, [sp, #ARGS_x13]
	ldp	x15, x18, [sp, #ARGS_x15]
	ldr	x9, [sp, #ARGS_pc]
	.cfi_register RESUME, x9
	ldp	x29, x30, [sp, #ARGS_fp]
	.cfi_same_value x29
	.cfi_same_value x30
	add	sp, sp, #ARGS_size
	.cfi_def_cfa_offset 0
	ret	x9
end_leave compact

/* The other ends of pairs: what they rest on. */
#define NEXT(a, b) .if (b) - (a) - 8; .error #a " and " #b " are no pair"; .endif
	NEXT(ARGS_x0, ARGS_x1)
	NEXT(ARGS_x8, ARGS_x10)
	NEXT(ARGS_x11, ARGS_x12)
	NEXT(ARGS_x13, ARGS_x14)
	NEXT(ARGS_x15, ARGS_x18)
	NEXT(ARGS_fp, ARGS_lr)
	NEXT(ARGS_record, ARGS_pc)

	.section .note.GNU-stack, "", %progbits
