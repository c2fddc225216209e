/* SPDX-License-Identifier: MIT */
/* Where tramplab answers with an error and the kernel crashes, and the choice of a strategy. */
#include <string.h>
#include "../../user.h"

/* The reason must be there to be read. */
#define EXPECT_WHY(call, err) do {					\
	EXPECT_EQ(call, err);						\
	EXPECT(*tramp_why(), "tramp_why() is empty after %s", #call);	\
} while (0)

CASE(null_func_is_refused, "S8", "an ops without a function is -EINVAL (the kernel dies at the first hit)")
{
	struct probe *p = probe_new();

	p->ops.func = NULL;
	EXPECT_EQ(probe_add(p, tracee_a), 0);
	EXPECT_WHY(probe_start(p), -EINVAL);
	EXPECT_EQ(tracee_a(1), 2);
	p->ops.func = probe_hit;
	EXPECT_EQ(probe_start(p), 0);
	tracee_a(1);
	EXPECT_EQ(p->calls, 1);
}

CASE(ipmodify_never_filtered, "S108", "an IPMODIFY ops without any filter call is -EINVAL (the kernel crashes)")
{
	struct probe *p = probe_flags(case_flags() | FTRACE_OPS_FL_IPMODIFY);

	EXPECT_WHY(probe_start(p), -EINVAL);
}

CASE(pattern_is_only_read, "S45", "a pattern is neither written to nor read past its length (the kernel cuts it in place)")
{
	static const char pattern[] = "tracee_a*and more";
	struct probe *p = probe_new();

	/* In read-only memory: a write would be a SIGSEGV. */
	EXPECT_EQ(ftrace_set_filter(&p->ops, (unsigned char *)pattern, 9, 0), 0);
	EXPECT_EQ(ftrace_set_notrace(&p->ops, (unsigned char *)"tracee_args*", 12, 0), 0);
	EXPECT_EQ(probe_start(p), 0);
	tracee_a(1);
	tracee_b(1);
	tracee_args6(1, 1, 1, 1, 1, 1);
	EXPECT_EQ(p->calls, 1);
}

CASE(errors_have_a_reason, "S4 S6 S40 S42 S43 S106", "every refusal leaves one line in tramp_why()")
{
	struct probe *p = probe_on(tracee_a), *q = probe_new();

	EXPECT_WHY(probe_start(p), -EBUSY);
	EXPECT_WHY(probe_stop(q), -EBUSY);
	EXPECT_WHY(probe_filter(p, "no_such_function", 0), -EINVAL);
	EXPECT(strstr(tramp_why(), "no_such_function"), "tramp_why() \"%s\" does not name the pattern",
	       tramp_why());
	EXPECT_WHY(ftrace_set_filter_ip(&p->ops, 1, 0, 0), -EINVAL);
	EXPECT_WHY(ftrace_set_filter_ip(&p->ops, fn_ip(tracee_b), 1, 0), -ENOENT);
	EXPECT_WHY(tramp_use("no_such_strategy"), -ENOENT);
	EXPECT_WHY(tramp_use(case_strategy), -EBUSY);
	EXPECT_WHY(tramp_use_frame(TRAMP_CLASS_ARGS), -EBUSY);
	EXPECT_WHY(tramp_set_strict(true), -EBUSY);
	EXPECT_EQ(probe_stop(p), 0);
	EXPECT_WHY(tramp_use_frame(TRAMP_CLASS_REGS), -EINVAL);
	EXPECT_EQ(tramp_use(case_strategy), 0);
}

CASE(strategies_change_at_rest, "S15", "one process may use one strategy after the other, with the same ops")
{
	struct probe *p = probe_new();
	unsigned long want = 0;
	const char *name;

	EXPECT_EQ(probe_add(p, tracee_a), 0);
	for (int i = 0; i < 20; i++) {
		for (unsigned int s = 0; (name = tramp_strategy_name(s)); s++) {
			if (tramp_use(name))
				continue;
			EXPECT_EQ(probe_start(p), 0);
			tracee_a(1);
			EXPECT_EQ(p->calls, ++want);
			EXPECT_EQ(probe_stop(p), 0);
			tracee_a(1);
		}
	}
	EXPECT_EQ(p->calls, want);
}

static int find_index(const struct tramp_site_info *site, void *arg)
{
	unsigned int *index = arg;

	++*index;
	return site->name && !strcmp(site->name, "tracee_b");
}

