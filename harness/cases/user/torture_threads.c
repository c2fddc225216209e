/* SPDX-License-Identifier: MIT */
/*
 * Threads of every kind at once.  An ops that stays counts in the thread that
 * calls, so each thread knows whether each of its calls was seen once; ops that come
 * and go are poisoned behind unregister.
 */
#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/core.h"
#include "../../user.h"

enum kind { CALLS, SLEEPS_INSIDE, BLOCKS_SIGNALS, ON_ALTSTACK, STARTS_THREADS, JUMPS_OUT, FORKS, LOADS, NR_KINDS };

struct worker {
	pthread_t	thread;
	enum kind	kind;
	unsigned long	nr;		/* calls to make */
	unsigned long	calls, wrong, extra;
};

/* volatile: libc promises that raise() calls nothing here. */
static __thread volatile unsigned long hits, jump_hits;
static __thread bool sleepy;
static __thread sigjmp_buf *out;
static unsigned long poisoned, jumped;

static void count_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	(void)ip, (void)parent_ip, (void)op, (void)fregs;
	hits++;
	if (sleepy && !(hits % 512))
		nap_ms(1);
}

static void jump_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	(void)ip, (void)parent_ip, (void)op, (void)fregs;
	jump_hits++;
	if (out)
		siglongjmp(*out, 1);
}

/* --- threads that call --- */

static void call_a(struct worker *w, unsigned long nr)
{
	unsigned long before = hits;

	for (unsigned long i = 0; i < nr; i++)
		w->wrong += tracee_a(i) != i + 1;
	w->calls += nr;
	w->wrong += hits - before != nr;
}

static void call_between_naps(struct worker *w, unsigned long step)
{
	for (unsigned long i = 0; i < w->nr; i += step) {
		call_a(w, step);
		nap_ms(1);
	}
}

static void block_signals(struct worker *w)
{
	sigset_t all;

	sigfillset(&all);
	sigdelset(&all, SIGTRAP);
	sigdelset(&all, SIGILL);
	/* Where threads are asked by signal it could not be looked at. */
	if (arch_return_on_stack && !tramp_emulated())
		pthread_sigmask(SIG_BLOCK, &all, NULL);
	call_between_naps(w, 1024);
}

static __thread struct worker *handles;

static void on_usr1(int sig)
{
	(void)sig;
	call_a(handles, 16);
}

static void call_on_altstack(struct worker *w)
{
	stack_t ss = { .ss_sp = malloc(65536), .ss_size = 65536 }, none = { .ss_flags = SS_DISABLE };

	handles = w;
	sigaltstack(&ss, NULL);
	for (unsigned long i = 0; i < w->nr; i += 32) {
		raise(SIGUSR1);
		call_a(w, 16);
	}
	sigaltstack(&none, NULL);
	free(ss.ss_sp);
}

static void *short_life(void *arg)
{
	call_a(arg, 64);
	return NULL;
}

static void start_threads(struct worker *w)
{
	for (unsigned long i = 0; i < w->nr; i += 2048) {
		join(spawn(short_life, w));
		w->extra++;
	}
}

/* A jump keeps the guard: what is swallowed for that counts as missed. */
static void jump_out(struct worker *w)
{
	sigjmp_buf buf;

	for (volatile unsigned long i = 0; i < w->nr / 16; i++) {
		out = &buf;
		if (!sigsetjmp(buf, 0))
			tracee_d(1);
		out = NULL;
		w->extra++;
	}
	__atomic_fetch_add(&jumped, jump_hits, __ATOMIC_RELAXED);
}

static int in_child(void *arg)
{
	struct probe *p = probe_new();
	struct worker *w = arg;

	w->wrong = 0;
	call_a(w, 10);
	probe_register(p, tracee_b);
	tracee_b(1);
	return w->wrong ? 1 : p->calls != 1 ? 2 : probe_stop(p) ? 3 : 0;
}

