/* SPDX-License-Identifier: MIT */
/*
 * Programs that shut themselves in after they have started, as servers and browsers
 * do: every call that a change of live text needs is refused.  What cannot be done
 * is refused whole; nobody is killed, freed too early or left waiting.
 */
#include <linux/seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "../../sandbox.h"
#include "../../user.h"

extern const char __executable_start[], etext[];

/* Each runs in a child: 0, or what it has failed in is told already. */
enum { NO_SANDBOX = 77 };

static void in_sandbox(int (*fn)(void *arg), void *arg)
{
	int ret = in_fork(fn, arg);

	if (ret == NO_SANDBOX)
		case_skip("this system has no seccomp filters, or no way to shut itself in");
	else
		EXPECT_EQ(ret, 0);
}

static char *copy_text(void)
{
	char *copy = malloc(etext - __executable_start);

	return copy ? memcpy(copy, __executable_start, etext - __executable_start) : NULL;
}

static bool text_is(const char *copy)
{
	return copy && !memcmp(copy, __executable_start, etext - __executable_start);
}

/* --- what writes text, or makes threads see it --- */

struct refused { int nr, error; struct probe *on, *late; };

/* @on is on tracee_a, @late will be on tracee_b. */
static int change_nothing(void *arg)
{
	const struct refused *r = arg;
	char *text = copy_text();
	unsigned long calls = r->on->calls;

	if (!refuse_call(r->nr, r->error))
		return NO_SANDBOX;
	EXPECT_EQ(probe_start(r->late), -r->error);
	EXPECT(*tramp_why(), "tramp_why() is empty");
	EXPECT_EQ(r->late->ops.flags & FTRACE_OPS_FL_ENABLED, 0);
	EXPECT_EQ(probe_stop(r->on), -r->error);
	EXPECT(text_is(text), "text has changed");
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(tracee_b(1), 3);
	EXPECT_EQ(r->on->calls - calls, 1);
	EXPECT_EQ(r->late->calls, 0);
	return case_failed();
}

CASE(refused_writes_change_nothing, "S12 S13 BUG-20", "pwrite() or membarrier() is refused, or missing, from now on: no register and no unregister, a reason, not one byte, and what was traced stays traced", .needs = CASE_ONE_CLASS)
{
	struct refused r[] = {
		{ SYS_pwrite64, EPERM, NULL, NULL }, { SYS_pwrite64, ENOSYS, NULL, NULL },
		{ SYS_membarrier, EPERM, NULL, NULL }, { SYS_membarrier, ENOSYS, NULL, NULL },
	};
	struct probe *on = probe_on(tracee_a), *late = probe_new();

	EXPECT_EQ(probe_add(late, tracee_b), 0);
	for (unsigned int i = 0; i < sizeof(r) / sizeof(*r); i++) {
		r[i].on = on;
		r[i].late = late;
		in_sandbox(change_nothing, &r[i]);
	}
}

/* --- memory --- */

struct memory { int mmap_nr, mprotect_nr, memfd_error; };

static bool refuse_memory(const struct memory *m)
{
	return m->memfd_error ? refuse_call(SYS_memfd_create, m->memfd_error) :
				refuse_exec(m->mmap_nr, m->mprotect_nr, EACCES);
}

/* Each on its own takes code of its own where the strategy makes any, until there is no room. */
static int use_what_there_is(void *arg)
{
	const struct memory *m = arg;
	struct probe *p[560];
	unsigned int nr = 0;
	char *text;
	int err = 0, again;

	if (!refuse_memory(m))
		return NO_SANDBOX;
	for (; nr < 560; nr++) {
		p[nr] = probe_new();
		EXPECT_EQ(probe_add(p[nr], nr % 2 ? tracee_b : tracee_a), 0);
		err = probe_start(p[nr]);
		if (err)
			break;
	}
	if (err) {
		text = copy_text();
		again = probe_start(p[nr]);
		EXPECT_EQ(again, err);
		EXPECT_EQ(err, m->memfd_error ? -m->memfd_error : -EACCES);
		EXPECT(*tramp_why(), "tramp_why() is empty");
		EXPECT(text_is(text), "text has changed");
	}
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(tracee_b(1), 3);
	for (unsigned int i = 0; i < nr; i++)
		EXPECT_EQ(p[i]->calls, 1);
	while (nr)
		EXPECT_EQ(probe_stop(p[--nr]), 0);
	EXPECT_EQ(tracee_a(1), 2);
	return case_failed();
}

