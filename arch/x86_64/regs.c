/* SPDX-License-Identifier: MIT */
/* x86-64: what frames hold, by name and number; the layouts agree with entry.S. */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include "core/arch.h"

const char arch_name[] = "x86_64";

unsigned int arch_has(void)
{
	return TRAMP_HAS_OPS_ARG | TRAMP_HAS_CALL_SLOT | TRAMP_HAS_SITE_WORD;
}

#define BIT(reg)	(1UL << TRAMP_REG_##reg)
#define ARGS_REGS	(BIT(ax) | BIT(cx) | BIT(dx) | BIT(si) | BIT(di) | BIT(bp) | BIT(sp) | \
			 BIT(r8) | BIT(r9) | BIT(r10) | BIT(r11) | BIT(ip))
#define ALL_REGS	((1UL << TRAMP_NR_REGS) - 1)

static const unsigned long class_regs[TRAMP_NR_CLASSES] = {
	[TRAMP_CLASS_NOREGS] = 0,
	[TRAMP_CLASS_ARGS] = ARGS_REGS,
	[TRAMP_CLASS_ARGS_RESERVED] = ARGS_REGS,
	[TRAMP_CLASS_REGS] = ALL_REGS,
	[TRAMP_CLASS_VEC] = ALL_REGS,
};

unsigned long arch_class_regs(enum tramp_class class)
{
	return class_regs[class];
}

unsigned long tramp_regs_saved(const struct ftrace_regs *fregs)
{
	return fregs ? class_regs[__fregs_class(fregs)] : 0;
}

#define NONE 0xffff

/* An offset in each layout: pt_regs, and the compact frame. */
#define REG(reg, compact) [TRAMP_REG_##reg] = { #reg, offsetof(struct pt_regs, reg), compact }
static const struct { const char *name; unsigned short regs, args; } reg_table[] = {
	REG(ax, ARGS_ax), REG(bx, NONE), REG(cx, ARGS_cx), REG(dx, ARGS_dx),
	REG(si, ARGS_si), REG(di, ARGS_di), REG(bp, ARGS_bp), REG(sp, NONE),
	REG(r8, ARGS_r8), REG(r9, ARGS_r9), REG(r10, ARGS_r10), REG(r11, ARGS_r11),
	REG(r12, NONE), REG(r13, NONE), REG(r14, NONE), REG(r15, NONE),
	REG(ip, ARGS_ip), REG(flags, NONE), REG(cs, NONE), REG(ss, NONE),
};

#define SAME(reg) _Static_assert(offsetof(struct pt_regs, reg) == REGS_##reg, #reg)
SAME(r15); SAME(r14); SAME(r13); SAME(r12); SAME(bp); SAME(bx); SAME(r11);
SAME(r10); SAME(r9); SAME(r8); SAME(ax); SAME(cx); SAME(dx); SAME(si); SAME(di);
SAME(orig_ax); SAME(ip); SAME(cs); SAME(flags); SAME(sp); SAME(ss);
_Static_assert(sizeof(struct pt_regs) == REGS_saved_flags, "the word behind pt_regs");
_Static_assert(REGS_size % 16 == 0 && ARGS_size % 16 == 0, "stack alignment in the callback");
_Static_assert(TRAMP_CLASS_ARGS == 1 && TRAMP_CLASS_REGS == 3 && TRAMP_CLASS_VEC == 4 &&
	       TRAMP_NR_CLASSES <= FREGS_CLASS + 1, "classes as spelled in asm/ftrace.h");

const char *tramp_reg_name(unsigned int reg)
{
	return reg < TRAMP_NR_REGS ? reg_table[reg].name : NULL;
}

int tramp_reg_number(const char *name)
{
	for (int reg = 0; reg < TRAMP_NR_REGS; reg++)
		if (!strcmp(reg_table[reg].name, name))
			return reg;
	return -EINVAL;
}

/* In the order of __fregs_argument(). */
int tramp_arg_reg(unsigned int n)
{
	static const unsigned char regs[] = {
		TRAMP_REG_di, TRAMP_REG_si, TRAMP_REG_dx, TRAMP_REG_cx, TRAMP_REG_r8, TRAMP_REG_r9,
	};

	return n < sizeof(regs) ? regs[n] : TRAMP_REG_sp;
}

int ftrace_regs_query_register_offset(const char *name)
{
	int reg = tramp_reg_number(name);

	if (!strcmp(name, "orig_ax"))
		return offsetof(struct pt_regs, orig_ax);
	return reg < 0 ? reg : reg_table[reg].regs;
}

static unsigned long *reg_slot(struct ftrace_regs *fregs, unsigned int reg)
{
	if (reg == TRAMP_REG_ip)
		return __fregs_ip(fregs);
	if (__fregs_compact(fregs))
		return __fregs_slot(fregs, reg_table[reg].args);
	return __fregs_slot(fregs, reg_table[reg].regs);
}

/* flags, cs and ss are in the frame only once pt_regs was asked for. */
static struct ftrace_regs *filled(struct ftrace_regs *fregs, unsigned int reg)
{
	if (reg == TRAMP_REG_flags || reg == TRAMP_REG_cs || reg == TRAMP_REG_ss)
		ftrace_get_regs((struct ftrace_regs *)((unsigned long)fregs & ~(unsigned long)FREGS_STRICT));
	return fregs;
}

static int check_reg(const struct ftrace_regs *fregs, unsigned int reg)
{
	if (reg >= TRAMP_NR_REGS)
		return -EINVAL;
	return tramp_regs_saved(fregs) & (1UL << reg) ? 0 : -ENODATA;
}

int tramp_regs_read(struct ftrace_regs *fregs, unsigned int reg, unsigned long *value)
{
	int err = check_reg(fregs, reg);

	if (err)
		return err;
	*value = reg == TRAMP_REG_sp ? ftrace_regs_get_stack_pointer(fregs) :
				       *reg_slot(filled(fregs, reg), reg);
	return 0;
}

int tramp_regs_write(struct ftrace_regs *fregs, unsigned int reg, unsigned long value)
{
	int err = check_reg(fregs, reg);

	if (err)
		return err;
	if (reg == TRAMP_REG_sp || reg == TRAMP_REG_cs || reg == TRAMP_REG_ss)
		return -EINVAL;
	*reg_slot(filled(fregs, reg), reg) = value;
	return 0;
}

struct pt_regs *ftrace_partial_regs(struct ftrace_regs *fregs, struct pt_regs *buf)
{
	buf->orig_ax = 0;
	for (unsigned int reg = 0; reg < TRAMP_NR_REGS; reg++) {
		unsigned long *slot = (unsigned long *)((char *)buf + reg_table[reg].regs);

		if (tramp_regs_read(fregs, reg, slot))
			*slot = 0;
	}
	return buf;
}
