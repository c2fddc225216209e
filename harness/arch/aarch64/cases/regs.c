/* SPDX-License-Identifier: MIT */
/* AArch64: what other architectures have no name for. */
#include "../../../case.h"
#include "../shim.h"

static void clobber(struct probe *p, struct ftrace_regs *fregs)
{
	(void)p, (void)fregs;
	case_clobber();
}

CASE(signed_return_survives, "S79 S96", "a function that signs its return address behind the site finds it as its caller left it, and parent_ip is plain")
{
	struct probe *p = probe_on(shim_signs), *q;

	p->then = clobber;
	EXPECT_EQ(shim_signs(41), 42);
	EXPECT_EQ(p->parent_ip >> 48, 0);
	q = probe_on(shim_signs);
	EXPECT_EQ(shim_signs(41), 42);
	EXPECT_EQ(p->calls, 2);
	EXPECT_EQ(q->parent_ip >> 48, 0);
}

/* A tracer of returns puts its own address there; the oldest ops puts the right one back. */
static void hook_return(struct probe *p, struct ftrace_regs *fregs)
{
	unsigned long lr;

	p->data[0] = tramp_regs_read(fregs, TRAMP_REG_lr, &lr) ||
		     tramp_regs_write(fregs, TRAMP_REG_lr, lr ^ 4);
}

CASE(hooked_return_is_a_later_matter, "S81 S82", "a callback that hooks the return address changes no parent_ip of this hit", .needs = CASE_NEEDS_FREGS)
{
	struct probe *oldest = probe_on(tracee_a), *middle = probe_on(tracee_a), *newest = probe_on(tracee_a);

	oldest->then = newest->then = hook_return;
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(oldest->data[0] | newest->data[0], 0);
	EXPECT_EQ(middle->parent_ip, newest->parent_ip);
	EXPECT_EQ(oldest->parent_ip, newest->parent_ip);
}
