/* SPDX-License-Identifier: MIT */
/*
 * The fixed parts of generated entry code.  emit.c copies them: enter, args (ip
 * and parent_ip), then fregs, the ops argument and the call, then leave.  Each
 * part runs anywhere; it has no branches.
 *
 * At the site's bl: x0-x7 arguments, x8 where the result goes, x9 the traced
 * function's return address (the site's own mov), x30 where the site resumes.
 * Callers and functions may find values in x10-x15 and x18 as well (a static
 * chain; callees that are known by interprocedural register allocation).  In x16
 * and x17 never: whatever stands between a call and its callee may use them
 * (AAPCS64, 6.1.1).  x19-x28 and fp are callee-saved.
 *
 * noregs, args: the compact frame, nothing stored twice.  fp and lr are a frame
 * record, that of the traced function's caller; below is one of the traced
 * function, whose return address is pc.  Unwinding by frame pointers thus passes
 * both (S146).
 *
 *	+176 sp at the site
 *	+168 lr  +160 fp			<- the record that +0 points to
 *	+152 parent_ip  +144 ip			written by sets alone
 *	+136 x18 +128 x15 +120 x14 ... +88 x10
 *	+80  x8  +72 x7  ... +16 x0
 *	+8   pc  +0 record			<- sp, fp; fregs | class
 *
 * args-reserved, regs, vec: a pt_regs, and behind it the traced function's record.
 *
 *	+304 sp at the site
 *	+296 parent_ip  +288 ip			written by sets alone
 *	+280 resume  +272 record		<- fp
 *	+264 pstate  +256 pc  +248 sp
 *	+240 lr  +232 fp			<- the record that +272 points to
 *	+224 x28 ... +0 x0			<- sp, fregs | class
 *
 * vec adds, below that: v31 ... v0, fpcr, fpsr.
 */
#include <asm/ftrace.h>

#define SITE_SIZE	4

/*
 * Never run here.  In .text since lld places .rodata below .eh_frame_hdr, and sorts what has
 * rules there behind everything else: nothing of the program would unwind any more.
 */
	.section .text.tramp_parts, "ax", %progbits

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
/* What the frame holds of the registers that come back. */
.macro rules size, fp, resume
	.cfi_def_cfa_offset \size
	.cfi_offset x29, (\fp) - (\size)
	.cfi_offset x30, (\fp) + 8 - (\size)
	.cfi_offset RESUME, (\resume) - (\size)
.endm

