/* SPDX-License-Identifier: MIT */
/*
 * x86-64: the saved registers and their accessors.  Included by <ftrace.h>.
 *
 * fregs is the frame's address with the frame's class in the low bits (frames
 * are 16-aligned), so that telling what a frame holds costs the entry no store.
 * The frames are drawn in entry.S; FRAME_* and REGS_* below are their offsets,
 * and frame.c asserts that the C structs agree.
 */
#ifndef _ASM_X86_64_FTRACE_H
#define _ASM_X86_64_FTRACE_H

#define FREGS_CLASS		7	/* enum tramp_class */
#define FREGS_STRICT		8	/* hide the full set from this callback */
#define FREGS_TAG		15

/* args: the compact frame.  ip is the slot that the site's call pushed. */
#define ARGS_r11		0
#define ARGS_r10		8
#define ARGS_r9			16
#define ARGS_r8			24
#define ARGS_ax			32
#define ARGS_cx			40
#define ARGS_dx			48
#define ARGS_si			56
#define ARGS_di			64
#define ARGS_bp			72
#define ARGS_ip			80
#define ARGS_parent		88
#define ARGS_size		80	/* what the entry pushes */

/* regs, vec, args-reserved: a pt_regs, a spare word, and what the site pushed. */
#define REGS_r15		0
#define REGS_r14		8
#define REGS_r13		16
#define REGS_r12		24
#define REGS_bp			32
#define REGS_bx			40
#define REGS_r11		48
#define REGS_r10		56
#define REGS_r9			64
#define REGS_r8			72
#define REGS_ax			80
#define REGS_cx			88
#define REGS_dx			96
#define REGS_si			104
#define REGS_di			112
#define REGS_orig_ax		120
#define REGS_ip			128
#define REGS_cs			136
#define REGS_flags		144
#define REGS_sp			152
#define REGS_ss			160
#define REGS_saved_flags	168	/* rflags at the site, and the two marks below */
#define REGS_ret		176	/* what the site pushed: the resume address */
#define REGS_parent		184
#define REGS_size		176

/* RFLAGS bits 5 and 15 are always 0 in the register: marks in REGS_saved_flags. */
#define REGS_FILLED		(1 << 5)	/* ip..ss hold values; ip is the one that counts */
#define REGS_SLOW		(1 << 15)	/* leave by the careful path */

#ifndef __ASSEMBLER__

/* The kernel's names of the same layout as its pt_regs (arch/x86/include/asm/ptrace.h). */
struct pt_regs {
	unsigned long r15, r14, r13, r12, bp, bx;
	unsigned long r11, r10, r9, r8, ax, cx, dx, si, di;
	unsigned long orig_ax, ip, cs, flags, sp, ss;
};

