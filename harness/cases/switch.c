/* SPDX-License-Identifier: MIT */
/* kernel.ftrace_enabled, and ops that forbid to turn it off. */
#include "../case.h"

CASE(disabled_is_silent, "S140", "ftrace_enabled = 0 silences every site, 1 brings all of them back")
{
	struct probe *p = probe_on(tracee_a), *q = probe_on(tracee_a);

	EXPECT_EQ(case_set_enabled(0), 0);
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(p->calls + q->calls, 0);
	EXPECT_EQ(case_set_enabled(1), 0);
	tracee_a(1);
	EXPECT_EQ(p->calls, 1);
	EXPECT_EQ(q->calls, 1);
}

CASE(changes_while_disabled_count_later, "S140", "register, unregister and filters succeed while disabled, and take effect with 1")
{
	struct probe *joins = probe_new(), *moves = probe_on(tracee_a), *leaves = probe_on(tracee_a);

	EXPECT_EQ(case_set_enabled(0), 0);
	probe_register(joins, tracee_a);
	EXPECT_EQ(ftrace_set_filter_ip(&moves->ops, fn_ip(tracee_b), 0, 1), 0);
	EXPECT_EQ(probe_stop(leaves), 0);
	tracee_a(1);
	tracee_b(1);
	EXPECT_EQ(joins->calls + moves->calls + leaves->calls, 0);
	EXPECT_EQ(case_set_enabled(1), 0);
	tracee_a(1);
	EXPECT_EQ(joins->calls, 1);
	EXPECT_EQ(moves->calls, 0);
	tracee_b(1);
	EXPECT_EQ(moves->calls, 1);
	EXPECT_EQ(leaves->calls, 0);
}

CASE(refusals_while_disabled, "S4 S6 S40 S106", "errors are the same while disabled")
{
	struct probe *p = probe_flags(case_flags() | FTRACE_OPS_FL_IPMODIFY);
	struct probe *q = probe_flags(case_flags() | FTRACE_OPS_FL_IPMODIFY);

	probe_register(p, tracee_a);
	EXPECT_EQ(case_set_enabled(0), 0);
	EXPECT_EQ(probe_start(p), -EBUSY);
	EXPECT_EQ(probe_add(q, tracee_a), 0);
	EXPECT_EQ(probe_start(q), -EBUSY);
	EXPECT_EQ(probe_stop(q), -EBUSY);
	EXPECT_EQ(probe_filter(q, "no_such_function", 0), -EINVAL);
	EXPECT_EQ(case_set_enabled(1), 0);
	tracee_a(1);
	EXPECT_EQ(p->calls, 1);
}

CASE(permanent_forbids_disabling, "S28", "while a PERMANENT ops is registered, 0 is -EBUSY and the value stays 1")
{
	struct probe *p = probe_flags(case_flags() | FTRACE_OPS_FL_PERMANENT);

	probe_register(p, tracee_a);
	EXPECT(case_set_enabled(0) != 0, "disabling succeeded, want -EBUSY");
	EXPECT_EQ(ftrace_enabled, 1);
	tracee_a(1);
	EXPECT_EQ(p->calls, 1);
	EXPECT_EQ(probe_stop(p), 0);
	EXPECT_EQ(case_set_enabled(0), 0);
	EXPECT_EQ(ftrace_enabled, 0);
	EXPECT_EQ(case_set_enabled(1), 0);
}

CASE(permanent_needs_enabled, "S11", "registering a PERMANENT ops while disabled is -EBUSY")
{
	struct probe *p = probe_flags(case_flags() | FTRACE_OPS_FL_PERMANENT);

	EXPECT_EQ(probe_add(p, tracee_a), 0);
	EXPECT_EQ(case_set_enabled(0), 0);
	EXPECT_EQ(probe_start(p), -EBUSY);
	EXPECT_EQ(case_set_enabled(1), 0);
	tracee_a(1);
	EXPECT_EQ(p->calls, 0);
	EXPECT_EQ(probe_start(p), 0);
	tracee_a(1);
	EXPECT_EQ(p->calls, 1);
}
