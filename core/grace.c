/* SPDX-License-Identifier: MIT */
/*
 * Grace periods without cooperation from the threads, and without a trace on
 * the hot path: each thread is looked at from outside until it has been seen
 * outside of the retired code once.  New entries are impossible by then.
 *
 * A thread that sleeps is left alone: /proc tells its pc and sp, and what it
 * returns to lies above sp.  One that runs gets a signal, whose handler does the
 * same for itself; it may see EINTR if it enters a system call in that moment.
 * The scan is conservative: a stale word can make us wait longer, never shorter.
 * A thread that seems to stay inside is therefore asked again, also asleep, to
 * unwind its stack: where that reaches the end, it is exact.
 *
 * Where /proc describes another program than this one (an emulator), nothing, or
 * not the register that holds a return address, every thread is asked by signal, asleep or not.  System calls are restarted
 * behind it, but for the sleeps that never are (signal(7)): those with a time
 * limit end early, with EINTR.
 */
#include <errno.h>
#include <link.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>
#include "core.h"

#define __no_sanitize __attribute__((no_sanitize("address", "undefined", "thread")))

#define STACKS 64

struct view {
	const struct tramp_range	*ranges;
	size_t				nr;
	struct tramp_range		stack[STACKS];	/* what a stack may lie in, as far as is known */
	size_t				nr_stacks;
	unsigned long			unknown;	/* a stack pointer that is in none of them */
	int				err;		/* why threads cannot be looked at */
	bool				entry;	/* the port's entry text, too */
	bool				exact;	/* what seems inside shall unwind */
	bool				asleep;	/* the thread asked was asleep */
	struct timespec			start;
	long				ms;	/* give up after so many; 0: never */
};

/*
 * One question at a time, several waits at once: one may last as long as a
 * callback.  The handler claims the request, so that a waiter may give up safely.
 */
enum { IDLE, POSTED, CLAIMED, OUTSIDE, INSIDE };
static struct { int state; unsigned int nr; pid_t tid; struct view *view; } request;
static pthread_mutex_t request_lock = PTHREAD_MUTEX_INITIALIZER;
static int grace_signal;
static volatile sig_atomic_t arrived;	/* the last one */

/* The child has none of the threads that were waiting or waited for. */
void tramp_grace_forked(void)
{
	pthread_mutex_init(&request_lock, NULL);
	request.state = IDLE;
}

/*
 * Does /proc/self/task/TID/syscall tell where a sleeping thread is?  It has pc and
 * sp: not enough where a leaf's return address is in a register alone.
 */
static bool described;
static bool emulated;
/* A user-mode emulator's own threads, which no callback runs on. */
static pid_t emulator_thread[8];
static unsigned int nr_emulator_threads;

bool tramp_emulated(void)
{
	return emulated;
}

/*
 * Asked about the very call that asks: it must be read(2) into this buffer, from
 * this stack.  An emulator for another machine makes calls with numbers of its
 * own, and any emulator has a stack of its own.
 */
static void __attribute__((noinline)) ask_kernel(void)
{
	unsigned long frame = (unsigned long)__builtin_frame_address(0), nr, buffer, sp;
	int fd = open("/proc/self/syscall", O_RDONLY | O_CLOEXEC);
	char line[256];
	ssize_t n;

	if (fd < 0)
		return;
	n = read(fd, line, sizeof(line) - 1);
	close(fd);
	if (n <= 0)
		return;
	line[n] = 0;
	emulated = !(sscanf(line, "%lu %*x %lx %*x %*x %*x %*x %lx", &nr, &buffer, &sp) == 3 &&
		     nr == SYS_read && buffer == (unsigned long)line && frame - sp < 0x10000);
	described = !emulated && arch_return_on_stack;
}

static int by_start(const void *a, const void *b)
{
	unsigned long x = ((const struct tramp_range *)a)->start, y = ((const struct tramp_range *)b)->start;

	return x < y ? -1 : x > y;
}