/* Register numbers, for masks (1UL << TRAMP_REG_di) and tramp_regs_read(). */
enum tramp_reg {
	TRAMP_REG_ax, TRAMP_REG_bx, TRAMP_REG_cx, TRAMP_REG_dx,
	TRAMP_REG_si, TRAMP_REG_di, TRAMP_REG_bp, TRAMP_REG_sp,
	TRAMP_REG_r8, TRAMP_REG_r9, TRAMP_REG_r10, TRAMP_REG_r11,
	TRAMP_REG_r12, TRAMP_REG_r13, TRAMP_REG_r14, TRAMP_REG_r15,
	TRAMP_REG_ip, TRAMP_REG_flags, TRAMP_REG_cs, TRAMP_REG_ss,
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

/* A full set is there; asking costs nothing, unlike ftrace_get_regs(). */
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

/*
 * The word that decides where the site resumes.  The full frame has two: the
 * site's own push until pt_regs was asked for, then pt_regs' ip, which the
 * entry copies back.
 */
FREGS_INLINE unsigned long *__fregs_ip(const struct ftrace_regs *fregs)
{
	if (__fregs_compact(fregs))
		return __fregs_slot(fregs, ARGS_ip);
	if (__fregs_full(fregs) && !(*__fregs_slot(fregs, REGS_saved_flags) & REGS_FILLED))
		return __fregs_slot(fregs, REGS_ret);
	return __fregs_slot(fregs, REGS_ip);
}

FREGS_INLINE unsigned long ftrace_regs_get_instruction_pointer(const struct ftrace_regs *fregs)
{
	return *__fregs_ip(fregs);
}

FREGS_INLINE void ftrace_regs_set_instruction_pointer(struct ftrace_regs *fregs, unsigned long ip)
{
	*__fregs_ip(fregs) = ip;
}

/* At function entry: it points at the parent's return address (S95). */
FREGS_INLINE unsigned long ftrace_regs_get_stack_pointer(const struct ftrace_regs *fregs)
{
	return (unsigned long)&__FREGS(fregs, parent);
}

/*
 * The entry leaves ip..ss unwritten, since few callbacks look at them; they
 * are filled in here, once a call.  cs and ss are Linux's user selectors.
 */
FREGS_INLINE struct pt_regs *ftrace_get_regs(struct ftrace_regs *fregs)
{
	unsigned long *saved;
	struct pt_regs *regs;

	if (!__fregs_full(fregs) || ((unsigned long)fregs & FREGS_STRICT))
		return NULL;
	saved = __fregs_slot(fregs, REGS_saved_flags);
	regs = (struct pt_regs *)__fregs_slot(fregs, 0);
	if (!(*saved & REGS_FILLED)) {
		regs->orig_ax = 0;
		regs->ip = *__fregs_slot(fregs, REGS_ret);
		regs->cs = 0x33;
		regs->flags = *saved & ~(unsigned long)REGS_SLOW;
		regs->sp = ftrace_regs_get_stack_pointer(fregs);
		regs->ss = 0x2b;
		*saved |= REGS_FILLED | REGS_SLOW;
	}
	return regs;
}

FREGS_INLINE unsigned long *__fregs_argument(const struct ftrace_regs *fregs, unsigned int n)
{
	switch (n) {
	case 0: return &__FREGS(fregs, di);
	case 1: return &__FREGS(fregs, si);
	case 2: return &__FREGS(fregs, dx);
	case 3: return &__FREGS(fregs, cx);
	case 4: return &__FREGS(fregs, r8);
	case 5: return &__FREGS(fregs, r9);
	default: return NULL;
	}
}

FREGS_INLINE unsigned long ftrace_regs_get_argument(const struct ftrace_regs *fregs, unsigned int n)
{
	unsigned long *arg = __fregs_argument(fregs, n);

	return arg ? *arg : ((unsigned long *)ftrace_regs_get_stack_pointer(fregs))[n - 5];
}

FREGS_INLINE void ftrace_regs_set_argument(struct ftrace_regs *fregs, unsigned int n,
					   unsigned long value)
{
	unsigned long *arg = __fregs_argument(fregs, n);

	if (arg)
		*arg = value;
}

FREGS_INLINE unsigned long ftrace_regs_get_return_value(const struct ftrace_regs *fregs)
{
	return __FREGS(fregs, ax);
}

FREGS_INLINE void ftrace_regs_set_return_value(struct ftrace_regs *fregs, unsigned long value)
{
	__FREGS(fregs, ax) = value;
}

FREGS_INLINE unsigned long ftrace_regs_get_frame_pointer(const struct ftrace_regs *fregs)
{
	return __FREGS(fregs, bp);
}

FREGS_INLINE bool ftrace_regs_has_args(const struct ftrace_regs *fregs)
{
	return fregs != NULL;
}

/* A bare ret: the function seems to have returned at once (S112). */
extern const char tramp_just_return[];

FREGS_INLINE void ftrace_override_function_with_return(struct ftrace_regs *fregs)
{
	ftrace_regs_set_instruction_pointer(fregs, (unsigned long)tramp_just_return);
}

int ftrace_regs_query_register_offset(const char *name);
struct pt_regs *ftrace_partial_regs(struct ftrace_regs *fregs, struct pt_regs *buf);

#endif /* __ASSEMBLER__ */
#endif
