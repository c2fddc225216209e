/* SPDX-License-Identifier: MIT */
/* Registering, unregistering, and what they answer. */
#include "../case.h"

CASE(called_once, "S3 S18", "a call of the function is one call of the callback")
{
	struct probe *p = probe_on(tracee_a);

	EXPECT_EQ(p->calls, 0);
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(p->calls, 1);
	for (int i = 0; i < 1000; i++)
		tracee_a(i);
	EXPECT_EQ(p->calls, 1001);
}

CASE(not_before_register, "S3", "a filter alone calls nobody")
{
	struct probe *p = probe_new();

	EXPECT_EQ(probe_add(p, tracee_a), 0);
	tracee_a(1);
	EXPECT_EQ(p->calls, 0);
}

CASE(not_after_unregister, "S127 S18", "no call once unregister has returned")
{
	struct probe *p = probe_on(tracee_a);

	tracee_a(1);
	EXPECT_EQ(probe_stop(p), 0);
	for (int i = 0; i < 100; i++)
		tracee_a(i);
	EXPECT_EQ(p->calls, 1);
}

CASE(other_function_not_called, "S35 S156", "a function outside of the filter is silent, even while others are traced")
{
	struct probe *p = probe_on(tracee_a);

	tracee_b(1);
	untraced(1);
	EXPECT_EQ(p->calls, 0);
	tracee_a(1);
	EXPECT_EQ(p->calls, 1);
}

CASE(second_register_is_busy, "S4", "registering twice fails, and the ops stays registered once")
{
	struct probe *p = probe_on(tracee_a);

	EXPECT_EQ(probe_start(p), -EBUSY);
	tracee_a(1);
	EXPECT_EQ(p->calls, 1);
	EXPECT_EQ(probe_stop(p), 0);
	tracee_a(1);
	EXPECT_EQ(p->calls, 1);
}

CASE(unregister_unregistered_is_busy, "S6", "never registered or unregistered twice: -EBUSY")
{
	struct probe *never = probe_new(), *p = probe_on(tracee_a);

	EXPECT_EQ(probe_stop(never), -EBUSY);
	EXPECT_EQ(probe_stop(p), 0);
	EXPECT_EQ(probe_stop(p), -EBUSY);
	EXPECT_EQ(probe_start(p), 0);
	tracee_a(1);
	EXPECT_EQ(p->calls, 1);
}

CASE(deleted_is_refused_first, "S5", "DELETED is -EINVAL, also where -EBUSY would apply")
{
	struct probe *p = probe_flags(case_flags() | FTRACE_OPS_FL_DELETED);

	EXPECT_EQ(probe_add(p, tracee_a), 0);
	EXPECT_EQ(probe_start(p), -EINVAL);
	p->ops.flags &= ~FTRACE_OPS_FL_DELETED;
	EXPECT_EQ(probe_start(p), 0);
	p->ops.flags |= FTRACE_OPS_FL_DELETED;
	EXPECT_EQ(probe_start(p), -EINVAL);
	p->ops.flags &= ~FTRACE_OPS_FL_DELETED;
	tracee_a(1);
	EXPECT_EQ(p->calls, 1);
}

CASE(filter_outlives_unregister, "S15 S17", "filter and notrace are in force again after re-registration")
{
	struct probe *p = probe_new();

	EXPECT_EQ(probe_filter(p, "tracee_?", 1), 0);
	EXPECT_EQ(probe_notrace(p, "tracee_b", 1), 0);
	for (int round = 1; round <= 3; round++) {
		EXPECT_EQ(probe_start(p), 0);
		tracee_a(1);
		tracee_b(1);
		globby_aa(1);
		EXPECT_EQ(p->calls, round);
		EXPECT_EQ(probe_stop(p), 0);
	}
}

CASE(registers_many_times, "S15 S30 BUG-04", "1000 pairs of register and unregister, each in force", .needs = CASE_SLOW, .timeout = 30)
{
	struct probe *p = probe_new();

	REQUIRE_EQ(probe_add(p, tracee_a), 0);
	for (unsigned long i = 1; i <= 1000; i++) {
		REQUIRE_EQ(probe_start(p), 0);
		tracee_a(i);
		REQUIRE_EQ(probe_stop(p), 0);
		tracee_a(i);
		REQUIRE_EQ(p->calls, i);
	}
}

