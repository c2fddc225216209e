/* SPDX-License-Identifier: MIT */
/* AArch64: what frames hold, by name and number; the layouts agree with entry.S. */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include "core/arch.h"

const char arch_name[] = "aarch64";

unsigned int arch_has(void)
{
	return TRAMP_HAS_OPS_ARG | TRAMP_HAS_CALL_SLOT | TRAMP_HAS_SITE_WORD;
}

#define BIT(reg)	(1UL << TRAMP_REG_##reg)
#define SPAN(from, to)	((2UL << TRAMP_REG_##to) - BIT(from))
#define ARGS_REGS	(SPAN(x0, x8) | SPAN(x10, x15) | BIT(x18) | SPAN(fp, pc))
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

/* An offset in each layout: pt_regs, which has them in the order of their numbers, and the compact frame. */
#define X(n, compact) [TRAMP_REG_x##n] = { "x" #n, compact }
#define REG(reg, compact) [TRAMP_REG_##reg] = { #reg, compact }
static const struct { const char *name; unsigned short args; } reg_table[] = {
	X(0, ARGS_x0), X(1, ARGS_x1), X(2, ARGS_x2), X(3, ARGS_x3),
	X(4, ARGS_x4), X(5, ARGS_x5), X(6, ARGS_x6), X(7, ARGS_x7),
	X(8, ARGS_x8), X(9, NONE), X(10, ARGS_x10), X(11, ARGS_x11),
	X(12, ARGS_x12), X(13, ARGS_x13), X(14, ARGS_x14), X(15, ARGS_x15),
	X(16, NONE), X(17, NONE), X(18, ARGS_x18), X(19, NONE), X(20, NONE),
	X(21, NONE), X(22, NONE), X(23, NONE), X(24, NONE), X(25, NONE),
	X(26, NONE), X(27, NONE), X(28, NONE), REG(fp, ARGS_fp),
	REG(lr, ARGS_lr), REG(sp, NONE), REG(pc, ARGS_pc), REG(pstate, NONE),
};

#define SAME(reg, number) \
	_Static_assert(offsetof(struct pt_regs, reg) == REGS_##number && \
		       REGS_##number == 8 * TRAMP_REG_##number, #number)
SAME(regs[29], fp); SAME(regs[30], lr); SAME(sp, sp); SAME(pc, pc); SAME(pstate, pstate);
_Static_assert(sizeof(struct pt_regs) == REGS_record, "the record behind pt_regs");
_Static_assert(ARGS_x7 - ARGS_x0 == 7 * 8, "arguments in a row");
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
	if (!strcmp(name, "x29"))
		return TRAMP_REG_fp;
	return strcmp(name, "x30") ? -EINVAL : TRAMP_REG_lr;
}

int tramp_arg_reg(unsigned int n)
{
	return n < 8 ? (int)(TRAMP_REG_x0 + n) : -EINVAL;
}

int ftrace_regs_query_register_offset(const char *name)
{
	int reg = tramp_reg_number(name);

	return reg < 0 ? reg : 8 * reg;
}

static unsigned long *reg_slot(struct ftrace_regs *fregs, unsigned int reg)
{
	return __fregs_slot(fregs, __fregs_compact(fregs) ? reg_table[reg].args : 8 * reg);
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
	*value = reg == TRAMP_REG_sp ? ftrace_regs_get_stack_pointer(fregs) : *reg_slot(fregs, reg);
	return 0;
}

/* x9 holds the resume address by the time the function goes on. */
int tramp_regs_write(struct ftrace_regs *fregs, unsigned int reg, unsigned long value)
{
	int err = check_reg(fregs, reg);

	if (err)
		return err;
	if (reg == TRAMP_REG_sp || reg == TRAMP_REG_x9)
		return -EINVAL;
	*reg_slot(fregs, reg) = value;
	return 0;
}

struct pt_regs *ftrace_partial_regs(struct ftrace_regs *fregs, struct pt_regs *buf)
{
	for (unsigned int reg = 0; reg < TRAMP_NR_REGS; reg++) {
		unsigned long *slot = (unsigned long *)((char *)buf + 8 * reg);

		if (tramp_regs_read(fregs, reg, slot))
			*slot = 0;
	}
	return buf;
}