size_t tramp_ranges_sort(struct tramp_range *ranges, size_t nr)
{
	size_t last = 0;

	qsort(ranges, nr, sizeof(*ranges), by_start);
	for (size_t i = 1; i < nr; i++) {
		if (ranges[i].start == ranges[last].end)
			ranges[last].end = ranges[i].end;
		else
			ranges[++last] = ranges[i];
	}
	return nr ? last + 1 : 0;
}

static bool in_ranges(const struct view *v, unsigned long addr)
{
	size_t lo = 0, hi = v->nr;

	addr &= arch_code_mask;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (addr - v->ranges[mid].start < v->ranges[mid].end - v->ranges[mid].start)
			return true;
		if (addr < v->ranges[mid].start)
			hi = mid;
		else
			lo = mid + 1;
	}
	return v->entry && addr - (unsigned long)arch_entry_start <
			   (unsigned long)(arch_entry_end - arch_entry_start);
}

/* 0: that is not known. */
static unsigned long stack_end(const struct view *v, unsigned long addr)
{
	for (size_t i = 0; i < v->nr_stacks; i++)
		if (addr - v->stack[i].start < v->stack[i].end - v->stack[i].start)
			return v->stack[i].end;
	return 0;
}

/* Neighbours in /proc/self/maps are one stack: advice or a lock on part of it divides it there. */
struct learn { struct view *v; struct tramp_range run; char perms[4]; unsigned long sp; };

static void learn_run(struct learn *l)
{
	struct view *v = l->v;

	if (v->nr_stacks < STACKS)
		v->stack[v->nr_stacks++] = l->run;
	else if (l->sp - l->run.start < l->run.end - l->run.start)
		v->stack[STACKS - 1] = l->run;
}

static void learn_map(const struct tramp_map *m, void *arg)
{
	struct learn *l = arg;

	if (m->start == l->run.end && !memcmp(m->perms, l->perms, sizeof(m->perms))) {
		l->run.end = m->end;
		return;
	}
	if (l->run.end)
		learn_run(l);
	memcpy(l->perms, m->perms, sizeof(m->perms));
	l->run = (struct tramp_range){ 0 };
	if (m->perms[0] == 'r' && m->perms[1] == 'w')
		l->run = (struct tramp_range){ m->start, m->end };
}

/* The stacks that there are now, @sp's among them: they come, and grow. */
static void learn_stacks(struct view *v, unsigned long sp)
{
	struct learn l = { .v = v, .sp = sp };
	int err;

	v->nr_stacks = 0;
	err = tramp_maps_each(learn_map, &l);
	if (err)	/* the last one may go on behind what could be read */
		v->err = err;
	else if (l.run.end)
		learn_run(&l);
}

/*
 * A context that the kernel saved on an alternate stack names that stack, and
 * lies inside it: the interrupted thread's own stack goes on elsewhere.  Other
 * words are seldom like that: no link, few flags, a plausible size.
 */
static __no_sanitize const void *saved_context(const unsigned long *p, const unsigned long *end)
{
	const size_t word = sizeof(*p);
	const ucontext_t *uc = (const void *)p;
	const char *at = (const char *)p, *stack;

	if ((size_t)(end - p) * word < sizeof(*uc) || uc->uc_link || uc->uc_flags > 0xff ||
	    (uc->uc_stack.ss_flags & ~(SS_ONSTACK | SS_DISABLE)) || uc->uc_stack.ss_size > 1UL << 30)
		return NULL;
	stack = uc->uc_stack.ss_sp;
	return at >= stack && at < stack + uc->uc_stack.ss_size ? uc : NULL;
}

/*
 * Does anything from @sp up point into the ranges?  Follows alternate stacks, a few
 * deep.  Where nobody knows how far a stack goes, something may.
 */
