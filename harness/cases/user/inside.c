/* SPDX-License-Identifier: MIT */
/* Callbacks that call the API, and what they may not. */
#include <string.h>
#include "../../user.h"

/* data[0]: another probe; data[1]: the result; once. */
static void start_other(struct probe *p, struct ftrace_regs *fregs)
{
	(void)fregs;
	if (p->calls == 1)
		p->data[1] = probe_start((struct probe *)p->data[0]);
}

CASE(callback_registers_another, "S131", "a callback may register another ops, on its own site and elsewhere")
{
	const void *const funcs[] = { tracee_a, tracee_b };

	for (int i = 0; i < 2; i++) {
		struct probe *p = probe_new(), *q = probe_new();

		EXPECT_EQ(probe_add(q, funcs[i]), 0);
		p->then = start_other;
		p->data[0] = (unsigned long)q;
		p->data[1] = 1;
		probe_register(p, tracee_a);
		EXPECT_EQ(tracee_a(1), 2);
		EXPECT_EQ(p->data[1], 0);
		q->calls = 0;
		tracee_a(1);
		tracee_b(1);
		EXPECT_EQ(q->calls, 1);
		EXPECT_EQ(p->calls, 2);
		EXPECT_EQ(probe_stop(p), 0);
		EXPECT_EQ(probe_stop(q), 0);
	}
}

static void stop_self(struct probe *p, struct ftrace_regs *fregs)
{
	(void)fregs;
	p->data[1] = probe_stop(p);
	p->data[2] = strlen(tramp_why());
}

CASE(unregister_from_own_callback, "S131", "it would wait for itself: -EDEADLK, and the ops stays registered")
{
	struct probe *p = probe_new();

	p->then = stop_self;
	probe_register(p, tracee_a);
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(p->data[1], -EDEADLK);
	EXPECT(p->data[2], "tramp_why() is empty");
	EXPECT_EQ(p->ops.flags & FTRACE_OPS_FL_ENABLED, FTRACE_OPS_FL_ENABLED);
	tracee_a(1);
	EXPECT_EQ(p->calls, 2);
	probe_on(tracee_a);
	tracee_a(1);
	EXPECT_EQ(p->data[1], -EDEADLK);
	p->then = NULL;
	EXPECT_EQ(probe_stop(p), 0);
	tracee_a(1);
	EXPECT_EQ(p->calls, 3);
}

static void stop_other(struct probe *p, struct ftrace_regs *fregs)
{
	(void)fregs;
	if (p->calls == 1)
		p->data[1] = probe_stop((struct probe *)p->data[0]);
}

CASE(unregister_another_from_callback, "S131", "done where it waits for nothing that this thread is in, else -EDEADLK; never a hang, never half")
{
	struct probe *p = probe_new(), *q = probe_on(tracee_b);
	bool done;

	p->then = stop_other;
	p->data[0] = (unsigned long)q;
	probe_register(p, tracee_a);
	tracee_a(1);
	done = !p->data[1];
	if (!done)
		EXPECT_EQ(p->data[1], -EDEADLK);
	EXPECT_EQ(!(q->ops.flags & FTRACE_OPS_FL_ENABLED), done);
	tracee_b(1);
	EXPECT_EQ(q->calls, !done);
	tracee_a(1);
	EXPECT_EQ(p->calls, 2);
}

static void grow_filter(struct probe *p, struct ftrace_regs *fregs)
{
	(void)fregs;
	if (p->calls == 1)
		p->data[1] = probe_add(p, tracee_b);
}

CASE(callback_grows_its_filter, "S48", "a callback may add to its own filter")
{
	struct probe *p = probe_new();

	p->then = grow_filter;
	p->data[1] = 1;
	probe_register(p, tracee_a);
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(p->data[1], 0);
	tracee_b(1);
	tracee_a(1);
	EXPECT_EQ(p->calls, 3);
}

static unsigned long stop_from_body(void *arg)
{
	return probe_stop(arg);
}

CASE(unregister_from_traced_body, "S131", "a traced function's body is not inside the callback: it may unregister its tracer")
{
	struct probe *p = probe_on(tracee_calls);

	EXPECT_EQ(tracee_calls(stop_from_body, p), 1);
	EXPECT_EQ(p->calls, 1);
	EXPECT_EQ(p->ops.flags & FTRACE_OPS_FL_ENABLED, 0);
}

/* data[0] in: what 16-byte alignment leaves. */
static void __attribute__((noinline)) record_alignment(struct probe *p, struct ftrace_regs *fregs)
{
	(void)fregs;
	/* Frame pointers are 16-aligned in code whose caller kept the ABI. */
	p->data[0] = (unsigned long)__builtin_frame_address(0) % 16;
	p->data[1] = 1;
}

static void align_hit(unsigned long ip, unsigned long parent_ip,
		      struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct probe *p = (struct probe *)op;

	(void)ip, (void)parent_ip;
	p->data[2] = (unsigned long)__builtin_frame_address(0) % 16;
	record_alignment(p, fregs);
}

CASE(callback_stack_is_aligned, "S147 BUG-24", "16-byte alignment in the callback, alone, shared, and through the guard")
{
	static const unsigned long flags[] = { 0, FTRACE_OPS_FL_RECURSION, FTRACE_OPS_FL_RCU };

	for (int i = 0; i < 3; i++) {
		struct probe *p = probe_flags(case_flags() | flags[i]), *q;

		p->ops.func = align_hit;
		p->data[2] = 1;
		probe_register(p, tracee_args9);
		tracee_args9(1, 2, 3, 4, 5, 6, 7, 8, 9);
		EXPECT_EQ(p->data[1], 1);
		EXPECT_EQ(p->data[0], 0);
		EXPECT_EQ(p->data[2], 0);
		q = probe_on(tracee_args9);
		p->data[0] = p->data[2] = 1;
		tracee_args9(1, 2, 3, 4, 5, 6, 7, 8, 9);
		EXPECT_EQ(p->data[0], 0);
		EXPECT_EQ(p->data[2], 0);
		EXPECT_EQ(probe_stop(p), 0);
		EXPECT_EQ(probe_stop(q), 0);
	}
}
