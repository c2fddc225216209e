/* SPDX-License-Identifier: MIT */
/* Ten thousand sites at once; in a library, so that only these cases pay for them. */
#include <dlfcn.h>
#include "../../user.h"

static many_t *const *load_many(void)
{
	void *handle = dlopen(solib_path("many"), RTLD_NOW | RTLD_LOCAL);

	EXPECT(handle, "dlopen: %s", dlerror());
	return handle ? dlsym(handle, "many") : NULL;
}

/* data[0]: ip's that do not follow the call order's functions. */
static unsigned int call_all(many_t *const *fn, struct probe *p)
{
	unsigned int wrong = 0;

	for (unsigned int i = 0; i < MANY_FUNCTIONS; i++) {
		unsigned long before = p->calls;

		wrong += fn[i](i) != i + 1;
		if (p->calls != before)
			wrong += p->ip < (unsigned long)fn[i] ||
				 p->ip - (unsigned long)fn[i] > CASE_SITE_LEAD;
	}
	return wrong;
}

CASE(many_functions, "S18 S135 BUG-06", "10 000 functions on and off at once: each is called for, with its own ip", .timeout = 60)
{
	many_t *const *fn = load_many();
	struct probe *p = probe_new(), *q = probe_new();

	REQUIRE(fn, "no table");
	EXPECT_EQ(probe_filter(p, "many_*", 0), 0);
	EXPECT_EQ(probe_start(p), 0);
	EXPECT_EQ(call_all(fn, p), 0);
	EXPECT_EQ(p->calls, MANY_FUNCTIONS);

	EXPECT_EQ(probe_filter(q, "many_*5", 0), 0);
	EXPECT_EQ(probe_start(q), 0);
	EXPECT_EQ(call_all(fn, p), 0);
	EXPECT_EQ(p->calls, 2 * MANY_FUNCTIONS);
	EXPECT_EQ(q->calls, MANY_FUNCTIONS / 10);

	EXPECT_EQ(probe_stop(p), 0);
	EXPECT_EQ(call_all(fn, q), 0);
	EXPECT_EQ(p->calls, 2 * MANY_FUNCTIONS);
	EXPECT_EQ(q->calls, MANY_FUNCTIONS / 5);
}

CASE(many_functions_under_load, "S132 S135", "10 000 functions toggled in one change while one of them is called: an ops that stays there counts exactly", .timeout = 60, .needs = CASE_ONE_CLASS)
{
	many_t *const *fn = load_many();
	struct probe *stays, *all = probe_new();
	struct caller c;

	REQUIRE(fn, "no table");
	stays = probe_on(fn[5000]);
	EXPECT_EQ(probe_filter(all, "many_*", 0), 0);
	caller_start(&c, fn[5000], 2);
	for (int i = 0; i < 5; i++) {
		EXPECT_EQ(probe_start(all), 0);
		EXPECT_EQ(probe_stop(all), 0);
	}
	caller_stop(&c);
	EXPECT_EQ(stays->calls, c.calls);
	EXPECT_EQ(c.wrong, 0);
}

static void count_atomically(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			     struct ftrace_regs *fregs)
{
	(void)ip, (void)parent_ip, (void)fregs;
	__atomic_fetch_add(&((struct probe *)op)->calls, 1, __ATOMIC_RELAXED);
}

#define GROWS_BY 100

CASE(filter_grows_under_load, "S48 S132 BUG-06", "a filter's hash grows and moves, and starts again, while a function that was in it from the start is called: counted exactly, and so are the newest", .timeout = 60, .needs = CASE_TORTURE | CASE_ONE_CLASS)
{
	unsigned long n, newest = 0, ips[GROWS_BY];
	many_t *const *fn = load_many();
	struct probe *p = probe_new();
	struct caller c;

	REQUIRE(fn, "no table");
	p->ops.func = count_atomically;
	probe_register(p, fn[0]);
	caller_start(&c, fn[0], 2);
	for (n = 0; more(n, 4); n++) {
		unsigned int from = 1 + n * GROWS_BY % (MANY_FUNCTIONS - GROWS_BY);

		for (unsigned int i = 0; i < GROWS_BY; i++)
			ips[i] = fn_ip(fn[from + i]);
		EXPECT_EQ(ftrace_set_filter_ips(&p->ops, ips, GROWS_BY, 0, 0), 0);
		EXPECT_EQ(fn[from](n), n + 1);
		EXPECT_EQ(fn[from + GROWS_BY - 1](n), n + 1);
		newest += 2;
		/* Small again, in one step. */
		if (n % 50 == 3)
			EXPECT_EQ(ftrace_set_filter_ip(&p->ops, fn_ip(fn[0]), 0, 1), 0);
	}
	caller_stop(&c);
	EXPECT_EQ(p->calls, c.calls + newest);
	EXPECT_EQ(c.wrong, 0);
	case_survived(c.calls + newest, "calls counted while ops come and go");
	case_survived(n, "changes of ops under load");
}
