/* SPDX-License-Identifier: MIT */
/*
 * AArch64: the saved registers and their accessors.  Included by <ftrace.h>.
 *
 * fregs is the frame's address with the frame's class in the low bits (frames
 * are 16-aligned), so that telling what a frame holds costs the entry no store.
 * The frames are drawn in entry.S; ARGS_* and REGS_* below are their offsets,
 * and regs.c asserts that the C structs agree.
 */
#ifndef _ASM_AARCH64_FTRACE_H
#define _ASM_AARCH64_FTRACE_H

#define FREGS_CLASS		7	/* enum tramp_class */
#define FREGS_STRICT		8	/* hide the full set from this callback */
#define FREGS_TAG		15

/* args: the compact frame.  Its ends are frame records, of which fp, lr and pc are part. */
#define ARGS_record		0	/* of the traced function: points to ARGS_fp */
#define ARGS_pc			8
#define ARGS_x0			16
#define ARGS_x1			24
#define ARGS_x2			32
#define ARGS_x3			40
#define ARGS_x4			48
#define ARGS_x5			56
#define ARGS_x6			64
#define ARGS_x7			72
#define ARGS_x8			80
#define ARGS_x10		88
#define ARGS_x11		96
#define ARGS_x12		104
#define ARGS_x13		112
#define ARGS_x14		120
#define ARGS_x15		128
#define ARGS_x18		136
#define ARGS_ip			144	/* of a set: what its callbacks get, whatever they do to the frame */
#define ARGS_parent_ip		152
#define ARGS_fp			160	/* of the traced function's caller: a record with lr */
#define ARGS_lr			168
#define ARGS_size		176

/* regs, vec, args-reserved: a pt_regs, whose fp and lr are a record, and one for the traced function. */
#define REGS_x(n)		(8 * (n))
#define REGS_fp			REGS_x(29)
#define REGS_lr			REGS_x(30)
#define REGS_sp			248
#define REGS_pc			256
#define REGS_pstate		264
#define REGS_record		272	/* points to REGS_fp */
#define REGS_resume		280	/* pc as it came */
#define REGS_ip			288	/* of a set */
#define REGS_parent_ip		296
#define REGS_size		304

/* vec: below that the vector registers, and their status and control. */
#define VEC_fpsr		0
#define VEC_fpcr		8
#define VEC_q(n)		(16 + 16 * (n))
#define VEC_regs		VEC_q(32)	/* where the pt_regs starts */

#ifndef __ASSEMBLER__

/* The kernel's user_pt_regs, under the name that callbacks know. */
struct pt_regs {
	unsigned long regs[31];
	unsigned long sp;
	unsigned long pc;
	unsigned long pstate;
};

/* Register numbers, for masks (1UL << TRAMP_REG_x3) and tramp_regs_read(). */
enum tramp_reg {
	TRAMP_REG_x0, TRAMP_REG_x1, TRAMP_REG_x2, TRAMP_REG_x3,
	TRAMP_REG_x4, TRAMP_REG_x5, TRAMP_REG_x6, TRAMP_REG_x7,
	TRAMP_REG_x8, TRAMP_REG_x9, TRAMP_REG_x10, TRAMP_REG_x11,
	TRAMP_REG_x12, TRAMP_REG_x13, TRAMP_REG_x14, TRAMP_REG_x15,
	TRAMP_REG_x16, TRAMP_REG_x17, TRAMP_REG_x18, TRAMP_REG_x19,
	TRAMP_REG_x20, TRAMP_REG_x21, TRAMP_REG_x22, TRAMP_REG_x23,
	TRAMP_REG_x24, TRAMP_REG_x25, TRAMP_REG_x26, TRAMP_REG_x27,
	TRAMP_REG_x28, TRAMP_REG_fp, TRAMP_REG_lr, TRAMP_REG_sp,
	TRAMP_REG_pc, TRAMP_REG_pstate,
	TRAMP_NR_REGS
};

