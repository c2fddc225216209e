/* SPDX-License-Identifier: MIT */
/* Callbacks that call the API, and what they may not. */
#include <dlfcn.h>
#include <setjmp.h>
#include <string.h>
#include <unistd.h>
#include "core/core.h"
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

CASE(unregister_from_own_callback, "S131", "-EDEADLK, and the ops stays registered")
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

static void expect_refused(struct probe *p, struct probe *q)
{
	unsigned long calls = q->calls;

	EXPECT_EQ(p->data[1], -EDEADLK);
	EXPECT_EQ(q->ops.flags & (FTRACE_OPS_FL_ENABLED | FTRACE_OPS_FL_REMOVING), FTRACE_OPS_FL_ENABLED);
	tracee_b(1);
	EXPECT_EQ(q->calls, calls + 1);
	EXPECT_EQ(probe_stop(p), 0);
	EXPECT_EQ(probe_stop(q), 0);
	tracee_b(1);
	EXPECT_EQ(q->calls, calls + 1);
}

CASE(unregister_another_from_callback, "S131", "-EDEADLK, whatever the two ops share, and the other goes on being called: on sites of their own, on one, under a guard, with an ops beside each")
{
	static const unsigned long flags[] = { 0, FTRACE_OPS_FL_RECURSION, FTRACE_OPS_FL_RCU };

	for (int i = 0; i < 6; i++) {
		struct probe *p = probe_flags(case_flags() | flags[i % 3]), *q = probe_on(tracee_b);
		struct probe *beside = i < 3 ? NULL : probe_on(tracee_a);

		p->then = stop_other;
		p->data[0] = (unsigned long)q;
		probe_register(p, tracee_a);
		EXPECT_EQ(probe_add(p, i < 3 ? tracee_a : tracee_b), 0);
		EXPECT_EQ(tracee_a(1), 2);
		expect_refused(p, q);
		if (beside)
			EXPECT_EQ(probe_stop(beside), 0);
	}
}

/* data[0]: the probe to stop; data[1]: the result. */
static unsigned long stop_in_body(void *arg)
{
	struct probe *p = arg;

	p->data[1] = probe_stop((struct probe *)p->data[0]);
	return 1;
}

static void call_body(struct probe *p, struct ftrace_regs *fregs)
{
	(void)fregs;
	if (p->calls == 1)
		tracee_calls(stop_in_body, p);
}

CASE(unregister_from_a_body_under_a_callback, "S131", "a traced body that a callback called is inside the callback: -EDEADLK")
{
	struct probe *p = probe_new(), *q = probe_on(tracee_b);

	p->then = call_body;
	p->data[0] = (unsigned long)q;
	probe_register(p, tracee_a);
	EXPECT_EQ(tracee_a(1), 2);
	expect_refused(p, q);
}

static jmp_buf out;

static void leave_by_jump(struct probe *p, struct ftrace_regs *fregs)
{
	(void)p, (void)fregs;
	longjmp(out, 1);
}

CASE(unregister_behind_a_jump_out, "S131 BUG-55", "who has left a callback by longjmp() is in it no longer, and may unregister its ops")
{
	struct probe *p = probe_new();

	p->then = leave_by_jump;
	probe_register(p, tracee_a);
	if (!setjmp(out))
		tracee_a(1);
	EXPECT_EQ(p->calls, 1);
	EXPECT_EQ(probe_stop(p), 0);
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(p->calls, 1);
}

/* --- a callback that a change itself runs into --- */

static unsigned long states;

static void call_within(const char *behind, unsigned long addr, size_t len)
{
	(void)addr, (void)len;
	/* Without the lock: there a callback may do what any may. */
	if (!strcmp(behind, "wait"))
		return;
	states++;
	EXPECT_EQ(tracee_a(1), 2);
}

