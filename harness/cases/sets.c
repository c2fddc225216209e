/* SPDX-License-Identifier: MIT */
/*
 * Sites with different sets of ops, while ops join and leave in every order.
 * Whatever a strategy keeps for a set, nobody may notice.
 */
#include "../case.h"

#define OPS 4
#define ORDERS 24	/* of four */

/* The @n-th order of 0 .. OPS - 1. */
static void order_of(unsigned int n, unsigned int order[OPS])
{
	unsigned int left[OPS] = { 0, 1, 2, 3 };

	for (unsigned int i = 0, nr = OPS; i < OPS; i++, nr--) {
		unsigned int k = n % nr;

		n /= nr;
		order[i] = left[k];
		for (; k + 1 < nr; k++)
			left[k] = left[k + 1];
	}
}

/* One call: who of @here is called, in the order of @by, the last one first. */
static void expect_order(const bool here[OPS], const unsigned int by[OPS])
{
	char want[OPS + 1] = "";
	unsigned int len = 0;

	for (unsigned int i = OPS; i-- > 0; )
		if (here[by[i]])
			want[len++] = 'A' + by[i];
	case_order_reset();
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_STR(case_order(), want);
}

static void make(struct probe *p[OPS], const void *func)
{
	for (int i = 0; i < OPS; i++) {
		p[i] = probe_new();
		p[i]->tag = 'A' + i;
		EXPECT_EQ(probe_add(p[i], func), 0);
	}
}

CASE(registering_in_every_order, "S126 S58", "four ops register and unregister in every order: each step calls those who are there, newest first", .timeout = 60)
{
	unsigned int order[OPS], leave[OPS];
	struct probe *p[OPS];

	make(p, tracee_a);
	for (unsigned int n = 0; n < ORDERS && !case_failed(); n++) {
		bool here[OPS] = { false };

		order_of(n, order);
		order_of(n * 7 % ORDERS, leave);
		for (int i = 0; i < OPS; i++) {
			EXPECT_EQ(probe_start(p[order[i]]), 0);
			here[order[i]] = true;
			expect_order(here, order);
		}
		for (int i = 0; i < OPS; i++) {
			EXPECT_EQ(probe_stop(p[leave[i]]), 0);
			here[leave[i]] = false;
			expect_order(here, order);
		}
	}
}

CASE(filters_in_every_order, "S126 S48 S50", "four registered ops join a site and leave it by filter changes, in every order", .timeout = 60)
{
	static const unsigned int registered[OPS] = { 0, 1, 2, 3 };
	unsigned int join[OPS], leave[OPS];
	struct probe *p[OPS];

	make(p, tracee_b);
	for (int i = 0; i < OPS; i++)
		EXPECT_EQ(probe_start(p[i]), 0);
	for (unsigned int n = 0; n < ORDERS && !case_failed(); n++) {
		bool here[OPS] = { false };

		order_of(n, join);
		order_of(n * 5 % ORDERS, leave);
		for (int i = 0; i < OPS; i++) {
			EXPECT_EQ(probe_add(p[join[i]], tracee_a), 0);
			here[join[i]] = true;
			expect_order(here, registered);
		}
		for (int i = 0; i < OPS; i++) {
			EXPECT_EQ(ftrace_set_filter_ip(&p[leave[i]]->ops, fn_ip(tracee_a), 1, 0), 0);
			here[leave[i]] = false;
			expect_order(here, registered);
		}
	}
}

CASE(sites_have_their_own_sets, "S83 S126", "sets with the same newest ops, the same oldest, the same number: each site calls its own")
{
	unsigned long (*const fn[])(unsigned long) = { tracee_a, tracee_b, tracee_c, tracee_d };
	static const char *const sets[] = { "CBA", "CA", "CB", "BA" }, *const left[] = { "BA", "A", "B", "BA" };
	struct probe *p[3];

	for (int i = 0; i < 3; i++) {
		p[i] = probe_new();
		p[i]->tag = 'A' + i;
		for (int f = 0; f < 4; f++)
			for (const char *s = sets[f]; *s; s++)
				if (*s == p[i]->tag)
					EXPECT_EQ(probe_add(p[i], fn[f]), 0);
		EXPECT_EQ(probe_start(p[i]), 0);
	}
	for (int f = 0; f < 4; f++) {
		case_order_reset();
		EXPECT_EQ(fn[f](1), 2 + f);
		EXPECT_STR(case_order(), sets[f]);
	}
	EXPECT_EQ(probe_stop(p[2]), 0);
	for (int f = 0; f < 4; f++) {
		case_order_reset();
		fn[f](1);
		EXPECT_STR(case_order(), left[f]);
	}
}

