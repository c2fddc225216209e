/* SPDX-License-Identifier: MIT */
/*
 * The fixed parts of generated entry code.  emit.c copies them: enter, args
 * (ip and parent_ip), then fregs, the ops argument and the call, then leave.  Each part runs anywhere; it
 * branches only within itself.
 *
 * At the site's call every general register is live (also r10, the static
 * chain, and r11: callers built with -fipa-ra keep values there), rax counts
 * vector arguments, and rsp is 16-aligned once the site has pushed.
 *
 * noregs, args: the compact frame, nothing stored twice.  rbp is callee-saved;
 * its slot keeps the stack aligned and gives the callback a frame pointer.
 *
 *	+88  parent	return address of the traced function
 *	+80  ip		pushed by the site: where it resumes; leave's ret uses it
 *	+72  bp
 *	+64  di  +56 si  +48 dx  +40 cx  +32 ax
 *	+24  r8  +16 r9  +8 r10  +0 r11		<- rsp, fregs | class
 *
 * args-reserved, regs, vec: a pt_regs, then a word, then the site's push.
 *
 *	+184 parent
 *	+176 ret	pushed by the site
 *	+168 saved_flags  rflags at the site; bits that rflags never has are marks
 *	+160 ss  +152 sp  +144 flags  +136 cs  +128 ip  +120 orig_ax
 *	+112 di  +104 si  +96 dx  +88 cx  +80 ax
 *	+72  r8  +64 r9  +56 r10  +48 r11
 *	+40  bx  +32 bp  +24 r12  +16 r13  +8 r14  +0 r15	<- rsp, fregs | class
 *
 * vec adds, below that and 64-aligned, the vector registers; rbp then points to
 * the frame.
 */
#include <asm/ftrace.h>

#define SITE_SIZE	5

/* What sahf and an addition can set: CF PF AF ZF SF OF. */
#define FLAGS_ARITH	0x8d5
#define FLAGS_DF	0x400
#define MARKS		(REGS_FILLED | REGS_SLOW)

/* CFA offsets: what lies between rsp and the end of the site's push. */
#define CFA_SITE	8
#define CFA_ARGS	(ARGS_size + 8)
#define CFA_REGS	(REGS_size + 8)

/*
 * Never run here.  In .text since lld places .rodata below .eh_frame_hdr, and sorts what has
 * rules there behind everything else: nothing of the program would unwind any more.
 */
	.section .text.tramp_parts, "ax", @progbits

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
 * part's own FDE is found by its address.
 */
.macro pushc reg
	push	\reg
	.cfi_adjust_cfa_offset 8
.endm
.macro popc reg
	pop	\reg
	.cfi_adjust_cfa_offset -8
.endm
.macro enter_part name
part \name\()_enter
	.cfi_startproc
.endm
.macro end_enter name
	.cfi_endproc
end_part \name\()_enter
.endm
.macro leave_part name, cfa
part \name\()_leave
	.cfi_startproc
	.cfi_def_cfa_offset \cfa
.endm
.macro end_leave name
	.cfi_endproc
end_part \name\()_leave
.endm

/* --- noregs and args --- */

enter_part compact
	pushc	%rbp
	pushc	%rdi
	pushc	%rsi
	pushc	%rdx
	pushc	%rcx
	pushc	%rax
	pushc	%r8
	pushc	%r9
	pushc	%r10
	pushc	%r11
end_enter compact

part compact_args
	mov	ARGS_ip(%rsp), %rdi
	sub	$SITE_SIZE, %rdi
	mov	ARGS_parent(%rsp), %rsi
end_part compact_args

leave_part compact, CFA_ARGS
	popc	%r11
	popc	%r10
	popc	%r9
	popc	%r8
	popc	%rax
	popc	%rcx
	popc	%rdx
	popc	%rsi
	popc	%rdi
	popc	%rbp
	ret
end_leave compact

/* --- args-reserved --- */