/* data[0]: whom to stop; data[1]: what else came of it but -EDEADLK. */
static void call_the_api(struct probe *p, struct ftrace_regs *fregs)
{
	struct probe *q = (struct probe *)p->data[0];

	(void)fregs;
	p->data[1] |= probe_stop(q) ^ -EDEADLK;
	p->data[1] |= probe_start(q) ^ -EDEADLK;
	p->data[1] |= probe_filter(q, "tracee_c", 0) ^ -EDEADLK;
	p->data[1] |= tramp_set_enabled(0) ^ -EDEADLK;
	EXPECT(tramp_why()[0], "tramp_why() is empty");
}

/* @p's callback, on tracee_a, is run into while @q, on tracee_b, joins tracee_d. */
static void change_under(void (*hook)(const char *behind, unsigned long addr, size_t len),
			 struct probe *p, struct probe *q)
{
	probe_register(p, tracee_a);
	tramp_state_hook = hook;
	EXPECT_EQ(probe_add(q, tracee_d), 0);
	tramp_state_hook = NULL;
}

/* What the change was for is made, and can be undone. */
static void expect_made(struct probe *p, struct probe *q)
{
	q->calls = 0;
	tracee_b(1);
	tracee_c(1);
	tracee_d(1);
	EXPECT_EQ(q->calls, 2);
	p->then = NULL;
	p->calls = 0;
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(p->calls, 1);
	EXPECT_EQ(probe_stop(p), 0);
	EXPECT_EQ(probe_stop(q), 0);
}

CASE(change_runs_into_a_callback, "S131", "what a change calls has a site: from its callback every change is refused, with the lock in the same thread's hand, and the one under way is made")
{
	struct probe *p = probe_new(), *q = probe_on(tracee_b);

	p->then = call_the_api;
	p->data[0] = (unsigned long)q;
	change_under(call_within, p, q);
	EXPECT(states, "the change has no state");
	EXPECT_EQ(p->calls, states);
	EXPECT_EQ(p->data[1], 0);
	expect_made(p, q);
}

static unsigned long fork_at, at_state;
static pid_t forked;	/* 0 in the child */

static void fork_once(struct probe *p, struct ftrace_regs *fregs)
{
	(void)p, (void)fregs;
	forked = fork();
}

static void call_at_one_state(const char *behind, unsigned long addr, size_t len)
{
	(void)behind, (void)addr, (void)len;
	if (at_state++ == fork_at)
		EXPECT_EQ(tracee_a(1), 2);
}

/* False: the change has no such state. */
static bool fork_at_state(unsigned long n)
{
	struct probe *p = probe_new(), *q = probe_on(tracee_b);
	int status;

	fork_at = n;
	at_state = 0;
	forked = -1;
	p->then = fork_once;
	change_under(call_at_one_state, p, q);
	if (!forked) {
		expect_made(p, q);
		_exit(case_failed());
	}
	if (forked > 0 && (status = child_status(forked)) != CHILD_LOST)
		EXPECT(!status, "state %lu: the child ended with status %#x", n, status);
	expect_made(p, q);
	return forked > 0;
}

CASE(change_runs_into_a_fork, "S127 S131", "a callback that a change itself runs into forks, at every state: parent and child both make the change, and can undo it", .needs = CASE_ONE_CLASS)
{
	unsigned long n = 0;

	if (case_asan() || case_tsan())
		SKIP("a sanitizer's runtime is no place to fork in");
	while (!case_failed() && fork_at_state(n))
		n++;
	EXPECT(n, "the change has no state");
}

static void close_library(struct probe *p, struct ftrace_regs *fregs)
{
	(void)fregs;
	if (p->calls == 1)
		dlclose((void *)p->data[0]);
}

CASE(change_runs_into_an_unload, "S10 S131 S145", "a callback that a change itself runs into unloads a traced library: the change is made, later ones are refused, and what is traced elsewhere goes on", .needs = CASE_ONE_CLASS | CASE_LEAVES_DIRT)
{
	struct probe *p = probe_new(), *q = probe_on(tracee_b), *in_library = probe_new();
	void *handle = dlopen(solib_path("plain"), RTLD_NOW | RTLD_LOCAL);

	REQUIRE(handle, "dlopen: %s", dlerror());
	probe_register(in_library, dlsym(handle, "solib_a"));
	p->then = close_library;
	p->data[0] = (unsigned long)handle;
	change_under(call_within, p, q);
	EXPECT(p->calls, "the change has no state");
	q->calls = 0;
	tracee_b(1);
	tracee_d(1);
	EXPECT_EQ(q->calls, 2);
	EXPECT_EQ(probe_stop(in_library), -ENODEV);
	EXPECT_EQ(probe_start(probe_new()), -ENODEV);
	EXPECT_EQ(probe_filter(q, "tracee_c", 0), -ENODEV);
}