CASE(index_selects_that_site, "S46", "the n-th site of the listing is what the pattern \"n\" selects")
{
	struct probe *p = probe_new();
	char pattern[16] = "";
	unsigned int index = 0, i = sizeof(pattern) - 1;

	REQUIRE_EQ(tramp_for_each_site(find_index, &index), 1);
	while (index) {
		pattern[--i] = '0' + index % 10;
		index /= 10;
	}
	EXPECT_EQ(probe_filter(p, pattern + i, 1), 0);
	EXPECT_EQ(probe_start(p), 0);
	tracee_a(1);
	tracee_b(1);
	EXPECT_EQ(p->calls, 1);
	EXPECT_EQ(p->ip, fn_ip(tracee_b));
}

static int check_info(const struct tramp_site_info *site, void *arg)
{
	unsigned long *n = arg;

	n[0]++;
	if (!site->name)
		return 0;
	n[1] += site->func > site->ip || site->ip - site->func > CASE_SITE_LEAD;
	if (!strcmp(site->name, "tracee_a")) {
		n[2] = site->call;
		n[3] = site->nr_ops;
		n[4] = site->func;
	}
	return 0;
}

CASE(listing_tells_what_is_live, "S18 S74", "the site listing counts ops and names the call")
{
	unsigned long n[5] = { 0 };
	struct probe *p = probe_on(tracee_a);

	probe_on(tracee_a);
	EXPECT_EQ(tramp_for_each_site(check_info, n), 0);
	EXPECT_EQ(n[0], tramp_nr_sites());
	EXPECT_EQ(n[1], 0);
	EXPECT(n[2], "a live site is listed with no call");
	EXPECT_EQ(n[3], 2);
	EXPECT_EQ(n[4], (unsigned long)tracee_a);
	EXPECT_EQ(probe_stop(p), 0);
	EXPECT_EQ(tramp_for_each_site(check_info, n), 0);
	EXPECT_EQ(n[3], 1);
}

static void look(struct probe *p, struct ftrace_regs *fregs)
{
	p->data[0] = !!ftrace_get_regs(fregs);
}

CASE(strict_hides_regs, "S87", "strict mode: pt_regs only for those who asked, on a shared site too", .needs = CASE_NEEDS_FREGS)
{
	struct probe *plain = probe_flags(0), *regs = probe_flags(FTRACE_OPS_FL_SAVE_REGS);

	plain->then = regs->then = look;
	plain->data[0] = 1;
	EXPECT_EQ(tramp_set_strict(true), 0);
	probe_register(plain, tracee_a);
	probe_register(regs, tracee_a);
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(plain->calls, 1);
	EXPECT_EQ(plain->data[0], 0);
	EXPECT_EQ(regs->data[0], 1);
	EXPECT_EQ(probe_stop(plain), 0);
	EXPECT_EQ(probe_stop(regs), 0);

	EXPECT_EQ(tramp_set_strict(false), 0);
	EXPECT_EQ(probe_start(plain), 0);
	EXPECT_EQ(probe_start(regs), 0);
	tracee_a(1);
	EXPECT_EQ(plain->data[0], 1);
}

CASE(trace_stop_silences_noregs, "S140", "function_trace_stop silences class noregs and no other")
{
	struct probe *p = probe_on(tracee_a);

	function_trace_stop = 1;
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(p->calls, case_class != TRAMP_CLASS_NOREGS);
	function_trace_stop = 0;
	tracee_a(1);
	EXPECT_EQ(p->calls, 1 + (case_class != TRAMP_CLASS_NOREGS));
}

/* Only the list leaves it out; a way that calls directly has no guard either. */
CASE(lone_stub_goes_the_direct_way, "S27 S64 S121", "a STUB ops alone on its site is called where the way to it is direct, and not where it is the list's; with an ops elsewhere likewise")
{
	struct probe *stub = probe_flags(case_flags() | FTRACE_OPS_FL_STUB);
	unsigned long want = 0;

	if (case_guarded(1) == CASE_EITHER)
		SKIP("a strategy of which it is not said whether its way is direct");
	probe_register(stub, tracee_a);
	for (unsigned int nr_ops = 1; nr_ops <= 2; nr_ops++) {
		want += case_guarded(nr_ops) == CASE_UNGUARDED;
		EXPECT_EQ(tracee_a(1), 2);
		EXPECT_EQ(stub->calls, want);
		probe_on(tracee_b);
	}
}