static __no_sanitize bool scan_stack(struct view *v, unsigned long sp, unsigned int depth)
{
	const unsigned long *p = (const unsigned long *)(sp & ~(sizeof(*p) - 1));
	const unsigned long *end = (const unsigned long *)stack_end(v, (unsigned long)p);
	unsigned long pc, old_sp;

	if (!end) {
		v->unknown = sp;
		return true;
	}
	for (; p < end; p++) {
		if (in_ranges(v, *p))
			return true;
		if (depth && saved_context(p, end)) {
			arch_ucontext(p, &pc, &old_sp);
			if (stack_end(v, old_sp) != (unsigned long)end && scan_stack(v, old_sp, depth - 1))
				return true;
		}
	}
	return false;
}

#define ALT_STACKS 3

static bool thread_inside(struct view *v, unsigned long pc, unsigned long sp)
{
	return in_ranges(v, pc) || scan_stack(v, sp, ALT_STACKS);
}

struct walk {
	const struct view	*view;
	unsigned long		ip;		/* of the last frame; 0 behind a thread's first */
	unsigned int		frames;
	bool			inside;
};

/* Wrong rules (some compilers have none for epilogues) may lead in a circle. */
#define FRAMES_MAX 65536

/*
 * Behind it there is nothing.  Not all programs' rules say so: in a static one crt1.o's come
 * before those that crtbegin.o registers, and lld keeps a record without the end's mark.
 */
static unsigned long program_entry;
#define ENTRY_SIZE 64

static _Unwind_Reason_Code walk_frame(struct _Unwind_Context *context, void *arg)
{
	struct walk *w = arg;

	w->ip = _Unwind_GetIP(context);
	if (w->ip - program_entry < ENTRY_SIZE) {
		w->ip = 0;
		return _URC_NORMAL_STOP;
	}
	w->inside = in_ranges(w->view, w->ip);
	return w->inside || ++w->frames > FRAMES_MAX ? _URC_NORMAL_STOP : _URC_NO_REASON;
}

/*
 * The unwinder takes a lock, so a thread that is in there must not unwind.  It
 * does not sleep with the lock held; and what it calls has small frames, while
 * words further up are mostly stale.
 */
static struct tramp_range unwinder;
#define UNWINDER_FRAMES 512

static bool is_unwinder(unsigned long addr)
{
	return (addr & arch_code_mask) - unwinder.start < unwinder.end - unwinder.start;
}

static __no_sanitize bool in_unwinder(const struct view *v, unsigned long pc, unsigned long sp)
{
	const unsigned long *p = (const unsigned long *)sp;
	unsigned long end = stack_end(v, sp);

	if (!end || is_unwinder(pc))
		return true;
	if (end > sp + UNWINDER_FRAMES)
		end = sp + UNWINDER_FRAMES;
	for (; !v->asleep && (unsigned long)p < end; p++)
		if (is_unwinder(*p))
			return true;
	return false;
}

static bool unwinds_outside(const struct view *v, unsigned long pc, unsigned long sp)
{
	struct walk w = { .view = v };

	if (in_unwinder(v, pc, sp) || !tramp_can_unwind())
		return false;
	_Unwind_Backtrace(walk_frame, &w);
	return !w.inside && !w.ip;
}

static bool interrupted_inside(struct view *v, const void *context)
{
	unsigned long pc, sp;

	arch_ucontext(context, &pc, &sp);
	if (in_ranges(v, pc) || in_ranges(v, arch_ucontext_return(context)))
		return true;
	return thread_inside(v, pc, sp) && !(v->exact && unwinds_outside(v, pc, sp));
}

/*
 * The signal may be late, and another thread's turn by now.  Its number says so, and
 * no system call is made: this thread's filter may allow none (BUG-21).
 */
static bool for_this_thread(const siginfo_t *info)
{
	if (info->si_code == SI_QUEUE)
		return (unsigned int)info->si_value.sival_int == load_acquire(&request.nr);
	return load_acquire(&request.tid) == (pid_t)syscall(SYS_gettid);
}