/* --- two callbacks that could wait for each other --- */

/*
 * Each of two threads is in its own probe's callback when it changes the other's
 * probe, and leaves only when both have done so.
 */
static unsigned int in_callback, done;

static void meet(unsigned int *arrived)
{
	__atomic_fetch_add(arrived, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(arrived, __ATOMIC_SEQ_CST) < 2)
		nap_ms(1);
}

static int (*change)(struct probe *p);

static void change_other(struct probe *p, struct ftrace_regs *fregs)
{
	(void)fregs;
	if (p->calls != 1)
		return;
	meet(&in_callback);
	p->data[1] = change((struct probe *)p->data[0]);
	meet(&done);
}

static void crosswise(int (*what)(struct probe *p), bool shared, long want)
{
	struct probe *p = probe_new(), *q = probe_new(), *both = shared ? probe_on(tracee_a) : NULL;
	pthread_t t;

	if (both)
		EXPECT_EQ(probe_add(both, tracee_b), 0);
	in_callback = done = 0;
	change = what;
	p->data[0] = (unsigned long)q;
	q->data[0] = (unsigned long)p;
	p->data[1] = q->data[1] = 1;
	p->then = q->then = change_other;
	probe_register(p, tracee_a);
	probe_register(q, tracee_b);
	t = spawn(thread_calls_b, NULL);
	tracee_a(1);
	join(t);
	EXPECT_EQ(p->data[1], want);
	EXPECT_EQ(q->data[1], want);
	tracee_a(1);
	tracee_b(1);
	tracee_c(1);
	EXPECT_EQ(p->calls, want ? 2 : 1);
	EXPECT_EQ(q->calls, want ? 2 : 1);
	EXPECT_EQ(probe_stop(p), 0);
	EXPECT_EQ(probe_stop(q), 0);
	if (both)
		EXPECT_EQ(probe_stop(both), 0);
}

CASE(unregister_crosswise, "S131", "two threads in callbacks unregister each other's ops: each is refused, and nobody waits")
{
	crosswise(probe_stop, false, -EDEADLK);
	crosswise(probe_stop, true, -EDEADLK);
}

static int filter_elsewhere(struct probe *p)
{
	return ftrace_set_filter_ip(&p->ops, fn_ip(tracee_d), 0, 1);
}

CASE(filters_change_crosswise, "S48 S131", "two threads in callbacks change each other's filter: it takes effect at once, and nobody waits")
{
	struct tramp_memory before, after;
	struct probe *last = probe_on(tracee_c);

	tramp_memory_usage(&before);
	crosswise(filter_elsewhere, false, 0);
	crosswise(filter_elsewhere, true, 0);
	/* The last unregister waited: what was replaced is gone. */
	tramp_memory_usage(&after);
	EXPECT_EQ(after.hash_bytes, before.hash_bytes);
	EXPECT_EQ(after.unused_sets, 0);
	last->calls = 0;
	tracee_c(1);
	EXPECT_EQ(last->calls, 1);
}

/* Both wait for the loader's lock, and for nothing else. */
static int load_and_unload(struct probe *p)
{
	void *handle = dlopen(solib_path("plain"), RTLD_NOW | RTLD_LOCAL);

	(void)p;
	return handle ? dlclose(handle) : -1;
}

static int load_unload_and_filter(struct probe *p)
{
	int err = load_and_unload(p);

	return err ? err : filter_elsewhere(p);
}

CASE(libraries_leave_crosswise, "S131 S145", "two threads in callbacks load and unload a library: no wait for callbacks with the loader's lock held")
{
	crosswise(load_unload_and_filter, false, 0);
	crosswise(load_unload_and_filter, true, 0);
}

