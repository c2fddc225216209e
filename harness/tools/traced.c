/* SPDX-License-Identifier: MIT */
/*
 * What gdb and perf are let loose on:
 *
 *	traced STRATEGY CLASS HOW [CALLS]
 *
 * HOW: alone, two (ops on one function), redirected, slow (the long way to leave),
 * idle (nobody is traced), turns (one ops after the other), fork (a child that
 * adds the second ops), again (what is refused is tried once more), churn (the second ops joins and leaves CALLS times while
 * threads call).  Calls the traced function, from caller(), CALLS times
 * (default: once) in each turn, and prints how often each callback was called.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <ftrace.h>
#include <tramp.h>
#include <case_arch.h>

#define UNTRACED	__attribute__((noinline, patchable_function_entry(0)))

static unsigned long hits, more_hits;
static void (*then)(struct ftrace_regs *fregs);

UNTRACED void callback(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		       struct ftrace_regs *fregs)
{
	(void)ip, (void)parent_ip, (void)op;
	__atomic_add_fetch(&hits, 1, __ATOMIC_RELAXED);
	if (then)
		then(fregs);
}

UNTRACED void other_callback(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			     struct ftrace_regs *fregs)
{
	(void)ip, (void)parent_ip, (void)op, (void)fregs;
	__atomic_add_fetch(&more_hits, 1, __ATOMIC_RELAXED);
}

/* Nothing but a site and a return. */
__attribute__((noinline)) unsigned long traced(unsigned long x)
{
	__asm__ volatile ("" : "+r" (x));
	return x;
}

UNTRACED unsigned long instead(unsigned long x)
{
	__asm__ volatile ("" : "+r" (x));
	return x;
}

UNTRACED unsigned long caller(unsigned long x)
{
	x = traced(x);
	__asm__ volatile ("" : "+r" (x));
	return x + 1;
}

/* Between the stages that a debugger waits for. */
UNTRACED void stage(const char *what)
{
	__asm__ volatile ("" : "+r" (what) : : "memory");
}

static UNTRACED void redirect(struct ftrace_regs *fregs)
{
	ftrace_regs_set_instruction_pointer(fregs, (unsigned long)instead);
}

/* A flag that only the long way restores, where there is a short one; put back by the next call. */
static UNTRACED void change_flags(struct ftrace_regs *fregs)
{
	unsigned long flags;
	int reg = tramp_reg_number(CASE_REG_FLAGS);

	if (!tramp_regs_read(fregs, reg, &flags))
		tramp_regs_write(fregs, reg, flags ^ CASE_FLAG);
}

static void fail(const char *what)
{
	printf("%s: %s\n", what, tramp_why());
	exit(1);
}

static unsigned long choose_class(const char *name)
{
	for (int c = 0; c < TRAMP_NR_CLASSES; c++) {
		if (strcmp(name, tramp_class_names[c]))
			continue;
		if (c < TRAMP_CLASS_REGS && tramp_use_frame(c))
			fail(name);
		return c == TRAMP_CLASS_REGS ? FTRACE_OPS_FL_SAVE_REGS :
		       c == TRAMP_CLASS_VEC ? TRAMP_OPS_FL_SAVE_VEC : 0;
	}
	fail(name);
	return 0;
}

static bool again;

/* Whoever watches may mend what it was for. */
static int refused(const char *what)
{
	printf("%s: %s\n", what, tramp_why());
	fflush(stdout);
	if (!again)
		exit(1);
	stage("refused");
	return 1;
}

static void start(struct ftrace_ops *ops)
{
	if (ftrace_set_filter(ops, (unsigned char *)"traced", 6, 1))
		fail("filter");
	while (register_ftrace_function(ops) && refused("register"))
		;
}

static void stop(struct ftrace_ops *ops)
{
	if (ops->flags & FTRACE_OPS_FL_ENABLED)
		while (unregister_ftrace_function(ops) && refused("unregister"))
			;
	ftrace_free_filter(ops);
}

static struct ftrace_ops ops = { .func = callback }, other = { .func = other_callback };

static void prepare(const char *how)
{
	if (!strcmp(how, "redirected")) {
		ops.flags |= FTRACE_OPS_FL_IPMODIFY;
		then = redirect;
	} else if (!strcmp(how, "slow")) {
		then = change_flags;
	}
	again = !strcmp(how, "again");
	if (strcmp(how, "idle"))
		start(&ops);
	if (!strcmp(how, "two"))
		start(&other);
}

static unsigned long call(unsigned long calls)
{
	unsigned long right = 0;

	for (unsigned long i = 0; i < calls; i++)
		right += caller(i) == i + 1;
	return right;
}

/* The first ops goes, so that the second one's code may lie where its was. */
static unsigned long next_turn(unsigned long calls)
{
	stop(&ops);
	start(&other);
	return call(calls);
}

static unsigned long in_child(void)
{
	pid_t child = fork();
	int status = 1;

	if (!child) {
		start(&other);
		_exit(call(2) != 2 || hits != 3 || more_hits != 2);
	}
	printf("parent %d\nchild %d\n", getpid(), child);
	return waitpid(child, &status, 0) == child && !status;
}

/* A debugger may hold them back and set them going. */
volatile int threads_go = 1;
static volatile int threads_end;

static void *call_on(void *arg)
{
	unsigned long *calls = arg;

	while (!threads_end) {
		if (*calls % 1000 == 0)
			usleep(50);
		while (!threads_go)
			;
		*calls += caller(*calls) == *calls + 1;
	}
	return NULL;
}

#define THREADS 2
static unsigned long churn(unsigned long rounds)
{
	unsigned long calls[THREADS] = { 0 }, sum = 0;
	pthread_t thread[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, call_on, &calls[i]);
	for (unsigned long i = 0; i < rounds; i++) {
		start(&other);
		stop(&other);
	}
	threads_end = 1;
	for (int i = 0; i < THREADS; i++) {
		pthread_join(thread[i], NULL);
		sum += calls[i];
	}
	printf("in threads %lu\n", sum);
	return sum;
}

int main(int argc, char **argv)
{
	unsigned long calls, right;
	const char *how;

	if (argc < 4) {
		fprintf(stderr, "usage: traced STRATEGY CLASS alone|two|redirected|slow|idle|turns|fork|again|churn [CALLS]\n");
		return 2;
	}
	how = argv[3];
	calls = argc > 4 ? strtoul(argv[4], NULL, 0) : 1;
	ops.flags = other.flags = choose_class(argv[2]);
	if (tramp_use(argv[1]))
		fail(argv[1]);
	prepare(how);
	stage("registered");
	right = strcmp(how, "churn") ? call(calls) : 0;
	stage("called");
	if (!strcmp(how, "churn")) {
		right = calls = churn(calls);
	} else if (!strcmp(how, "turns")) {
		right += next_turn(calls);
		calls *= 2;
	} else if (!strcmp(how, "fork")) {
		right += in_child();
		calls++;
	}
	stop(&other);
	stop(&ops);
	caller(0);	/* nobody hears of it */
	stage("unregistered");
	printf("called %lu, right %lu, callback %lu, other %lu\n", calls, right, hits, more_hits);
	/* The first ops has been there at every call. */
	return right != calls || (!strcmp(how, "churn") && hits != calls);
}
