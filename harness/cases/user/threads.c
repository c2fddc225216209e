/* SPDX-License-Identifier: MIT */
/*
 * Changes while other threads call.  The oracle is exact: an ops that stays on
 * a site is called as often as the function, whatever happens beside it.
 */
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>
#include <unwind.h>
#include "../../user.h"

#define ROUNDS rounds(8)

CASE(exact_while_another_toggles, "S132 S133 S134 BUG-10", "an ops misses and doubles no call while another comes and goes on its site", .timeout = 60, .needs = CASE_TORTURE)
{
	struct probe *stays = probe_on(tracee_a), *toggles = probe_new();
	unsigned long n;
	struct caller c;

	caller_start(&c, tracee_a, 2);
	for (n = 0; more(n, 8); n++) {
		probe_register(toggles, tracee_a);
		EXPECT_EQ(probe_stop(toggles), 0);
	}
	caller_stop(&c);
	EXPECT_EQ(stays->calls, c.calls);
	EXPECT_EQ(c.wrong, 0);
	EXPECT(toggles->calls <= c.calls, "the other was called %lu times in %lu calls",
	       toggles->calls, c.calls);
	case_survived(c.calls, "calls counted while ops come and go");
	case_survived(2 * n, "changes of ops under load");
}

/* A cancellation is under way when each call begins; what comes of it is the return value. */
static void *change_while_cancelled(void *arg)
{
	struct probe *p = arg;

	pthread_cancel(pthread_self());
	p->data[0] |= probe_start(p);
	p->data[0] |= probe_add(p, tracee_b);
	p->data[0] |= probe_filter(p, "tracee_a", 1);
	p->data[0] |= tramp_set_enabled(0);
	p->data[0] |= tramp_set_enabled(1);
	p->data[0] |= probe_stop(p);
	p->data[1]++;
	pthread_testcancel();
	return NULL;
}

CASE(cancelled_within_a_change, "S132 BUG-12", "a thread that changes something is cancelled: the change is made first, and nobody finds the lock taken, or half of a patch", .needs = CASE_ONE_CLASS)
{
	struct probe *p = probe_new(), *stays = probe_on(tracee_b);
	struct caller c;
	void *end;

	EXPECT_EQ(probe_add(p, tracee_a), 0);
	caller_start(&c, tracee_b, 3);
	caller_progress(&c, 1);
	pthread_join(spawn(change_while_cancelled, p), &end);
	EXPECT(end == PTHREAD_CANCELED, "the thread was not cancelled");
	EXPECT_EQ(p->data[0], 0);
	EXPECT_EQ(p->data[1], 1);
	EXPECT_EQ(probe_start(p), 0);
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(probe_stop(p), 0);
	caller_stop(&c);
	EXPECT_EQ(c.wrong, 0);
	EXPECT(c.calls >= stays->calls, "%lu calls of the callback in %lu calls", stays->calls, c.calls);
}

CASE(exact_while_classes_change, "S60 S90 S132", "the same while the other raises and lowers the register class", .timeout = 60, .needs = CASE_NEEDS_FREGS)
{
	struct probe *stays = probe_on(tracee_args6), *toggles = probe_flags(FTRACE_OPS_FL_SAVE_REGS);
	unsigned long calls = 0;

	for (unsigned int i = 0; i < ROUNDS; i++) {
		probe_register(toggles, tracee_args6);
		EXPECT_EQ(tracee_args6(1, 2, 3, 4, 5, 6), 1 + 6 + 15 + 28 + 55 + 78);
		EXPECT_EQ(probe_stop(toggles), 0);
		EXPECT_EQ(tracee_args6(1, 2, 3, 4, 5, 6), 1 + 6 + 15 + 28 + 55 + 78);
		calls += 2;
	}
	EXPECT_EQ(stays->calls, calls);
	EXPECT_EQ(toggles->calls, calls / 2);
}

CASE(exact_while_all_sites_toggle, "S132 S135", "the same while another ops switches every site on and off", .timeout = 60)
{
	struct probe *stays = probe_on(tracee_a), *all = probe_new();
	struct caller c;

	caller_start(&c, tracee_a, 2);
	for (int i = 0; i < 5; i++) {
		EXPECT_EQ(probe_start(all), 0);
		caller_progress(&c, 2);	/* the second began after that */
		EXPECT_EQ(probe_stop(all), 0);
	}
	caller_stop(&c);
	EXPECT_EQ(stays->calls, c.calls);
	EXPECT_EQ(c.wrong, 0);
	EXPECT(all->calls, "the one that traces all was never called");
}

CASE(quiet_after_unregister_under_load, "S127 S132 S3", "on after register has returned, off after unregister has, with a thread calling all the time", .timeout = 60)
{
	struct probe *p = probe_new();
	unsigned long before;
	struct caller c;

	caller_start(&c, tracee_a, 2);
	for (unsigned int i = 0; i < ROUNDS / 4; i++) {
		probe_register(p, tracee_a);
		before = p->calls;
		caller_progress(&c, 2);
		EXPECT(p->calls > before, "2 calls after register, and the callback was not called");
		EXPECT_EQ(probe_stop(p), 0);
		before = p->calls;
		caller_progress(&c, 50);
		EXPECT_EQ(p->calls, before);
	}
	caller_stop(&c);
	EXPECT_EQ(c.wrong, 0);
}

