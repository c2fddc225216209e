/* SPDX-License-Identifier: MIT */
/* Waits cannot fail: whatever cannot be seen of a thread, it is not taken for one that has left. */
#include <string.h>
#include "core/core.h"
#include "../../faults/state.h"
#include "../../user.h"

static unsigned int waits, returned, early;

/* One thread stays in here until the gate opens; has unregister returned by then? */
static void stay(struct probe *p, struct ftrace_regs *fregs)
{
	(void)p, (void)fregs;
	gate_pass(&inside_gate);
	early += __atomic_load_n(&returned, __ATOMIC_SEQ_CST);
}

/* Lets it out, and then lets what lasts be over. */
static void *let_out(void *arg)
{
	(void)arg;
	while (!__atomic_load_n(&waits, __ATOMIC_SEQ_CST))
		nap_ms(1);
	nap_ms(6);
	gate_open(&inside_gate);
	nap_ms(1);
	faults_heal();
	return NULL;
}

/* From the wait for callbacks on: what is looked at before is another case's. */
static struct { const struct fault *fault; unsigned long n; bool written; } armed;

static void on_state(const char *behind, unsigned long addr, size_t len)
{
	(void)addr, (void)len;
	if (!strcmp(behind, "change"))
		armed.written = true;
	if (strcmp(behind, "wait") || !armed.written)
		return;
	armed.written = false;
	faults_arm(armed.fault, armed.n);
	__atomic_store_n(&waits, 1, __ATOMIC_SEQ_CST);
}

static bool attempt(const struct fault *fault, unsigned long n)
{
	struct probe *p = probe_new();
	pthread_t stays, lets;
	unsigned long failed;
	int err;

	p->then = stay;
	probe_register(p, tracee_a);
	inside_gate = (struct gate){ 0 };
	waits = returned = 0;
	stays = spawn(thread_calls_a, NULL);
	gate_await(&inside_gate, 1);
	lets = spawn(let_out, NULL);
	armed.fault = fault;
	armed.n = n;
	tramp_state_hook = on_state;
	err = probe_stop(p);
	tramp_state_hook = NULL;
	failed = faults_disarm();
	__atomic_store_n(&returned, 1, __ATOMIC_SEQ_CST);
	__atomic_store_n(&waits, 1, __ATOMIC_SEQ_CST);
	join(stays);
	join(lets);
	EXPECT_EQ(err, 0);
	EXPECT_EQ(early, 0);
	ftrace_free_filter(&p->ops);
	return failed && !case_failed();
}

/* How long a wait lasts says how often it looks: this many ways to fail for each. */
#define LOOKS 5

/* Sometimes asleep, sometimes not. */
static unsigned long other_call(unsigned long x)
{
	nap_ms(0);
	return tracee_b(x);
}

CASE(failed_looks_are_no_leave, "S127 S129 BUG-01", "each open, read, signal, ... of the wait under unregister fails in turn while a thread is inside the callback: it is waited for",
     .needs = CASE_TORTURE, .timeout = 60)
{
	struct probe *busy = probe_new();
	struct caller other;

	probe_register(busy, tracee_b);
	caller_start(&other, other_call, 3);
	for (unsigned long round = 0; more(round, 1); round++) {
		for (unsigned int i = 0; i < NR_FAULTS && !case_failed(); i++) {
			unsigned long n = 1;

			/* It neither allocates nor writes. */
			if (!faults_share(i + round) || faults[i].kind < FAULT_SIGNAL || faults[i].kind > FAULT_STACK)
				continue;
			while (n <= rounds(LOOKS) && attempt(&faults[i], n))
				n++;
			if (case_failed())
				case_printf("%s, errno %d, number %lu%s, at %p", fault_name(faults[i].kind),
					    faults[i].err, n, faults[i].lasting ? " and later ones" : "", faults_where());
		}
	}
	caller_stop(&other);
	EXPECT_EQ(other.wrong, 0);
	EXPECT(busy->calls == other.calls, "%lu calls, %lu callbacks", other.calls, busy->calls);
	faults_report();
}

/* --- steps of a patch that are done again --- */

/* The n-th write or sync fails once, before the first change or behind it. */
static bool patch(struct probe *p, const struct fault *fault, unsigned long n)
{
	unsigned long failed;
	int err;

	faults_arm(fault, n);
	err = probe_start(p);
	failed = faults_disarm();
	EXPECT(!err || (failed && err == -fault->err), "register is %d (%s)", err, tramp_why());
	if (err)
		return !case_failed();
	faults_arm(fault, n);
	err = probe_stop(p);
	failed += faults_disarm();
	EXPECT(!err || (failed && err == -fault->err), "unregister is %d (%s)", err, tramp_why());
	if (err)
		EXPECT_EQ(probe_stop(p), 0);
	return failed && !case_failed();
}

CASE(failed_steps_lose_no_call, "S132 S133 S134 BUG-10", "each write and each membarrier of a patch fails in turn while a thread calls the site: it is done again, and every call is counted once",
     .needs = CASE_TORTURE, .timeout = 60)
{
	static const struct fault steps[] = { { FAULT_SYNC, ENOMEM, false }, { FAULT_WRITE, EIO, false } };
	struct probe *stays = probe_on(tracee_a), *comes = probe_new();
	unsigned long before;
	struct caller c;

	EXPECT_EQ(probe_add(comes, tracee_a), 0);
	before = stays->calls;
	caller_start(&c, tracee_a, 2);
	for (unsigned long round = 0; more(round, 1); round++) {
		unsigned long n = 1;

		while (patch(comes, &steps[(case_class + round) % 2], n))
			n++;
	}
	caller_stop(&c);
	EXPECT_EQ(c.wrong, 0);
	EXPECT(stays->calls - before == c.calls, "%lu calls, %lu callbacks", c.calls, stays->calls - before);
	EXPECT(comes->calls <= c.calls, "%lu calls, %lu callbacks", c.calls, comes->calls);
	case_survived(c.calls, "calls while steps of a patch failed");
	faults_report();
}
