/* SPDX-License-Identifier: MIT */
/*
 * What gdb and perf are let loose on:
 *
 *	traced STRATEGY CLASS HOW [CALLS]
 *
 * HOW: alone, two (ops on one function), redirected, slow (the long way to leave),
 * idle (nobody is traced), turns (one ops after the other), fork (a child that
 * adds the second ops).  Calls the traced function, from caller(), CALLS times
 * (default: once) in each turn, and prints how often each callback was called.
 */
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
	hits++;
	if (then)
		then(fregs);
}

UNTRACED void other_callback(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			     struct ftrace_regs *fregs)
{
	(void)ip, (void)parent_ip, (void)op, (void)fregs;
	more_hits++;
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

static void start(struct ftrace_ops *ops)
{
	if (ftrace_set_filter(ops, (unsigned char *)"traced", 6, 1) || register_ftrace_function(ops))
		fail("register");
}

static void stop(struct ftrace_ops *ops)
{
	if ((ops->flags & FTRACE_OPS_FL_ENABLED) && unregister_ftrace_function(ops))
		fail("unregister");
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

int main(int argc, char **argv)
{
	unsigned long calls, right;
	const char *how;

	if (argc < 4) {
		fprintf(stderr, "usage: traced STRATEGY CLASS alone|two|redirected|slow|idle|turns|fork [CALLS]\n");
		return 2;
	}
	how = argv[3];
	calls = argc > 4 ? strtoul(argv[4], NULL, 0) : 1;
	ops.flags = other.flags = choose_class(argv[2]);
	if (tramp_use(argv[1]))
		fail(argv[1]);
	prepare(how);
	stage("registered");
	right = call(calls);
	stage("called");
	if (!strcmp(how, "turns")) {
		right += next_turn(calls);
		calls *= 2;
	} else if (!strcmp(how, "fork")) {
		right += in_child();
		calls++;
	}
	stop(&other);
	stop(&ops);
	stage("unregistered");
	caller(0);
	printf("called %lu, right %lu, callback %lu, other %lu\n", calls, right, hits, more_hits);
	return right != calls;
}
