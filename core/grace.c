/* SPDX-License-Identifier: MIT */
/*
 * Grace periods without cooperation from the threads, and without a trace on
 * the hot path: each thread is looked at from outside until it has been seen
 * outside of the retired code once.  New entries are impossible by then.
 *
 * A thread that sleeps is left alone: /proc tells its pc and sp, and what it
 * returns to lies above sp.  One that runs gets a signal, whose handler does the
 * same for itself; it may see EINTR if it enters a system call in that moment.
 * A thread that seems to stay inside is asked again, also asleep, to unwind its
 * stack: where that reaches the end, it is exact.
 *
 * Where /proc describes another program than this one (an emulator), nothing, or
 * not the register that holds a return address, every thread is asked by signal,
 * asleep or not; so is one whose stack cannot be read.  System calls are restarted
 * behind it, but for the sleeps that never are (signal(7)): those with a time
 * limit end early, with EINTR.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "grace.h"

/* --- asking --- */

/*
 * Many questions at a time: of several waits, since one may last as long as a
 * callback, and of one wait, since on a busy machine each thread answers when it is
 * scheduled.  The handler claims one before it looks, so that a waiter may take it
 * back safely; state and number are one word, so that a signal that is late does
 * not claim another thread's.
 */
enum { FREE, TAKEN, POSTED, CLAIMED, ANSWERED };
struct request {
	uint64_t		state;		/* and the question's number, above */
	pid_t			tid;
	const struct tramp_view	*view;
	bool			exact, slept;
	enum tramp_where	where;
	unsigned long		unknown;
};
#define REQUESTS 128
static struct request requests[REQUESTS];
static unsigned int last_number;

static int grace_signal;
static volatile sig_atomic_t arrived;	/* the last one */

static inline __attribute__((always_inline)) uint64_t state_of(unsigned int number, unsigned int state)
{
	return (uint64_t)number << 32 | state;
}

static inline __attribute__((always_inline)) bool change_state(struct request *r, uint64_t from, uint64_t to)
{
	return __atomic_compare_exchange_n(&r->state, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* The child has none of the threads that were waiting or waited for. */
void tramp_grace_forked(void)
{
	memset(requests, 0, sizeof(requests));
	tramp_view_forked();
}

static __in_handler void answer(struct request *r, unsigned int number, const void *context)
{
	if (!change_state(r, state_of(number, POSTED), state_of(number, CLAIMED)))
		return;
	r->where = tramp_view_interrupted(r->view, context, r->exact, r->slept, &r->unknown);
	store_release(&r->state, state_of(number, ANSWERED));
}

/* Where signals cannot have a number. */
static __in_handler void answer_all(pid_t tid, const void *context)
{
	for (struct request *r = requests; r < requests + REQUESTS; r++) {
		uint64_t state = load_acquire(&r->state);

		if ((unsigned int)state == POSTED && READ_ONCE(r->tid) == tid)
			answer(r, state >> 32, context);
	}
}

/*
 * The number says whose question it is, and no system call is made: this thread's
 * filter may allow none (BUG-21).
 */
static __in_handler void on_grace(int sig, siginfo_t *info, void *context)
{
	unsigned int number = info->si_value.sival_int;
	int saved_errno = errno;

	arrived = sig;
	if (info->si_code == SI_QUEUE)
		answer(&requests[number % REQUESTS], number, context);
	else
		answer_all(syscall(SYS_gettid), context);
	errno = saved_errno;
}

/* An emulator takes a handler for signals, too, that its host has no number left for. */
static int arrives(int sig)
{
	sigset_t set, old;
	int err;

	sigemptyset(&set);
	sigaddset(&set, sig);
	arrived = 0;
	pthread_sigmask(SIG_UNBLOCK, &set, &old);
	err = syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), sig) ? -errno : 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return err || arrived == sig ? err : -EBUSY;
}

/* The highest real-time signal that the program leaves alone. */
int tramp_grace_init(void)
{
	struct sigaction old, act = {
		.sa_sigaction = on_grace,
		.sa_flags = SA_SIGINFO | SA_RESTART,
	};
	int err = -EBUSY;

	if (grace_signal)
		return 0;
	tramp_view_init();
	/*
	 * Not sigfillset(): it leaves out the signal that cancels a thread, and one that
	 * has begun to answer and never does is waited for for ever.
	 */
	memset(&act.sa_mask, 0xff, sizeof(act.sa_mask));
	sigdelset(&act.sa_mask, SIGTRAP);
	sigdelset(&act.sa_mask, SIGILL);
	for (int sig = SIGRTMAX; sig >= SIGRTMIN; sig--) {
		if (sigaction(sig, NULL, &old)) {
			err = -errno;
			continue;
		}
		if (old.sa_handler != SIG_DFL)
			continue;
		err = sigaction(sig, &act, NULL) ? -errno : arrives(sig);
		if (!err) {
			grace_signal = sig;
			return 0;
		}
		sigaction(sig, &old, NULL);
	}
	return tramp_fail(err, "no real-time signal can be had (%s); one is needed to look at running threads",
			  err == -EBUSY ? "all are taken" : strerror(-err));
}