CASE(what_memory_there_is_serves_on, "BUG-20 S12 S70", "executable memory, or a memfd, is refused once there is some: more ops find room in it; where they need more, a reason and no byte changed; all can leave", .needs = CASE_ONE_CLASS)
{
	struct memory m[] = { { SYS_mmap, SYS_mprotect, 0 }, { 0, 0, EPERM } };

	EXPECT_EQ(probe_stop(probe_on(tracee_c)), 0);
	for (unsigned int i = 0; i < sizeof(m) / sizeof(*m); i++)
		in_sandbox(use_what_there_is, &m[i]);
}

/* No code was ever needed before. */
static int need_memory(void *arg)
{
	const struct memory *m = arg;
	struct probe *p = probe_new();
	char *text = copy_text();
	int err;

	EXPECT_EQ(probe_add(p, tracee_a), 0);
	if (!refuse_memory(m))
		return NO_SANDBOX;
	err = probe_start(p);
	/* Code is written through another mapping: nothing is made executable later. */
	EXPECT_EQ(err, m->memfd_error ? -m->memfd_error : m->mmap_nr < 0 ? 0 : -EACCES);
	EXPECT(!err || (*tramp_why() && text_is(text)), "text has changed, or nothing says why not");
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(p->calls, !err);
	return case_failed();
}

CASE(first_memory_refused, "BUG-20 S70", "mmap(PROT_EXEC), mprotect(PROT_EXEC) or memfd_create() is refused before there is any: the error, not one byte changed; mprotect is not needed", .needs = CASE_ONE_CLASS)
{
	struct memory m[] = {
		{ SYS_mmap, -1, 0 }, { -1, SYS_mprotect, 0 }, { SYS_mmap, SYS_mprotect, 0 },
		{ 0, 0, EPERM }, { 0, 0, ENOSYS },
	};

	for (unsigned int i = 0; i < sizeof(m) / sizeof(*m); i++)
		in_sandbox(need_memory, &m[i]);
}

/* The kernel's own rule, since 6.3 and in no header of Debian 12: what was writable never becomes executable. */
#ifndef PR_SET_MDWE
#define PR_SET_MDWE			65
#define PR_MDWE_REFUSE_EXEC_GAIN	1
#endif

static int write_xor_execute(void *arg)
{
	struct probe *p = probe_new();

	(void)arg;
	EXPECT_EQ(probe_add(p, tracee_a), 0);
	if (prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0))
		return NO_SANDBOX;
	EXPECT_EQ(probe_start(p), 0);
	EXPECT_EQ(tracee_a(1), 2);
	probe_on(tracee_a);
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(p->calls, 2);
	EXPECT_EQ(probe_stop(p), 0);
	return case_failed();
}

CASE(kernel_that_refuses_to_gain_exec, "BUG-20 BUG-19", "prctl(PR_SET_MDWE): nothing is written and then made executable, so all works")
{
	int ret = in_fork(write_xor_execute, NULL);

	if (ret == NO_SANDBOX)
		SKIP("this kernel has no PR_SET_MDWE (Linux 6.3)");
	EXPECT_EQ(ret, 0);
}

/* --- /proc, and signals to threads --- */

/* A thread sleeps in a callback, another calls: unregister waits for the one and looks at the other. */
static int waits_for_the_callback(bool (*shut_in)(void))
{
	static struct caller calls;	/* its thread outlives this function where there is no sandbox */
	struct probe *p = probe_new(), *busy = probe_on(tracee_b);
	struct stopper stopper;
	pthread_t sleeper;

	p->then = stay_inside;
	probe_register(p, tracee_a);
	sleeper = spawn(thread_calls_a, NULL);
	gate_await(&inside_gate, 1);
	caller_start(&calls, tracee_b, 3);
	if (!shut_in())
		return NO_SANDBOX;
	stopper_start(&stopper, p);
	nap_ms(50);
	EXPECT_EQ(stopper_done(&stopper), 0);
	gate_open(&inside_gate);
	join(stopper.thread);
	EXPECT_EQ(stopper.err, 0);
	join(sleeper);
	EXPECT_EQ(probe_start(p), 0);
	EXPECT_EQ(probe_stop(p), 0);
	caller_stop(&calls);
	EXPECT_EQ(busy->calls, calls.calls);
	EXPECT_EQ(p->calls, 1);
	return case_failed();
}