CASE(core_flags, "S1 S3 S24 S31", "INITIALIZED, ENABLED and DYNAMIC appear, the transient flags are gone when a call returns")
{
	const unsigned long transient = FTRACE_OPS_FL_REMOVING | FTRACE_OPS_FL_MODIFYING |
					FTRACE_OPS_FL_ADDING;
	struct probe *p = probe_new();

	EXPECT_EQ(p->ops.flags & FTRACE_OPS_FL_INITIALIZED, 0);
	EXPECT_EQ(probe_add(p, tracee_a), 0);
	EXPECT_EQ(p->ops.flags & FTRACE_OPS_FL_INITIALIZED, FTRACE_OPS_FL_INITIALIZED);
	EXPECT_EQ(p->ops.flags & FTRACE_OPS_FL_ENABLED, 0);

	EXPECT_EQ(probe_start(p), 0);
	EXPECT_EQ(p->ops.flags & FTRACE_OPS_FL_ENABLED, FTRACE_OPS_FL_ENABLED);
	EXPECT_EQ(p->ops.flags & FTRACE_OPS_FL_DYNAMIC, FTRACE_OPS_FL_DYNAMIC);
	EXPECT_EQ(p->ops.flags & transient, 0);

	EXPECT_EQ(probe_add(p, tracee_b), 0);
	EXPECT_EQ(p->ops.flags & transient, 0);

	EXPECT_EQ(probe_stop(p), 0);
	EXPECT_EQ(p->ops.flags & FTRACE_OPS_FL_ENABLED, 0);
	EXPECT_EQ(p->ops.flags & FTRACE_OPS_FL_INITIALIZED, FTRACE_OPS_FL_INITIALIZED);
	EXPECT_EQ(p->ops.flags & transient, 0);
	EXPECT_EQ(p->ops.trampoline, 0);
}

CASE(user_flags_stay, "S21 S22", "the core changes none of the flags that the tracer set")
{
	unsigned long flags = case_flags() | FTRACE_OPS_FL_RECURSION | FTRACE_OPS_FL_RCU;
	struct probe *p = probe_flags(flags);

	probe_register(p, tracee_a);
	EXPECT_EQ(p->ops.flags & flags, flags);
	EXPECT_EQ(p->ops.flags & FTRACE_OPS_FL_IPMODIFY, 0);
	EXPECT_EQ(probe_stop(p), 0);
	EXPECT_EQ(p->ops.flags & flags, flags);
}

CASE(heap_ops_freed_after_unregister, "S24 S127", "an ops from the heap may be freed once unregister has returned")
{
	for (int i = 0; i < 50; i++) {
		struct probe *p = case_alloc(sizeof(*p));

		REQUIRE(p, "no memory");
		probe_init(p, case_flags());
		probe_register(p, tracee_a);
		tracee_a(1);
		EXPECT_EQ(p->calls, 1);
		EXPECT_EQ(probe_stop(p), 0);
		ftrace_free_filter(&p->ops);
		for (unsigned long b = 0; b < sizeof(*p); b++)
			((unsigned char *)p)[b] = 0x5a;
		case_free(p);
		EXPECT_EQ(tracee_a(1), 2);
	}
}

CASE(free_filter_of_enabled_does_nothing, "S17", "ftrace_free_filter() of a registered ops changes nothing, afterwards it empties", .needs = CASE_SLOW | CASE_KILLS_KERNEL)
{
	struct probe *p = probe_on(tracee_a);

	ftrace_free_filter(&p->ops);
	tracee_a(1);
	tracee_b(1);
	EXPECT_EQ(p->calls, 1);
	EXPECT_EQ(probe_stop(p), 0);

	ftrace_free_filter(&p->ops);
	ftrace_free_filter(&p->ops);
	EXPECT_EQ(probe_start(p), 0);
	tracee_a(1);
	tracee_b(1);
	EXPECT_EQ(p->calls, 3);
}

CASE(stub_is_not_called, "S27", "a STUB ops counts at its site and is not called there, its neighbour is")
{
	struct probe *stub = probe_flags(case_flags() | FTRACE_OPS_FL_STUB);
	struct probe *p = probe_new();

	probe_register(stub, tracee_a);
	probe_register(p, tracee_a);
	tracee_a(1);
	EXPECT_EQ(stub->calls, 0);
	EXPECT_EQ(p->calls, 1);
	EXPECT_EQ(probe_stop(p), 0);
	EXPECT_EQ(probe_start(p), 0);
	tracee_a(1);
	EXPECT_EQ(stub->calls, 0);
	EXPECT_EQ(p->calls, 2);
}

