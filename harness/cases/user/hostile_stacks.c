/* SPDX-License-Identifier: MIT */
/*
 * Stacks that are not one mapping from end to end: who is inside a callback on one
 * must be seen there, or is called into freed code later.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "core/core.h"
#include "../../user.h"

static struct gate deep;

/* --- divided --- */

static unsigned long page_of(const void *p)
{
	return (unsigned long)p & -sysconf(_SC_PAGESIZE);
}

/* How the kernel divides a mapping where nothing is to be seen of it from inside. */
static bool divide(unsigned long at)
{
	return !madvise((void *)at, sysconf(_SC_PAGESIZE), MADV_DONTFORK);
}

/* Some pages further down than the trampoline's frame, with a boundary between. */
static void __attribute__((noinline)) wait_below(unsigned long boundary)
{
	volatile char room[3 * 65536];

	room[0] = 0;
	EXPECT(page_of((void *)room) < boundary, "the stack does not reach over the boundary");
	gate_pass(&inside_gate);
	room[sizeof(room) - 1] = 0;
}

static void divide_and_wait(struct probe *p, struct ftrace_regs *fregs)
{
	unsigned long boundary = page_of(&p) - 65536;

	(void)fregs;
	p->data[0] = divide(boundary);
	wait_below(boundary);
}

static void unregister_waits(struct probe *p, pthread_t caller)
{
	struct stopper s;

	gate_await(&inside_gate, 1);
	stopper_start(&s, p);
	nap_ms(50);
	EXPECT_EQ(stopper_done(&s), 0);
	gate_open(&inside_gate);
	join(s.thread);
	EXPECT_EQ(s.err, 0);
	join(caller);
	EXPECT_EQ(p->calls, 1);
}

CASE(stack_of_several_mappings, "S127 S129 BUG-01 BUG-57", "the kernel has divided a thread's stack between its stack pointer and the trampoline's frame: unregister waits")
{
	struct probe *p = probe_new();

	p->then = divide_and_wait;
	probe_register(p, tracee_a);
	unregister_waits(p, spawn(thread_calls_a, NULL));
	EXPECT(p->data[0], "madvise(MADV_DONTFORK) on a stack failed");
}

/* --- growing --- */

static volatile unsigned int levels = 256;

/* Not a frame of one piece: a stack grows page by page. */
static unsigned long __attribute__((noinline)) sink(unsigned int level)
{
	volatile char room[16384];

	room[0] = level;
	if (level < levels)
		return sink(level + 1) + room[0];
	gate_pass(&deep);
	return room[0];
}

static void sink_later(struct probe *p, struct ftrace_regs *fregs)
{
	(void)fregs;
	gate_pass(&inside_gate);
	p->data[0] = sink(0) != 0;
}

static void *let_it_sink(void *arg)
{
	struct stopper s;

	gate_await(&inside_gate, 1);
	stopper_start(&s, arg);
	nap_ms(20);
	/* It waits, and knows where the stack was. */
	gate_open(&inside_gate);
	gate_await(&deep, 1);
	nap_ms(50);
	EXPECT_EQ(stopper_done(&s), 0);
	gate_open(&deep);
	join(s.thread);
	EXPECT_EQ(s.err, 0);
	return NULL;
}

CASE(stack_that_grows_meanwhile, "S127 S129 BUG-01", "the main thread's stack grows inside a callback, after unregister has begun to wait for it", .needs = CASE_ONE_CLASS)
{
	struct probe *p = probe_new();
	pthread_t helper;

	p->then = sink_later;
	probe_register(p, tracee_a);
	helper = spawn(let_it_sink, p);
	EXPECT_EQ(tracee_a(1), 2);
	join(helper);
	EXPECT_EQ(p->calls, 1);
}

/* --- at the last word of a mapping --- */