/* --- the guard --- */

static unsigned int depth;

/* data[0]: the function to call. */
static void call_on(struct probe *p, struct ftrace_regs *fregs)
{
	(void)fregs;
	if (!p->data[0] || depth >= 8)
		return;
	depth++;
	((unsigned long (*)(unsigned long))p->data[0])(1);
	depth--;
}

static struct probe *calls_on(unsigned long flags, const void *on, const void *func)
{
	struct probe *p = probe_flags(case_flags() | flags);

	p->then = call_on;
	p->data[0] = (unsigned long)func;
	probe_register(p, on);
	return p;
}

CASE(chain_of_shared_sites, "S121 S122 BUG-58", "two ops on each of a, b, c, d; one on a calls b, one on b calls c, ...: 1 1 0 0, and the next call is like the first")
{
	const void *const fn[] = { tracee_a, tracee_b, tracee_c, tracee_d, NULL };
	struct probe *p[4], *q[4];

	for (int i = 0; i < 4; i++) {
		p[i] = calls_on(i == 1 ? FTRACE_OPS_FL_RECURSION : 0, fn[i], fn[i + 1]);
		q[i] = probe_on(fn[i]);
	}
	for (int round = 1; round <= 3; round++) {
		tracee_a(1);
		for (int i = 0; i < 4; i++) {
			EXPECT_EQ(p[i]->calls, i < 2 ? round : 0);
			EXPECT_EQ(q[i]->calls, i < 2 ? round : 0);
		}
	}
	tracee_d(1);
	EXPECT_EQ(p[3]->calls, 1);
	EXPECT_EQ(q[3]->calls, 1);
}

CASE(lone_guard_and_shared_site, "S65 S120 S122", "a callback with RECURSION, alone on its site, calls shared ones: one level more, then nobody; and the reverse")
{
	struct probe *lone = calls_on(FTRACE_OPS_FL_RECURSION, tracee_a, tracee_b);
	struct probe *p = calls_on(0, tracee_b, tracee_c), *q = probe_on(tracee_b);
	struct probe *r = calls_on(FTRACE_OPS_FL_RECURSION, tracee_c, NULL);

	tracee_a(1);
	EXPECT_EQ(lone->calls, 1);
	EXPECT_EQ(p->calls, 1);
	EXPECT_EQ(q->calls, 1);
	EXPECT_EQ(r->calls, 0);
	tracee_b(1);
	EXPECT_EQ(p->calls, 2);
	EXPECT_EQ(r->calls, 1);
}

CASE(stubs_beside_others, "S27 S121", "STUB ops before, between and behind others are not called; two of them alone call nobody")
{
	struct probe *p[5];

	for (int i = 0; i < 5; i++) {
		p[i] = probe_flags(case_flags() | (i % 2 ? 0 : FTRACE_OPS_FL_STUB));
		p[i]->tag = 'A' + i;
		probe_register(p[i], tracee_a);
	}
	tracee_a(1);
	EXPECT_STR(case_order(), "DB");
	EXPECT_EQ(probe_stop(p[1]), 0);
	EXPECT_EQ(probe_stop(p[3]), 0);
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_STR(case_order(), "DB");
}

/* --- what the callbacks are told --- */

static void redirect(struct probe *p, struct ftrace_regs *fregs)
{
	(void)p;
	ftrace_regs_set_instruction_pointer(fregs, (unsigned long)untraced);
}

static void clobber(struct probe *p, struct ftrace_regs *fregs)
{
	(void)p, (void)fregs;
	case_clobber();
}

CASE(all_are_told_the_same, "S81 S110", "ops on a site, one more each time; some redirect, some overwrite every register they may: all get one ip, parent_ip and frame", .needs = CASE_NEEDS_FREGS)
{
	struct probe *p[5];

	for (int i = 0; i < 5; i++) {
		p[i] = probe_on(tracee_a);
		p[i]->then = i % 2 ? redirect : clobber;
		EXPECT_EQ(tracee_a(1), i ? 6 : 2);
		for (int k = 0; k <= i; k++) {
			EXPECT_EQ(p[k]->ip, fn_ip(tracee_a));
			EXPECT_EQ(p[k]->parent_ip, p[i]->parent_ip);
			EXPECT_EQ(p[k]->fregs, p[i]->fregs);
		}
	}
}
