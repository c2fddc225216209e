/* SPDX-License-Identifier: MIT */
/* SIGTRAP is the program's, but for the breakpoints with which a port may patch. */
#include <signal.h>
#include <string.h>
#include <ucontext.h>
#include "../../user.h"

static unsigned long traps, sent;

static void on_trap(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	if (info->si_code == SI_TKILL || info->si_code == SI_USER) {
		__atomic_fetch_add(&sent, 1, __ATOMIC_RELAXED);
		return;
	}
	__atomic_fetch_add(&traps, 1, __ATOMIC_RELAXED);
	case_breakpoint_passed((ucontext_t *)context);
}

static void handle_traps(void)
{
	struct sigaction act = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO };

	sigaction(SIGTRAP, &act, NULL);
}

CASE(own_breakpoints_reach_the_program, "S133", "the program's SIGTRAP handler gets its own breakpoints, before, while and after tracing; a later handler too")
{
	struct probe *p = probe_new();

	handle_traps();
	case_breakpoint();
	probe_register(p, tracee_a);
	case_breakpoint();
	tracee_a(1);
	EXPECT_EQ(probe_stop(p), 0);
	case_breakpoint();
	EXPECT_EQ(traps, 3);
	EXPECT_EQ(probe_start(p), 0);
	handle_traps();
	EXPECT_EQ(probe_stop(p), 0);
	case_breakpoint();
	EXPECT_EQ(traps, 4);
	raise(SIGTRAP);
	EXPECT_EQ(sent, 1);
	EXPECT_EQ(p->calls, 1);
}

static void *trap_until_stopped(void *arg)
{
	struct caller *c = arg;

	while (!__atomic_load_n(&c->stop, __ATOMIC_RELAXED)) {
		case_breakpoint();
		c->calls++;
	}
	return NULL;
}

CASE(own_breakpoints_during_updates, "S133 S134", "none of the program's own breakpoints is lost or taken for a site's while text changes", .timeout = 60, .needs = CASE_ONE_CLASS)
{
	struct probe *stays, *p = probe_new();
	struct caller traps_on = { .stop = 0 }, calls_on;

	if (case_tsan())
		SKIP("with ThreadSanitizer who traps all the time is hardly ever outside of the handler");
	handle_traps();
	stays = probe_on(tracee_a);
	traps_on.thread = spawn(trap_until_stopped, &traps_on);
	caller_start(&calls_on, tracee_a, 2);
	for (unsigned int i = 0; i < rounds(3); i++) {
		probe_register(p, tracee_a);
		EXPECT_EQ(probe_stop(p), 0);
	}
	caller_stop(&calls_on);
	caller_stop(&traps_on);
	EXPECT_EQ(traps, traps_on.calls);
	EXPECT_EQ(stays->calls, calls_on.calls);
}

static int trap_without_handler(void *arg)
{
	(void)arg;
	signal(SIGTRAP, SIG_DFL);
	probe_on(tracee_a);
	case_breakpoint();
	return 0;
}

CASE(unhandled_breakpoint_kills, "S133", "a breakpoint of a program without a handler ends it, as it would untraced")
{
	EXPECT_EQ(in_fork(trap_without_handler, NULL), -1 - SIGTRAP);
}

CASE(handler_is_given_back, "S133", "at rest the program's disposition of SIGTRAP is what it set")
{
	struct sigaction now;
	struct probe *p;

	handle_traps();
	p = probe_on(tracee_a);
	sigaction(SIGTRAP, NULL, &now);
	EXPECT_EQ((unsigned long)now.sa_sigaction, (unsigned long)on_trap);
	EXPECT_EQ(probe_stop(p), 0);
	sigaction(SIGTRAP, NULL, &now);
	EXPECT_EQ((unsigned long)now.sa_sigaction, (unsigned long)on_trap);
}
