/* SPDX-License-Identifier: MIT */
/*
 * A program whose allocator has one lock, which somebody holds at the worst of times
 * (BUG-12): all the while that a change is asked for, or where a thread is asked where
 * it is.  Nothing may be allocated while text is half written, nor in a signal handler
 * that has interrupted the allocator.  The argument is a wildcard over the strategies.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <ftrace.h>
#include <tramp.h>
#include "each.h"
#include "heap.h"

#define SITE 8

static pthread_t owner;
static unsigned int locked;
static const unsigned char *site;	/* where text changes */
static unsigned long half, seen;

/* On arm64 a site is one store: it has no state between. */
static int is_half(void)
{
#ifdef __x86_64__
	return *site != 0xe8 && *site != 0x0f;
#else
	return 0;
#endif
}

static void lock(void)
{
	static const char why[] = "the allocator is used by a signal handler that interrupted it\n";
	pthread_t self = pthread_self();

	while (__atomic_exchange_n(&locked, 1, __ATOMIC_ACQUIRE)) {
		if (pthread_equal(__atomic_load_n(&owner, __ATOMIC_RELAXED), self) && write(2, why, sizeof(why) - 1))
			_exit(3);
		sched_yield();
	}
	__atomic_store_n(&owner, self, __ATOMIC_RELAXED);
}

static void unlock(void)
{
	__atomic_store_n(&owner, (pthread_t)0, __ATOMIC_RELAXED);
	__atomic_store_n(&locked, 0, __ATOMIC_RELEASE);
}

/* Held for a while: a list that is walked. */
void *malloc(size_t size)
{
	void *p;

	lock();
	p = heap_take(size);
	half += site && is_half();
	seen += site != NULL;
	unlock();
	return p;
}

__attribute__((noinline)) int traced(int x)
{
	__asm__ volatile ("" : "+r" (x));
	return x + 1;
}

static unsigned long calls, rounds;
static unsigned int inside, leave;

/* In the allocator as good as always, until told. */
__attribute__((target("general-regs-only"), patchable_function_entry(0)))
static void allocate(unsigned long ip, unsigned long parent_ip,
		     struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	(void)ip, (void)parent_ip, (void)op, (void)fregs;
	calls++;
	__atomic_store_n(&inside, 1, __ATOMIC_SEQ_CST);
	while (!__atomic_load_n(&leave, __ATOMIC_SEQ_CST)) {
		lock();
		for (volatile int i = 0; i < 20000; i++)
			;
		unlock();
		rounds++;
		sched_yield();
	}
}

__attribute__((target("general-regs-only"), patchable_function_entry(0)))
static void count(unsigned long ip, unsigned long parent_ip,
		  struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	(void)ip, (void)parent_ip, (void)op, (void)fregs;
	calls++;
}

static int filtered(struct ftrace_ops *ops)
{
	int err = ftrace_set_filter(ops, (unsigned char *)"traced", 6, 1);

	return err ? err : register_ftrace_function(ops);
}

static void *call_traced(void *arg)
{
	return (void *)(long)(traced((int)(long)arg) == (int)(long)arg + 1);
}

static void *let_go(void *arg)
{
	(void)arg;
	/* Long enough for it to be asked again and again. */
	usleep(150000);
	__atomic_store_n(&leave, 1, __ATOMIC_SEQ_CST);
	return NULL;
}

/* Asked where it is, while it holds the lock. */
static int asked_in_the_allocator(void)
{
	static struct ftrace_ops slow, other;
	pthread_t t, timer;
	void *right = NULL;
	int err;

	memset(&slow, 0, sizeof(slow));
	memset(&other, 0, sizeof(other));
	slow.func = allocate;
	other.func = count;
	inside = leave = rounds = 0;
	err = filtered(&slow);
	pthread_create(&t, NULL, call_traced, (void *)1);
	while (!__atomic_load_n(&inside, __ATOMIC_SEQ_CST))
		sched_yield();
	/* Code that the unwinder has not heard of yet. */
	if (!err)
		err = filtered(&other);
	pthread_create(&timer, NULL, let_go, NULL);
	if (!err)
		err = unregister_ftrace_function(&slow);
	pthread_join(timer, NULL);
	pthread_join(t, &right);
	if (!err)
		err = unregister_ftrace_function(&other);
	return err || !right || !rounds;
}

static unsigned int released;

static void *hold(void *arg)
{
	unsigned char before[SITE];

	(void)arg;
	memcpy(before, site, SITE);
	lock();
	__atomic_store_n(&inside, 1, __ATOMIC_SEQ_CST);
	usleep(20000);
	/* Who is waiting for the lock has written nothing; text can be run. */
	released = memcmp(before, site, SITE) == 0 && traced(1) == 2;
	unlock();
	return NULL;
}

/* The lock is held by somebody who is in no hurry. */
static int held_when_asked(int (*change)(struct ftrace_ops *ops), struct ftrace_ops *ops)
{
	pthread_t t;
	int err;

	inside = released = 0;
	pthread_create(&t, NULL, hold, NULL);
	while (!__atomic_load_n(&inside, __ATOMIC_SEQ_CST))
		sched_yield();
	err = change(ops);
	pthread_join(t, NULL);
	return err || !released;
}

static int run(const char *strategy)
{
	struct ftrace_ops ops = { .func = count }, second = { .func = count };
	int err = tramp_use(strategy);

	calls = half = seen = 0;
	site = (const unsigned char *)ftrace_location((unsigned long)traced);
	if (!err)
		err = filtered(&ops);
	for (int i = 0; i < 3 && !err; i++) {
		err = held_when_asked(unregister_ftrace_function, &ops);
		if (!err)
			err = held_when_asked(register_ftrace_function, &ops);
		/* From one to a set, by the words or the slot where there are any, and back. */
		if (!err)
			err = filtered(&second);
		traced(1);
		if (!err)
			err = unregister_ftrace_function(&second);
	}
	if (!err)
		err = unregister_ftrace_function(&ops);
	if (!err)
		err = asked_in_the_allocator();
	site = NULL;
	printf("%s: %d, %s; %lu calls; %lu of %lu allocations with text half written\n", strategy, err,
	       err ? tramp_why() : "", calls, half, seen);
	return err || half || !calls || !seen;
}

int main(int argc, char **argv)
{
	return each_strategy(argc, argv, run);
}