/* --- one wait --- */

struct thread {
	pid_t		tid;
	struct request	*asked;
	unsigned int	number;		/* of the question */
	bool		ran;		/* when it was last looked at */
	bool		mute;		/* did not answer then */
	bool		blocks;		/* and this is why */
};

struct wait {
	struct tramp_view view;
	struct thread	*thread;	/* those not seen outside yet */
	size_t		nr;
	unsigned int	tries, said;
	struct timespec	start;
	long		ms;		/* give up after so many; 0: never */
	unsigned long	unknown;	/* a stack pointer that was; 0: all were known */
	int		err;		/* why a thread could not be asked */
	struct thread	room[32];
};

/*
 * A thread that runs answers within microseconds, and a sleep lasts at least the
 * timer slack of 50 us: yield @yields times first, sleep longer and longer after.
 */
static void back_off(unsigned int *tries, unsigned int yields)
{
	unsigned int naps = *tries < yields ? 0 : *tries - yields + 1;
	struct timespec ts = { .tv_nsec = naps < 250 ? 2000L * naps : 500000L };

	++*tries;
	if (!naps)
		sched_yield();
	else
		nanosleep(&ts, NULL);
}

/*
 * How often to yield, and to look at all: for answers, which threads give as
 * soon as they are scheduled (some 0.1 s on a busy machine); for a thread that calls
 * in a tight loop, which is seldom caught outside.
 */
enum { ANSWER_YIELDS = 64, ANSWER_TRIES = 400, HASTY_TRIES = 96, RUNNING_YIELDS = 4096 };

static long ms_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - start->tv_sec) * 1000 + (now.tv_nsec - start->tv_nsec) / 1000000;
}

/* Ever seldomer: a sleeper's system call may end with EINTR for it. */
static bool time_to_be_exact(unsigned int tries)
{
	return tries >= 32 && !(tries & (tries - 1));
}

/* By number, if that is allowed, so that the handler need not ask who it is. */
static int send_signal(pid_t tid, int sig, unsigned int number)
{
	siginfo_t info = { .si_signo = sig, .si_code = SI_QUEUE };

	info.si_pid = getpid();
	info.si_uid = getuid();
	info.si_value.sival_int = number;
	if (!syscall(SYS_rt_tgsigqueueinfo, info.si_pid, tid, sig, &info))
		return 0;
	if (errno != EPERM && errno != ENOSYS && errno != EACCES)
		return -errno;
	return syscall(SYS_tgkill, getpid(), tid, sig) ? -errno : 0;
}

static struct request *free_request(void)
{
	for (struct request *r = requests; r < requests + REQUESTS; r++)
		if (READ_ONCE(r->state) == FREE && change_state(r, FREE, TAKEN))
			return r;
	return NULL;
}

/* -ESRCH: it has gone. */
static int post(struct wait *w, struct thread *t)
{
	struct request *r;
	int err;

	/* A signal that is blocked would be queued each time. */
	t->blocks = t->mute && tramp_thread_blocks(t->tid, grace_signal) > 0;
	r = t->blocks ? NULL : free_request();
	if (!r)
		return 0;
	t->number = __atomic_add_fetch(&last_number, 1, __ATOMIC_RELAXED) * REQUESTS + (r - requests);
	__atomic_store_n(&r->tid, t->tid, __ATOMIC_RELAXED);
	r->view = &w->view;
	r->exact = time_to_be_exact(w->tries);
	r->slept = !t->ran;
	store_release(&r->state, state_of(t->number, POSTED));
	err = send_signal(t->tid, grace_signal, t->number);
	if (!err || !change_state(r, state_of(t->number, POSTED), FREE))
		t->asked = r;
	else
		w->err = err;
	return t->asked ? 0 : err;
}

/* Takes the question back, unless it is being answered. */
static bool take(struct wait *w, struct thread *t, enum tramp_where *where, bool back)
{
	struct request *r = t->asked;

	*where = WHERE_INSIDE;
	if (load_acquire(&r->state) == state_of(t->number, ANSWERED)) {
		*where = r->where;
		if (r->where == WHERE_UNKNOWN)
			w->unknown = r->unknown;
		t->mute = false;
		store_release(&r->state, FREE);
	} else if (!back || !change_state(r, state_of(t->number, POSTED), FREE)) {
		return false;
	} else {
		t->mute = true;
	}
	t->asked = NULL;
	return true;
}