static bool no_numbered_signals(void)
{
	return refuse_call(SYS_rt_tgsigqueueinfo, EPERM);
}

static bool no_signals_by_tgkill(void)
{
	return refuse_call(SYS_tgkill, EPERM);
}

static int with_one_signal(void *arg)
{
	return waits_for_the_callback(arg);
}

CASE(one_way_to_signal_is_enough, "S127 BUG-21", "tgkill() or rt_tgsigqueueinfo() is refused: threads are asked by the other one", .needs = CASE_ONE_CLASS)
{
	in_sandbox(with_one_signal, no_signals_by_tgkill);
	in_sandbox(with_one_signal, no_numbered_signals);
}

static bool shut_in_an_empty_root(void)
{
	char dir[] = "/tmp/tramplab-root-XXXXXX";
	bool done = mkdtemp(dir) && !chroot(dir) && !chdir("/");

	/* Empty, and still there for whoever cleans up. */
	return done && access("/proc", F_OK);
}

static int without_proc(void *arg)
{
	(void)arg;
	return waits_for_the_callback(shut_in_an_empty_root);
}

CASE(root_without_proc, "S127", "a program changes its root to a directory without /proc: unregister still waits for who is inside, and for nobody else", .needs = CASE_ONE_CLASS)
{
	in_sandbox(without_proc, NULL);
}

struct lost { int nr[2], error; bool alone; };

/* With other threads, what cannot be asked about them is no reason to go on. */
static int ask_in_vain(void *arg)
{
	static struct caller calls;	/* as above */
	const struct lost *l = arg;
	struct probe *on = probe_on(tracee_a), *late = probe_new();
	char *text;
	int err;

	EXPECT_EQ(probe_add(late, tracee_b), 0);
	if (!l->alone)
		caller_start(&calls, tracee_a, 2);
	for (int i = 0; i < 2; i++)
		if (l->nr[i] && !refuse_call(l->nr[i], l->error))
			return NO_SANDBOX;
	text = copy_text();
	err = l->alone ? 0 : -l->error;
	EXPECT_EQ(probe_start(late), err);
	EXPECT_EQ(probe_stop(on), err);
	if (err) {
		EXPECT(strstr(tramp_why(), "thread") || strstr(tramp_why(), "/proc"), "tramp_why() is \"%s\"", tramp_why());
		EXPECT(text_is(text), "text has changed");
	}
	EXPECT_EQ(tracee_b(1), 3);
	EXPECT_EQ(late->calls, l->alone);
	if (!l->alone)
		caller_stop(&calls);
	return case_failed();
}

CASE(threads_that_cannot_be_asked, "S12 S127 BUG-12", "no signal may be sent, or /proc not be opened: alone, a thread registers and unregisters; with others it is refused before the first write and waits for nothing", .needs = CASE_ONE_CLASS)
{
	struct lost l[] = {
		{ { SYS_tgkill, SYS_rt_tgsigqueueinfo }, EPERM, true },
		{ { SYS_tgkill, SYS_rt_tgsigqueueinfo }, EPERM, false },
		{ { SYS_openat, 0 }, EPERM, true },
		{ { SYS_openat, 0 }, ENOENT, true },
	};

	/* Memory is found by /proc, too. */
	EXPECT_EQ(probe_stop(probe_on(tracee_c)), 0);
	for (unsigned int i = 0; i < sizeof(l) / sizeof(*l); i++)
		in_sandbox(ask_in_vain, &l[i]);
	if (!CASE_SITE_TRAPS)
		return;
	/* Who blocks SIGTRAP would be killed by a trap. */
	l[0] = (struct lost){ { SYS_openat, 0 }, EPERM, false };
	in_sandbox(ask_in_vain, &l[0]);
}

/* --- the hot path --- */

static unsigned long strict_results;

static void *call_in_strict_mode(void *arg)
{
	(void)arg;
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
		return (void *)1;
	/* From here on all but read, write, exit and sigreturn is SIGKILL. */
	strict_results += tracee_a(1);
	strict_results += tracee_a(1);
	strict_results += tracee_args9(1, 2, 3, 4, 5, 6, 7, 8, 9);
	syscall(SYS_exit, 0);
	return NULL;
}

