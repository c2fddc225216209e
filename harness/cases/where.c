/* SPDX-License-Identifier: MIT */
/* The addresses that a callback is told. */
#include "../case.h"

CASE(ip_is_the_site, "S75 S76 BUG-42", "ip is the site's address, exactly, alone and on a shared site")
{
	struct probe *p = probe_on(tracee_a), *q;

	tracee_a(1);
	EXPECT_EQ(p->ip, fn_ip(tracee_a));
	q = probe_on(tracee_a);
	tracee_a(1);
	EXPECT_EQ(p->ip, fn_ip(tracee_a));
	EXPECT_EQ(q->ip, fn_ip(tracee_a));
}

static struct probe *told;

static void expect_parent(void)
{
	unsigned long seen = tracee_return_address();

	EXPECT_EQ(told->ip, fn_ip(tracee_return_address));
	EXPECT_EQ(told->parent_ip, seen);
}

CASE(parent_ip_is_the_return_address, "S79 BUG-40", "parent_ip is where the function will return to, alone, on a shared site, and from inside a callback")
{
	told = probe_on(tracee_return_address);
	case_each_way(tracee_return_address, expect_parent);
}

CASE(parent_ip_of_a_tail_call, "S80 BUG-56", "behind a tail call parent_ip is the outer caller's address")
{
	struct probe *p = probe_on(tracee_return_address);
	unsigned long outer, seen = untraced_tail_call(&outer);

	if (seen != outer)
		SKIP("the compiler made no tail call");
	EXPECT_EQ(p->calls, 1);
	EXPECT_EQ(p->parent_ip, outer);
}

static void record_parent(struct probe *p, struct ftrace_regs *fregs)
{
	(void)fregs;
	p->data[(p->calls - 1) % PROBE_DATA] = p->parent_ip;
}

CASE(traced_recursion, "S79", "a function that calls itself 8 deep is 8 calls, the inner ones from one place")
{
	struct probe *p = probe_on(tracee_recursive);

	p->then = record_parent;
	EXPECT_EQ(tracee_recursive(PROBE_DATA), PROBE_DATA);
	EXPECT_EQ(p->calls, PROBE_DATA);
	for (int i = 2; i < PROBE_DATA; i++)
		EXPECT_EQ(p->data[i], p->data[1]);
	EXPECT(p->data[0] != p->data[1], "the outer call's parent_ip is the inner calls' %#lx",
	       p->data[1]);
	EXPECT(p->data[1] - fn_ip(tracee_recursive) < 256,
	       "the inner parent_ip %#lx is not in the function at %#lx",
	       p->data[1], fn_ip(tracee_recursive));
}

static void redirect_nowhere_new(struct probe *p, struct ftrace_regs *fregs)
{
	p->data[0] = ftrace_regs_get_instruction_pointer(fregs);
	ftrace_regs_set_instruction_pointer(fregs, (unsigned long)untraced);
}

CASE(addresses_are_copies, "S81", "an earlier callback that redirects changes neither ip nor parent_ip of a later one", .needs = CASE_NEEDS_FREGS)
{
	struct probe *later = probe_on(tracee_a), *first = probe_on(tracee_a);

	first->then = redirect_nowhere_new;
	EXPECT_EQ(tracee_a(1), 6);
	EXPECT_EQ(later->ip, fn_ip(tracee_a));
	EXPECT_EQ(later->ip, first->ip);
	EXPECT_EQ(later->parent_ip, first->parent_ip);
}

CASE(fregs_null_without_registers, "S85 S86", "fregs is NULL in class noregs and in no other, alone and on a shared site")
{
	struct probe *p = probe_on(tracee_a), *q;
	bool want_null = case_class == TRAMP_CLASS_NOREGS;

	tracee_a(1);
	EXPECT_EQ(!p->fregs, want_null);
	q = probe_on(tracee_a);
	tracee_a(1);
	EXPECT_EQ(!p->fregs, want_null);
	EXPECT_EQ(!q->fregs, want_null);
}

static void record_frame(struct probe *p, struct ftrace_regs *fregs)
{
	p->data[0] = ftrace_regs_get_instruction_pointer(fregs);
	p->data[1] = ftrace_regs_get_stack_pointer(fregs);
	p->data[2] = case_sp_fits(p->data[1], p->parent_ip);
}

CASE(frame_ip_is_the_resume_address, "S94", "the frame's ip is behind the site", .needs = CASE_NEEDS_FREGS)
{
	struct probe *p = probe_on(tracee_a), *q;

	p->then = record_frame;
	tracee_a(1);
	EXPECT_EQ(p->data[0], fn_ip(tracee_a) + CASE_SITE_SIZE);
	q = probe_on(tracee_a);
	q->then = record_frame;
	tracee_a(1);
	EXPECT_EQ(p->data[0], fn_ip(tracee_a) + CASE_SITE_SIZE);
	EXPECT_EQ(q->data[0], fn_ip(tracee_a) + CASE_SITE_SIZE);
}

CASE(frame_sp_is_the_function_s, "S95 BUG-40", "the frame's sp is what the function starts with, equal for all ops of a site", .needs = CASE_NEEDS_FREGS)
{
	struct probe *p = probe_on(tracee_a), *q;

	p->then = record_frame;
	tracee_a(1);
	EXPECT(p->data[2], "sp %#lx is not at the return address %#lx",
	       p->data[1], p->parent_ip);
	q = probe_on(tracee_a);
	q->then = record_frame;
	tracee_a(1);
	EXPECT(p->data[2], "sp %#lx is not at the return address %#lx, shared site",
	       p->data[1], p->parent_ip);
	EXPECT_EQ(q->data[1], p->data[1]);
}
