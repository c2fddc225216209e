/* SPDX-License-Identifier: MIT */
/*
 * The callbacks.  In a file of their own, built with the port's
 * CALLBACK_CFLAGS; what is timed is an empty one, so that the path to it is
 * all that is left.
 */
#include "callback.h"

/*
 * Several, since tracers do not share their functions, and a loop that calls
 * them through a pointer should have to predict where.  The operand keeps the
 * compiler from folding them into one.
 */
#define CALLBACK(n)							\
	__attribute__((aligned(64)))					\
	void bench_callback_##n(unsigned long ip, unsigned long parent_ip, \
				struct ftrace_ops *op, struct ftrace_regs *fregs) \
	{								\
		(void)ip;						\
		(void)parent_ip;					\
		(void)op;						\
		(void)fregs;						\
		__asm__ volatile("" : : "i" (n));			\
	}

CALLBACK(0) CALLBACK(1) CALLBACK(2) CALLBACK(3)
CALLBACK(4) CALLBACK(5) CALLBACK(6) CALLBACK(7)

ftrace_func_t const bench_callbacks[BENCH_CALLBACKS] = {
	bench_callback_0, bench_callback_1, bench_callback_2, bench_callback_3,
	bench_callback_4, bench_callback_5, bench_callback_6, bench_callback_7,
};

/* No site, no callback: what the canary in every sample calls. */
__attribute__((noinline, aligned(64)))
long bench_plain(long x)
{
	return x + 1;
}

struct bench_seen bench_seen;

/* For the check before the first sample: notes what it was called with. */
void bench_callback_check(unsigned long ip, unsigned long parent_ip,
			  struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	unsigned int i;

	bench_seen.calls++;
	bench_seen.ip = ip;
	bench_seen.parent_ip = parent_ip;
	bench_seen.has_regs = fregs != NULL;
	for (i = 0; fregs && i < BENCH_ARGS; i++)
		bench_seen.arg[i] = ftrace_regs_get_argument(fregs, i);
	if (op && op->private)
		++*(unsigned long *)op->private;
	bench_clobber();
}

__thread unsigned long bench_hits, bench_other_hits;

__attribute__((aligned(64)))
void bench_callback_hit(unsigned long ip, unsigned long parent_ip,
			struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	(void)ip, (void)parent_ip, (void)op, (void)fregs;
	bench_hits++;
}

__attribute__((aligned(64)))
void bench_callback_other(unsigned long ip, unsigned long parent_ip,
			  struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	(void)ip, (void)parent_ip, (void)op, (void)fregs;
	bench_other_hits++;
}