/* ldp and stp of registers that lie beside each other. */
.macro pair op, a, b, at, next
	.if (\next) - (\at) - 8
	.error "\a and \b are no pair"
	.endif
	\op	\a, \b, [sp, #\at]
.endm

/*
 * Right behind enter, ip and parent_ip are still in registers; for another call
 * they are loaded.
 */
part first_args
	sub	x0, x30, #SITE_SIZE
	mov	x1, x9
end_part first_args

/* --- noregs and args --- */

.macro each_compact op
	pair	\op, x0, x1, ARGS_x0, ARGS_x1
	pair	\op, x2, x3, ARGS_x2, ARGS_x3
	pair	\op, x4, x5, ARGS_x4, ARGS_x5
	pair	\op, x6, x7, ARGS_x6, ARGS_x7
	pair	\op, x8, x10, ARGS_x8, ARGS_x10
	pair	\op, x11, x12, ARGS_x11, ARGS_x12
	pair	\op, x13, x14, ARGS_x13, ARGS_x14
	pair	\op, x15, x18, ARGS_x15, ARGS_x18
.endm

enter_part compact
	stp	x29, x9, [sp, #ARGS_fp - ARGS_size]!
	.cfi_def_cfa_offset ARGS_size - ARGS_fp
	.cfi_offset x29, ARGS_fp - ARGS_size
	.cfi_offset x30, ARGS_lr - ARGS_size
	mov	x29, sp
	stp	x29, x30, [sp, #-ARGS_fp]!
	rules	ARGS_size, ARGS_fp, ARGS_pc
	mov	x29, sp
	each_compact stp
end_enter compact

part compact_args
	ldr	x0, [sp, #ARGS_pc]
	ldr	x1, [sp, #ARGS_lr]
	sub	x0, x0, #SITE_SIZE
end_part compact_args

leave_part compact
	rules	ARGS_size, ARGS_fp, ARGS_pc
	each_compact ldp
	ldp	x29, x9, [sp], #ARGS_fp		/* record, pc */
	.cfi_def_cfa_offset ARGS_size - ARGS_fp
	.cfi_register RESUME, x9
	ldp	x29, x30, [sp], #ARGS_size - ARGS_fp
	.cfi_def_cfa_offset 0
	.cfi_same_value x29
	.cfi_same_value x30
	ret	x9
end_leave compact

/* --- args-reserved, regs --- */

.macro each_partial op
	\op	x0, x1, [sp, #REGS_x(0)]
	\op	x2, x3, [sp, #REGS_x(2)]
	\op	x4, x5, [sp, #REGS_x(4)]
	\op	x6, x7, [sp, #REGS_x(6)]
	\op	x8, x9, [sp, #REGS_x(8)]
	\op	x10, x11, [sp, #REGS_x(10)]
	\op	x12, x13, [sp, #REGS_x(12)]
	\op	x14, x15, [sp, #REGS_x(14)]
.endm
.macro each_other op
	\op	x16, x17, [sp, #REGS_x(16)]
	\op	x18, x19, [sp, #REGS_x(18)]
	\op	x20, x21, [sp, #REGS_x(20)]
	\op	x22, x23, [sp, #REGS_x(22)]
	\op	x24, x25, [sp, #REGS_x(24)]
	\op	x26, x27, [sp, #REGS_x(26)]
.endm

/* The stack, and both records. */
.macro open_regs
	sub	sp, sp, #REGS_size
	.cfi_def_cfa_offset REGS_size
	stp	x29, x9, [sp, #REGS_fp]
	.cfi_offset x29, REGS_fp - REGS_size
	add	x29, sp, #REGS_fp
	stp	x29, x30, [sp, #REGS_record]
	rules	REGS_size, REGS_fp, REGS_resume
	add	x29, sp, #REGS_record
.endm

.macro close_regs
	ldp	x29, x30, [sp, #REGS_fp]
	.cfi_same_value x29
	.cfi_same_value x30
	ldr	x9, [sp, #REGS_pc]
	.cfi_register RESUME, x9
	add	sp, sp, #REGS_size
	.cfi_def_cfa_offset 0
	ret	x9
.endm

.macro save_regs
	open_regs
	each_partial stp
	each_other stp
	str	x28, [sp, #REGS_x(28)]
	add	x10, sp, #REGS_size
	mrs	x11, nzcv
	str	x10, [sp, #REGS_sp]
	pair	stp, x30, x11, REGS_pc, REGS_pstate
.endm

.macro restore_regs
	ldr	x9, [sp, #REGS_pstate]
	msr	nzcv, x9
	each_partial ldp
	each_other ldp
	ldr	x28, [sp, #REGS_x(28)]
	close_regs
.endm

enter_part reserved
	open_regs
	each_partial stp
	str	x18, [sp, #REGS_x(18)]
	add	x10, sp, #REGS_size
	pair	stp, x10, x30, REGS_sp, REGS_pc
end_enter reserved

leave_part reserved
	rules	REGS_size, REGS_fp, REGS_resume
	each_partial ldp
	ldr	x18, [sp, #REGS_x(18)]
	close_regs
end_leave reserved

enter_part regs
	save_regs
end_enter regs

part regs_args
	ldr	x0, [sp, #REGS_pc]
	ldr	x1, [sp, #REGS_lr]
	sub	x0, x0, #SITE_SIZE
end_part regs_args

leave_part regs
	rules	REGS_size, REGS_fp, REGS_resume
	restore_regs
end_leave regs

/* --- vec --- */

.macro vectors op, n, next
	\op	q\n, q\next, [sp, #VEC_q(\n)]
.endm
.macro each_vector op
	vectors	\op, 0, 1
	vectors	\op, 2, 3
	vectors	\op, 4, 5
	vectors	\op, 6, 7
	vectors	\op, 8, 9
	vectors	\op, 10, 11
	vectors	\op, 12, 13
	vectors	\op, 14, 15
	vectors	\op, 16, 17
	vectors	\op, 18, 19
	vectors	\op, 20, 21
	vectors	\op, 22, 23
	vectors	\op, 24, 25
	vectors	\op, 26, 27
	vectors	\op, 28, 29
	vectors	\op, 30, 31
.endm

enter_part vec
	save_regs
	mrs	x10, fpsr
	mrs	x11, fpcr
	sub	sp, sp, #VEC_regs
	.cfi_def_cfa_offset VEC_regs + REGS_size
	pair	stp, x10, x11, VEC_fpsr, VEC_fpcr
	each_vector stp
end_enter vec

part vec_args
	ldr	x0, [sp, #VEC_regs + REGS_pc]
	ldr	x1, [sp, #VEC_regs + REGS_lr]
	sub	x0, x0, #SITE_SIZE
end_part vec_args

leave_part vec
	rules	VEC_regs + REGS_size, VEC_regs + REGS_fp, VEC_regs + REGS_resume
	each_vector ldp
	pair	ldp, x10, x11, VEC_fpsr, VEC_fpcr
	msr	fpsr, x10
	msr	fpcr, x11
	add	sp, sp, #VEC_regs
	.cfi_def_cfa_offset REGS_size
	restore_regs
end_leave vec

	.section .note.GNU-stack, "", %progbits