static void on_grace(int sig, siginfo_t *info, void *context)
{
	int posted = POSTED, saved_errno = errno;

	arrived = sig;
	if (for_this_thread(info) &&
	    __atomic_compare_exchange_n(&request.state, &posted, CLAIMED, false,
					__ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		store_release(&request.state,
			      interrupted_inside(request.view, context) ? INSIDE : OUTSIDE);
	errno = saved_errno;
}

static int find_unwinder(struct dl_phdr_info *info, size_t size, void *arg)
{
	unsigned long at = (unsigned long)_Unwind_Backtrace;

	(void)size;
	(void)arg;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		unsigned long start = info->dlpi_addr + ph->p_vaddr;

		if (ph->p_type == PT_LOAD && at - start < ph->p_memsz) {
			unwinder = (struct tramp_range){ start, start + ph->p_memsz };
			return 1;
		}
	}
	return 0;
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
	program_entry = getauxval(AT_ENTRY);
	dl_iterate_phdr(find_unwinder, NULL);
	sigfillset(&act.sa_mask);
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

enum seen { SEEN_GONE, SEEN_OUTSIDE, SEEN_INSIDE, SEEN_RUNNING };

/* "running", or "nr arg0..arg5 sp pc", or "-1 sp pc" (proc(5)): sp and pc are the last two. */
static enum seen look_asleep(struct view *v, pid_t tid)
{
	char line[256], *pc, *sp;
	int n = tramp_task_read(tid, described ? "syscall" : "comm", line, sizeof(line));

	/* A missing file is no missing thread: /proc itself may be gone. */
	if ((n == -ESRCH || n == -ENOENT) && tramp_thread_gone(tid))
		return SEEN_GONE;
	if (n <= 0 || line[0] == 'r' || !described)
		return SEEN_RUNNING;
	pc = strrchr(line, ' ');
	if (!pc)
		return SEEN_RUNNING;
	*pc = 0;
	sp = strrchr(line, ' ');
	return sp && !thread_inside(v, strtoul(pc + 1, NULL, 16), strtoul(sp + 1, NULL, 16)) ?
	       SEEN_OUTSIDE : SEEN_INSIDE;
}

/* 1 or 0; -errno: that cannot be told. */
static int blocks_signal(pid_t tid, int sig)
{
	char status[4096], *line;
	int n = tramp_task_read(tid, "status", status, sizeof(status));

	if (n < 0)
		return tramp_thread_gone(tid) ? 0 : n;
	line = strstr(status, "SigBlk:");
	return line && (strtoull(line + 7, NULL, 16) >> (sig - 1) & 1);
}

/* The main thread stays as a zombie when it has ended before the others. */
static bool is_dead(pid_t tid)
{
	char line[512], *name_end;
	int n = tramp_task_read(tid, "stat", line, sizeof(line));

	name_end = n > 0 ? strrchr(line, ')') : NULL;
	return name_end && (name_end[2] == 'Z' || name_end[2] == 'X');
}

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
 * How often to yield, and to look at all: for an answer, which a thread gives as
 * soon as it is scheduled (some 0.1 s on a busy machine); for a thread that calls
 * in a tight loop, which is seldom caught outside.
 */
enum { ANSWER_YIELDS = 64, ANSWER_TRIES = 400, HASTY_TRIES = 96, RUNNING_YIELDS = 4096 };

/* By number, if that is allowed, so that the handler need not ask who it is. */
static int send_signal(pid_t tid, int sig, unsigned int nr)
{
	siginfo_t info = { .si_signo = sig, .si_code = SI_QUEUE };

	info.si_pid = getpid();
	info.si_uid = getuid();
	info.si_value.sival_int = nr;
	if (!syscall(SYS_rt_tgsigqueueinfo, info.si_pid, tid, sig, &info))
		return 0;
	if (errno != EPERM && errno != ENOSYS && errno != EACCES)
		return -errno;
	return syscall(SYS_tgkill, getpid(), tid, sig) ? -errno : 0;
}

/* Ask the thread itself; RUNNING when it did not answer (it went to sleep, or blocks the signal). */
static enum seen ask(struct view *v, pid_t tid)
{
	int posted = POSTED, state, err;
	unsigned int tries = 0;

	request.view = v;
	store_release(&request.tid, tid);
	store_release(&request.nr, request.nr + 1);
	store_release(&request.state, POSTED);
	err = send_signal(tid, grace_signal, request.nr);
	if (err) {
		store_release(&request.state, IDLE);
		v->err = err;
		return err == -ESRCH ? SEEN_GONE : SEEN_RUNNING;
	}
	while (tries < (v->ms ? HASTY_TRIES : ANSWER_TRIES)) {
		state = load_acquire(&request.state);
		if (state == INSIDE || state == OUTSIDE)
			return state == INSIDE ? SEEN_INSIDE : SEEN_OUTSIDE;
		back_off(&tries, ANSWER_YIELDS);
	}
	if (__atomic_compare_exchange_n(&request.state, &posted, IDLE, false,
					__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return SEEN_RUNNING;
	while ((state = load_acquire(&request.state)) == CLAIMED)
		back_off(&tries, ANSWER_YIELDS);
	return state == INSIDE ? SEEN_INSIDE : SEEN_OUTSIDE;
}

static enum seen look_running(struct view *v, pid_t tid)
{
	enum seen seen;

	if (blocks_signal(tid, grace_signal) > 0)
		return SEEN_RUNNING;
	pthread_mutex_lock(&request_lock);
	seen = ask(v, tid);
	pthread_mutex_unlock(&request_lock);
	return seen;
}

static void say_waiting(const struct view *v, pid_t tid, unsigned int seconds)
{
	char comm[64] = "?\n";

	tramp_task_read(tid, "comm", comm, sizeof(comm));
	comm[strcspn(comm, "\n")] = 0;
	tramp_warn("waiting since %u s for thread %d (%s) to leave a callback or its entry code%s%s",
		   seconds, tid, comm, v->err ? "; it cannot be looked at: " : "", v->err ? strerror(-v->err) : "");
}

/* Ever seldomer: a sleeper's system call may end with EINTR for it. */
static bool time_to_be_exact(unsigned int tries)
{
	return tries >= 32 && !(tries & (tries - 1));
}

static long ms_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - start->tv_sec) * 1000 + (now.tv_nsec - start->tv_nsec) / 1000000;
}

/* False: not seen outside in time. */
static bool wait_thread(struct view *v, pid_t tid)
{
	struct timespec start;
	unsigned int said = 0, tries = 0;
	enum seen seen;
	bool runs;

	clock_gettime(CLOCK_MONOTONIC, &start);
	for (;;) {
		v->unknown = 0;
		v->err = 0;
		seen = look_asleep(v, tid);
		runs = seen == SEEN_RUNNING;
		v->exact = time_to_be_exact(tries);
		v->asleep = !runs;
		if (runs || (seen == SEEN_INSIDE && v->exact))
			seen = look_running(v, tid);
		if (seen == SEEN_GONE || seen == SEEN_OUTSIDE)
			return true;
		if (v->exact && is_dead(tid))
			return true;
		if (v->unknown)
			learn_stacks(v, v->unknown);
		if (v->ms && ms_since(&v->start) >= v->ms)
			return false;
		back_off(&tries, !runs ? 0 : described ? RUNNING_YIELDS : ANSWER_YIELDS);
		if (ms_since(&start) >= 2000 + 10000 * (long)said) {
			say_waiting(v, tid, ms_since(&start) / 1000);
			said++;
		}
	}
}

static bool is_emulator_thread(pid_t tid)
{
	for (unsigned int i = 0; i < nr_emulator_threads; i++)
		if (emulator_thread[i] == tid)
			return true;
	return false;
}

/* The program's, without this one. */
static int other_threads(struct tramp_threads *t)
{
	pid_t self = syscall(SYS_gettid);
	int err = tramp_threads_read(t);
	size_t nr = 0;

	for (size_t i = 0; !err && i < t->nr; i++)
		if (t->tid[i] != self && !is_emulator_thread(t->tid[i]))
			t->tid[nr++] = t->tid[i];
	t->nr = nr;
	return err;
}

/* Without the list of threads nothing may be freed: no way on but to wait. */
static void list_others(struct tramp_threads *t)
{
	while (other_threads(t)) {
		tramp_warn("%s: waiting for it, to see what threads do", tramp_why());
		sleep(1);
	}
}

/* Before anything is written: a wait that cannot end would hold up who asked for the change. */
int tramp_grace_ready(void)
{
	struct tramp_threads t;
	int err = other_threads(&t);
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

static int first_blocking(const struct tramp_threads *t, int sig)
{
	for (size_t i = 0; i < t->nr; i++) {
		int blocks = blocks_signal(t->tid[i], sig);

		if (blocks < 0)
			return tramp_fail(blocks, "/proc/self/task/%d/status: %s: whether the thread blocks signal %d cannot be told",
					  t->tid[i], strerror(-blocks), sig);
		if (blocks)
			return t->tid[i];
	}
	return 0;
}

int tramp_thread_blocking(int sig)
{
	struct tramp_threads t;
	int ret = other_threads(&t);

	if (ret)
		return ret;
	ret = first_blocking(&t, sig);
	tramp_threads_free(&t);
	return ret;
}

static bool wait_all(struct view *v)
{
	struct tramp_threads t;
	bool outside = true;

	list_others(&t);
	if (t.nr)
		learn_stacks(v, 0);
	clock_gettime(CLOCK_MONOTONIC, &v->start);
	for (size_t i = 0; outside && i < t.nr; i++)
		outside = wait_thread(v, t.tid[i]);
	tramp_threads_free(&t);
	return outside;
}

/*
 * While this thread is the program's only one, all others are the emulator's.
 * They start before the program does, at its start and in fork()'s child.
 */
static void know_emulator_threads(void)
{
	const unsigned int max = sizeof(emulator_thread) / sizeof(*emulator_thread);
	struct tramp_threads t;

	nr_emulator_threads = 0;
	list_others(&t);
	while (nr_emulator_threads < max && nr_emulator_threads < t.nr) {
		emulator_thread[nr_emulator_threads] = t.tid[nr_emulator_threads];
		nr_emulator_threads++;
	}
	tramp_threads_free(&t);
}

static void __attribute__((constructor)) at_start(void)
{
	ask_kernel();
	if (!emulated)
		return;
	know_emulator_threads();
	pthread_atfork(NULL, NULL, know_emulator_threads);
}

void tramp_grace_wait(const struct tramp_range *ranges, size_t nr)
{
	struct view v = { .ranges = ranges, .nr = nr, .entry = true };

	tramp_state("wait", 0, 0);
	wait_all(&v);
}

bool tramp_grace_self_outside(const struct tramp_range *ranges, size_t nr)
{
	struct view v = { .ranges = ranges, .nr = nr };
	unsigned long sp = (unsigned long)__builtin_frame_address(0);
	struct walk w = { .view = &v };

	if (!nr)
		return true;
	if (tramp_can_unwind()) {
		_Unwind_Backtrace(walk_frame, &w);
		if (w.inside || !w.ip)
			return !w.inside;
	}
	learn_stacks(&v, sp);
	return !scan_stack(&v, sp, ALT_STACKS);
}

bool tramp_grace_try(const struct tramp_range *ranges, size_t nr, unsigned int ms)
{
	struct view v = { .ranges = ranges, .nr = nr, .ms = ms };

	return tramp_grace_self_outside(ranges, nr) && wait_all(&v);
}