CASE(replace_opens_no_other_site, "S38 BUG-47", "replacing {a} by {b} with reset never calls for a third function", .timeout = 60)
{
	struct probe *p = probe_on(tracee_a);
	struct caller c;

	caller_start(&c, tracee_c, 4);
	for (unsigned int i = 0; i < ROUNDS; i++) {
		EXPECT_EQ(ftrace_set_filter_ip(&p->ops, fn_ip(tracee_b), 0, 1), 0);
		EXPECT_EQ(ftrace_set_filter_ip(&p->ops, fn_ip(tracee_a), 0, 1), 0);
	}
	caller_progress(&c, 1);
	caller_stop(&c);
	EXPECT_EQ(p->calls, 0);
	tracee_a(1);
	EXPECT_EQ(p->calls, 1);
}

/* --- function and ops --- */

struct pairing { struct ftrace_ops ops; unsigned int which; unsigned long calls, wrong; };

static void pairing_hit(struct ftrace_ops *op, unsigned int which)
{
	struct pairing *p = (struct pairing *)op;

	__atomic_fetch_add(&p->calls, 1, __ATOMIC_RELAXED);
	if (p->which != which)
		__atomic_fetch_add(&p->wrong, 1, __ATOMIC_RELAXED);
}

static void pairing_0(unsigned long ip, unsigned long parent_ip,
		      struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	(void)ip, (void)parent_ip, (void)fregs;
	pairing_hit(op, 0);
}

static void pairing_1(unsigned long ip, unsigned long parent_ip,
		      struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	(void)ip, (void)parent_ip, (void)fregs;
	pairing_hit(op, 1);
}

CASE(function_fits_ops_under_load, "S83 S84 S139", "two ops with different functions swap under a calling thread: no function ever gets the other's ops", .timeout = 60)
{
	static struct pairing p[2] = { { .ops.func = pairing_0 },
				       { .ops.func = pairing_1, .which = 1 } };
	struct caller c;

	for (int i = 0; i < 2; i++) {
		p[i].ops.flags = case_flags();
		EXPECT_EQ(ftrace_set_filter_ip(&p[i].ops, (unsigned long)tracee_a, 0, 0), 0);
	}
	caller_start(&c, tracee_a, 2);
	EXPECT_EQ(register_ftrace_function(&p[0].ops), 0);
	for (unsigned int i = 0; i < ROUNDS / 2; i++) {
		EXPECT_EQ(register_ftrace_function(&p[1].ops), 0);
		EXPECT_EQ(unregister_ftrace_function(&p[0].ops), 0);
		if (!i)
			caller_progress(&c, 2);
		EXPECT_EQ(register_ftrace_function(&p[0].ops), 0);
		EXPECT_EQ(unregister_ftrace_function(&p[1].ops), 0);
	}
	EXPECT_EQ(unregister_ftrace_function(&p[0].ops), 0);
	caller_stop(&c);
	EXPECT_EQ(p[0].wrong + p[1].wrong, 0);
	EXPECT(p[0].calls && p[1].calls, "called %lu and %lu times, want both", p[0].calls, p[1].calls);
	for (int i = 0; i < 2; i++)
		ftrace_free_filter(&p[i].ops);
}

static void *short_life(void *arg)
{
	(void)arg;
	for (int i = 0; i < 10; i++)
		tracee_a(1);
	return NULL;
}

CASE(threads_come_and_go, "S129 S132 BUG-53", "threads that start and end while ops come and go: counts exact", .timeout = 60)
{
	struct probe *stays = probe_on(tracee_a), *toggles = probe_new();

	for (unsigned int i = 0; i < ROUNDS; i++) {
		pthread_t t = spawn(short_life, NULL), u = spawn(short_life, NULL);

		probe_register(toggles, tracee_a);
		EXPECT_EQ(probe_stop(toggles), 0);
		join(t);
		join(u);
	}
	EXPECT_EQ(stays->calls, 20 * ROUNDS);
}

static void *toggle_own(void *arg)
{
	struct probe *p = arg;

	for (unsigned int i = 0; i < ROUNDS / 4; i++) {
		probe_register(p, tracee_a);
		EXPECT_EQ(probe_stop(p), 0);
	}
	return NULL;
}

static void two_threads_register(void)
{
	struct probe *stays = probe_on(tracee_a);
	struct caller c;
	pthread_t t, u;

	caller_start(&c, tracee_a, 2);
	t = spawn(toggle_own, probe_new());
	u = spawn(toggle_own, probe_new());
	join(t);
	join(u);
	caller_stop(&c);
	EXPECT_EQ(stays->calls, c.calls);
	EXPECT_EQ(c.wrong, 0);
}

CASE(two_threads_register, "S131 S132", "two threads that register and unregister at once, a third that calls", .timeout = 60)
{
	two_threads_register();
}

/* Its bounds are on the stack of who waits, where the unwinder's text would be a return address into it. */
static bool map_up_to_the_unwinder(void)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	Dl_info info;

	return dladdr((void *)_Unwind_Backtrace, &info) &&
	       mmap((char *)info.dli_fbase - page, page, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != MAP_FAILED;
}

CASE(two_threads_register_beside_the_unwinder, "S131 S132", "the same where writable memory ends at the unwinder's first byte", .timeout = 60, .needs = CASE_ONE_CLASS)
{
	if (!map_up_to_the_unwinder())
		SKIP("there is something in front of the unwinder already");
	two_threads_register();
}
