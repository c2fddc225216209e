/* SPDX-License-Identifier: MIT */
/*
 * What a user's program looks like: trace two functions, call them, print the
 * counts.  Built in every way that users build, by builds.sh.  The argument is
 * a wildcard over the strategies.
 */
#include <stdio.h>
#include <string.h>
#include <ftrace.h>
#include <tramp.h>
#include "each.h"

static unsigned long calls, wrong_ip, misaligned;
static unsigned long site;

__attribute__((target("general-regs-only"), patchable_function_entry(0)))
static void count(unsigned long ip, unsigned long parent_ip,
		  struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	(void)parent_ip, (void)op, (void)fregs;
	calls++;
	wrong_ip += ip != site;
	misaligned += (unsigned long)__builtin_frame_address(0) % 16 != 0;
}

/* First and unused: what --gc-sections takes the whole table for, with gcc 12 (BUG-51). */
__attribute__((noinline)) int unused_function(int x)
{
	return x * 7;
}

__attribute__((noinline)) int traced(int x)
{
	__asm__ volatile ("" : "+r" (x));
	return x + 1;
}

__attribute__((noinline)) int not_traced(int x)
{
	__asm__ volatile ("" : "+r" (x));
	return x + 2;
}

/* Calls nothing else, so that gcc need not align its stack for that. */
__attribute__((noinline, patchable_function_entry(0))) static int through(int x)
{
	return traced(x) + 1;
}

static int run_with(const char *strategy, unsigned long flags)
{
	struct ftrace_ops ops = { .func = count, .flags = flags };
	int err, right = 0;

	calls = wrong_ip = misaligned = 0;
	site = ftrace_location((unsigned long)traced);
	err = tramp_use(strategy);
	if (!err)
		err = ftrace_set_filter(&ops, (unsigned char *)"traced", 6, 1);
	if (!err)
		err = register_ftrace_function(&ops);
	if (err) {
		printf("%s: %d (%s)\n", strategy, err, tramp_why());
		return 1;
	}
	for (int i = 0; i < 100; i++)
		right += through(i) == i + 2 && not_traced(i) == i + 2;
	err = unregister_ftrace_function(&ops);
	ftrace_free_filter(&ops);
	right += traced(1) == 2;
	printf("%s: called %lu times, %lu with a wrong ip, %lu with a stack out of line, %d results right, unregister %d\n",
	       strategy, calls, wrong_ip, misaligned, right, err);
	return calls != 100 || wrong_ip || misaligned || right != 101 || err;
}

static int run(const char *strategy)
{
	return run_with(strategy, 0) + run_with(strategy, FTRACE_OPS_FL_SAVE_REGS);
}

int main(int argc, char **argv)
{
	return each_strategy(argc, argv, run);
}
