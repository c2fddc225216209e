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
#include <dirent.h>
#include <errno.h>
#include <link.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>
#include "core.h"

#define __no_sanitize __attribute__((no_sanitize("address", "undefined", "thread")))

struct view {
	const struct tramp_range	*ranges;
	size_t				nr;
	struct tramp_range		*maps;	/* readable mappings, by address */
	size_t				nr_maps;
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
static struct { int state; pid_t tid; const struct view *view; } request;
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

static unsigned long map_end(const struct view *v, unsigned long addr)
{
	size_t lo = 0, hi = v->nr_maps;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (v->maps[mid].end <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < v->nr_maps && v->maps[lo].start <= addr ? v->maps[lo].end : addr;
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

/* Does anything from @sp up point into the ranges?  Follows alternate stacks, a few deep. */
static __no_sanitize bool scan_stack(const struct view *v, unsigned long sp, unsigned int depth)
{
	const unsigned long *p = (const unsigned long *)(sp & ~(sizeof(*p) - 1));
	const unsigned long *end = (const unsigned long *)map_end(v, (unsigned long)p);
	unsigned long pc, old_sp;

	for (; p < end; p++) {
		if (in_ranges(v, *p))
			return true;
		if (depth && saved_context(p, end)) {
			arch_ucontext(p, &pc, &old_sp);
			if (map_end(v, old_sp) != (unsigned long)end && scan_stack(v, old_sp, depth - 1))
				return true;
		}
	}
	return false;
}

#define ALT_STACKS 3

static bool thread_inside(const struct view *v, unsigned long pc, unsigned long sp)
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

static _Unwind_Reason_Code walk_frame(struct _Unwind_Context *context, void *arg)
{
	struct walk *w = arg;

	w->ip = _Unwind_GetIP(context);
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

static __no_sanitize bool in_unwinder(const struct view *v, unsigned long pc, unsigned long sp)
{
	const struct view u = { .ranges = &unwinder, .nr = 1 };
	const unsigned long *p = (const unsigned long *)sp;
	unsigned long end = map_end(v, sp);

	if (in_ranges(&u, pc))
		return true;
	if (end > sp + UNWINDER_FRAMES)
		end = sp + UNWINDER_FRAMES;
	for (; !v->asleep && (unsigned long)p < end; p++)
		if (in_ranges(&u, *p))
			return true;
	return false;
}

static bool unwinds_outside(const struct view *v, unsigned long pc, unsigned long sp)
{
	struct walk w = { .view = v };

	if (in_unwinder(v, pc, sp))
		return false;
	_Unwind_Backtrace(walk_frame, &w);
	return !w.inside && !w.ip;
}

static bool interrupted_inside(const struct view *v, const void *context)
{
	unsigned long pc, sp;

	arch_ucontext(context, &pc, &sp);
	if (in_ranges(v, pc) || in_ranges(v, arch_ucontext_return(context)))
		return true;
	return thread_inside(v, pc, sp) && !(v->exact && unwinds_outside(v, pc, sp));
}

static void on_grace(int sig, siginfo_t *info, void *context)
{
	int posted = POSTED, saved_errno = errno;

	(void)info;
	arrived = sig;
	if (__atomic_load_n(&request.tid, __ATOMIC_ACQUIRE) == (pid_t)syscall(SYS_gettid) &&
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
static bool arrives(int sig)
{
	sigset_t set, old;

	sigemptyset(&set);
	sigaddset(&set, sig);
	arrived = 0;
	pthread_sigmask(SIG_UNBLOCK, &set, &old);
	syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), sig);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return arrived == sig;
}

/* The highest real-time signal that the program leaves alone. */
int tramp_grace_init(void)
{
	struct sigaction old, act = {
		.sa_sigaction = on_grace,
		.sa_flags = SA_SIGINFO | SA_RESTART,
	};

	dl_iterate_phdr(find_unwinder, NULL);
	sigfillset(&act.sa_mask);
	sigdelset(&act.sa_mask, SIGTRAP);
	for (int sig = SIGRTMAX; sig >= SIGRTMIN; sig--) {
		if (sigaction(sig, NULL, &old) || old.sa_handler != SIG_DFL)
			continue;
		if (sigaction(sig, &act, NULL))
			continue;
		if (arrives(sig)) {
			grace_signal = sig;
			return 0;
		}
		sigaction(sig, &old, NULL);
	}
	return tramp_fail(-EBUSY, "all real-time signals are taken; one is needed to look at running threads");
}

static int read_task(pid_t tid, const char *file, char *buf, size_t size)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%d/%s", tid, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = read(fd, buf, size - 1);
	close(fd);
	if (n < 0)
		return -errno;
	buf[n] = 0;
	return n;
}

enum seen { SEEN_GONE, SEEN_OUTSIDE, SEEN_INSIDE, SEEN_RUNNING };

/* "running", or "nr arg0..arg5 sp pc", or "-1 sp pc" (proc(5)): sp and pc are the last two. */
static enum seen look_asleep(const struct view *v, pid_t tid)
{
	char line[256], *pc, *sp;
	int n = read_task(tid, described ? "syscall" : "comm", line, sizeof(line));

	if (n == -ESRCH || n == -ENOENT)
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

static bool blocks_signal(pid_t tid, int sig)
{
	char status[4096], *line;

	if (read_task(tid, "status", status, sizeof(status)) <= 0)
		return false;
	line = strstr(status, "SigBlk:");
	return line && (strtoull(line + 7, NULL, 16) >> (sig - 1) & 1);
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

/* Ask the thread itself; RUNNING when it did not answer (it went to sleep, or blocks the signal). */
static enum seen ask(const struct view *v, pid_t tid)
{
	int posted = POSTED, state;
	unsigned int tries = 0;

	request.view = v;
	store_release(&request.tid, tid);
	store_release(&request.state, POSTED);
	if (syscall(SYS_tgkill, getpid(), tid, grace_signal)) {
		store_release(&request.state, IDLE);
		return errno == ESRCH ? SEEN_GONE : SEEN_RUNNING;
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

static enum seen look_running(const struct view *v, pid_t tid)
{
	enum seen seen;

	if (blocks_signal(tid, grace_signal))
		return SEEN_RUNNING;
	pthread_mutex_lock(&request_lock);
	seen = ask(v, tid);
	pthread_mutex_unlock(&request_lock);
	return seen;
}

static void say_waiting(pid_t tid, unsigned int seconds)
{
	char comm[64] = "?\n";

	read_task(tid, "comm", comm, sizeof(comm));
	comm[strcspn(comm, "\n")] = 0;
	tramp_warn("waiting since %u s for thread %d (%s) to leave a callback or its entry code",
		   seconds, tid, comm);
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
		seen = look_asleep(v, tid);
		runs = seen == SEEN_RUNNING;
		v->exact = time_to_be_exact(tries);
		v->asleep = !runs;
		if (runs || (seen == SEEN_INSIDE && v->exact))
			seen = look_running(v, tid);
		if (seen == SEEN_GONE || seen == SEEN_OUTSIDE)
			return true;
		if (v->ms && ms_since(&v->start) >= v->ms)
			return false;
		back_off(&tries, !runs ? 0 : described ? RUNNING_YIELDS : ANSWER_YIELDS);
		if (ms_since(&start) >= 2000 + 10000 * (long)said) {
			say_waiting(tid, ms_since(&start) / 1000);
			said++;
		}
	}
}

/* Where each mapping ends, so that a scan ends there too. */
static void read_maps(struct view *v)
{
	FILE *f = fopen("/proc/self/maps", "re");
	size_t cap = 0;
	char line[512], r;
	struct tramp_range m;

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx %c", &m.start, &m.end, &r) != 3 || r != 'r')
			continue;
		if (v->nr_maps == cap) {
			struct tramp_range *more = realloc(v->maps, (cap = cap ? 2 * cap : 64) * sizeof(m));

			if (!more)
				break;
			v->maps = more;
		}
		v->maps[v->nr_maps++] = m;
	}
	if (f)
		fclose(f);
}

static bool is_emulator_thread(pid_t tid)
{
	for (unsigned int i = 0; i < nr_emulator_threads; i++)
		if (emulator_thread[i] == tid)
			return true;
	return false;
}

/* The next thread of the program that is not this one, 0 at the end. */
static pid_t next_thread(DIR *tasks)
{
	pid_t self = syscall(SYS_gettid), tid;
	struct dirent *entry;

	while ((entry = readdir(tasks))) {
		tid = atoi(entry->d_name);
		if (tid && tid != self && !is_emulator_thread(tid))
			return tid;
	}
	return 0;
}

/* Without the list of threads nothing may be freed: no way on but to wait. */
static DIR *open_tasks(void)
{
	DIR *tasks;

	while (!(tasks = opendir("/proc/self/task"))) {
		tramp_warn("/proc/self/task: %s: waiting for it, to see what threads do", strerror(errno));
		sleep(1);
	}
	return tasks;
}

pid_t tramp_thread_blocking(int sig)
{
	DIR *tasks = open_tasks();
	pid_t tid;

	while ((tid = next_thread(tasks)) && !blocks_signal(tid, sig))
		;
	closedir(tasks);
	return tid;
}

static bool wait_all(struct view *v)
{
	DIR *tasks = open_tasks();
	bool outside = true;
	pid_t tid;

	clock_gettime(CLOCK_MONOTONIC, &v->start);
	while (outside && (tid = next_thread(tasks))) {
		if (!v->maps)
			read_maps(v);
		outside = wait_thread(v, tid);
	}
	closedir(tasks);
	free(v->maps);
	return outside;
}

/*
 * While this thread is the program's only one, all others are the emulator's.
 * They start before the program does, at its start and in fork()'s child.
 */
static void know_emulator_threads(void)
{
	const unsigned int max = sizeof(emulator_thread) / sizeof(*emulator_thread);
	DIR *tasks = open_tasks();
	pid_t tid;

	nr_emulator_threads = 0;
	while (nr_emulator_threads < max && (tid = next_thread(tasks)))
		emulator_thread[nr_emulator_threads++] = tid;
	closedir(tasks);
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
	struct walk w = { .view = &v };
	bool outside;

	if (!nr)
		return true;
	_Unwind_Backtrace(walk_frame, &w);
	if (w.inside || !w.ip)
		return !w.inside;
	read_maps(&v);
	outside = !scan_stack(&v, (unsigned long)__builtin_frame_address(0), ALT_STACKS);
	free(v.maps);
	return outside;
}

bool tramp_grace_try(const struct tramp_range *ranges, size_t nr, unsigned int ms)
{
	struct view v = { .ranges = ranges, .nr = nr, .ms = ms };

	return tramp_grace_self_outside(ranges, nr) && wait_all(&v);
}
