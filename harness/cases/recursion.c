/* SPDX-License-Identifier: MIT */
/*
 * Callbacks that call traced functions.  The counts are a real kernel's: with
 * a guard one nested call is let through, since an interrupt looks the same at
 * its start (S120).
 */
#include "../case.h"

#define RECURSION FTRACE_OPS_FL_RECURSION
#define RCU FTRACE_OPS_FL_RCU
#define DEPTH_MAX 6	/* where unguarded callbacks stop by themselves */

static unsigned int depth;

/* data[0]: the function to call. */
static void call_on(struct probe *p, struct ftrace_regs *fregs)
{
	(void)fregs;
	if (depth >= DEPTH_MAX)
		return;
	depth++;
	((unsigned long (*)(unsigned long))p->data[0])(1);
	depth--;
}

static struct probe *calls_on(unsigned long flags, const void *on, const void *func)
{
	struct probe *p = probe_flags(case_flags() | flags);

	p->then = func ? call_on : NULL;
	p->data[0] = (unsigned long)func;
	probe_register(p, on);
	return p;
}

/* @guarded and @not: the two counts that a strategy may give, by its guard. */
static void expect_calls(struct probe *p, enum case_guard guard,
			 unsigned long guarded, unsigned long not)
{
	if (guard == CASE_EITHER && (p->calls == guarded || p->calls == not))
		return;
	EXPECT_EQ(p->calls, guard == CASE_UNGUARDED ? not : guarded);
}

CASE(recursion_lets_one_through, "S120 S157 BUG-58", "with RECURSION a callback that calls its own function runs twice a call")
{
	struct probe *p = calls_on(RECURSION, tracee_a, tracee_a);

	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(p->calls, 2);
	tracee_a(1);
	tracee_a(1);
	EXPECT_EQ(p->calls, 6);
	EXPECT_EQ(depth, 0);
}

CASE(rcu_guards_too, "S120 S65", "RCU, alone or with RECURSION, guards alike")
{
	struct probe *p = calls_on(RCU, tracee_a, tracee_a);
	struct probe *q = calls_on(RCU | RECURSION, tracee_b, tracee_b);

	tracee_a(1);
	EXPECT_EQ(p->calls, 2);
	tracee_b(1);
	EXPECT_EQ(q->calls, 2);
}

CASE(other_function_is_a_recursion_too, "S120", "the guard is the callback's, not the function's")
{
	struct probe *p = calls_on(RECURSION, tracee_a, tracee_b);

	EXPECT_EQ(probe_add(p, tracee_b), 0);
	tracee_a(1);
	EXPECT_EQ(p->calls, 2);
}

CASE(untraced_call_is_no_recursion, "S120", "a callback that calls an untraced function runs once")
{
	struct probe *p = calls_on(RECURSION, tracee_a, untraced);

	tracee_a(1);
	EXPECT_EQ(p->calls, 1);
}

CASE(unguarded_alone, "S121 S25", "without RECURSION, one ops registered: real recursion where the strategy calls directly, else guarded")
{
	struct probe *p = calls_on(0, tracee_a, tracee_a);

	tracee_a(1);
	expect_calls(p, case_guarded(1), 2, DEPTH_MAX + 1);
}

CASE(unguarded_beside_another, "S121 S122", "the same with an unrelated ops on another function")
{
	struct probe *p = calls_on(0, tracee_a, tracee_a);

	calls_on(0, tracee_b, NULL);
	tracee_a(1);
	expect_calls(p, case_guarded(2), 2, DEPTH_MAX + 1);
}

CASE(shared_site_is_guarded, "S121 S122 S126", "two ops on one function share one guard: order B A B A")
{
	struct probe *a = calls_on(0, tracee_a, tracee_a), *b = calls_on(0, tracee_a, NULL);

	a->tag = 'A';
	b->tag = 'B';
	tracee_a(1);
	EXPECT_EQ(a->calls, 2);
	EXPECT_EQ(b->calls, 2);
	EXPECT_STR(case_order(), "BABA");
}