static void fork_children(struct worker *w)
{
	/* ThreadSanitizer's allocator keeps its locks over fork() (gcc 12): a child may wait for them for ever. */
	if (case_tsan()) {
		call_a(w, w->nr);
		return;
	}
	for (unsigned long i = 0; i < w->nr; i += 16384) {
		EXPECT_EQ(in_fork(in_child, w), 0);
		w->extra++;
		call_a(w, 256);
	}
}

static void load_libraries(struct worker *w)
{
	for (unsigned long i = 0; i < w->nr; i += 16384) {
		void *handle = dlopen(solib_path("plain"), RTLD_NOW | RTLD_LOCAL);
		unsigned long (*fn)(unsigned long x) = handle ? (unsigned long (*)(unsigned long))dlsym(handle, "solib_a") : NULL;

		if (!EXPECT(fn, "dlopen: %s", dlerror()))
			return;
		EXPECT_EQ(fn(1), 102);
		EXPECT_EQ(dlclose(handle), 0);
		w->extra++;
		call_a(w, 256);
	}
}

static void *work(void *arg)
{
	struct worker *w = arg;

	sleepy = w->kind == SLEEPS_INSIDE;
	switch (w->kind) {
	case BLOCKS_SIGNALS:	block_signals(w); break;
	case ON_ALTSTACK:	call_on_altstack(w); break;
	case STARTS_THREADS:	start_threads(w); break;
	case JUMPS_OUT:		jump_out(w); break;
	case FORKS:		fork_children(w); break;
	case LOADS:		load_libraries(w); break;
	default:		call_a(w, w->nr);
	}
	return NULL;
}

/* --- threads that change --- */

struct changer { pthread_t thread; unsigned int seed; unsigned long registered, filtered; };
static unsigned int changers_stop;

#define LIVES 0x11feUL

/* Its memory is written over behind unregister: who comes late finds that. */
static void check_life(struct probe *p, struct ftrace_regs *fregs)
{
	(void)fregs;
	if (sleepy && !(hits % 64))
		nap_ms(1);
	if (__atomic_load_n(&p->data[0], __ATOMIC_RELAXED) != LIVES)
		__atomic_fetch_add(&poisoned, 1, __ATOMIC_RELAXED);
}

static unsigned int next_random(struct changer *c)
{
	c->seed = c->seed * 1103515245 + 12345;
	return c->seed >> 16;
}

/* Libraries block every signal for a moment, which may last where threads wait for their turn. */
static int patiently(int (*change)(struct probe *p), struct probe *p)
{
	int err, tries = 0;

	while ((err = change(p)) == -EBUSY && strstr(tramp_why(), " blocks SIG") && tries++ < 20)
		;
	return err;
}

static int filter(struct probe *p)
{
	return ftrace_set_filter_ip(&p->ops, p->data[1], 0, p->data[2]);
}

static void change_once(struct changer *c, struct probe *p)
{
	static const void *const funcs[] = { tracee_a, tracee_b, tracee_c, tracee_d };
	const unsigned long flags[] = { 0, FTRACE_OPS_FL_RECURSION, case_class == TRAMP_CLASS_NOREGS ? 0 : FTRACE_OPS_FL_SAVE_REGS };

	probe_init(p, case_flags() | flags[next_random(c) % 3]);
	p->then = check_life;
	p->data[0] = LIVES;
	/* a most of the time; sometimes everything. */
	if (next_random(c) % 8)
		EXPECT_EQ(probe_add(p, tracee_a), 0);
	EXPECT_EQ(patiently(probe_start, p), 0);
	c->registered++;
	for (unsigned int i = next_random(c) % 3; i; i--) {
		p->data[1] = fn_ip(funcs[next_random(c) % 4]);
		p->data[2] = next_random(c) % 2;
		EXPECT_EQ(patiently(filter, p), 0);
		c->filtered++;
	}
	EXPECT_EQ(patiently(probe_stop, p), 0);
	ftrace_free_filter(&p->ops);
	for (unsigned long *word = (unsigned long *)p; word < (unsigned long *)(p + 1); word++)
		__atomic_store_n(word, 0x5a5a5a5a5a5a5a5aUL, __ATOMIC_RELAXED);
}

