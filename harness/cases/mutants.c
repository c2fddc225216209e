/* SPDX-License-Identifier: MIT */
/* Cases that only an entry with an instruction missing has failed so far (make mutants). */
#include "../case.h"

CASE(class_that_comes_late, "S58 S60 S139", "two ops of another class are registered before the first of this one: it is called, and so are they", .needs = CASE_NEEDS_FREGS)
{
	unsigned long other = case_full() ? 0 : FTRACE_OPS_FL_SAVE_REGS;
	struct probe *p = probe_flags(other), *q = probe_flags(other), *late;

	probe_register(p, tracee_a);
	probe_register(q, tracee_b);
	late = probe_on(tracee_c);
	EXPECT_EQ(tracee_c(1), 4);
	EXPECT_EQ(late->calls, 1);
	tracee_a(1);
	tracee_b(1);
	EXPECT_EQ(p->calls + q->calls, 2);
}
