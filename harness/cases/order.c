/* SPDX-License-Identifier: MIT */
/* Several ops on one site: who is called, with what ops, in which order. */
#include "../case.h"

static struct probe *tagged(char tag, unsigned long flags, const void *func)
{
	struct probe *p = probe_flags(flags);

	p->tag = tag;
	probe_register(p, func);
	return p;
}

CASE(newest_first, "S126", "callbacks run newest registration first")
{
	tagged('A', case_flags(), tracee_a);
	tagged('B', case_flags(), tracee_a);
	tracee_a(1);
	EXPECT_STR(case_order(), "BA");
	case_order_reset();
	tagged('C', case_flags(), tracee_a);
	tracee_a(1);
	EXPECT_STR(case_order(), "CBA");
}

CASE(reregistered_moves_to_front, "S126", "unregistering and registering again makes an ops the newest")
{
	struct probe *b;

	tagged('A', case_flags(), tracee_a);
	b = tagged('B', case_flags(), tracee_a);
	tagged('C', case_flags(), tracee_a);
	EXPECT_EQ(probe_stop(b), 0);
	tracee_a(1);
	EXPECT_STR(case_order(), "CA");
	case_order_reset();
	EXPECT_EQ(probe_start(b), 0);
	tracee_a(1);
	EXPECT_STR(case_order(), "BCA");
}

CASE(order_ignores_flags, "S126 S65", "RECURSION, RCU and SAVE_REGS do not change the order")
{
	tagged('A', case_flags() | FTRACE_OPS_FL_RECURSION, tracee_a);
	tagged('B', case_flags(), tracee_a);
	tagged('C', case_flags() | FTRACE_OPS_FL_RCU, tracee_a);
	tagged('D', case_class == TRAMP_CLASS_NOREGS ? 0 : FTRACE_OPS_FL_SAVE_REGS, tracee_a);
	tagged('E', case_flags(), tracee_a);
	tracee_a(1);
	EXPECT_STR(case_order(), "EDCBA");
}

CASE(order_ignores_filter_changes, "S126 S48", "joining a site by a filter change keeps the order of registration")
{
	struct probe *a = tagged('A', case_flags(), tracee_b);

	tagged('B', case_flags(), tracee_a);
	EXPECT_EQ(probe_add(a, tracee_a), 0);
	tracee_a(1);
	EXPECT_STR(case_order(), "BA");
}

#define MANY 256

CASE(many_ops_on_one_site, "S18 S19 S64", "256 ops on one function: each called once a call")
{
	struct probe *p[MANY];
	unsigned int wrong = 0;

	for (int i = 0; i < MANY; i++)
		p[i] = probe_on(tracee_a);
	for (int i = 0; i < 10; i++)
		tracee_a(i);
	for (int i = 0; i < MANY; i++)
		wrong += p[i]->calls != 10;
	EXPECT_EQ(wrong, 0);
	for (int i = 0; i < MANY; i += 2)
		EXPECT_EQ(probe_stop(p[i]), 0);
	tracee_a(1);
	for (int i = 0; i < MANY; i++)
		wrong += p[i]->calls != (i % 2 ? 11 : 10);
	EXPECT_EQ(wrong, 0);
}

CASE(many_ops_elsewhere, "S64 BUG-61", "256 ops on another function change nothing here")
{
	struct probe *elsewhere[MANY], *p = probe_on(tracee_a);

	for (int i = 0; i < MANY; i++)
		elsewhere[i] = probe_on(tracee_b);
	for (int i = 0; i < 10; i++)
		tracee_a(i);
	EXPECT_EQ(p->calls, 10);
	EXPECT_EQ(p->ip, fn_ip(tracee_a));
	for (int i = 0; i < MANY; i++)
		EXPECT_EQ(elsewhere[i]->calls, 0);
}

