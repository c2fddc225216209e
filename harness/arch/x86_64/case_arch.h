/* SPDX-License-Identifier: MIT */
/* What portable cases must know of this architecture. */
#ifndef TRAMPLAB_CASE_ARCH_H
#define TRAMPLAB_CASE_ARCH_H

#define CASE_SITE_SIZE		5	/* bytes of a site; it resumes behind them (S94) */
#define CASE_STEPS_ALONE	1	/* no other thread sees that one steps */
#define CASE_REG_ARGS		6	/* arguments in registers */
#define CASE_STACK_ARG		1	/* the first word of the stack with an argument; the return address before it */
#define CASE_STACK_ARGS		1	/* ftrace_regs_get_argument() reads the stack too (S102) */
#define CASE_RESULT_IS_ARG0	0	/* the same register holds both */
#define CASE_STRUCT_ALIGN	32	/* that the ABI keeps for structs by value */
#define CASE_SITE_LEAD		4	/* an endbr64 before the site (S76) */
#define CASE_SITE_TRAPS		1	/* a site in transition is a trap for a moment (S132) */
/* How far below and above the site a call's target may be, exactly; code lies at multiples of this (BUG-16). */
#define CASE_REACH_DOWN		((1UL << 31) - CASE_SITE_SIZE)
#define CASE_REACH_UP		((1UL << 31) - 1 + CASE_SITE_SIZE)
#define CASE_CODE_ALIGN		1
#define CASE_SITE_UNWINDS	1	/* the compiler's unwind rules hold at the site, too */
#define CASE_UNWINDS_ANYWHERE	1	/* the compiler's unwind rules hold at every instruction */
/* Does @sp fit a function whose return address is @parent_ip (S95)? */
#define case_sp_fits(sp, parent_ip)	(*(unsigned long *)(sp) == (parent_ip))

#define CASE_TRAP_BYTE		0xf4	/* hlt, which no program may, in each of its places */
typedef unsigned short case_spin_t;
#define CASE_SPIN		0xfeeb	/* a jump to itself: the whole of it in one store, if not across a line */
#define CASE_STEPS_BY_FLAG	1	/* self_step() leaves text alone: other threads may change it meanwhile */

/* The resume address in a full frame. */
#define case_pc(regs)		((regs)->ip)

/* Register names: of the first argument; callee-saved, in full frames alone; the flags. */
#define CASE_REG_ARG0		"di"
#define CASE_REG_KEPT		"bx"
#define CASE_REG_FLAGS		"flags"
#define CASE_FLAG		(1UL << 21)	/* of no effect: ID */
/* What a partial frame holds at least (S91). */
#define CASE_REGS_PARTIAL	{ "di", "si", "dx", "cx", "r8", "r9", "ax", "bp", "sp", "ip" }

/* A breakpoint of the program's own; its handler goes on behind it by case_breakpoint_passed(). */
static inline void case_breakpoint(void)
{
	__asm__ volatile ("int3" : : : "memory");
}
#define case_breakpoint_passed(uc)	((void)(uc))

/* What the site at @ip calls by its bytes, 0: nothing. */
static inline unsigned long case_site_target(unsigned long ip)
{
	const unsigned char *p = (const unsigned char *)ip;

	return *p == 0xe8 ? ip + CASE_SITE_SIZE + *(const int *)(p + 1) : 0;
}

/* Is the instruction at @pc a call, or a return?  Behind prefixes. */
static inline const unsigned char *case_opcode(unsigned long pc)
{
	const unsigned char *p = (const unsigned char *)pc;

	while (*p == 0x3e || *p == 0xf2 || *p == 0xf3 || (*p & 0xf0) == 0x40)
		p++;
	return p;
}
#define case_is_call(pc)	(*case_opcode(pc) == 0xe8 || (*case_opcode(pc) == 0xff && (case_opcode(pc)[1] >> 3 & 7) == 2))
#define case_is_return(pc)	((*case_opcode(pc) & 0xfe) == 0xc2)
/* Where the call at @pc, which has just been made, returns to; @sp is the callee's. */
#define case_return_of(pc, sp)	((void)(pc), *(unsigned long *)(sp))

#endif
