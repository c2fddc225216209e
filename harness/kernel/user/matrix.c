/* SPDX-License-Identifier: MIT */
/*
 * The kernel's cost matrix (../matrix.c) for every strategy here: instructions
 * of one traced call over an untraced one, by single-stepping.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <unistd.h>
#include "harness/step/step.h"
#include "harness/tracee.h"
#include <ftrace.h>
#include <tramp.h>

static const unsigned int counts[] = { 0, 1, 2, 10, 100 };
#define LEN(a) (sizeof(a) / sizeof((a)[0]))
#define MOST 100

static const struct { const char *name; unsigned long flags; } flags[] = {
	{ "none", 0 },
	{ "RECURSION", FTRACE_OPS_FL_RECURSION },
	{ "RCU", FTRACE_OPS_FL_RCU },
	{ "SAVE_REGS", FTRACE_OPS_FL_SAVE_REGS },
};

struct cell {
	const char	*strategy;
	unsigned long	flags;
	unsigned int	relevant, irrelevant;
};

static struct ftrace_ops ops[2 * MOST];

/* A callback as empty as the kernel's. */
void nothing(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
	     struct ftrace_regs *fregs)
{
	(void)ip, (void)parent_ip, (void)op, (void)fregs;
}

static int add(struct ftrace_ops *op, unsigned long flags, const void *func)
{
	int err;

	*op = (struct ftrace_ops){ .func = nothing, .flags = flags };
	err = ftrace_set_filter_ip(op, (unsigned long)func, 0, 0);
	return err ? err : register_ftrace_function(op);
}

static int set_up(void *arg)
{
	const struct cell *c = arg;
	int err = tramp_use(c->strategy);

	for (unsigned int i = 0; i < c->relevant && !err; i++)
		err = add(&ops[i], c->flags, tracee_a);
	for (unsigned int i = 0; i < c->irrelevant && !err; i++)
		err = add(&ops[MOST + i], c->flags, tracee_b);
	/* What a first call alone does is not the cost of a call. */
	tracee_a(1);
	return err;
}

static void call(void *arg)
{
	(void)arg;
	tracee_a(1);
}

/* Instructions of one call, or -errno. */
static long count(struct cell *c)
{
	struct step_run run = { 0 };
	int err = step_call(&run, (unsigned long)tracee_a, set_up, call, c);
	long nr = err ? err : (long)run.nr;

	step_free(&run);
	return nr;
}

static int row(const char *name, struct cell *c, long untraced)
{
	long nr = count(c), again = count(c);

	if (nr == -EINVAL) {
		printf("%s,refused,%s,%d,,,\n", c->strategy, name, -EINVAL);
		return 0;
	}
	if (nr < 0 || nr != again) {
		fprintf(stderr, "matrix: %s, %s, %u at the site, %u elsewhere: %ld, then %ld\n",
			c->strategy, name, c->relevant, c->irrelevant, nr, again);
		return 1;
	}
	printf("%s,cell,%s,%u,%u,%ld,0\n", c->strategy, name, c->relevant, c->irrelevant,
	       nr - untraced);
	return 0;
}

int main(int argc, char **argv)
{
	unsigned int most = argc > 1 ? atoi(argv[1]) : 10;
	const char *strategy;
	long untraced;
	int err = 0;

	/* Filters are hashed by address: the same one every time. */
	if (!(personality(0xffffffff) & ADDR_NO_RANDOMIZE)) {
		personality(ADDR_NO_RANDOMIZE);
		execv("/proc/self/exe", argv);
	}
	for (unsigned int s = 0; (strategy = tramp_strategy_name(s)) && !err; s++) {
		struct cell none = { .strategy = strategy };

		untraced = count(&none);
		printf("%s,base,untraced,,,%ld,0\n", strategy, untraced);
		for (unsigned int f = 0; f < LEN(flags) && !err; f++)
			for (unsigned int r = 0; r < LEN(counts) && counts[r] <= most; r++)
				for (unsigned int i = 0; i < LEN(counts) && counts[i] <= most; i++) {
					struct cell c = { strategy, flags[f].flags, counts[r], counts[i] };

					err |= row(flags[f].name, &c, untraced);
				}
	}
	return err;
}
