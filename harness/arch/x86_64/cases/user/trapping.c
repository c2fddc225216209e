/* SPDX-License-Identifier: MIT */
/* x86-64: who counts as inside while words change and sites trap. */
#include <sys/mman.h>
#include <ucontext.h>
#include "core/arch.h"
#include "core/grace.h"
#include "../../../../user.h"

#define PAGE 4096UL

/* Of a thread whose stack is @stack, a page of zeros: nothing but pc tells. */
static enum tramp_where where_at(unsigned long pc, char *stack, bool trapping)
{
	static struct tramp_view v;
	static ucontext_t uc;
	enum tramp_where where;
	unsigned long unknown;

	v = (struct tramp_view){ .entry = true, .trapping = trapping };
	uc.uc_mcontext.gregs[REG_RIP] = pc;
	uc.uc_mcontext.gregs[REG_RSP] = (unsigned long)stack + PAGE / 2;
	tramp_view_open(&v);
	where = tramp_view_interrupted(&v, &uc, false, false, &unknown);
	tramp_view_close(&v);
	return where;
}

CASE(trap_not_looked_up_is_outside, "S133 S137", "words wait for who has looked up a batch in the trap handler, not for who stands before its first instruction: a thread that traps in a loop is found there always", .needs = CASE_ONE_CLASS)
{
	char *stack = mmap(NULL, 3 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	REQUIRE(stack != MAP_FAILED, "mmap");
	stack += PAGE;
	REQUIRE_EQ(mprotect(stack, PAGE, PROT_READ | PROT_WRITE), 0);
	probe_on(tracee_a);
	EXPECT_EQ(where_at((unsigned long)mmap, stack, true), WHERE_OUTSIDE);
	EXPECT_EQ(where_at(arch_trap_handler, stack, true), WHERE_OUTSIDE);
	EXPECT_EQ(where_at(arch_trap_handler + 1, stack, true), WHERE_INSIDE);
	/* The program's handler is given back behind other waits: those are for all of ours. */
	EXPECT_EQ(where_at(arch_trap_handler, stack, false), WHERE_INSIDE);
}
