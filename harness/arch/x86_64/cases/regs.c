/* SPDX-License-Identifier: MIT */
/* x86-64: what other architectures have no name for. */
#include "../../../case.h"
#include "../shim.h"

static void read_flags(struct probe *p, struct ftrace_regs *fregs)
{
	struct pt_regs *regs = ftrace_get_regs(fregs);
	unsigned short cs, ss;

	p->data[0] = shim_flags();
	__asm__ ("mov %%cs, %0; mov %%ss, %1" : "=r" (cs), "=r" (ss));
	p->data[1] = regs->cs == cs && regs->ss == ss && !regs->orig_ax;
}

CASE(callback_finds_df_clear, "S92 BUG-29", "the direction flag is clear in the callback and set again behind it; pt_regs has the program's cs and ss, and orig_ax 0", .needs = CASE_NEEDS_FULL)
{
	struct shim_regs in = { .r = { [SHIM_flags] = FLAGS_FIXED | FLAGS_DF } };
	struct probe *p = probe_on(shim_tracee);

	p->then = read_flags;
	for (int shared = 0; shared < 2; shared++) {
		p->data[0] = FLAGS_DF;
		p->data[1] = 0;
		shim_call(shim_tracee, &in);
		EXPECT_EQ(p->data[0] & FLAGS_DF, 0);
		EXPECT_EQ(p->data[1], 1);
		EXPECT_EQ(shim_body.r[SHIM_flags] & FLAGS_DF, FLAGS_DF);
		EXPECT_EQ(shim_after.r[SHIM_flags] & FLAGS_DF, FLAGS_DF);
		probe_on(shim_tracee);
	}
}

/* A tracer of returns puts its own address there; the oldest ops puts the right one back. */
static void hook_return(struct probe *p, struct ftrace_regs *fregs)
{
	(void)p;
	*(unsigned long *)ftrace_regs_get_stack_pointer(fregs) ^= 1;
}

CASE(hooked_return_is_a_later_matter, "S81 S82", "a callback that hooks the return address changes no parent_ip of this hit", .needs = CASE_NEEDS_FREGS)
{
	struct probe *oldest = probe_on(tracee_a), *middle = probe_on(tracee_a), *newest = probe_on(tracee_a);

	oldest->then = newest->then = hook_return;
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(middle->parent_ip, newest->parent_ip);
	EXPECT_EQ(oldest->parent_ip, newest->parent_ip);
}
