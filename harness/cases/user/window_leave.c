/* SPDX-License-Identifier: MIT */
/* A thread that stands at an instruction of a traced call never comes back from there. */
#include <semaphore.h>
#include <setjmp.h>
#include <string.h>
#include <unistd.h>
#include "harness/step/self.h"
#include "stand.h"
#include "window.h"

enum how { JUMPS, CANCELLED, EXITS, NR_HOW };

static struct {
	enum how	how;
	bool		waits;		/* unregister has begun before it goes */
	unsigned long	stop_at, steps, pc;
	bool		stood;
	bool		cleaned, unwound;	/* handlers and frames on the way to its end */
	sigjmp_buf	back;
	sem_t		there, go, jumped, end;
	struct inside	inside;
} at;
static unsigned long survived[NR_HOW];

static void wait_for(sem_t *sem)
{
	while (sem_wait(sem))
		;
}

/* --- the thread --- */

static void leave(void)
{
	if (at.how == CANCELLED)
		pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	sem_post(&at.there);
	while (at.how == CANCELLED)
		pause();
	wait_for(&at.go);
	if (at.how == JUMPS)
		siglongjmp(at.back, 1);
	pthread_exit(NULL);
}

static bool leave_here(unsigned long pc, unsigned long sp)
{
	inside_entry(&at.inside, pc, sp);
	if (at.inside.left)
		return false;
	if (at.steps++ < at.stop_at)
		return true;
	at.stood = true;
	at.pc = pc;
	leave();
	return false;
}

static unsigned long result;

static void call_a(void *arg)
{
	(void)arg;
	result = tracee_a(1);
}

static void call_way(void *arg)
{
	window_call(call_a, arg);
}

static void note_frame(int *frame)
{
	(void)frame;
	at.unwound = true;
}

static void note_end(void *arg)
{
	(void)arg;
	at.cleaned = true;
}

/* Only unwinding finds the frame. */
static __attribute__((noinline)) void step_in_frame(void)
{
	__attribute__((cleanup(note_frame))) int frame;

	(void)frame;
	EXPECT_EQ(self_step((unsigned long)tracee_a, call_way, NULL, leave_here), 0);
}

/* The guard may be taken for ever: one level is left (S120), and inside two callbacks none. */
static void expect_level(void)
{
	EXPECT_EQ(tracee_b(1), 3);
	for (unsigned int i = 0; i < window.nr; i++) {
		struct probe *p = window.p[i];

		EXPECT_EQ(window_others(p) + tramp_missed(&p->ops), 1);
		EXPECT(window_others(p) || window.way == WAY_HELD, "missed, with one level left");
	}
}

static void *leaver(void *arg)
{
	pthread_cleanup_push(note_end, NULL);
	if (!sigsetjmp(at.back, 1)) {
		step_in_frame();
	} else {
		if (at.waits)
			EXPECT_EQ(tracee_b(1), 3);
		else
			expect_level();
		sem_post(&at.jumped);
		wait_for(&at.end);
	}
	pthread_cleanup_pop(0);
	if (!at.stood)
		sem_post(&at.there);
	return arg;
}

/* --- the others --- */

static void *close_thread(void *arg)
{
	window_close();
	return arg;
}

static void expect_unwound(void)
{
	EXPECT(at.cleaned, "no handler of the thread's was run");
	if (CASE_UNWINDS_ANYWHERE && (CASE_SITE_UNWINDS || !ftrace_location(at.pc)))
		EXPECT(at.unwound, "unwinding from %#lx did not come to the caller", at.pc);
}

/* It is gone, or somewhere else; unregister has nothing to wait for. */
static void take_down(pthread_t t)
{
	pthread_t closer = 0;

	if (at.waits) {
		closer = spawn(close_thread, NULL);
		nap_ms(1);
	}
	if (at.how == CANCELLED)
		pthread_cancel(t);
	else
		sem_post(&at.go);
	if (at.how == JUMPS) {
		wait_for(&at.jumped);
	} else {
		join(t);
		expect_unwound();
	}
	if (at.waits)
		join(closer);
	else
		window_close();
	EXPECT(text_is_restored(), "all is unregistered, and text is not as it was");
}

static void open_way(enum way way)
{
	window_open(way, tracee_a, untraced);
}