static void *change(void *arg)
{
	struct changer *c = arg;
	struct probe *p = malloc(sizeof(*p));

	do
		change_once(c, p);
	while (!__atomic_load_n(&changers_stop, __ATOMIC_RELAXED) && !case_failed());
	free(p);
	return NULL;
}

/* --- all of them --- */

#define WORKERS 64
#define CHANGERS 3

static struct { unsigned long calls, registered, filtered, threads, jumps, children, libraries; } sum;

static void add_up(const struct worker *w)
{
	EXPECT(!w->wrong, "a thread of kind %d: %lu of %lu calls were wrong or not seen once", w->kind, w->wrong, w->calls);
	sum.calls += w->calls;
	sum.threads += 1 + (w->kind == STARTS_THREADS ? w->extra : 0);
	sum.jumps += w->kind == JUMPS_OUT ? w->extra : 0;
	sum.children += w->kind == FORKS ? w->extra : 0;
	sum.libraries += w->kind == LOADS ? w->extra : 0;
}

static void one_round(unsigned int nr, unsigned long calls, unsigned int seed)
{
	static struct worker workers[WORKERS];
	struct changer changers[CHANGERS];

	changers_stop = 0;
	for (unsigned int i = 0; i < CHANGERS; i++) {
		changers[i] = (struct changer){ .seed = seed + i };
		changers[i].thread = spawn(change, &changers[i]);
	}
	for (unsigned int i = 0; i < nr; i++) {
		workers[i] = (struct worker){ .kind = (i + seed) % NR_KINDS, .nr = calls };
		workers[i].thread = spawn(work, &workers[i]);
	}
	for (unsigned int i = 0; i < nr; i++) {
		join(workers[i].thread);
		add_up(&workers[i]);
	}
	__atomic_store_n(&changers_stop, 1, __ATOMIC_RELAXED);
	for (unsigned int i = 0; i < CHANGERS; i++) {
		join(changers[i].thread);
		sum.registered += changers[i].registered;
		sum.filtered += changers[i].filtered;
	}
	sum.threads += CHANGERS;
}

CASE(torture_threads, "S119 S127 S129 S131 S132 S145 BUG-01 BUG-07 BUG-10 BUG-53 BUG-55",
     "2 to 64 threads call, sleep in callbacks, block every signal, stand on alternate stacks, start and end, jump out, fork, load libraries, while ops come, change and go: each call is seen once, no ops is seen behind its end",
     .needs = CASE_TORTURE, .timeout = 120)
{
	struct sigaction act = { .sa_handler = on_usr1, .sa_flags = SA_ONSTACK | SA_RESTART };
	struct probe *stays = probe_new(), *jumper = probe_new();
	unsigned int most = tramp_emulated() ? 8 : WORKERS;
	unsigned long n, calls = tramp_emulated() ? 512 : 2048;

	sigaction(SIGUSR1, &act, NULL);
	stays->ops.func = count_hit;
	jumper->ops.func = jump_hit;
	probe_register(stays, tracee_a);
	probe_register(jumper, tracee_d);
	for (n = 0; more(n, 2); n++) {
		one_round(n ? 2 + (case_seed() + n * 7) % (most - 1) : NR_KINDS, calls, case_seed() + n);
		/* Longer, where there is time. */
		if (n && calls < 4UL << 20)
			calls *= 2;
	}
	EXPECT_EQ(jumped + tramp_missed(&jumper->ops), sum.jumps);
	EXPECT_EQ(tramp_missed(&stays->ops), 0);
	EXPECT_EQ(poisoned, 0);
	case_survived(sum.calls, "calls counted exactly");
	case_survived(sum.registered, "registrations");
	case_survived(sum.filtered, "filter changes");
	case_survived(sum.threads, "threads");
	case_survived(sum.jumps, "jumps out of callbacks");
	case_survived(sum.children, "children of fork()");
	case_survived(sum.libraries, "libraries loaded and unloaded");
}
