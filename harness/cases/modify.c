/* SPDX-License-Identifier: MIT */
/* Redirecting the traced function, and who may. */
#include "../case.h"

#define IPMODIFY (case_flags() | FTRACE_OPS_FL_IPMODIFY)

static void to_untraced(struct probe *p, struct ftrace_regs *fregs)
{
	(void)p;
	ftrace_regs_set_instruction_pointer(fregs, (unsigned long)untraced);
}

static struct probe *redirect_on(const void *func)
{
	struct probe *p = probe_flags(IPMODIFY);

	p->then = to_untraced;
	probe_register(p, func);
	return p;
}

static void expect_other(void)
{
	EXPECT_EQ(tracee_a(1000), 1005);
}

CASE(redirect_runs_the_other, "S109 S111", "a callback that sets ip: the other function runs with the same arguments, the body does not", .needs = CASE_NEEDS_FREGS)
{
	struct probe *p = redirect_on(tracee_a);

	case_each_way(tracee_a, expect_other);
	EXPECT_EQ(p->calls, 4);
	EXPECT_EQ(probe_stop(p), 0);
	EXPECT_EQ(tracee_a(1000), 1001);
}

static void to_untraced_by_regs(struct probe *p, struct ftrace_regs *fregs)
{
	struct pt_regs *regs = ftrace_get_regs(fregs);

	p->data[0] = !!regs;
	if (regs)
		case_pc(regs) = (unsigned long)untraced;
}

CASE(redirect_through_pt_regs, "S109 S88", "writing pt_regs' ip redirects, alone and on a shared site", .needs = CASE_NEEDS_FULL)
{
	struct probe *p = probe_flags(IPMODIFY);

	p->then = to_untraced_by_regs;
	probe_register(p, tracee_a);
	case_each_way(tracee_a, expect_other);
	EXPECT_EQ(p->data[0], 1);
}

static void both_ways(struct probe *p, struct ftrace_regs *fregs)
{
	struct pt_regs *regs = ftrace_get_regs(fregs);

	ftrace_regs_set_instruction_pointer(fregs, (unsigned long)untraced);
	p->data[0] = regs ? case_pc(regs) : 0;
	p->data[1] = ftrace_regs_get_instruction_pointer(fregs);
}

CASE(accessor_and_pt_regs_agree, "S88 S94", "the accessor and pt_regs are one ip", .needs = CASE_NEEDS_FULL)
{
	struct probe *p = probe_on(tracee_a);

	p->then = both_ways;
	EXPECT_EQ(tracee_a(1000), 1005);
	EXPECT_EQ(p->data[0], (unsigned long)untraced);
	EXPECT_EQ(p->data[1], (unsigned long)untraced);
}

CASE(idle_ipmodify_changes_nothing, "S106", "an IPMODIFY ops that leaves ip alone: the body runs")
{
	struct probe *p = probe_flags(IPMODIFY);

	probe_register(p, tracee_a);
	EXPECT_EQ(tracee_a(1000), 1001);
	EXPECT_EQ(p->calls, 1);
}

CASE(one_ipmodify_a_site, "S106 S13 S14 BUG-44", "a second IPMODIFY ops on a site is -EBUSY and leaves no trace; later it may")
{
	struct probe *first = probe_flags(IPMODIFY), *second = probe_flags(IPMODIFY);

	probe_register(first, tracee_a);
	EXPECT_EQ(probe_add(second, tracee_a), 0);
	EXPECT_EQ(probe_add(second, tracee_b), 0);
	EXPECT_EQ(probe_start(second), -EBUSY);
	EXPECT_EQ(second->ops.flags & FTRACE_OPS_FL_ENABLED, 0);
	tracee_a(1);
	tracee_b(1);
	EXPECT_EQ(first->calls, 1);
	EXPECT_EQ(second->calls, 0);
	EXPECT_EQ(probe_stop(second), -EBUSY);

	EXPECT_EQ(probe_stop(first), 0);
	EXPECT_EQ(probe_start(second), 0);
	tracee_a(1);
	tracee_b(1);
	EXPECT_EQ(second->calls, 2);
	EXPECT_EQ(probe_start(first), -EBUSY);
}

CASE(ipmodify_conflict_by_filter, "S106 S49", "growing a live filter onto another's site is -EBUSY and keeps the old filter; at rest it is not checked")
{
	struct probe *first = probe_flags(IPMODIFY), *second = probe_flags(IPMODIFY);

	probe_register(first, tracee_a);
	probe_register(second, tracee_b);
	EXPECT_EQ(probe_add(second, tracee_a), -EBUSY);
	EXPECT_EQ(probe_filter(second, "tracee_?", 1), -EBUSY);
	tracee_a(1);
	tracee_b(1);
	tracee_c(1);
	EXPECT_EQ(first->calls, 1);
	EXPECT_EQ(second->calls, 1);

	EXPECT_EQ(probe_stop(second), 0);
	EXPECT_EQ(probe_add(second, tracee_a), 0);
	EXPECT_EQ(probe_start(second), -EBUSY);
	EXPECT_EQ(ftrace_set_filter_ip(&second->ops, fn_ip(tracee_a), 1, 0), 0);
	EXPECT_EQ(probe_start(second), 0);
}