CASE(callback_on_the_last_page_of_a_stack, "S127 BUG-14", "a thread's stack ends where the address space is not mapped, a page above its first frame: it is read so far and no further")
{
	struct probe *p = probe_new();
	pthread_attr_t attr;
	unsigned long len = 1 << 20;
	char *stack = mmap(NULL, len + 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_t t;

	REQUIRE(stack != MAP_FAILED, "no memory");
	munmap(stack + len, 65536);
	pthread_attr_init(&attr);
	pthread_attr_setstack(&attr, stack, len);
	p->then = divide_and_wait;
	probe_register(p, tracee_a);
	REQUIRE_EQ(pthread_create(&t, &attr, thread_calls_a, NULL), 0);
	unregister_waits(p, t);
}

#define END_STACK	(512UL << 10)

static char *stack_at(unsigned long at)
{
	char *p = mmap((void *)at, END_STACK, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	return p == (char *)at ? p : NULL;
}

static char *lowest_stack(void)
{
	char *p = NULL;

	for (unsigned long at = 65536; !p && at < 1UL << 26; at += 65536)
		p = stack_at(at);
	return p;
}

/* Where user space ends is not told. */
static char *highest_stack(void)
{
	unsigned long page = sysconf(_SC_PAGESIZE);
	char *p = NULL;

	for (unsigned int bit = 56; !p && bit > 36; bit--)
		for (unsigned long i = 0; !p && i < 256; i++)
			p = stack_at((1UL << bit) - END_STACK - i * page);
	return p;
}

static void wait_on(char *stack)
{
	struct probe *p = probe_new();
	pthread_attr_t attr;
	pthread_t t;

	inside_gate = (struct gate){ 0 };
	pthread_attr_init(&attr);
	pthread_attr_setstack(&attr, stack, END_STACK);
	p->then = stay_inside;
	probe_register(p, tracee_a);
	REQUIRE_EQ(pthread_create(&t, &attr, thread_calls_a, NULL), 0);
	unregister_waits(p, t);
}

CASE(stacks_at_both_ends_of_the_address_space, "S127 BUG-16", "threads sleep in callbacks on the lowest and on the highest stack that can be mapped: unregister waits")
{
	char *low = lowest_stack(), *high = highest_stack();

	if (case_tsan())
		SKIP("ThreadSanitizer's threads need larger stacks");
	REQUIRE(low && high, "no stack at an end of the address space");
	wait_on(low);
	wait_on(high);
}

/* --- the list of threads --- */

static void *come_and_go(void *arg)
{
	struct caller *c = arg;
	pthread_t t[4];

	while (!__atomic_load_n(&c->stop, __ATOMIC_RELAXED)) {
		for (int i = 0; i < 4; i++)
			t[i] = spawn(thread_calls_a, NULL);
		for (int i = 0; i < 4; i++)
			join(t[i]);
		c->calls += 4;
	}
	return NULL;
}

CASE(nobody_missed_in_a_changing_list, "S127", "other threads end while unregister lists all threads: the one in the callback is not missed", .needs = CASE_TORTURE | CASE_ONE_CLASS, .timeout = 60)
{
	struct caller churn = { .stop = 0 };
	struct probe *p = probe_new();
	unsigned long n = 0;
	struct stopper s;
	pthread_t t;

	p->then = stay_inside;
	churn.thread = spawn(come_and_go, &churn);
	for (; more(n, 10); n++) {
		inside_gate = (struct gate){ 0 };
		probe_register(p, tracee_b);
		t = spawn(thread_calls_b, NULL);
		gate_await(&inside_gate, 1);
		stopper_start(&s, p);
		for (int i = 0; i < 10 && !stopper_done(&s); i++)
			nap_ms(0);
		EXPECT_EQ(stopper_done(&s), 0);
		gate_open(&inside_gate);
		join(s.thread);
		EXPECT_EQ(s.err, 0);
		join(t);
	}
	caller_stop(&churn);
	case_survived(n, "waits while threads come and go");
}

/* --- the main thread that has ended --- */

static void *work_after_main(void *arg)
{
	struct probe *p = arg;
	int right = 0;

	nap_ms(10);
	for (int i = 0; i < 3; i++) {
		right += probe_start(p) == 0;
		right += tracee_a(1) == 2;
		right += probe_stop(p) == 0;
	}
	_exit(right + (p->calls == 3));
}

static int end_main(void *arg)
{
	spawn(work_after_main, arg);
	pthread_exit(NULL);
}

CASE(main_thread_has_ended, "BUG-56 S127", "the main thread has ended and the program goes on: nobody waits for it", .needs = CASE_ONE_CLASS)
{
	struct probe *p = probe_new();

	if (tramp_emulated())
		SKIP("QEMU itself crashes when its main thread has ended");
	EXPECT_EQ(probe_add(p, tracee_a), 0);
	EXPECT_EQ(in_fork(end_main, p), 10);
}
