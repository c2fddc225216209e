/* SPDX-License-Identifier: MIT */
/*
 * Calls a traced function with a chosen value in every register, and tells what
 * each held in the function's body and after its return.
 */
#ifndef TRAMPLAB_SHIM_H
#define TRAMPLAB_SHIM_H

#define SHIM_ax		0
#define SHIM_bx		1
#define SHIM_cx		2
#define SHIM_dx		3
#define SHIM_si		4
#define SHIM_di		5
#define SHIM_bp		6
#define SHIM_r8		7
#define SHIM_r9		8
#define SHIM_r10	9
#define SHIM_r11	10
#define SHIM_r12	11
#define SHIM_r13	12
#define SHIM_r14	13
#define SHIM_r15	14
#define SHIM_NR_GPRS	15
#define SHIM_flags	15
#define SHIM_sp		16	/* as the function starts with it */
#define SHIM_NR		17

/* By what they are for. */
#define SHIM_ARG0	SHIM_di
#define SHIM_ARG1	SHIM_si
#define SHIM_ARG4	SHIM_r8
#define SHIM_RESULT	SHIM_ax
#define SHIM_FRAME	SHIM_bp
#define SHIM_KEPT	SHIM_bx

/* CF PF AF ZF SF OF, and the direction flag. */
#define FLAGS_STATUS	0x8d5UL
#define FLAGS_DF	0x400UL
#define FLAGS_ID	0x200000UL
#define FLAGS_KEPT	(FLAGS_STATUS | FLAGS_DF)	/* that a full frame gives back */
#define FLAGS_WRITABLE	(FLAGS_KEPT | FLAGS_ID)		/* that arrive when written there */
#define FLAGS_FIXED	0x202UL		/* bit 1 and IF: set whenever a program runs */

#ifndef __ASSEMBLER__
struct shim_regs { unsigned long r[SHIM_NR]; };

#define SHIM_NAMES { "ax", "bx", "cx", "dx", "si", "di", "bp", "r8", "r9", "r10", "r11", \
		     "r12", "r13", "r14", "r15", "flags", "sp" }
#define SHIM_REG(name)	[SHIM_##name] = offsetof(struct pt_regs, name)
#define SHIM_OFFSETS { \
	SHIM_REG(ax), SHIM_REG(bx), SHIM_REG(cx), SHIM_REG(dx), SHIM_REG(si), SHIM_REG(di), \
	SHIM_REG(bp), SHIM_REG(r8), SHIM_REG(r9), SHIM_REG(r10), SHIM_REG(r11), SHIM_REG(r12), \
	SHIM_REG(r13), SHIM_REG(r14), SHIM_REG(r15), SHIM_REG(flags), SHIM_REG(sp) }
/* Further names of pt_regs, and one that is none. */
#define SHIM_MORE { { "ip", offsetof(struct pt_regs, ip) }, { "orig_ax", offsetof(struct pt_regs, orig_ax) }, \
		    { "cs", offsetof(struct pt_regs, cs) }, { "ss", offsetof(struct pt_regs, ss) } }
#define SHIM_UNKNOWN	"rax"

/* @in: gprs and flags to call @func with; its sp is filled in.  Not re-entrant. */
void shim_call(const void *func, struct shim_regs *in);
extern struct shim_regs shim_body;	/* in shim_tracee's body */
extern struct shim_regs shim_after;	/* behind the return */

/* Has a site; writes shim_body and returns with every register as it got it. */
void shim_tracee(void);
/* rflags, as they are. */
unsigned long shim_flags(void);
/* A leaf that keeps data below its stack pointer for @turns: 1 if it was overwritten. */
unsigned long shim_red_zone(unsigned long turns);

/* A leaf without a frame that sleeps until *@word is not 0, by futex(2). */
void shim_sleep(unsigned int *word);

/* --- vector registers: all that the processor has, at their full width --- */
#define VEC_BYTES	(32 * 64 + 8 * 8)
unsigned long vec_width(void);		/* bytes of a register: 16, 32 or 64 */
unsigned long vec_bytes(void);		/* of all registers, masks behind them */
/* Loads all from @in, calls @func, stores all to @out. */
void vec_call(const void *func, const void *in, void *out);
/* Overwrites all of them. */
void vec_clobber(void);
/* @in as far as the registers hold it: they hold anything. */
static inline void vec_fit(void *in) { (void)in; }
#endif
#endif