#define EACH_PARTIAL(op)						\
	op(rax, REGS_ax);  op(rcx, REGS_cx);  op(rdx, REGS_dx);		\
	op(rsi, REGS_si);  op(rdi, REGS_di);  op(rbp, REGS_bp);		\
	op(r8, REGS_r8);   op(r9, REGS_r9);				\
	op(r10, REGS_r10); op(r11, REGS_r11)
#define STORE(reg, offset)	mov %reg, offset(%rsp)
#define LOAD(reg, offset)	mov offset(%rsp), %reg

enter_part reserved
	sub	$REGS_size, %rsp
	.cfi_adjust_cfa_offset REGS_size
	EACH_PARTIAL(STORE)
	mov	REGS_ret(%rsp), %rdi
	lea	REGS_parent(%rsp), %rsi
	mov	%rdi, REGS_ip(%rsp)
	mov	%rsi, REGS_sp(%rsp)
	movq	$0, REGS_cs(%rsp)
	movq	$0, REGS_orig_ax(%rsp)
end_enter reserved

part regs_args
	mov	REGS_ret(%rsp), %rdi
	sub	$SITE_SIZE, %rdi
	mov	REGS_parent(%rsp), %rsi
end_part regs_args

leave_part reserved, CFA_REGS
	mov	REGS_ip(%rsp), %rax
	mov	%rax, REGS_ret(%rsp)
	EACH_PARTIAL(LOAD)
	add	$REGS_size, %rsp
	.cfi_adjust_cfa_offset -REGS_size
	ret
end_leave reserved

/* --- regs --- */

/* The callback must find DF clear (psABI 3.2.1); a set one is restored by the slow leave. */
.macro regs_enter name
enter_part \name
	.cfi_def_cfa_offset CFA_REGS
90:	cld
	orl	$REGS_SLOW, REGS_saved_flags(%rsp)
	jmp	91f
	.globl	part_\name\()_entry
	.hidden	part_\name\()_entry
part_\name\()_entry:
	.cfi_def_cfa_offset CFA_SITE
	pushfq
	.cfi_adjust_cfa_offset 8
	sub	$REGS_saved_flags - REGS_orig_ax, %rsp
	.cfi_adjust_cfa_offset REGS_saved_flags - REGS_orig_ax
	pushc	%rdi
	pushc	%rsi
	pushc	%rdx
	pushc	%rcx
	pushc	%rax
	pushc	%r8
	pushc	%r9
	pushc	%r10
	pushc	%r11
	pushc	%rbx
	pushc	%rbp
	pushc	%r12
	pushc	%r13
	pushc	%r14
	pushc	%r15
	testb	$FLAGS_DF >> 8, REGS_saved_flags + 1(%rsp)
	jnz	90b
91:
.endm

.macro pop_gprs
	popc	%r15
	popc	%r14
	popc	%r13
	popc	%r12
	popc	%rbp
	.cfi_restore %rbp
	popc	%rbx
	popc	%r11
	popc	%r10
	popc	%r9
	popc	%r8
	popc	%rax
	popc	%rcx
	popc	%rdx
	popc	%rsi
	popc	%rdi
.endm

/*
 * popfq costs more than all the rest, so the status flags go back by sahf, and
 * OF, which sahf does not reach, by an addition that overflows or not.  The
 * slow path is for frames whose pt_regs was asked for (its ip and flags count
 * then) and for a DF that has to be set again; it pops flags only when more
 * than status flags differ from what the processor holds.
 */
.macro regs_leave
	testb	$REGS_SLOW >> 8, REGS_saved_flags + 1(%rsp)
	jnz	93f
	.cfi_remember_state
92:	mov	REGS_saved_flags + 1(%rsp), %al
	and	$0x08, %al
	add	$0x78, %al
	mov	REGS_saved_flags(%rsp), %ah
	sahf
	pop_gprs
	lea	REGS_ret - REGS_orig_ax(%rsp), %rsp
	.cfi_def_cfa_offset CFA_SITE
	ret
	.cfi_restore_state
	/* clang 14 goes on counting from before the restored state. */
	.cfi_def_cfa_offset CFA_REGS
