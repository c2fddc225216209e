/* SPDX-License-Identifier: MIT */
/* What portable cases must know of this architecture. */
#ifndef TRAMPLAB_CASE_ARCH_H
#define TRAMPLAB_CASE_ARCH_H

#define CASE_SITE_SIZE		4	/* bytes of a site; it resumes behind them (S94) */
#define CASE_STEPS_ALONE	0	/* a step is a breakpoint, which other threads run into */
#define CASE_REG_ARGS		8	/* arguments in registers */
#define CASE_STACK_ARG		0	/* the first word of the stack with an argument */
#define CASE_STACK_ARGS		0	/* ftrace_regs_get_argument() reads the stack too (S102) */
#define CASE_RESULT_IS_ARG0	1	/* the same register holds both */
#define CASE_STRUCT_ALIGN	16	/* that the ABI keeps for structs by value */
#define CASE_SITE_LEAD		8	/* a bti and a mov before the site (S76) */
#define CASE_SITE_TRAPS		0	/* a site in transition is a trap for a moment (S132) */
/* How far below and above the site a call's target may be, exactly; code lies at multiples of this (BUG-16). */
#define CASE_REACH_DOWN		(1UL << 27)
#define CASE_REACH_UP		((1UL << 27) - 4)
#define CASE_CODE_ALIGN		4
#define CASE_SITE_UNWINDS	0	/* the compiler's unwind rules hold at the site, too: gcc's begin behind it */
/* The compiler's unwind rules hold at every instruction; before clang 15 not in epilogues. */
#if defined(__clang__) && __clang_major__ < 15
#define CASE_UNWINDS_ANYWHERE	0
#else
#define CASE_UNWINDS_ANYWHERE	1
#endif
/* Does @sp fit a function whose return address is @parent_ip (S95)?  Nothing on the stack says. */
#define case_sp_fits(sp, parent_ip)	((sp) % 16 == 0 && (parent_ip))

#define CASE_TRAP_BYTE		0x00	/* udf, in each of its places */
typedef unsigned int case_spin_t;
#define CASE_SPIN		0x14000000	/* a branch to itself */
#define CASE_STEPS_BY_FLAG	0	/* self_step() leaves text alone: other threads may change it meanwhile */

/* The resume address in a full frame. */
#define case_pc(regs)		((regs)->pc)

/* Register names: of the first argument; callee-saved, in full frames alone; the flags. */
#define CASE_REG_ARG0		"x0"
#define CASE_REG_KEPT		"x19"
#define CASE_REG_FLAGS		"pstate"
#define CASE_FLAG		(1UL << 31)	/* of no effect: N */
/* What a partial frame holds at least (S93). */
#define CASE_REGS_PARTIAL	{ "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", \
				  "fp", "lr", "sp", "pc" }

/* A breakpoint of the program's own; its handler goes on behind it by case_breakpoint_passed(). */
static inline void case_breakpoint(void)
{
	__asm__ volatile ("brk #0" : : : "memory");
}
#define case_breakpoint_passed(uc)	((void)((uc)->uc_mcontext.pc += 4))

/* What the site at @ip calls by its bytes, 0: nothing. */
static inline unsigned long case_site_target(unsigned long ip)
{
	unsigned int insn = *(const unsigned int *)ip;

	return insn >> 26 == 0x25 ? ip + ((int)(insn << 6) >> 4) : 0;
}

/* Is the instruction at @pc a call, or a return?  Signed or not. */
#define case_is_call(pc)	(*(const unsigned int *)(pc) >> 26 == 0x25 || (*(const unsigned int *)(pc) & 0xfefff000) == 0xd63f0000)
#define case_is_return(pc)	((*(const unsigned int *)(pc) & 0xfffff000) == 0xd65f0000)
/* Where the call at @pc, which has just been made, returns to; @sp is the callee's. */
#define case_return_of(pc, sp)	((void)(sp), (pc) + 4)

#endif
