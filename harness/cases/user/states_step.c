/* SPDX-License-Identifier: MIT */
/*
 * A thread and a patch take turns: the thread stands at any instruction of its
 * call while the patch goes on to any state, and then the other way round.  Also
 * a thread that has run into a breakpoint, and whose handler begins only later.
 */
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include "core/core.h"
#include "harness/step/self.h"
#include "states.h"

/*
 * Whose turn it is goes by semaphores.  A patch that waits for threads may wait
 * for this very one: after HELD_MS of that it goes on out of turn, to its end.
 */
enum { RUNS, WAITS, LET_GO };
#define HELD_MS 2

static struct {
	sem_t		to_patch, to_thread;
	pthread_t	thread;
	int		patch;		/* RUNS, WAITS; LET_GO: the thread goes on out of turn */
	bool		finished, loose;
	unsigned long	thread_left;	/* instructions before it is the patch's turn; TO_THE_END */
	unsigned long	patch_left, patch_next;	/* states before it is the thread's, now and the next time */
	bool		random;		/* many turns of random length */
	unsigned long	longest, held;
} turn;
#define TO_THE_END ~0UL

static void wait_for(sem_t *sem)
{
	while (sem_wait(sem))
		;
}

static bool wait_ms(sem_t *sem, unsigned int ms)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += ms * 1000000L;
	until.tv_sec += until.tv_nsec / 1000000000L;
	until.tv_nsec %= 1000000000L;
	return !sem_timedwait(sem, &until);
}

/* The thread's: the patch has its turn. */
static void let_patch_go(void)
{
	int waits;

	if (turn.loose)
		return;
	sem_post(&turn.to_patch);
	while (!wait_ms(&turn.to_thread, HELD_MS)) {
		waits = WAITS;
		turn.loose = __atomic_compare_exchange_n(&turn.patch, &waits, LET_GO, false,
							 __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
		turn.held += turn.loose;
		if (turn.loose)
			break;
	}
	turn.thread_left = turn.random && !turn.loose ? states_random(40) : TO_THE_END;
}

static void thread_ends(void)
{
	turn.finished = true;
	sem_post(&turn.to_patch);
}

/* The patch's: the thread has its turn. */
static void let_thread_go(void)
{
	sem_post(&turn.to_thread);
	wait_for(&turn.to_patch);
}

/* If the thread goes on out of turn, nothing else does before it has ended. */
static void patch_runs_again(void)
{
	if (__atomic_exchange_n(&turn.patch, RUNS, __ATOMIC_SEQ_CST) == LET_GO)
		wait_for(&turn.to_patch);
}

static void at_state(const char *behind)
{
	patch_runs_again();
	if (!turn.finished && !turn.patch_left--) {
		let_thread_go();
		turn.patch_left = turn.random ? states_random(6) : turn.patch_next;
		turn.patch_next = TO_THE_END;
	}
	if (!strcmp(behind, "wait"))
		__atomic_store_n(&turn.patch, WAITS, __ATOMIC_SEQ_CST);
}

static void change_is_over(void)
{
	patch_runs_again();
	turn.random = false;
	while (!turn.finished)
		let_thread_go();
	join(turn.thread);
	states_at = NULL;
	states_over = NULL;
}

/* @thread begins, and gives back its first turn; then the next change may be made. */
static void begin_turns(void *(*thread)(void *arg))
{
	sem_init(&turn.to_patch, 0, 0);
	sem_init(&turn.to_thread, 0, 0);
	turn.patch = RUNS;
	turn.finished = turn.loose = false;
	turn.thread = spawn(thread, NULL);
	wait_for(&turn.to_patch);
	states_at = at_state;
	states_over = change_is_over;
}

/* --- at any instruction --- */

static unsigned long instructions, stood;

static bool at_instruction(unsigned long pc, unsigned long sp)
{
	(void)pc, (void)sp;
	instructions++;
	if (turn.thread_left--)
		return true;
	stood++;
	let_patch_go();
	return turn.thread_left != TO_THE_END;
}

static void call_first_site(void *arg)
{
	(void)arg;
	states_call(&states_site[0]);
}

static void *step_through(void *arg)
{
	unsigned long before = instructions;

	EXPECT_EQ(self_step((unsigned long)states_site[0].fn, call_first_site, arg, at_instruction), 0);
	turn.longest = turn.longest < instructions - before ? instructions - before : turn.longest;
	thread_ends();
	return NULL;
}

/* The thread stands at some instruction, and goes on in some state: to its end, or with many turns. */
static void step_next_change(void)
{
	turn.random = states_random(2);
	turn.thread_left = states_random(turn.longest + 1);
	turn.patch_left = states_random(20);
	turn.patch_next = TO_THE_END;
	begin_turns(step_through);
}

static void each_change(void (*prepare)(void))
{
	unsigned int other = 1 + states_random(NR_STATES_OPS - 1);

	prepare();
	states_register(PLAIN);
	prepare();
	states_register(other);
	prepare();
	states_unregister(PLAIN);
	prepare();
	states_unregister(other);
}

static void add_sites(void)
{
	states_begin();
	states_add_tracee(tracee_a, ALL_OPS);
	states_add_tracee(tracee_b, ALL_OPS);
}

CASE(thread_and_patch_take_turns, "S58 S84 S132 S133 S137", "a thread stands at any instruction of its call while a patch goes on to any state, then it goes on, to its end or for a while: its call, and those of another thread in each state, are exact", .timeout = 60, .needs = CASE_TORTURE)
{
	add_sites();
	turn.longest = 100;
	for (unsigned long n = 0; more_until(turn.held, n, 5); n++) {
		states_tear(n & 1 ? -1 : 1);
		each_change(step_next_change);
	}
	states_end();
	EXPECT(turn.held, "no change had to wait for the thread");
	case_survived(stood, "instructions that a thread stood at while text changed");
}

/* --- between a breakpoint and its handler --- */

static __thread bool late;
static struct sigaction at_once;
static unsigned long late_ones;

static void begin_late(int sig, siginfo_t *info, void *context)
{
	if (late) {
		late_ones++;
		let_patch_go();
	}
	at_once.sa_sigaction(sig, info, context);
}

/* In the port's handler's place, for the batch that is being written. */
static void be_late(void (*handler)(int sig, siginfo_t *info, void *context))
{
	struct sigaction now, act = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_NODEFER };

	sigaction(SIGTRAP, &act, &now);
	if (now.sa_sigaction != handler)
		at_once = now;
}

