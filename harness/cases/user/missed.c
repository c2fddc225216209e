/* SPDX-License-Identifier: MIT */
/* Calls that a guard swallowed are counted, and RCU. */
#include "../../user.h"

static void call_a(struct probe *p, struct ftrace_regs *fregs)
{
	(void)p, (void)fregs;
	tracee_a(1);
}

CASE(misses_are_counted, "S120 S125 BUG-58", "tramp_missed() is exactly what the recursion guard swallowed")
{
	struct probe *p = probe_flags(case_flags() | FTRACE_OPS_FL_RECURSION), *q;

	p->then = call_a;
	probe_register(p, tracee_a);
	EXPECT_EQ(tramp_missed(&p->ops), 0);
	for (unsigned long i = 1; i <= 10; i++) {
		tracee_a(1);
		EXPECT_EQ(p->calls, 2 * i);
		EXPECT_EQ(tramp_missed(&p->ops), i);
	}

	/* Shared: one walk is dropped, and both that it was for miss it. */
	q = probe_on(tracee_a);
	tracee_a(1);
	EXPECT_EQ(p->calls, 22);
	EXPECT_EQ(q->calls, 2);
	EXPECT_EQ(tramp_missed(&p->ops), 11);
	EXPECT_EQ(tramp_missed(&q->ops), 1);
}

/* data[0]: the function to call. */
static void call_on(struct probe *p, struct ftrace_regs *fregs)
{
	(void)fregs;
	((unsigned long (*)(unsigned long))p->data[0])(1);
}

CASE(misses_of_shared_sites, "S120 S122 S125", "two ops on each of a, b, c, d; one on a calls b, one on b calls c, ...: those on c miss it, those on d were not called for")
{
	const void *const fn[] = { tracee_a, tracee_b, tracee_c, tracee_d };
	struct probe *p[4], *q[4];

	for (int i = 0; i < 4; i++) {
		p[i] = probe_on(fn[i]);
		q[i] = probe_on(fn[i]);
		p[i]->data[0] = (unsigned long)(i < 3 ? fn[i + 1] : (const void *)untraced);
		p[i]->then = call_on;
	}
	for (int round = 1; round <= 3; round++) {
		tracee_a(1);
		for (int i = 0; i < 4; i++) {
			EXPECT_EQ(tramp_missed(&p[i]->ops), i == 2 ? round : 0);
			EXPECT_EQ(tramp_missed(&q[i]->ops), i == 2 ? round : 0);
		}
	}
}

CASE(no_miss_without_recursion, "S120", "nothing is missed where nothing recurs")
{
	struct probe *p = probe_flags(case_flags() | FTRACE_OPS_FL_RECURSION);
	struct probe *q = probe_on(tracee_a);

	probe_register(p, tracee_a);
	for (int i = 0; i < 100; i++)
		tracee_a(1);
	EXPECT_EQ(p->calls, 100);
	EXPECT_EQ(tramp_missed(&p->ops) + tramp_missed(&q->ops), 0);
}

CASE(rcu_ops_waits_for_rcu, "S26", "an RCU ops is not called while RCU does not watch, alone and on a shared site; others are")
{
	struct probe *rcu = probe_flags(case_flags() | FTRACE_OPS_FL_RCU), *plain;

	probe_register(rcu, tracee_a);
	tramp_rcu_watching(false);
	tracee_a(1);
	EXPECT_EQ(rcu->calls, 0);
	EXPECT_EQ(tramp_missed(&rcu->ops), 1);
	plain = probe_on(tracee_a);
	tracee_a(1);
	EXPECT_EQ(rcu->calls, 0);
	EXPECT_EQ(plain->calls, 1);
	EXPECT_EQ(tramp_missed(&rcu->ops), 2);
	tramp_rcu_watching(true);
	tracee_a(1);
	EXPECT_EQ(rcu->calls, 1);
	EXPECT_EQ(plain->calls, 2);
	EXPECT_EQ(tramp_missed(&rcu->ops), 2);
}

static void *watch_from_thread(void *arg)
{
	(void)arg;
	tracee_a(1);
	return NULL;
}

CASE(rcu_is_per_thread, "S26", "another thread is still watched")
{
	struct probe *rcu = probe_flags(case_flags() | FTRACE_OPS_FL_RCU);

	probe_register(rcu, tracee_a);
	tramp_rcu_watching(false);
	join(spawn(watch_from_thread, NULL));
	EXPECT_EQ(rcu->calls, 1);
	tramp_rcu_watching(true);
}
