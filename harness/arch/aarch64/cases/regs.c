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