CASE(ipmodify_needs_a_filter, "S107", "an IPMODIFY ops whose filter is empty is -EINVAL, at registration and when a change empties it")
{
	struct probe *p = probe_flags(IPMODIFY);

	EXPECT_EQ(probe_add(p, tracee_a), 0);
	EXPECT_EQ(probe_filter(p, NULL, 1), 0);
	EXPECT_EQ(probe_start(p), -EINVAL);
	probe_register(p, tracee_a);
	EXPECT_EQ(probe_filter(p, NULL, 1), -EINVAL);
	EXPECT_EQ(ftrace_set_filter_ip(&p->ops, fn_ip(tracee_a), 1, 0), -EINVAL);
	tracee_a(1);
	tracee_b(1);
	EXPECT_EQ(p->calls, 1);
}

CASE(ipmodify_has_no_notrace, "S54", "a notrace list on an IPMODIFY ops is -EINVAL, registered or not")
{
	struct probe *p = probe_flags(IPMODIFY);

	EXPECT_EQ(probe_notrace(p, "tracee_b", 0), -EINVAL);
	probe_register(p, tracee_a);
	EXPECT_EQ(probe_notrace(p, "tracee_b", 0), -EINVAL);
}

CASE(redirect_beside_plain, "S106 S109 BUG-44", "beside a redirecting ops plain ones run too; the later callback sees the new ip", .needs = CASE_NEEDS_FREGS)
{
	struct probe *before = probe_on(tracee_a), *redirects, *after;

	redirects = redirect_on(tracee_a);
	after = probe_on(tracee_a);
	EXPECT_EQ(tracee_a(1000), 1005);
	EXPECT_EQ(before->calls, 1);
	EXPECT_EQ(redirects->calls, 1);
	EXPECT_EQ(after->calls, 1);
	EXPECT_EQ(probe_stop(redirects), 0);
	EXPECT_EQ(tracee_a(1000), 1001);
}

static void read_ip(struct probe *p, struct ftrace_regs *fregs)
{
	p->data[0] = ftrace_regs_get_instruction_pointer(fregs);
}

CASE(later_callback_sees_redirect, "S109 S81", "callbacks newer than the redirecting one see the site's ip, older ones the new", .needs = CASE_NEEDS_FREGS)
{
	struct probe *older = probe_on(tracee_a), *newer;

	redirect_on(tracee_a);
	newer = probe_on(tracee_a);
	older->then = newer->then = read_ip;
	tracee_a(1);
	EXPECT_EQ(newer->data[0], fn_ip(tracee_a) + CASE_SITE_SIZE);
	EXPECT_EQ(older->data[0], (unsigned long)untraced);
}

CASE(plain_redirects_too, "S110", "IPMODIFY is a contract, not a mechanism: ip is copied back for every callback", .needs = CASE_NEEDS_FREGS)
{
	struct probe *p = probe_on(tracee_a);

	p->then = to_untraced;
	EXPECT_EQ(tracee_a(1000), 1005);
}

static void to_b(struct probe *p, struct ftrace_regs *fregs)
{
	if (p->ip == p->data[0])
		ftrace_regs_set_instruction_pointer(fregs, (unsigned long)tracee_b);
}

CASE(redirect_to_a_traced_function, "S109 BUG-45", "the target's own site is hit: one event for each function, no loop", .needs = CASE_NEEDS_FREGS)
{
	struct probe *p = probe_flags(IPMODIFY), *q = probe_on(tracee_b);

	p->data[0] = fn_ip(tracee_a);
	p->then = to_b;
	probe_register(p, tracee_a);
	EXPECT_EQ(probe_add(p, tracee_b), 0);
	EXPECT_EQ(tracee_a(1000), 1002);
	EXPECT_EQ(p->calls, 2);
	EXPECT_EQ(q->calls, 1);
	EXPECT_EQ(q->parent_ip, p->parent_ip);
}

static void return_4711(struct probe *p, struct ftrace_regs *fregs)
{
	(void)p;
	ftrace_regs_set_return_value(fregs, 4711);
	ftrace_override_function_with_return(fregs);
}

CASE(override_skips_the_body, "S112", "set_return_value and override: the caller gets the value at once", .needs = CASE_NEEDS_FREGS)
{
	struct probe *p = probe_flags(IPMODIFY);

	p->then = return_4711;
	probe_register(p, tracee_recursive);
	EXPECT_EQ(tracee_recursive(5), 4711);
	EXPECT_EQ(p->calls, 1);
	probe_on(tracee_recursive);
	EXPECT_EQ(tracee_recursive(5), 4711);
}
