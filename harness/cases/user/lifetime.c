/* SPDX-License-Identifier: MIT */
/* What unregister waits for, and that nobody is inside behind it. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <shim.h>
#include "core/core.h"
#include "../../user.h"

static struct gate gate;

/* The first caller alone: the case's own thread comes by, too. */
static void park(struct probe *p, struct ftrace_regs *fregs)
{
	(void)fregs;
	if (p->calls == 1)
		gate_pass(&gate);
}

static void start_stopper(struct stopper *s, struct probe *p)
{
	stopper_start(s, p);
	nap_ms(60);
	EXPECT_EQ(stopper_done(s), 0);
}

static void expect_wait(struct probe *p, void *(*call)(void *result))
{
	struct stopper s;
	unsigned long result = 0;
	pthread_t worker;

	memset(&gate, 0, sizeof(gate));
	worker = spawn(call, &result);
	gate_await(&gate, 1);
	start_stopper(&s, p);
	/* It leaves neither the API nor the sites locked while it waits, and others give up nothing of it. */
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(tramp_set_enabled(0), 0);
	EXPECT_EQ(tramp_set_enabled(1), 0);
	EXPECT_EQ(probe_start(probe_new()), 0);
	gate_open(&gate);
	join(s.thread);
	join(worker);
	EXPECT_EQ(s.err, 0);
	EXPECT_EQ(result, 2);
}

CASE(unregister_waits_for_the_callback, "S127 S129 S130 BUG-01", "a thread is parked in the callback: unregister returns only when it has left; others may register meanwhile")
{
	struct probe *p = probe_new();

	p->then = park;
	probe_register(p, tracee_a);
	expect_wait(p, thread_calls_a);
	EXPECT_EQ(p->ops.flags & FTRACE_OPS_FL_ENABLED, 0);
}

CASE(unregister_waits_on_a_shared_site, "S127 S129 BUG-01", "the same where two ops share the site")
{
	struct probe *p = probe_new();

	p->then = park;
	probe_register(p, tracee_a);
	probe_on(tracee_a);
	expect_wait(p, thread_calls_a);
}

static struct gate idle_gate;

static void *idle(void *arg)
{
	gate_pass(&idle_gate);
	return arg;
}

CASE(unregister_waits_among_many_threads, "S127 S129 BUG-01", "the same where the one in the callback is the last of 100 threads", .needs = CASE_ONE_CLASS)
{
	struct probe *p = probe_new();
	pthread_t other[100];

	/* First: what is in reach, the threads and an emulator may fill. */
	p->then = park;
	probe_register(p, tracee_a);
	for (int i = 0; i < 100; i++)
		other[i] = spawn(idle, NULL);
	gate_await(&idle_gate, 100);
	expect_wait(p, thread_calls_a);
	gate_open(&idle_gate);
	for (int i = 0; i < 100; i++)
		join(other[i]);
}

#define ALTERNATE 65536UL

static void stay_on_alternate(int sig)
{
	(void)sig;
	gate_pass(&gate);
}

static void park_in_a_handler(struct probe *p, struct ftrace_regs *fregs)
{
	(void)fregs;
	if (p->calls == 1)
		raise(SIGUSR1);
}

