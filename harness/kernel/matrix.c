/* SPDX-License-Identifier: MIT */
/*
 * What a traced call costs over an untraced one, by ops at the site, ops
 * elsewhere and flags.  A cell is (c(2n) - c(n)) / n: what surrounds the loop
 * cancels.  Under -icount it comes out even, and is the number of instructions.
 */
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/vmalloc.h>
#include <ftrace.h>
#include "kernel.h"
#include "matrix.h"

static int most = 10;
module_param(most, int, 0444);
MODULE_PARM_DESC(most, "the most ops at the site, and elsewhere: 1, 2, 10, 100");

static int repeat = 1;
module_param(repeat, int, 0444);
MODULE_PARM_DESC(repeat, "the least of so many runs of each loop; more than 1 for a counter of cycles");

#define TURNS 1000

/* --- one loop --- */

static void loop_empty(unsigned long n)		{ LOOP(""); }
static void loop_no_site(unsigned long n)	{ LOOP(CALL(matrix_no_site)); }
static void loop_site(unsigned long n)		{ LOOP(CALL(matrix_site)); }

static unsigned long once(void (*loop)(unsigned long), unsigned long n)
{
	unsigned long flags, from, to;

	/*
	 * Callbacks under a guard end in preempt_enable(): a reschedule that is
	 * due would cost two instructions more each time.
	 */
	while (need_resched())
		schedule();
	local_irq_save(flags);
	from = counter_read();
	loop(n);
	to = counter_read();
	local_irq_restore(flags);
	return to - from;
}

static unsigned long least(void (*loop)(unsigned long), unsigned long n)
{
	unsigned long best = ~0UL;

	for (int i = 0; i < repeat; i++)
		best = min(best, once(loop, n));
	return best;
}

/* A turn of @loop; what does not come out even goes to *@rest, in turns. */
static long turn(void (*loop)(unsigned long), long *rest)
{
	long total;

	least(loop, 10);
	total = least(loop, 2 * TURNS) - least(loop, TURNS);
	*rest = total % TURNS;
	return total / TURNS;
}

/* --- ops --- */

static const int counts[] = { 0, 1, 2, 10, 100 };
#define MOST 100

static struct ftrace_ops *ops;	/* MOST at the site, MOST elsewhere */

static void nothing(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		    struct ftrace_regs *fregs)
{
}

static int add(struct ftrace_ops *op, void (*on)(void), unsigned long flags)
{
	int err;

	*op = (struct ftrace_ops){ .func = nothing, .flags = flags };
	err = ftrace_set_filter_ip(op, (unsigned long)on, 0, 0);
	return err ?: register_ftrace_function(op);
}

static void remove(struct ftrace_ops *op)
{
	unregister_ftrace_function(op);
	ftrace_free_filter(op);
}

/* Goes from *@have to @want ops of @set. */
static int bring_to(struct ftrace_ops *set, int *have, int want, void (*on)(void),
		    unsigned long flags)
{
	int err = 0;

	while (*have > want)
		remove(&set[--*have]);
	while (*have < want && !err) {
		err = add(&set[*have], on, flags);
		*have += !err;
	}
	return err;
}

/* --- the matrix --- */

static long untraced;

static void cell(const char *flags, int relevant, int irrelevant)
{
	long rest, cost = turn(loop_site, &rest);

	say("cell,%s,%d,%d,%ld,%ld", flags, relevant, irrelevant, cost - untraced, rest);
}

/* Up one column and down the next, so that few ops come and go. */
static void one_flag(const char *name, unsigned long flags)
{
	int rel = 0, irr = 0, err = 0;

	for (int r = 0; r < ARRAY_SIZE(counts) && counts[r] <= most && !err; r++) {
		for (int i = 0; i < ARRAY_SIZE(counts) && !err; i++) {
			int k = r % 2 ? ARRAY_SIZE(counts) - 1 - i : i;

			if (counts[k] > most)
				continue;
			err = bring_to(ops, &rel, counts[r], matrix_site, flags);
			err = err ?: bring_to(ops + MOST, &irr, counts[k], matrix_elsewhere, flags);
			if (!err)
				cell(name, counts[r], counts[k]);
			cond_resched();
		}
	}
	if (err)
		say("refused,%s,%d", name, err);
	bring_to(ops, &rel, 0, matrix_site, flags);
	bring_to(ops + MOST, &irr, 0, matrix_elsewhere, flags);
}

/* A plain ops at the site, and one with SAVE_REGS there or elsewhere. */
static void mixed(const char *name, void (*on)(void))
{
	int err = add(&ops[0], matrix_site, 0);

	if (err) {
		say("refused,%s,%d", name, err);
		return;
	}
	err = add(&ops[MOST], on, FTRACE_OPS_FL_SAVE_REGS);
	if (err)
		say("refused,%s,%d", name, err);
	else
		cell(name, 1, 1);
	if (!err)
		remove(&ops[MOST]);
	remove(&ops[0]);
}

static void base(const char *name, void (*loop)(unsigned long))
{
	long rest, cost = turn(loop, &rest);

	say("base,%s,,,%ld,%ld", name, cost, rest);
}

int run_matrix(void)
{
	static const struct { const char *name; unsigned long flags; } flags[] = {
		{ "none", 0 },
		{ "RECURSION", FTRACE_OPS_FL_RECURSION },
		{ "RCU", FTRACE_OPS_FL_RCU },
		{ "SAVE_REGS", FTRACE_OPS_FL_SAVE_REGS },
	};
	long rest;

	ops = vzalloc(2 * MOST * sizeof(*ops));
	if (!ops)
		return -ENOMEM;
	counter_start();
	untraced = turn(loop_site, &rest);
	base("empty_loop", loop_empty);
	base("no_site", loop_no_site);
	base("untraced", loop_site);
	for (int i = 0; i < ARRAY_SIZE(flags); i++)
		one_flag(flags[i].name, flags[i].flags);
	mixed("none beside SAVE_REGS elsewhere", matrix_elsewhere);
	mixed("none beside SAVE_REGS", matrix_site);
	base("untraced_after", loop_site);
	vfree(ops);
	return 0;
}