static void at_state_late(const char *behind)
{
	be_late(begin_late);
	at_state(behind);
}

static void late_change_is_over(void)
{
	change_is_over();
	signal(SIGTRAP, SIG_DFL);
}

static void *trap_and_wait(void *arg)
{
	late = true;
	let_patch_go();
	call_first_site(arg);
	thread_ends();
	return NULL;
}

static void trap_in_next_change(void)
{
	turn.random = false;
	turn.patch_left = states_random(16);
	turn.patch_next = states_random(16);
	begin_turns(trap_and_wait);
	states_at = at_state_late;
	states_over = late_change_is_over;
}

CASE(handler_begins_late, "S132 S133 S137", "a thread runs into a patch's breakpoint in any state, and its handler begins in any later one: its call is exact", .timeout = 60, .needs = CASE_TORTURE)
{
	if (!CASE_SITE_TRAPS)
		SKIP("this port's sites trap at no time");
	add_sites();
	for (unsigned long n = 0; more_until(late_ones, n, 5); n++) {
		states_tear(n & 1 ? -1 : 1);
		each_change(trap_in_next_change);
	}
	states_end();
	EXPECT(late_ones, "nobody trapped");
	case_survived(late_ones, "breakpoints whose handler began late");
}

/* --- between two batches --- */

static struct { sem_t trapped, begin, looked, go_on, ended; unsigned long ip; pthread_t other; } two;
static __thread enum { NOBODY, FIRST, SECOND, CALLER } who;

static void begin_between(int sig, siginfo_t *info, void *context)
{
	if (who == CALLER) {
		sem_post(&two.trapped);
		wait_for(&two.begin);
	}
	at_once.sa_sigaction(sig, info, context);
}

static void *change_again(void *arg)
{
	who = SECOND;
	EXPECT_EQ(case_set_enabled(0), 0);
	EXPECT_EQ(case_set_enabled(1), 0);
	return arg;
}

static void *call_between(void *arg)
{
	who = CALLER;
	EXPECT_EQ(tracee_a(1), 2);
	sem_post(&two.ended);
	return arg;
}

static void first_change(const char *behind, bool breakpoint)
{
	static pthread_t caller;

	if (breakpoint && !caller) {
		be_late(begin_between);
		caller = spawn(call_between, NULL);
		wait_for(&two.trapped);
	}
	if (!strcmp(behind, "change")) {
		sigaction(SIGTRAP, &at_once, NULL);
		sem_post(&two.begin);
		wait_for(&two.looked);
		two.other = spawn(change_again, NULL);
	}
}

static void at_state_of_two(const char *behind, unsigned long addr, size_t len)
{
	static bool looked, gone_on;
	bool breakpoint = two.ip - addr < len;	/* the first store there */

	if (who == FIRST)
		first_change(behind, breakpoint);
	if (who == SECOND && breakpoint && !gone_on) {
		gone_on = true;
		sem_post(&two.go_on);
		wait_for(&two.ended);
	}
	if (who == CALLER && !strcmp(behind, "trap") && !looked) {
		looked = true;
		sem_post(&two.looked);
		wait_for(&two.go_on);
	}
}

CASE(handler_looks_between_two_changes, "S132 S133", "a thread's trap handler looks for its batch behind one change, and at the text when another thread's change has put a breakpoint there again: it goes on, and is not taken for the program's trap", .timeout = 60)
{
	struct probe *p = probe_new();

	if (!CASE_SITE_TRAPS)
		SKIP("this port's sites trap at no time");
	two.ip = fn_ip(tracee_a);
	EXPECT_EQ(probe_add(p, tracee_a), 0);
	who = FIRST;
	tramp_state_hook = at_state_of_two;
	EXPECT_EQ(probe_start(p), 0);
	join(two.other);
	tramp_state_hook = NULL;
	signal(SIGTRAP, SIG_DFL);
	EXPECT(p->calls <= 1, "the ops was called %lu times in one call", p->calls);
}
