/* SPDX-License-Identifier: MIT */
/* The listing of a stepped call, for people: which instructions a strategy really runs. */
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <capstone/capstone.h>
#include "core/core.h"
#include "step.h"
#include "step_arch.h"

struct lister {
	csh			cs;
	FILE			*out;
	struct tramp_symbols	symbols;	/* the program's, static functions too */
	const char		*symbol;	/* of the last line */
	unsigned long		generated;	/* where the generated code was entered, 0: outside */
};

/* False: no object holds @addr, so that the core generated it. */
static bool name_of(const struct lister *l, unsigned long addr, const char **name,
		    unsigned long *start)
{
	const struct tramp_symbol *sym = tramp_symbols_find(&l->symbols, addr);
	Dl_info info;

	if (!dladdr((void *)addr, &info))
		return false;
	if (sym) {
		*name = sym->name;
		*start = sym->addr;
		return true;
	}
	*name = info.dli_sname ? info.dli_sname : "?";
	*start = (unsigned long)(info.dli_sname ? info.dli_saddr : info.dli_fbase);
	return true;
}

/* Generated code is named by the distance from where it was entered. */
static void heading(struct lister *l, const struct step_insn *insn, unsigned long *base)
{
	const char *symbol;

	if (!name_of(l, insn->pc, &symbol, base)) {
		symbol = "trampoline";
		*base = l->generated = l->generated ? l->generated : insn->pc;
	}
	if (!l->symbol || strcmp(symbol, l->symbol))
		fprintf(l->out, "%s:\n", symbol);
	l->symbol = symbol;
}

static void operands(struct lister *l, const cs_insn *text, char *buf, size_t size)
{
	unsigned long target, start;
	const char *name;

	*buf = 0;
	if (!step_branch_target(text->bytes, text->address, &target))
		return;
	if (name_of(l, target, &name, &start))
		snprintf(buf, size, target == start ? "%s" : "%s+%#lx", name, target - start);
	else if (l->generated)
		snprintf(buf, size, "trampoline%+ld", (long)(target - l->generated));
	else
		snprintf(buf, size, "trampoline");
}

static void line(struct lister *l, const struct step_insn *insn, unsigned long caller_sp)
{
	unsigned long base;
	cs_insn *text;
	char name[128];

	heading(l, insn, &base);
	if (!cs_disasm(l->cs, insn->bytes, STEP_INSN_MAX, insn->pc, 1, &text)) {
		fprintf(l->out, "  +%#06lx  (bad)\n", insn->pc - base);
		return;
	}
	operands(l, text, name, sizeof(name));
	fprintf(l->out, "  +0x%03lx  %5lu  %-8s %s\n", insn->pc - base, caller_sp - insn->sp,
		text->mnemonic, *name ? name : text->op_str);
	cs_free(text, 1);
}

int step_list(const struct step_run *run, FILE *out)
{
	struct lister l = { .out = out };
	Dl_info info;
	size_t i;

	if (dladdr((void *)step_list, &info))
		tramp_symbols_read(&l.symbols, "/proc/self/exe", (unsigned long)info.dli_fbase);
	if (cs_open(STEP_CS_ARCH, STEP_CS_MODE, &l.cs))
		return -ENOTSUP;
	STEP_CS_SYNTAX(l.cs);
	fprintf(out, "# %zu instructions, %lu stack bytes; columns: offset, stack depth before, instruction\n",
		run->nr, run->stack);
	for (i = 0; i < run->nr; i++)
		line(&l, &run->insn[i], step_caller_sp(run->insn[0].sp));
	cs_close(&l.cs);
	tramp_symbols_free(&l.symbols);
	return ferror(out) ? -EIO : 0;
}
