/* SPDX-License-Identifier: MIT */
/*
 * Calls a traced function with a chosen value in every register, and tells what
 * each held in the function's body and after its return.
 *
 * Not among them: x9, which the site itself writes, and x16 and x17, which
 * anything between a call and its callee may (AAPCS64, 6.1.1).
 */
#ifndef TRAMPLAB_SHIM_H
#define TRAMPLAB_SHIM_H

#define SHIM_x0		0
#define SHIM_x1		1
#define SHIM_x2		2
#define SHIM_x3		3
#define SHIM_x4		4
#define SHIM_x5		5
#define SHIM_x6		6
#define SHIM_x7		7
#define SHIM_x8		8
#define SHIM_x10	9
#define SHIM_x11	10
#define SHIM_x12	11
#define SHIM_x13	12
#define SHIM_x14	13
#define SHIM_x15	14
#define SHIM_x18	15
#define SHIM_x19	16
#define SHIM_x20	17
#define SHIM_x21	18
#define SHIM_x22	19
#define SHIM_x23	20
#define SHIM_x24	21
#define SHIM_x25	22
#define SHIM_x26	23
#define SHIM_x27	24
#define SHIM_x28	25
#define SHIM_fp		26
#define SHIM_NR_GPRS	27
#define SHIM_flags	27
#define SHIM_sp		28	/* as the function starts with it */
#define SHIM_lr		29	/* likewise: where it returns to */
#define SHIM_NR		30

/* By what they are for. */
#define SHIM_ARG0	SHIM_x0
#define SHIM_ARG1	SHIM_x1
#define SHIM_ARG4	SHIM_x4
#define SHIM_RESULT	SHIM_x0
#define SHIM_FRAME	SHIM_fp
#define SHIM_KEPT	SHIM_x19

/* N Z C V: all that a program may set in pstate. */
#define FLAGS_STATUS	0xf0000000UL
#define FLAGS_KEPT	FLAGS_STATUS	/* that a full frame gives back */
#define FLAGS_WRITABLE	FLAGS_STATUS	/* that arrive when written there */
#define FLAGS_FIXED	0UL

#ifndef __ASSEMBLER__
struct shim_regs { unsigned long r[SHIM_NR]; };

#define SHIM_NAMES { "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x10", "x11", "x12", \
		     "x13", "x14", "x15", "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", \
		     "x26", "x27", "x28", "fp", "pstate", "sp", "lr" }
#define SHIM_X(n) [SHIM_x##n] = offsetof(struct pt_regs, regs[n])
#define SHIM_OFFSETS { \
	SHIM_X(0), SHIM_X(1), SHIM_X(2), SHIM_X(3), SHIM_X(4), SHIM_X(5), SHIM_X(6), SHIM_X(7), \
	SHIM_X(8), SHIM_X(10), SHIM_X(11), SHIM_X(12), SHIM_X(13), SHIM_X(14), SHIM_X(15), \
	SHIM_X(18), SHIM_X(19), SHIM_X(20), SHIM_X(21), SHIM_X(22), SHIM_X(23), SHIM_X(24), \
	SHIM_X(25), SHIM_X(26), SHIM_X(27), SHIM_X(28), \
	[SHIM_fp] = offsetof(struct pt_regs, regs[29]), [SHIM_lr] = offsetof(struct pt_regs, regs[30]), \
	[SHIM_flags] = offsetof(struct pt_regs, pstate), [SHIM_sp] = offsetof(struct pt_regs, sp) }
/* Further names of pt_regs, and one that is none. */
#define SHIM_MORE { { "pc", offsetof(struct pt_regs, pc) }, \
		    { "x9", offsetof(struct pt_regs, regs[9]) }, \
		    { "x16", offsetof(struct pt_regs, regs[16]) }, \
		    { "x17", offsetof(struct pt_regs, regs[17]) } }
#define SHIM_UNKNOWN	"x31"

/* @in: gprs and flags to call @func with; its sp and lr are filled in.  Not re-entrant. */
void shim_call(const void *func, struct shim_regs *in);
extern struct shim_regs shim_body;	/* in shim_tracee's body */
extern struct shim_regs shim_after;	/* behind the return */

/* Has a site; writes shim_body and returns with every register as it got it. */
void shim_tracee(void);
/* The flags, as they are. */
unsigned long shim_flags(void);
/* Keeps data at its stack pointer for @turns: 1 if it was overwritten.  There is no red zone. */
unsigned long shim_red_zone(unsigned long turns);
/* A leaf that signs its return address, @x + 1; with a site before that. */
unsigned long shim_signs(unsigned long x);
/* Calls shim_scratch_tracee with x16 and x17 from @in; @body is what its body has there. */
void shim_scratch(const unsigned long in[2], unsigned long body[2]);
void shim_scratch_tracee(void);

/* A leaf without a frame that sleeps until *@word is not 0, by futex(2). */
void shim_sleep(unsigned int *word);

/* --- vector registers: v0 to v31 at their full 16 bytes, fpsr and fpcr behind them --- */
#define VEC_BYTES	(32 * 16 + 2 * 8)
unsigned long vec_width(void);		/* bytes of a register */
unsigned long vec_bytes(void);		/* of all */
/* Loads all from @in, calls @func, stores all to @out. */
void vec_call(const void *func, const void *in, void *out);
/* Overwrites all of them. */
void vec_clobber(void);
/* @in as far as the registers hold it. */
void vec_fit(void *in);
#endif
#endif
