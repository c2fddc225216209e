/* SPDX-License-Identifier: MIT */
/* Control flow that does not return the ordinary way, threads that end inside, fork. */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>
#include "../../user.h"

static jmp_buf out;

static unsigned long jump_out(void *arg)
{
	(void)arg;
	longjmp(out, 1);
}

static unsigned long call_deeper(void *arg)
{
	unsigned long *depth = arg;

	return --*depth ? tracee_calls(call_deeper, arg) : jump_out(NULL);
}

CASE(longjmp_past_traced_frames, "BUG-55", "longjmp over 1 and over 20 traced frames: counts exact, nothing left behind")
{
	struct probe *p = probe_on(tracee_calls);
	volatile unsigned long jumps = 0;

	for (volatile int i = 0; i < 100; i++) {
		unsigned long depth = 20;

		if (setjmp(out))
			jumps++;
		else
			tracee_calls(call_deeper, &depth);
		if (setjmp(out))
			jumps++;
		else
			tracee_calls(jump_out, NULL);
	}
	EXPECT_EQ(jumps, 200);
	EXPECT_EQ(p->calls, 100 * 20 + 100);
	EXPECT_EQ(probe_stop(p), 0);
}

static void jump_from_callback(struct probe *p, struct ftrace_regs *fregs)
{
	(void)fregs;
	if (p->calls <= 1)
		longjmp(out, 1);
}

CASE(longjmp_out_of_a_callback, "BUG-55", "a callback that never returns leaves the function callable and the ops removable")
{
	struct probe *p = probe_new();
	volatile int jumped = 0;

	p->then = jump_from_callback;
	probe_register(p, tracee_a);
	if (setjmp(out))
		jumped = 1;
	else
		tracee_a(1);
	EXPECT_EQ(jumped, 1);
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(p->calls, 2);
	EXPECT_EQ(probe_stop(p), 0);
	EXPECT_EQ(tracee_a(1), 2);
}

static void call_b(struct probe *p, struct ftrace_regs *fregs)
{
	(void)p, (void)fregs;
	tracee_b(1);
}

CASE(longjmp_out_of_a_shared_site, "S122 BUG-55", "the same on a site of two ops: the guard stays taken, so that one level is left: later hits are called, hits inside them are missed")
{
	struct probe *older = probe_on(tracee_a), *p = probe_new(), *inner;
	volatile int jumped = 0;

	p->then = jump_from_callback;
	probe_register(p, tracee_a);
	inner = probe_on(tracee_b);
	probe_on(tracee_b);
	if (setjmp(out))
		jumped = 1;
	else
		tracee_a(1);
	EXPECT_EQ(jumped, 1);
	EXPECT_EQ(older->calls, 0);
	p->then = call_b;
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(p->calls, 3);
	EXPECT_EQ(older->calls, 2);
	EXPECT_EQ(inner->calls, 0);
	EXPECT_EQ(tramp_missed(&inner->ops), 2);
	EXPECT_EQ(probe_stop(p), 0);
	EXPECT_EQ(tracee_a(1), 2);
}

/* --- coroutines --- */

static ucontext_t main_context, fiber_context;

static unsigned long yield(void *arg)
{
	(void)arg;
	swapcontext(&fiber_context, &main_context);
	return 41;
}

static unsigned long fiber_result;

static void fiber(void)
{
	fiber_result = tracee_calls(yield, NULL);
}

static void *resume(void *arg)
{
	(void)arg;
	swapcontext(&main_context, &fiber_context);
	return NULL;
}

static void make_fiber(void (*fn)(void))
{
	static char stack[65536];

	getcontext(&fiber_context);
	fiber_context.uc_stack.ss_sp = stack;
	fiber_context.uc_stack.ss_size = sizeof(stack);
	fiber_context.uc_link = &main_context;
	makecontext(&fiber_context, fn, 0);
}

CASE(coroutine_yields_in_a_traced_function, "BUG-57", "a traced function yields and is resumed on another thread, its tracer gone meanwhile")
{
	struct probe *p = probe_on(tracee_calls);

	make_fiber(fiber);
	resume(NULL);
	EXPECT_EQ(p->calls, 1);
	EXPECT_EQ(probe_stop(p), 0);
	join(spawn(resume, NULL));
	EXPECT_EQ(fiber_result, 42);
}

static struct probe *parked;

static void yield_in_callback(struct probe *p, struct ftrace_regs *fregs)
{
	(void)fregs;
	parked = p;
	swapcontext(&fiber_context, &main_context);
	parked = NULL;
}

static void fiber_calls(void)
{
	fiber_result = tracee_a(1);
}

CASE(coroutine_switches_in_a_callback, "BUG-57", "a callback switches to another stack, which calls traced functions and lets others join, and comes back in its thread: all calls count; unregister waits for nothing")
{
	struct probe *p = probe_new(), *b = probe_on(tracee_b);

	p->then = yield_in_callback;
	probe_register(p, tracee_a);
	make_fiber(fiber_calls);
	resume(NULL);
	EXPECT_EQ((unsigned long)parked, (unsigned long)p);
	EXPECT_EQ(tracee_b(1), 3);
	probe_on(tracee_c);
	EXPECT_EQ(tracee_c(1), 4);
	EXPECT_EQ(b->calls + (case_guarded(3) == CASE_GUARDED ? tramp_missed(&b->ops) : 0), 1);
	resume(NULL);
	EXPECT_EQ(fiber_result, 2);
	EXPECT_EQ(p->calls, 1);
	EXPECT_EQ(probe_stop(p), 0);
	EXPECT_EQ(probe_stop(b), 0);
}