static void drop(struct wait *w, struct thread *t)
{
	*t = w->thread[--w->nr];
}

/* What slept before its stack was read and sleeps there behind it has not moved: what was read was one moment. */
static enum tramp_where look_asleep(struct wait *w, pid_t tid, unsigned long pc, unsigned long *sp)
{
	unsigned long pc2, sp2, sp1 = *sp;
	enum tramp_where where = tramp_view_asleep(&w->view, pc, sp);

	if (where == WHERE_OUTSIDE &&
	    (tramp_thread_asleep(tid, &pc2, &sp2) != 1 || pc2 != pc || sp2 != sp1))
		return WHERE_INSIDE;
	return where;
}

/* True: seen outside, or gone. */
static bool look(struct wait *w, struct thread *t)
{
	enum tramp_where where = WHERE_UNKNOWN;
	unsigned long pc, sp;
	int asleep = tramp_thread_asleep(t->tid, &pc, &sp);

	if (asleep < 0 || (t->mute && tramp_thread_dead(t->tid)))
		return true;
	t->ran = !asleep;
	if (asleep)
		where = look_asleep(w, t->tid, pc, &sp);
	if (where == WHERE_OUTSIDE)
		return true;
	if (asleep && where == WHERE_UNKNOWN)
		w->unknown = sp;
	return (!asleep || where == WHERE_UNKNOWN || time_to_be_exact(w->tries)) && post(w, t) == -ESRCH;
}

/* Until all have answered, or it is time to look again: one may have gone to sleep. */
static void gather(struct wait *w)
{
	unsigned int most = w->ms ? HASTY_TRIES : ANSWER_TRIES, tries = 0;
	enum tramp_where where;
	size_t asked;

	do {
		asked = 0;
		for (size_t i = 0; i < w->nr; ) {
			struct thread *t = &w->thread[i];

			if (!t->asked) {
				i++;
			} else if (!take(w, t, &where, tries >= most)) {
				asked++;
				i++;
			} else if (where == WHERE_OUTSIDE) {
				drop(w, t);
			} else {
				i++;
			}
		}
		if (asked)
			back_off(&tries, ANSWER_YIELDS);
	} while (asked && tries <= most);
}

/* @t is one of those that are left, who come behind it. */
static void say_waiting(struct wait *w, const struct thread *t)
{
	long s = ms_since(&w->start) / 1000;
	size_t others = w->thread + w->nr - (t + 1);
	char name[16], more[32] = "", why[64] = "";
	int err = w->view.err ?: w->err;

	if (s < 2 + 10 * (long)w->said)
		return;
	w->said++;
	tramp_thread_name(t->tid, name);
	if (others)
		snprintf(more, sizeof(more), " and %zu more", others);
	if (err)
		snprintf(why, sizeof(why), "; it cannot be looked at: %s", strerror(-err));
	else if (t->blocks)
		snprintf(why, sizeof(why), "; it blocks signal %d, and %s", grace_signal,
			 t->ran ? "does not sleep" : "seems to be inside as it sleeps");
	tramp_warn("waiting since %ld s for thread %d (%s)%s to leave a callback or its entry code%s",
		   s, t->tid, name, more, why);
}

static bool in_time(const struct wait *w)
{
	return !w->ms || ms_since(&w->start) < w->ms;
}

/* False: not all seen outside in time. */
static bool wait_all(struct wait *w)
{
	bool ran = false;

	clock_gettime(CLOCK_MONOTONIC, &w->start);
	for (;;) {
		w->err = 0;
		for (size_t i = 0; i < w->nr; ) {
			struct thread *t = &w->thread[i];

			if (!t->asked && look(w, t))
				drop(w, t);
			else
				ran |= w->thread[i++].ran;
		}
		gather(w);
		if (!w->nr)
			return true;
		if (w->unknown) {
			tramp_view_reread(&w->view, w->unknown);
			w->view.reread = true;
			w->unknown = 0;
		}
		if (!in_time(w))
			return false;
		back_off(&w->tries, !ran ? 0 : tramp_threads_described() ? RUNNING_YIELDS : ANSWER_YIELDS);
		say_waiting(w, w->thread);
		ran = false;
	}
}

/* Who has claimed a question still looks at the view. */
static void take_all_back(struct wait *w)
{
	enum tramp_where where;
	unsigned int tries = 0;

	for (size_t i = 0; i < w->nr; i++)
		while (w->thread[i].asked && !take(w, &w->thread[i], &where, true)) {
			back_off(&tries, ANSWER_YIELDS);
			say_waiting(w, &w->thread[i]);
		}
}