CASE(no_system_call_on_the_hot_path, "BUG-21", "a fresh thread in strict seccomp calls traced functions: the first call and later ones, alone and shared")
{
	struct probe *p = probe_on(tracee_a), *q = probe_flags(case_flags() | FTRACE_OPS_FL_RECURSION);
	pthread_t t;

	if (case_tsan())
		SKIP("ThreadSanitizer makes system calls of its own");
	probe_register(q, tracee_args9);
	probe_on(tracee_args9);
	t = spawn(call_in_strict_mode, NULL);
	join(t);
	if (!strict_results)
		SKIP("this system has no strict seccomp");
	EXPECT_EQ(strict_results, 2 + 2 + 1 + 6 + 15 + 28 + 55 + 78 + 119 + 152 + 207);
	EXPECT_EQ(p->calls, 2);
	EXPECT_EQ(q->calls, 1);
}

struct shut { struct caller calls; struct gate ready; unsigned long wrong, want; };

static unsigned long all_traced(void)
{
	return tracee_a(1) + tracee_b(1) + tracee_c(1) + tracee_d(1) + tracee_args9(1, 2, 3, 4, 5, 6, 7, 8, 9);
}

/* No system call but the last one, from the first traced call on. */
static void *call_shut_in(void *arg)
{
	struct shut *s = arg;

	gate_pass(&s->ready);
	if (!allow_next_to_nothing()) {
		s->calls.wrong = NO_SANDBOX;
		return NULL;
	}
	while (!__atomic_load_n(&s->calls.stop, __ATOMIC_RELAXED)) {
		s->wrong += all_traced() != s->want;
		__atomic_store_n(&s->calls.calls, s->calls.calls + 1, __ATOMIC_RELAXED);
	}
	syscall(SYS_exit, 0);
	return NULL;
}

static void nest(struct probe *p, struct ftrace_regs *fregs)
{
	(void)p, (void)fregs;
	tracee_d(1);
}

/* Alone, guarded, without RCU, shared, nested, missed: every way to a callback that there is. */
static void all_ways(struct probe **on)
{
	unsigned long flags = case_flags();

	on[0] = probe_on(tracee_a);
	on[1] = probe_flags(flags | FTRACE_OPS_FL_RECURSION);
	on[1]->then = nest;
	probe_register(on[1], tracee_b);
	on[2] = probe_flags(flags | FTRACE_OPS_FL_RCU);
	probe_register(on[2], tracee_c);
	on[3] = probe_on(tracee_d);
	on[4] = probe_flags(flags | FTRACE_OPS_FL_RECURSION);
	on[4]->then = nest;
	probe_register(on[4], tracee_d);
	on[5] = probe_on(tracee_args9);
}

static int change_around(void *arg)
{
	struct shut s = { .want = all_traced() };
	struct probe *on[6], *p = probe_new();
	unsigned long rounds_made = 0;
	pthread_t t;

	all_ways(on);
	for (int i = 0; i < 6; i++)
		on[i]->calls = 0;
	(void)arg;
	t = spawn(call_shut_in, &s);
	gate_await(&s.ready, 1);
	gate_open(&s.ready);
	EXPECT_EQ(probe_filter(p, "tracee_*", 0), 0);
	/* At most as many as there is time for: each waits for the thread to be seen outside. */
	while (__atomic_load_n(&s.calls.calls, __ATOMIC_RELAXED) < 10 && !s.calls.wrong)
		nap_ms(0);
	for (; !s.calls.wrong && more(rounds_made, 3); rounds_made++) {
		EXPECT_EQ(probe_start(p), 0);
		EXPECT_EQ(probe_stop(p), 0);
	}
	__atomic_store_n(&s.calls.stop, 1, __ATOMIC_RELAXED);
	join(t);
	if (s.calls.wrong == NO_SANDBOX)
		return NO_SANDBOX;
	EXPECT_EQ(s.wrong, 0);
	EXPECT_EQ(on[0]->calls, s.calls.calls);
	EXPECT_EQ(on[5]->calls, s.calls.calls);
	case_survived(5 * s.calls.calls, "traced calls in a strict sandbox");
	case_survived(rounds_made, "changes around a strict sandbox");
	return case_failed();
}

CASE(a_shut_in_thread_survives_changes, "BUG-21 S127", "a thread whose filter kills all but read, write, exit and sigreturn calls traced functions, in every way to a callback, while others come and go",
     .needs = CASE_TORTURE, .timeout = 60)
{
	if (case_tsan())
		SKIP("ThreadSanitizer makes system calls of its own");
	in_sandbox(change_around, NULL);
}