static int switch_and_filter(struct probe *p)
{
	int err = tramp_set_enabled(0);

	if (!err)
		err = tramp_set_enabled(1);
	return err ? err : filter_elsewhere(p);
}

CASE(switch_crosswise, "S131 S140", "two threads in callbacks switch everything off and on")
{
	crosswise(switch_and_filter, false, 0);
	crosswise(switch_and_filter, true, 0);
}

static unsigned long filter_bytes(void)
{
	struct tramp_memory usage;

	tramp_memory_usage(&usage);
	return usage.hash_bytes;
}

static void replace_filter(struct probe *p, struct ftrace_regs *fregs)
{
	(void)fregs;
	p->data[0] = filter_bytes();
	for (int i = 0; i < 10; i++)
		p->data[1] |= ftrace_set_filter_ip(&p->ops, fn_ip(i & 1 ? tracee_a : tracee_b), 0, 1);
	p->data[2] = filter_bytes();
}

CASE(filters_replaced_in_a_callback_are_kept, "S51 S131", "what a callback replaces may be read still, and is there until a change that waits")
{
	struct probe *p = probe_on(tracee_a), *q = probe_on(tracee_a);
	unsigned long before = filter_bytes();

	p->then = replace_filter;
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(p->data[1], 0);
	EXPECT_EQ(p->data[0], before);
	EXPECT(p->data[2] > before, "%lu bytes of filters behind ten changes, as many as before", before);
	EXPECT_EQ(filter_bytes(), p->data[2]);
	EXPECT_EQ(probe_add(q, tracee_b), 0);
	EXPECT(filter_bytes() < p->data[2], "%lu bytes of filters, also behind a change that waits", p->data[2]);
	p->then = NULL;
	EXPECT_EQ(probe_stop(q), 0);
	EXPECT_EQ(filter_bytes(), before / 2);
}

/* data[0]: whose filter changes when the gate has opened; data[1]: the result; data[2]: bytes of filters then. */
static void replace_during_a_wait(struct probe *p, struct ftrace_regs *fregs)
{
	struct probe *q = (struct probe *)p->data[0];

	stay_inside(p, fregs);
	for (int i = 0; i < 10; i++)
		p->data[1] |= ftrace_set_filter_ip(&q->ops, fn_ip(i & 1 ? tracee_c : tracee_b), 0, 1);
	p->data[2] = filter_bytes();
}

CASE(filters_replaced_during_a_wait_are_kept, "S51 S127 S131", "what is replaced after a wait has begun is not given up when it ends: who came by meanwhile may read it still; a second unregister of the ops that it is for is -EBUSY", .needs = CASE_ONE_CLASS)
{
	struct probe *p = probe_new(), *q = probe_on(tracee_b), *r = probe_on(tracee_c);
	unsigned long alone = filter_bytes();
	struct stopper s;
	pthread_t t;

	p->then = replace_during_a_wait;
	p->data[0] = (unsigned long)q;
	probe_register(p, tracee_a);
	t = spawn(thread_calls_a, NULL);
	gate_await(&inside_gate, 1);
	stopper_start(&s, p);
	while (!(__atomic_load_n(&p->ops.flags, __ATOMIC_RELAXED) & FTRACE_OPS_FL_REMOVING))
		nap_ms(1);
	EXPECT_EQ(probe_stop(p), -EBUSY);
	gate_open(&inside_gate);
	join(s.thread);
	join(t);
	EXPECT_EQ(s.err, 0);
	EXPECT_EQ(p->data[1], 0);
	EXPECT(p->data[2] > 2 * alone, "%lu bytes of filters behind ten changes, and %lu before", p->data[2], alone);
	EXPECT(filter_bytes() > 2 * alone, "%lu bytes of filters behind the wait: what was replaced during it is gone", filter_bytes());
	EXPECT_EQ(probe_stop(r), 0);
	EXPECT(filter_bytes() <= alone, "%lu bytes of filters behind the next wait, and %lu before", filter_bytes(), alone);
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