/* Neither of them from malloc(), whose locks a thread may hold that is looked at. */
static void wait_begin(struct wait *w, const struct tramp_threads *t)
{
	const size_t max = sizeof(w->room) / sizeof(*w->room);

	w->thread = w->room;
	while (t->nr > max && (w->thread = mmap(NULL, t->nr * sizeof(*w->thread), PROT_READ | PROT_WRITE,
						MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) == MAP_FAILED) {
		tramp_warn("out of memory: waiting for some, to wait for %zu threads", t->nr);
		sleep(1);
	}
	for (size_t i = 0; i < t->nr; i++)
		w->thread[i] = (struct thread){ .tid = t->tid[i] };
	w->nr = t->nr;
	tramp_view_open(&w->view);
}

static void wait_end(struct wait *w, const struct tramp_threads *t)
{
	take_all_back(w);
	tramp_view_close(&w->view);
	if (w->thread != w->room)
		munmap(w->thread, t->nr * sizeof(*w->thread));
}

static bool wait_for(struct wait *w)
{
	struct tramp_threads t = { 0 };
	bool outside = true;

	tramp_threads_surely(&t);
	if (t.nr) {
		wait_begin(w, &t);
		outside = wait_all(w);
		wait_end(w, &t);
	}
	tramp_threads_free(&t);
	return outside;
}

/* --- what the core asks --- */

/*
 * Others that wait may look at this thread as long as its wait lasts.  Stale words,
 * such as of its own unwinding a moment ago, would lie in the frames to come.
 */
static void __attribute__((noinline)) clear_below(void)
{
	char below[sizeof(struct wait) + sizeof(struct tramp_threads) + 1024];

	memset(below, 0, sizeof(below));
	__asm__ volatile("" : : "r"(below) : "memory");
}

static bool __attribute__((noinline)) wait_outside(const struct tramp_range *ranges, size_t nr, bool entry,
						   bool trapping, long ms)
{
	struct wait w = { .view = { .ranges = ranges, .nr = nr, .entry = entry, .trapping = trapping }, .ms = ms };

	return wait_for(&w);
}

void tramp_grace_wait(const struct tramp_range *ranges, size_t nr)
{
	tramp_state("wait", 0, 0);
	if (!nr && !(arch_entry_end - arch_entry_start))
		return;
	clear_below();
	wait_outside(ranges, nr, true, false, 0);
}

void tramp_grace_wait_trapping(const struct tramp_range *ranges, size_t nr)
{
	tramp_state("wait", 0, 0);
	clear_below();
	wait_outside(ranges, nr, true, true, 0);
}

bool tramp_grace_self_outside(const struct tramp_range *ranges, size_t nr)
{
	struct tramp_view v = { .ranges = ranges, .nr = nr };

	return !nr || tramp_view_self(&v) == WHERE_OUTSIDE;
}

bool tramp_grace_try(const struct tramp_range *ranges, size_t nr, unsigned int ms)
{
	if (!tramp_grace_self_outside(ranges, nr))
		return false;
	clear_below();
	return wait_outside(ranges, nr, false, false, ms);
}

/* --- before a change --- */

/* Before anything is written: a wait that cannot end would hold up who asked for the change. */
int tramp_grace_ready(void)
{
	struct tramp_threads t;
	int err = tramp_threads_others(&t);
	size_t nr = t.nr;

	if (err)
		return err;
	tramp_threads_free(&t);
	if (!nr)
		return 0;
	err = send_signal(syscall(SYS_gettid), 0, 0);
	if (err)
		return tramp_fail(err, "threads cannot be asked where they are: rt_tgsigqueueinfo and tgkill: %s", strerror(-err));
	return tramp_maps_ready();
}

static int wait_unblocked(pid_t tid, int sig, unsigned int ms)
{
	const struct timespec nap = { .tv_nsec = 1000000 };
	struct timespec start;
	int blocks;

	clock_gettime(CLOCK_MONOTONIC, &start);
	while ((blocks = tramp_thread_blocks(tid, sig)) > 0) {
		if (ms_since(&start) >= ms)
			return tid;
		nanosleep(&nap, NULL);
	}
	return !blocks ? 0 : tramp_fail(blocks, "/proc/self/task/%d/status: %s: whether the thread blocks signal %d cannot be told",
					tid, strerror(-blocks), sig);
}

int tramp_wait_unblocked(int sig, unsigned int ms)
{
	struct tramp_threads t;
	int ret = tramp_threads_others(&t);

	if (ret)
		return ret;
	for (size_t i = 0; i < t.nr && !ret; i++)
		ret = wait_unblocked(t.tid[i], sig, ms);
	tramp_threads_free(&t);
	return ret;
}
