/* SPDX-License-Identifier: MIT */
/*
 * A program that uses SIGTRAP itself, in every way that sigaction(2) has, while text
 * changes: a change that waits for a callback has displaced its handler, where the
 * port needs breakpoints.  Each runs in a child: some are to die.
 */
#include <signal.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>
#include "core/core.h"
#include "../../user.h"

static struct probe *held, *other;

static void *stop_held(void *arg)
{
	(void)arg;
	EXPECT_EQ(probe_stop(held), 0);
	return NULL;
}

static pthread_t sleeper, stopper;

static struct sigaction disposition(void)
{
	struct sigaction now;

	sigaction(SIGTRAP, NULL, &now);
	return now;
}

/* From here to change_ends() a change is going on. */
static void change_begins(void)
{
	void (*before)(int) = disposition().sa_handler;

	held = probe_new();
	held->then = stay_inside;
	probe_register(held, tracee_a);
	sleeper = spawn(thread_calls_a, NULL);
	gate_await(&inside_gate, 1);
	stopper = spawn(stop_held, NULL);
	/* Where nobody traps, nothing is to be seen of it. */
	for (int i = 0; i < (CASE_SITE_TRAPS ? 5000 : 50) && disposition().sa_handler == before; i++)
		nap_ms(1);
	EXPECT_EQ(disposition().sa_handler != before, CASE_SITE_TRAPS);
}

static void change_ends(void)
{
	gate_open(&inside_gate);
	join(stopper);
	join(sleeper);
}

/* --- the handler is called as the kernel would --- */

static struct { unsigned long calls; int sig, code; bool usr1_blocked, on_alternate; } seen;
static char alternate[65536];

static void look(int sig, siginfo_t *info, ucontext_t *uc)
{
	sigset_t mask;
	char here;

	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	seen.calls++;
	seen.sig = sig;
	seen.code = info ? info->si_code : 0;
	seen.usr1_blocked = sigismember(&mask, SIGUSR1);
	seen.on_alternate = &here >= alternate && &here < alternate + sizeof(alternate);
	/* A handler may use what it likes: a site, too. */
	tracee_b(1);
	if (uc)
		case_breakpoint_passed(uc);
}

static void with_info(int sig, siginfo_t *info, void *context)
{
	look(sig, info, context);
}

/* Where a handler must say how to go on it needs the context, which one without SA_SIGINFO has none of. */
static void without_info(int sig)
{
	look(sig, NULL, NULL);
}

static void set_handler(int flags, bool usr1)
{
	struct sigaction act = { .sa_flags = flags };

	if (flags & SA_SIGINFO)
		act.sa_sigaction = with_info;
	else
		act.sa_handler = without_info;
	if (usr1)
		sigaddset(&act.sa_mask, SIGUSR1);
	EXPECT_EQ(sigaction(SIGTRAP, &act, NULL), 0);
}

struct way { int flags; bool usr1; };

static void expect_seen(const struct way *w)
{
	EXPECT_EQ(seen.calls, 1);
	EXPECT_EQ(seen.sig, SIGTRAP);
	EXPECT_EQ(seen.usr1_blocked, w->usr1);
	EXPECT_EQ(seen.on_alternate, !!(w->flags & SA_ONSTACK));
	if (w->flags & SA_SIGINFO)
		EXPECT(seen.code != SI_TKILL, "it was told of a signal that somebody sent");
}

static int break_in_a_change(void *arg)
{
	const struct way *w = arg;
	stack_t ss = { .ss_sp = alternate, .ss_size = sizeof(alternate) };

	sigaltstack(&ss, NULL);
	other = probe_on(tracee_b);
	set_handler(w->flags, w->usr1);
	change_begins();
	case_breakpoint();
	expect_seen(w);
	EXPECT_EQ(other->calls, 1);
	change_ends();
	/* Reset or not, what the program has at rest is what it would have. */
	EXPECT_EQ(disposition().sa_handler == SIG_DFL, !!(w->flags & SA_RESETHAND));
	if (w->flags & SA_RESETHAND)
		return case_failed();
	seen.calls = 0;
	case_breakpoint();
	expect_seen(w);
	return case_failed();
}

CASE(handlers_of_every_kind, "S133", "the program's breakpoint while a change is going on: its handler gets it with siginfo or without, its mask, its stack, once or for good, and may call sites", .needs = CASE_ONE_CLASS)
{
	static const struct way ways[] = {
		{ 0, false }, { SA_ONSTACK | SA_NODEFER | SA_RESETHAND, true },
		{ SA_SIGINFO, false }, { SA_SIGINFO, true }, { SA_SIGINFO | SA_NODEFER, false },
		{ SA_SIGINFO | SA_ONSTACK, false }, { SA_SIGINFO | SA_RESETHAND | SA_ONSTACK, true },
	};
	unsigned int nr = 0;

	for (unsigned int i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		/* On arm64 the handler has to step over the breakpoint. */
		if (!CASE_SITE_TRAPS && !(ways[i].flags & SA_SIGINFO))
			continue;
		if (!EXPECT_EQ(in_fork(break_in_a_change, (void *)&ways[i]), 0))
			return case_printf("flags %#x", ways[i].flags);
		nr++;
	}
	case_survived(nr, "kinds of a program's own SIGTRAP handler");
}

static int break_twice(void *arg)
{
	struct way w = { .flags = SA_SIGINFO | SA_RESETHAND };

	(void)arg;
	set_handler(w.flags, false);
	change_begins();
	case_breakpoint();
	case_breakpoint();
	return 0;
}