static void expect_again(enum way way)
{
	open_way(way);
	call_way(NULL);
	EXPECT_EQ(result, way == WAY_REDIRECT ? 6 : 2);
	for (unsigned int i = 0; i < window.nr; i++) {
		EXPECT_EQ(window_own(window.p[i]), 1);
		EXPECT_EQ(tramp_missed(&window.p[i]->ops), 0);
	}
	window_close();
}

/* False: the call has no such instruction. */
static bool leave_once(enum way way)
{
	pthread_t t;

	at.steps = 0;
	at.stood = at.cleaned = at.unwound = false;
	inside_begin(&at.inside);
	t = spawn(leaver, NULL);
	wait_for(&at.there);
	if (at.stood) {
		take_down(t);
		expect_again(way);
		survived[at.how]++;
	}
	if (at.stood && at.how == JUMPS)
		sem_post(&at.end);
	if (!at.stood || at.how == JUMPS)
		join(t);
	return at.stood;
}

#define ONE_OF 61

static void leave_on(enum way way, unsigned long round)
{
	unsigned long step = 0, turn = 0;
	bool more_of_it;

	do {
		open_way(way);
		if (!step) {
			step = window_step(ONE_OF, call_way);
			at.stop_at = window_first(round, step);
			turn = round / step + window_first(0, 2 * NR_HOW);
		}
		at.how = turn % NR_HOW;
		at.waits = turn / NR_HOW % 2;
		more_of_it = leave_once(way);
		if (!more_of_it)
			window_close();
		if (case_failed())
			case_printf("%s, instruction %lu, how %d, unregister %s", way_names[way], at.stop_at,
				    at.how, at.waits ? "before" : "after");
		at.stop_at += step;
		turn++;
	} while (more_of_it && !case_failed());
}

CASE(thread_never_returns_from_any_instruction, "S120 S122 S127 S129 BUG-55 BUG-56", "on every way, a thread leaves by siglongjmp, by asynchronous cancellation or by pthread_exit: unregister, begun before or after, ends; text is as it was; the next registration works; who jumped has one level of the guard left", .timeout = 60, .needs = CASE_TORTURE)
{
	sem_init(&at.there, 0, 0);
	sem_init(&at.go, 0, 0);
	sem_init(&at.jumped, 0, 0);
	sem_init(&at.end, 0, 0);
	for (unsigned long n = 0; more_until(survived[JUMPS] + survived[CANCELLED] + survived[EXITS], n, 1); n++)
		for (enum way way = 0; way < NR_WAYS && !case_failed(); way++)
			if (window_turn(way, n) && way != WAY_STRING)
				leave_on(way, n);
	EXPECT(survived[JUMPS] + survived[CANCELLED] + survived[EXITS], "nobody left");
	case_survived(survived[JUMPS], "instructions a thread jumped away from");
	case_survived(survived[CANCELLED], "instructions a thread was cancelled at");
	case_survived(survived[EXITS], "instructions a thread ended at");
}

/* --- inside the core's own handler --- */

static unsigned int spinning;

static void *stop_thread(void *p)
{
	EXPECT_EQ(probe_stop(p), 0);
	return NULL;
}

/* So deep a stack takes milliseconds to look through. */
static void *spin(void *arg)
{
	volatile char deep[6 << 20];

	/* What an earlier thread left there would be taken for return addresses. */
	memset((char *)deep, 0, sizeof(deep));
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	__atomic_store_n(&spinning, 1, __ATOMIC_SEQ_CST);
	for (;;)
		deep[0]++;
	return arg;
}

CASE(cancelled_while_it_is_looked_at, "S129 BUG-56", "a running thread is cancelled while unregister asks it where it is: it answers first, and unregister ends")
{
	struct probe *p = probe_new();

	if (case_class != TRAMP_CLASS_ARGS)
		SKIP("no register class makes a difference here");
	EXPECT_EQ(probe_add(p, tracee_a), 0);
	for (unsigned int i = 0; i < rounds(3); i++) {
		pthread_t t, closer;

		spinning = 0;
		t = spawn(spin, NULL);
		while (!__atomic_load_n(&spinning, __ATOMIC_SEQ_CST))
			nap_ms(0);
		EXPECT_EQ(probe_start(p), 0);
		closer = spawn(stop_thread, p);
		nap_ms(1 + i % 3);
		pthread_cancel(t);
		join(t);
		join(closer);
	}
	EXPECT_EQ(p->calls, 0);
}