/* --- ends --- */

static unsigned long end_thread(void *arg)
{
	pthread_exit(arg);
}

static void *end_in_traced_function(void *arg)
{
	tracee_calls(end_thread, arg);
	return NULL;
}

CASE(thread_ends_in_a_traced_function, "BUG-56", "pthread_exit() from a traced function; unregister does not wait for the dead")
{
	struct probe *p = probe_on(tracee_calls);

	for (int i = 0; i < 20; i++)
		join(spawn(end_in_traced_function, NULL));
	EXPECT_EQ(p->calls, 20);
	EXPECT_EQ(probe_stop(p), 0);
}

static void end_from_callback(struct probe *p, struct ftrace_regs *fregs)
{
	(void)fregs;
	if (p->calls % 2)
		pthread_exit(NULL);
	for (;;)
		pause();
}

CASE(thread_ends_in_a_callback, "BUG-56", "a callback ends its thread, or the thread is cancelled in one: by itself and beside another ops; unregister does not wait for the dead")
{
	struct probe *p = probe_new();
	pthread_t t;

	p->then = end_from_callback;
	probe_register(p, tracee_a);
	for (int i = 1; i <= 20; i++) {
		if (i == 11)
			probe_on(tracee_a);
		t = spawn(thread_calls_a, NULL);
		while (__atomic_load_n(&p->calls, __ATOMIC_RELAXED) < (unsigned long)i)
			nap_ms(0);
		pthread_cancel(t);
		join(t);
	}
	EXPECT_EQ(p->calls, 20);
	EXPECT_EQ(tracee_b(1), 3);
	EXPECT_EQ(probe_stop(p), 0);
	EXPECT_EQ(tracee_a(1), 2);
}

static unsigned long exit_7(void *arg)
{
	(void)arg;
	_exit(7);
}

static int exit_in_traced_function(void *arg)
{
	(void)arg;
	tracee_calls(exit_7, NULL);
	return 0;
}

CASE(process_ends_in_a_traced_function, "BUG-56", "a noreturn call from a traced function")
{
	probe_on(tracee_calls);
	EXPECT_EQ(in_fork(exit_in_traced_function, NULL), 7);
}

/* The result counts what went right: 4. */
static int use_in_child(void *arg)
{
	struct probe *p = arg;
	unsigned long before = p->calls;
	int right = 0;

	tracee_a(1);
	right += p->calls == before + 1;
	right += probe_stop(p) == 0;
	right += tracee_a(1) == 2 && p->calls == before + 1;
	right += probe_start(p) == 0;
	return right;
}

CASE(fork_keeps_tracing, "S3 S127", "a forked child is traced, can unregister and register; its parent notices nothing")
{
	struct probe *p = probe_on(tracee_a);

	tracee_a(1);
	EXPECT_EQ(in_fork(use_in_child, p), 4);
	tracee_a(1);
	EXPECT_EQ(p->calls, 2);
	EXPECT_EQ(probe_stop(p), 0);
	tracee_a(1);
	EXPECT_EQ(p->calls, 2);
}

static int call_in_child(void *arg)
{
	struct probe *p = arg;
	unsigned long before = p->calls;
	int right = 0;

	for (int i = 0; i < 10; i++)
		right += tracee_a(1) == 2;
	return right + (p->calls == before + 10);
}

static void *toggle_until_stopped(void *arg)
{
	struct caller *c = arg;
	struct probe *p = probe_new();

	while (!__atomic_load_n(&c->stop, __ATOMIC_RELAXED)) {
		probe_register(p, tracee_a);
		EXPECT_EQ(probe_stop(p), 0);
		__atomic_store_n(&c->calls, c->calls + 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

CASE(fork_during_updates, "S132", "a child forked in the middle of an update goes on calling through its sites, and each call counts", .timeout = 60, .needs = CASE_TORTURE | CASE_ONE_CLASS)
{
	struct probe *stays = probe_on(tracee_a);
	struct caller c = { .stop = 0 };
	unsigned long n;

	c.thread = spawn(toggle_until_stopped, &c);
	caller_progress(&c, 1);
	for (n = 0; more(n, 20); n++)
		EXPECT_EQ(in_fork(call_in_child, stays), 11);
	caller_stop(&c);
	case_survived(n, "forks while ops come and go");
}

static int stop_in_child(void *arg)
{
	alarm(30);
	return probe_stop(arg) == 0 && tracee_a(1) == 2;
}

CASE(fork_during_updates_can_unregister, "S132 BUG-12", "the same child finds no lock held for ever", .timeout = 60, .needs = CASE_ONE_CLASS)
{
	struct probe *stays = probe_on(tracee_a);
	struct caller c = { .stop = 0 };

	/* Its runtime takes no care of its allocator's locks in fork(), as glibc does. */
	if (case_asan())
		SKIP("the sanitizer's allocator may stay locked in the child of a threaded program");
	c.thread = spawn(toggle_until_stopped, &c);
	caller_progress(&c, 1);
	for (unsigned int i = 0; i < rounds(15) && !case_failed(); i++)
		EXPECT_EQ(in_fork(stop_in_child, stays), 1);
	caller_stop(&c);
}