struct fate { void (*handler)(int); bool sent; };

static int meet_fate(void *arg)
{
	const struct fate *f = arg;
	struct sigaction act = { .sa_handler = f->handler, .sa_flags = SA_SIGINFO };

	sigaction(SIGTRAP, &act, NULL);
	change_begins();
	if (f->sent)
		raise(SIGTRAP);
	else
		case_breakpoint();
	change_ends();
	return 3;
}

CASE(without_a_handler_all_is_as_ever, "S133", "SIG_DFL and SIG_IGN, with SA_SIGINFO too, or a handler that was for one time: a breakpoint kills, a signal that is ignored does not", .needs = CASE_ONE_CLASS)
{
	struct fate f[] = {
		{ SIG_DFL, false }, { SIG_IGN, false }, { SIG_DFL, true }, { SIG_IGN, true },
	};

	EXPECT_EQ(in_fork(break_twice, NULL), -1 - SIGTRAP);
	EXPECT_EQ(in_fork(meet_fate, &f[0]), -1 - SIGTRAP);
	EXPECT_EQ(in_fork(meet_fate, &f[1]), -1 - SIGTRAP);
	EXPECT_EQ(in_fork(meet_fate, &f[2]), -1 - SIGTRAP);
	EXPECT_EQ(in_fork(meet_fate, &f[3]), 3);
}

/* --- set while a change is going on --- */

static unsigned long (*const sites[])(unsigned long x) = { tracee_b, tracee_c, tracee_d };
static unsigned long nr_states, at_site;

/* In each state that the change goes through: a trap of a site that calls nobody yet or its callback. */
static void call_site(const char *behind, unsigned long addr, size_t len)
{
	(void)addr, (void)len;
	/* Behind one patch, and before the next where a call slot follows its ops. */
	if (!strcmp(behind, "list"))
		set_handler(SA_SIGINFO | SA_NODEFER, true);
	EXPECT_EQ(sites[at_site](1), at_site + 3);
	nr_states++;
}

static int set_meanwhile(void *arg)
{
	(void)arg;
	set_handler(SA_SIGINFO, false);
	change_begins();
	tramp_state_hook = call_site;
	for (at_site = 0; at_site < 3; at_site++) {
		/* The breakpoints of another change are none of this handler's business. */
		set_handler(SA_SIGINFO | SA_NODEFER, true);
		/* Who registers waits for no callback. */
		probe_on(sites[at_site]);
	}
	tramp_state_hook = NULL;
	EXPECT(nr_states >= 9, "%lu states were seen", nr_states);
	EXPECT_EQ(seen.calls, 0);
	case_breakpoint();
	EXPECT_EQ(seen.calls, 1);
	EXPECT_EQ(seen.usr1_blocked, true);
	change_ends();
	EXPECT_EQ((unsigned long)disposition().sa_sigaction, (unsigned long)with_info);
	EXPECT_EQ(disposition().sa_flags & SA_NODEFER, SA_NODEFER);
	case_breakpoint();
	EXPECT_EQ(seen.calls, 2);
	return case_failed();
}

CASE(handler_set_in_a_change, "S133", "a handler that the program sets while a change is going on gets its breakpoints from then on, none of the sites', and stays")
{
	EXPECT_EQ(in_fork(set_meanwhile, NULL), 0);
}

/* --- a handler that does not return --- */

static struct gate in_handler;

static void stay_in_handler(int sig, siginfo_t *info, void *context)
{
	(void)sig, (void)info;
	gate_pass(&in_handler);
	case_breakpoint_passed((ucontext_t *)context);
}

static struct gate changing;

static void *break_once(void *arg)
{
	(void)arg;
	gate_pass(&changing);
	case_breakpoint();
	return NULL;
}

/* While the core's handler stands in for the program's. */
static void break_in_the_change(const char *behind, unsigned long addr, size_t len)
{
	(void)addr, (void)len;
	if (strcmp(behind, "sync"))
		return;
	gate_open(&changing);
	gate_await(&in_handler, 1);
}

static void *start_other(void *arg)
{
	EXPECT_EQ(probe_start(other), 0);
	__atomic_store_n((unsigned int *)arg, 1, __ATOMIC_SEQ_CST);
	return NULL;
}

static int stay_behind_the_change(void *arg)
{
	struct sigaction act = { .sa_sigaction = stay_in_handler, .sa_flags = SA_SIGINFO };
	unsigned int done = 0;

	(void)arg;
	sigaction(SIGTRAP, &act, NULL);
	other = probe_new();
	EXPECT_EQ(probe_add(other, tracee_b), 0);
	tramp_state_hook = break_in_the_change;
	sleeper = spawn(break_once, NULL);
	gate_await(&changing, 1);
	stopper = spawn(start_other, &done);
	gate_await(&in_handler, 1);
	nap_ms(100);
	/* Where nobody traps, there is no handler of the core's. */
	if (CASE_SITE_TRAPS)
		EXPECT_EQ(__atomic_load_n(&done, __ATOMIC_SEQ_CST), 0);
	gate_open(&in_handler);
	join(stopper);
	join(sleeper);
	tramp_state_hook = NULL;
	EXPECT_EQ((unsigned long)disposition().sa_sigaction, (unsigned long)stay_in_handler);
	return case_failed();
}

CASE(change_waits_for_its_handler, "S127 S133", "a thread's breakpoint comes while text changes and the program's handler stays: the batch that the core's own handler reads is kept until that is left", .needs = CASE_ONE_CLASS)
{
	EXPECT_EQ(in_fork(stay_behind_the_change, NULL), 0);
}