CASE(guard_stays_when_alone_again, "S67 S65", "when its plain neighbour leaves, a RECURSION ops is still guarded; and the reverse")
{
	struct probe *guarded = calls_on(RECURSION, tracee_a, tracee_a), *plain;

	plain = calls_on(0, tracee_a, NULL);
	EXPECT_EQ(probe_stop(plain), 0);
	tracee_a(1);
	EXPECT_EQ(guarded->calls, 2);

	plain = calls_on(0, tracee_a, tracee_a);
	EXPECT_EQ(probe_stop(guarded), 0);
	tracee_a(1);
	expect_calls(plain, case_guarded(1), 2, DEPTH_MAX + 1);
}

static void chain(unsigned long flags, struct probe **p)
{
	p[0] = calls_on(flags, tracee_a, tracee_b);
	p[1] = calls_on(flags, tracee_b, tracee_c);
	p[2] = calls_on(flags, tracee_c, tracee_d);
	p[3] = calls_on(flags, tracee_d, NULL);
	tracee_a(1);
}

CASE(chain_with_guard, "S122 BUG-58", "A on a calls b, B on b calls c, ...: with RECURSION counts 1 1 0 0")
{
	struct probe *p[4];

	chain(RECURSION, p);
	for (int i = 0; i < 4; i++)
		EXPECT_EQ(p[i]->calls, i < 2);
}

CASE(chain_without_guard, "S121 S122", "the same without RECURSION: 1 1 1 1 where the strategy calls directly, else 1 1 0 0")
{
	struct probe *p[4];

	chain(0, p);
	for (int i = 0; i < 4; i++)
		expect_calls(p[i], case_guarded(4), i < 2, 1);
}

CASE(nested_hit_of_a_lone_ops, "S122", "a callback on a shared site calls a function that a third ops has alone: once each")
{
	struct probe *a = calls_on(0, tracee_a, tracee_b), *b = calls_on(0, tracee_a, NULL);
	struct probe *c = calls_on(0, tracee_b, NULL);

	tracee_a(1);
	EXPECT_EQ(a->calls, 1);
	EXPECT_EQ(b->calls, 1);
	EXPECT_EQ(c->calls, 1);
}

/* data[1]: locks won, data[2]: lost. */
static void call_under_lock(struct probe *p, struct ftrace_regs *fregs)
{
	int bit = ftrace_test_recursion_trylock(p->ip, p->parent_ip);

	if (bit < 0) {
		p->data[2]++;
		return;
	}
	p->data[1]++;
	call_on(p, fregs);
	ftrace_test_recursion_unlock(bit);
}

CASE(callback_lock_lets_one_through, "S120 S123", "ftrace_test_recursion_trylock(): two wins, then a loss")
{
	struct probe *p = calls_on(0, tracee_a, tracee_a);

	p->then = call_under_lock;
	tracee_a(1);
	EXPECT_EQ(p->data[1], 2);
	expect_calls(p, case_guarded(1), 2, 3);
	EXPECT_EQ(p->data[2], p->calls - 2);
	tracee_a(1);
	EXPECT_EQ(p->data[1], 4);
}

CASE(callback_lock_is_not_the_core_s, "S123", "under RECURSION the callback's lock wins each time: other bits")
{
	struct probe *p = calls_on(RECURSION, tracee_a, tracee_a);

	p->then = call_under_lock;
	tracee_a(1);
	EXPECT_EQ(p->calls, 2);
	EXPECT_EQ(p->data[1], 2);
	EXPECT_EQ(p->data[2], 0);
}

CASE(remaining_ops_decides_the_guard, "S67 S65 S121", "of a guarded and a plain ops on a site one leaves: the other is guarded or not by its own flags, whichever went")
{
	struct probe *p[2] = { calls_on(0, tracee_a, NULL), calls_on(RECURSION, tracee_a, NULL) };

	for (int stays = 0; stays < 2; stays++) {
		EXPECT_EQ(probe_stop(p[!stays]), 0);
		p[stays]->then = call_on;
		p[stays]->data[0] = (unsigned long)tracee_a;
		tracee_a(1);
		expect_calls(p[stays], stays ? CASE_GUARDED : case_guarded(1), 2, DEPTH_MAX + 1);
		p[stays]->then = NULL;
		EXPECT_EQ(probe_start(p[!stays]), 0);
		EXPECT_EQ(depth, 0);
	}
}
