/* SPDX-License-Identifier: MIT */
/* Signal handlers that call traced functions. */
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include "core/core.h"
#include "../../user.h"
#include <shim.h>

static unsigned long handled, handled_right;

static void call_b(int sig)
{
	(void)sig;
	handled++;
	handled_right += tracee_b(1) == 3;
}

static void handle(int sig, int flags)
{
	struct sigaction act = { .sa_handler = call_b, .sa_flags = flags };

	sigaction(sig, &act, NULL);
}

static void raise_once(struct probe *p, struct ftrace_regs *fregs)
{
	(void)fregs;
	if (p->ip == fn_ip(tracee_a))
		raise(SIGUSR1);
}

CASE(signal_inside_a_callback, "S119 S120", "a handler that interrupts a callback and calls a traced function is traced itself, once")
{
	static const unsigned long flags[] = { 0, FTRACE_OPS_FL_RECURSION };

	handle(SIGUSR1, 0);
	for (int i = 0; i < 2; i++) {
		struct probe *p = probe_flags(case_flags() | flags[i]);

		p->then = raise_once;
		probe_register(p, tracee_a);
		EXPECT_EQ(probe_add(p, tracee_b), 0);
		EXPECT_EQ(tracee_a(1), 2);
		EXPECT_EQ(p->calls, 2);
		EXPECT_EQ(p->ip, fn_ip(tracee_b));
		EXPECT_EQ(probe_stop(p), 0);
	}
	EXPECT_EQ(handled, 2);
	EXPECT_EQ(handled_right, 2);
}

static void run_timer(unsigned int us)
{
	struct itimerval t = { { 0, us }, { 0, us } };

	setitimer(ITIMER_REAL, &t, NULL);
}

static unsigned long sent, early;

static void raise_in_a_state(const char *behind, unsigned long addr, size_t len)
{
	(void)addr, (void)len;
	/* Without the lock nobody minds. */
	if (!strcmp(behind, "wait"))
		return;
	sent++;
	raise(SIGUSR1);
	early += handled;
}

CASE(signals_wait_for_the_change, "S119 S132 BUG-60", "a handler of the thread that changes text runs behind its writes, where the lock is free and no text is half written; then it does run")
{
	struct probe *p = probe_new(), *q = probe_on(tracee_b);

	handle(SIGUSR1, 0);
	EXPECT_EQ(probe_add(p, tracee_a), 0);
	EXPECT_EQ(probe_add(p, tracee_b), 0);
	tramp_state_hook = raise_in_a_state;
	EXPECT_EQ(probe_start(p), 0);
	tramp_state_hook = NULL;
	EXPECT(sent, "the change has no state");
	EXPECT_EQ(early, 0);
	EXPECT_EQ(handled, 1);
	EXPECT_EQ(handled_right, 1);
	EXPECT_EQ(p->calls, 1);
	EXPECT_EQ(q->calls, 1);
}

CASE(signals_at_any_instruction, "S119 S132 BUG-60", "a timer's handler calls a traced function while the thread does, and ops come and go", .timeout = 60)
{
	struct probe *stays = probe_on(tracee_args6), *b = probe_on(tracee_b), *toggles = probe_new();
	unsigned long calls = 0, wrong = 0;

	handle(SIGALRM, SA_RESTART);
	run_timer(100);
	for (int i = 0; i < 30; i++) {
		probe_register(toggles, tracee_args6);
		for (int k = 0; k < 2000; k++, calls++)
			wrong += tracee_args6(1, 2, 3, 4, 5, 6) != 1 + 6 + 15 + 28 + 55 + 78;
		EXPECT_EQ(probe_stop(toggles), 0);
		for (int k = 0; k < 2000; k++, calls++)
			wrong += tracee_args6(1, 2, 3, 4, 5, 6) != 1 + 6 + 15 + 28 + 55 + 78;
	}
	run_timer(0);
	EXPECT_EQ(wrong, 0);
	EXPECT_EQ(stays->calls, calls);
	EXPECT_EQ(handled_right, handled);
	EXPECT(handled, "no signal came");
	/* A guard may swallow a hit in a handler, never the thread's own. */
	EXPECT_EQ(b->calls + tramp_missed(&b->ops), handled);
}

CASE(handler_on_an_alternate_stack, "S119 BUG-60", "the handler runs on a small stack of its own; the entry keeps within it")
{
	static char stack[32768];
	stack_t ss = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct probe *p = probe_on(tracee_b);

	REQUIRE_EQ(sigaltstack(&ss, NULL), 0);
	handle(SIGUSR1, SA_ONSTACK);
	raise(SIGUSR1);
	EXPECT_EQ(handled_right, 1);
	EXPECT_EQ(p->calls, 1);
}

static void *call_on_altstack(void *arg)
{
	static char stack[65536];
	stack_t ss = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct caller *c = arg;

	sigaltstack(&ss, NULL);
	while (!__atomic_load_n(&c->stop, __ATOMIC_RELAXED)) {
		raise(SIGUSR1);
		c->calls++;
	}
	ss.ss_flags = SS_DISABLE;
	sigaltstack(&ss, NULL);
	return NULL;
}

CASE(alternate_stack_during_updates, "S129 S132", "a thread whose handler calls on an alternate stack while ops come and go", .timeout = 60)
{
	struct probe *stays = probe_on(tracee_b), *toggles = probe_new();
	struct caller c = { .stop = 0 };

	handle(SIGUSR1, SA_ONSTACK);
	c.thread = spawn(call_on_altstack, &c);
	for (unsigned int i = 0; i < rounds(20); i++) {
		probe_register(toggles, tracee_b);
		EXPECT_EQ(probe_stop(toggles), 0);
	}
	caller_stop(&c);
	EXPECT_EQ(stays->calls, c.calls);
	EXPECT_EQ(handled_right, c.calls);
}

/* A leaf keeps live data below its stack pointer; signals and traps must skip it. */
CASE(red_zone_survives, "BUG-30", "what a leaf keeps below its stack pointer survives handlers that call traced functions", .timeout = 60)
{
	unsigned long damaged = 0;
	struct probe *p = probe_on(tracee_b);

	handle(SIGALRM, SA_RESTART);
	run_timer(50);
	for (int i = 0; i < 200 && handled < 50; i++)
		damaged += shim_red_zone(1000000);
	run_timer(0);
	EXPECT_EQ(damaged, 0);
	EXPECT(handled, "no signal came");
	EXPECT_EQ(p->calls, handled);
}