CASE(two_to_one_keeps_the_other, "S57 S58", "when one of two leaves, in either order, the other is called exactly")
{
	for (int first = 0; first < 2; first++) {
		struct probe *p[2] = { probe_on(tracee_a), probe_on(tracee_a) };

		tracee_a(1);
		EXPECT_EQ(probe_stop(p[first]), 0);
		tracee_a(1);
		EXPECT_EQ(p[first]->calls, 1);
		EXPECT_EQ(p[!first]->calls, 2);
		EXPECT_EQ(probe_stop(p[!first]), 0);
		tracee_a(1);
		EXPECT_EQ(p[!first]->calls, 2);
	}
}

CASE(two_to_one_by_filter, "S58 S48", "when one of two leaves by a filter change, the other is called exactly")
{
	struct probe *stays = probe_on(tracee_a), *leaves = probe_on(tracee_a);

	EXPECT_EQ(probe_add(leaves, tracee_b), 0);
	EXPECT_EQ(ftrace_set_filter_ip(&leaves->ops, fn_ip(tracee_a), 1, 0), 0);
	tracee_a(1);
	tracee_b(1);
	EXPECT_EQ(stays->calls, 1);
	EXPECT_EQ(leaves->calls, 1);
	EXPECT_EQ(leaves->ip, fn_ip(tracee_b));
}

/* --- the ops argument --- */

struct identity {
	struct ftrace_ops	ops;
	unsigned long		calls, wrong;
};

/* One function for many ops: only the argument can tell them apart. */
static void count_by_private(unsigned long ip, unsigned long parent_ip,
			     struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct identity *id = op ? op->private : NULL;

	(void)ip, (void)parent_ip, (void)fregs;
	if (id)
		id->calls++;
	if (id && &id->ops != op)
		id->wrong++;
}

static void identity_init(struct identity *id, const void *func)
{
	*id = (struct identity){ .ops = {
		.func = count_by_private, .private = id, .flags = case_flags(),
	} };
	EXPECT_EQ(ftrace_set_filter_ip(&id->ops, (unsigned long)func, 0, 0), 0);
	EXPECT_EQ(register_ftrace_function(&id->ops), 0);
}

static void identity_exit(struct identity *id)
{
	EXPECT_EQ(unregister_ftrace_function(&id->ops), 0);
	ftrace_free_filter(&id->ops);
}

CASE(ops_argument_is_its_own, "S19 S83", "one function for several ops: each call names the right one, alone and on a shared site")
{
	static struct identity a, b, c;

	identity_init(&a, tracee_a);
	identity_init(&b, tracee_b);
	tracee_a(1);
	tracee_b(1);
	EXPECT_EQ(a.calls, 1);
	EXPECT_EQ(b.calls, 1);
	identity_init(&c, tracee_a);
	tracee_a(1);
	EXPECT_EQ(a.calls, 2);
	EXPECT_EQ(c.calls, 1);
	identity_exit(&a);
	tracee_a(1);
	EXPECT_EQ(c.calls, 2);
	EXPECT_EQ(b.calls, 1);
	EXPECT_EQ(a.wrong + b.wrong + c.wrong, 0);
	identity_exit(&b);
	identity_exit(&c);
}

static void other_callback(unsigned long ip, unsigned long parent_ip,
			   struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	(void)ip, (void)parent_ip, (void)fregs;
	((struct probe *)op)->data[0]++;
}

CASE(function_fits_ops, "S83 S84", "ops with different functions: each function gets its own ops while others come and go")
{
	struct probe *p = probe_on(tracee_a), *q = probe_new();

	q->ops.func = other_callback;
	for (int i = 0; i < 20; i++) {
		probe_register(q, tracee_a);
		tracee_a(1);
		EXPECT_EQ(probe_stop(p), 0);
		tracee_a(1);
		EXPECT_EQ(probe_start(p), 0);
		EXPECT_EQ(probe_stop(q), 0);
		tracee_a(1);
	}
	EXPECT_EQ(p->calls, 40);
	EXPECT_EQ(p->data[0], 0);
	EXPECT_EQ(q->data[0], 40);
	EXPECT_EQ(q->calls, 0);
}