CASE(killed_refuses_all, "S10", "after ftrace_kill() every call is -ENODEV", .needs = CASE_LEAVES_DIRT | CASE_KILLS_KERNEL)
{
	struct probe *p = probe_on(tracee_a), *other = probe_new();
	unsigned long ip = fn_ip(tracee_b);

	ftrace_kill();
	EXPECT_EQ(probe_start(other), -ENODEV);
	EXPECT_EQ(probe_stop(p), -ENODEV);
	EXPECT_EQ(probe_filter(other, "tracee_b", 0), -ENODEV);
	EXPECT_EQ(probe_notrace(other, "tracee_b", 0), -ENODEV);
	EXPECT_EQ(ftrace_set_filter_ip(&other->ops, ip, 0, 0), -ENODEV);
	EXPECT_EQ(ftrace_set_filter_ips(&other->ops, &ip, 1, 0, 0), -ENODEV);
}

CASE(killed_goes_on_calling, "S141", "ftrace_kill() changes no site: live ones still call", .needs = CASE_LEAVES_DIRT | CASE_KILLS_KERNEL)
{
	struct probe *p = probe_on(tracee_a);

	ftrace_kill();
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(p->calls, 1);
}

/* --- the numbers of the kernel's boot-time selftest --- */

static void expect_counts(struct probe *const *p, const char *when,
			  unsigned long a, unsigned long b, unsigned long c)
{
	EXPECT(p[0]->calls == a && p[1]->calls == b && p[2]->calls == c,
	       "%s: probes called %lu %lu %lu times, want %lu %lu %lu", when,
	       p[0]->calls, p[1]->calls, p[2]->calls, a, b, c);
}

static void boot_selftest(void)
{
	struct probe *p[3], *all = case_alloc(sizeof(*all));

	REQUIRE(all, "no memory");
	for (int i = 0; i < 3; i++)
		p[i] = probe_new();
	probe_add(p[0], tracee_a);
	probe_add(p[1], tracee_b);
	probe_add(p[2], tracee_a);
	probe_add(p[2], tracee_b);
	for (int i = 0; i < 3; i++)
		REQUIRE_EQ(probe_start(p[i]), 0);

	tracee_a(1);
	expect_counts(p, "first a", 1, 0, 1);
	tracee_b(1);
	expect_counts(p, "first b", 1, 1, 2);

	probe_init(all, case_flags());
	REQUIRE_EQ(probe_start(all), 0);
	tracee_a(1);
	expect_counts(p, "a, with one that traces all", 2, 1, 3);
	tracee_b(1);
	expect_counts(p, "b, with one that traces all", 2, 2, 4);
	EXPECT_EQ(ftrace_set_filter_ip(&p[2]->ops, fn_ip(tracee_a), 1, 0), 0);
	tracee_a(1);
	expect_counts(p, "a, taken from the third", 3, 2, 4);
	tracee_b(1);
	expect_counts(p, "b, still with the third", 3, 3, 5);
	EXPECT(all->calls >= 4, "the one that traces all was called %lu times, want 4 at least",
	       all->calls);

	for (int i = 0; i < 3; i++)
		EXPECT_EQ(probe_stop(p[i]), 0);
	EXPECT_EQ(probe_stop(all), 0);
	all->calls = 0;
	tracee_a(1);
	tracee_a(1);
	expect_counts(p, "all unregistered", 3, 3, 5);
	EXPECT_EQ(all->calls, 0);
	ftrace_free_filter(&all->ops);
	case_free(all);
}

CASE(boot_selftest_alone, "S155", "the counts of the kernel's own boot-time selftest", .needs = CASE_SLOW)
{
	boot_selftest();
}

CASE(boot_selftest_beside_another, "S155", "the same with an ops that traces all from the start", .needs = CASE_SLOW)
{
	struct probe *all = probe_new();

	REQUIRE_EQ(probe_start(all), 0);
	boot_selftest();
	EXPECT(all->calls, "the ops that was there first was never called");
}