#define FREGS_INLINE static inline __attribute__((always_inline, unused))

FREGS_INLINE unsigned int __fregs_class(const struct ftrace_regs *fregs)
{
	return (unsigned long)fregs & FREGS_CLASS;
}

FREGS_INLINE unsigned long *__fregs_slot(const struct ftrace_regs *fregs, unsigned int offset)
{
	return (unsigned long *)(((unsigned long)fregs & ~(unsigned long)FREGS_TAG) + offset);
}

/* A full set is there. */
FREGS_INLINE bool __fregs_full(const struct ftrace_regs *fregs)
{
	return __fregs_class(fregs) >= 3;
}

/* TRAMP_CLASS_ARGS, spelled as its number: tramp.h comes later. */
FREGS_INLINE bool __fregs_compact(const struct ftrace_regs *fregs)
{
	return __fregs_class(fregs) == 1;
}

#define __FREGS(fregs, reg) \
	(*__fregs_slot(fregs, __fregs_compact(fregs) ? ARGS_##reg : REGS_##reg))

FREGS_INLINE unsigned long ftrace_regs_get_instruction_pointer(const struct ftrace_regs *fregs)
{
	return __FREGS(fregs, pc);
}

FREGS_INLINE void ftrace_regs_set_instruction_pointer(struct ftrace_regs *fregs, unsigned long ip)
{
	__FREGS(fregs, pc) = ip;
}

/* At function entry: nothing has been pushed (S95). */
FREGS_INLINE unsigned long ftrace_regs_get_stack_pointer(const struct ftrace_regs *fregs)
{
	return (unsigned long)__fregs_slot(fregs, __fregs_compact(fregs) ? ARGS_size : REGS_size);
}

FREGS_INLINE struct pt_regs *ftrace_get_regs(struct ftrace_regs *fregs)
{
	if (!__fregs_full(fregs) || ((unsigned long)fregs & FREGS_STRICT))
		return NULL;
	return (struct pt_regs *)__fregs_slot(fregs, 0);
}

FREGS_INLINE unsigned long *__fregs_argument(const struct ftrace_regs *fregs, unsigned int n)
{
	return __fregs_slot(fregs, (__fregs_compact(fregs) ? ARGS_x0 : REGS_x(0)) + 8 * n);
}

/* Eight in registers; the stack is not looked at (S102). */
FREGS_INLINE unsigned long ftrace_regs_get_argument(const struct ftrace_regs *fregs, unsigned int n)
{
	return n < 8 ? *__fregs_argument(fregs, n) : 0;
}

FREGS_INLINE void ftrace_regs_set_argument(struct ftrace_regs *fregs, unsigned int n,
					   unsigned long value)
{
	if (n < 8)
		*__fregs_argument(fregs, n) = value;
}

FREGS_INLINE unsigned long ftrace_regs_get_return_value(const struct ftrace_regs *fregs)
{
	return *__fregs_argument(fregs, 0);
}

FREGS_INLINE void ftrace_regs_set_return_value(struct ftrace_regs *fregs, unsigned long value)
{
	*__fregs_argument(fregs, 0) = value;
}

FREGS_INLINE unsigned long ftrace_regs_get_frame_pointer(const struct ftrace_regs *fregs)
{
	return __FREGS(fregs, fp);
}

FREGS_INLINE bool ftrace_regs_has_args(const struct ftrace_regs *fregs)
{
	return fregs != NULL;
}

/* Resume where the function would have returned to: it seems to have done so at once (S112). */
FREGS_INLINE void ftrace_override_function_with_return(struct ftrace_regs *fregs)
{
	ftrace_regs_set_instruction_pointer(fregs, __FREGS(fregs, lr));
}

int ftrace_regs_query_register_offset(const char *name);
struct pt_regs *ftrace_partial_regs(struct ftrace_regs *fregs, struct pt_regs *buf);

#endif /* __ASSEMBLER__ */
#endif