static void *call_with_alternate(void *result)
{
	/* By itself: with what lies above, a heap, say, it would be one stack. */
	char *room = mmap(NULL, 3 * ALTERNATE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	stack_t ss = { .ss_sp = room + ALTERNATE, .ss_size = ALTERNATE }, none = { .ss_flags = SS_DISABLE };

	EXPECT_EQ(mprotect(ss.ss_sp, ALTERNATE, PROT_READ | PROT_WRITE), 0);
	EXPECT_EQ(sigaltstack(&ss, NULL), 0);
	thread_calls_a(result);
	EXPECT_EQ(sigaltstack(&none, NULL), 0);
	munmap(room, 3 * ALTERNATE);
	return NULL;
}

CASE(unregister_waits_under_an_alternate_stack, "S127 S129 BUG-01", "a signal handler has interrupted the callback and is parked on an alternate stack, from where the interrupted one is found")
{
	struct sigaction act = { .sa_handler = stay_on_alternate, .sa_flags = SA_ONSTACK };
	struct probe *p = probe_new();

	sigaction(SIGUSR1, &act, NULL);
	p->then = park_in_a_handler;
	probe_register(p, tracee_a);
	expect_wait(p, call_with_alternate);
}

CASE(unregister_waits_under_a_guard, "S127 S65 BUG-01", "the same for an ops with RECURSION")
{
	struct probe *p = probe_flags(case_flags() | FTRACE_OPS_FL_RECURSION);

	p->then = park;
	probe_register(p, tracee_a);
	expect_wait(p, thread_calls_a);
}

static unsigned long park_in_body(void *arg)
{
	(void)arg;
	gate_pass(&gate);
	return 1;
}

static void *call_body(void *arg)
{
	*(unsigned long *)arg = tracee_calls(park_in_body, NULL);
	return NULL;
}

static int to_read[2];

static void read_inside(struct probe *p, struct ftrace_regs *fregs)
{
	char c;

	(void)fregs;
	__atomic_store_n(&p->data[0], 1, __ATOMIC_SEQ_CST);
	p->data[1] = read(to_read[0], &c, 1);
}

CASE(system_calls_go_on_while_looked_at, "S127 S129", "a thread reads in a callback, and is asked by signal where it is: the read goes on, and ends with what comes", .needs = CASE_ONE_CLASS)
{
	struct probe *p = probe_new();
	struct stopper s;
	pthread_t worker;

	REQUIRE_EQ(pipe(to_read), 0);
	p->then = read_inside;
	probe_register(p, tracee_a);
	worker = spawn(thread_calls_a, NULL);
	while (!__atomic_load_n(&p->data[0], __ATOMIC_SEQ_CST))
		nap_ms(1);
	start_stopper(&s, p);
	EXPECT_EQ(write(to_read[1], "x", 1), 1);
	join(s.thread);
	join(worker);
	EXPECT_EQ(s.err, 0);
	EXPECT_EQ(p->data[1], 1);
}

static void park_by_name(struct probe *p, struct ftrace_regs *fregs)
{
	(void)fregs;
	p->data[0] = syscall(SYS_gettid);
	prctl(PR_SET_NAME, "parked");
	gate_pass(&gate);
}

/* Until @text is there: the case's timeout is the end of it. */
static void await_text(int fd, char *buf, size_t size, const char *text)
{
	size_t len = 0;
	ssize_t n;

	do {
		n = read(fd, buf + len, size - 1 - len);
		len += n > 0 ? n : 0;
		buf[len] = '\0';
	} while (n > 0 && !strstr(buf, text));
}

CASE(wait_names_its_thread, "S127 S130", "who waits long says on stderr for which thread, by number and name", .needs = CASE_ONE_CLASS)
{
	struct probe *p = probe_new();
	char said[1024], want[64];
	int to[2], kept = dup(2);
	struct stopper s;
	pthread_t worker;

	REQUIRE_EQ(pipe(to), 0);
	p->then = park_by_name;
	probe_register(p, tracee_a);
	worker = spawn(thread_calls_a, NULL);
	gate_await(&gate, 1);
	dup2(to[1], 2);
	stopper_start(&s, p);
	await_text(to[0], said, sizeof(said), "waiting since");
	dup2(kept, 2);
	gate_open(&gate);
	join(s.thread);
	join(worker);
	EXPECT_EQ(s.err, 0);
	snprintf(want, sizeof(want), "thread %ld (parked) to leave", p->data[0]);
	EXPECT(strstr(said, want), "it says \"%s\", want \"%s\"", said, want);
}

CASE(unregister_does_not_wait_for_the_body, "S127 BUG-01", "a thread is parked in the traced function itself: nothing to wait for")
{
	struct probe *p = probe_on(tracee_calls);
	unsigned long result = 0;
	pthread_t worker;

	memset(&gate, 0, sizeof(gate));
	worker = spawn(call_body, &result);
	gate_await(&gate, 1);
	EXPECT_EQ(p->calls, 1);
	EXPECT_EQ(probe_stop(p), 0);
	gate_open(&gate);
	join(worker);
	EXPECT_EQ(result, 2);
}

CASE(ops_unmapped_behind_unregister, "S127 S130 BUG-01", "the ops' memory is unmapped as soon as unregister returns, with threads calling: nobody looks at it", .timeout = 60, .needs = CASE_TORTURE)
{
	unsigned long n;
	struct caller c, d;

	caller_start(&c, tracee_a, 2);
	caller_start(&d, tracee_a, 2);
	for (n = 0; more(n, 8); n++) {
		struct probe *p = mmap(NULL, sizeof(*p), PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		REQUIRE(p != MAP_FAILED, "mmap failed");
		probe_init(p, case_flags());
		probe_register(p, tracee_a);
		EXPECT_EQ(probe_stop(p), 0);
		ftrace_free_filter(&p->ops);
		munmap(p, sizeof(*p));
	}
	caller_stop(&c);
	caller_stop(&d);
	EXPECT_EQ(c.wrong + d.wrong, 0);
	case_survived(n, "ops unmapped under load");
}

static void *wait_with_trap_blocked(void *arg)
{
	sigset_t trap;

	(void)arg;
	sigemptyset(&trap);
	sigaddset(&trap, SIGTRAP);
	pthread_sigmask(SIG_BLOCK, &trap, NULL);
	gate_pass(&gate);
	return NULL;
}

CASE(blocked_sigtrap_is_refused, "S132", "a thread that blocks SIGTRAP could not pass a site in transition, where that is a trap: -EBUSY, nothing changed")
{
	struct probe *p = probe_new();
	pthread_t t;

	memset(&gate, 0, sizeof(gate));
	t = spawn(wait_with_trap_blocked, NULL);
	gate_await(&gate, 1);
	EXPECT_EQ(probe_add(p, tracee_a), 0);
	EXPECT_EQ(probe_start(p), CASE_SITE_TRAPS ? -EBUSY : 0);
	EXPECT(*tramp_why() || !CASE_SITE_TRAPS, "tramp_why() is empty");
	tracee_a(1);
	EXPECT_EQ(p->calls, !CASE_SITE_TRAPS);
	gate_open(&gate);
	join(t);
	p->calls = 0;
	if (CASE_SITE_TRAPS)
		EXPECT_EQ(probe_start(p), 0);
	tracee_a(1);
	EXPECT_EQ(p->calls, 1);
}

static void *call_with_signals_blocked(void *arg)
{
	struct caller *c = arg;
	sigset_t all;

	sigfillset(&all);
	sigdelset(&all, SIGTRAP);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	while (!__atomic_load_n(&c->stop, __ATOMIC_RELAXED)) {
		tracee_a(1);
		__atomic_store_n(&c->calls, c->calls + 1, __ATOMIC_RELAXED);
		/* One that never sleeps cannot be looked at; and while the site changes, each call may be a trap. */
		if (c->calls % 10 == 0)
			nap_ms(1);
	}
	return NULL;
}

CASE(blocked_signals_do_not_block_unregister, "S129", "a thread that blocks every signal but SIGTRAP, and sleeps now and then: register and unregister still finish", .needs = CASE_ONE_CLASS)
{
	struct probe *p = probe_new(), *stays = probe_on(tracee_a);
	struct caller c = { .stop = 0 };

	if (tramp_emulated() || !arch_return_on_stack)
		SKIP("what /proc tells of a sleeping thread is not enough here, and this one takes no signal");
	c.thread = spawn(call_with_signals_blocked, &c);
	caller_progress(&c, 1);
	for (int i = 0; i < 5; i++) {
		probe_register(p, tracee_a);
		EXPECT_EQ(probe_stop(p), 0);
	}
	caller_stop(&c);
	EXPECT_EQ(stays->calls, c.calls);
}

/* The last thing it does is a call: compilers make it a jump, and the callback leaves no frame. */
static void pause_last(unsigned long ip, unsigned long parent_ip,
		       struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	(void)ip, (void)parent_ip, (void)fregs;
	__atomic_store_n(&((struct probe *)op)->data[0], 1, __ATOMIC_SEQ_CST);
	shim_sleep((unsigned int *)&((struct probe *)op)->data[1]);
}

CASE(unregister_waits_for_a_callback_without_a_frame, "S127 BUG-01", "a thread sleeps in a leaf that the callback jumped to: only a register may say where it returns to")
{
	struct probe *p = probe_new();
	struct stopper s;
	unsigned long result = 0;
	pthread_t worker;

	p->ops.func = pause_last;
	probe_register(p, tracee_a);
	worker = spawn(thread_calls_a, &result);
	while (!__atomic_load_n(&p->data[0], __ATOMIC_SEQ_CST))
		nap_ms(1);
	nap_ms(20);
	stopper_start(&s, p);
	nap_ms(300);
	EXPECT_EQ(stopper_done(&s), 0);
	__atomic_store_n((unsigned int *)&p->data[1], 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &p->data[1], FUTEX_WAKE, 1, NULL, NULL, 0);
	join(s.thread);
	join(worker);
	EXPECT_EQ(s.err, 0);
	EXPECT_EQ(result, 2);
}