93:	mov	REGS_saved_flags(%rsp), %rcx
	mov	%rcx, %rax
	test	$REGS_FILLED, %cl
	jz	94f
	mov	REGS_ip(%rsp), %rax
	mov	%rax, REGS_ret(%rsp)
	mov	REGS_flags(%rsp), %rax
94:	and	$~MARKS, %rax
	xor	%rax, %rcx
	mov	%rax, REGS_saved_flags(%rsp)
	test	$~(FLAGS_ARITH | MARKS), %ecx
	jnz	95f
	test	$FLAGS_DF, %eax
	jz	92b
95:	pop_gprs
	lea	REGS_saved_flags - REGS_orig_ax(%rsp), %rsp
	.cfi_def_cfa_offset CFA_SITE + 8
	popfq
	.cfi_adjust_cfa_offset -8
	ret
.endm

regs_enter regs
end_enter regs

leave_part regs, CFA_REGS
	regs_leave
end_leave regs

/*
 * --- vec: all vector registers that the processor has, since a caller built
 * with -fipa-ra may keep values in any of them.  Aligned: a line-splitting
 * store costs twice.  The three forms differ in width; emit.c picks one.
 */
.macro each16 do, size
	.irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
	\do	\n, \size
	.endr
.endm
.macro each32 do, size
	each16	\do, \size
	.irp n, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	\do	\n, \size
	.endr
.endm
.macro save_sse n, size
	movaps	%xmm\n, \size * \n(%rsp)
.endm
.macro load_sse n, size
	movaps	\size * \n(%rsp), %xmm\n
.endm
.macro save_avx n, size
	vmovaps	%ymm\n, \size * \n(%rsp)
.endm
.macro load_avx n, size
	vmovaps	\size * \n(%rsp), %ymm\n
.endm
.macro save_avx512 n, size
	vmovaps	%zmm\n, \size * \n(%rsp)
.endm
.macro load_avx512 n, size
	vmovaps	\size * \n(%rsp), %zmm\n
.endm

#define MASKS	(32 * 64)
.macro save_mask n, size
	kmovq	%k\n, MASKS + 8 * \n(%rsp)
.endm
.macro load_mask n, size
	kmovq	MASKS + 8 * \n(%rsp), %k\n
.endm
.macro each_mask do
	.irp n, 0,1,2,3,4,5,6,7
	\do	\n, 8
	.endr
.endm

.macro vec_frame_rules
	.cfi_def_cfa_register %rbp
	.cfi_offset %rbp, REGS_bp - CFA_REGS
.endm
.macro vec_frame size
	mov	%rsp, %rbp
	vec_frame_rules
	sub	$\size, %rsp
	and	$-64, %rsp
.endm

.macro vec_drop
	mov	%rbp, %rsp
	.cfi_def_cfa_register %rsp
.endm

regs_enter vec_sse
	vec_frame 256
	each16	save_sse, 16
end_enter vec_sse
leave_part vec_sse, CFA_REGS
	vec_frame_rules
	each16	load_sse, 16
	vec_drop
	regs_leave
end_leave vec_sse

regs_enter vec_avx
	vec_frame 512
	each16	save_avx, 32
end_enter vec_avx
leave_part vec_avx, CFA_REGS
	vec_frame_rules
	each16	load_avx, 32
	vec_drop
	regs_leave
end_leave vec_avx

regs_enter vec_avx512
	vec_frame 2112
	each32	save_avx512, 64
	each_mask save_mask
end_enter vec_avx512
leave_part vec_avx512, CFA_REGS
	vec_frame_rules
	each_mask load_mask
	each32	load_avx512, 64
	vec_drop
	regs_leave
end_leave vec_avx512

part vec_args
	mov	REGS_ret(%rbp), %rdi
	sub	$SITE_SIZE, %rdi
	mov	REGS_parent(%rbp), %rsi
end_part vec_args

	.text
	.globl	tramp_just_return
	.type	tramp_just_return, @function
tramp_just_return:
	ret
	.size	tramp_just_return, 1

	.section .note.GNU-stack, "", @progbits
