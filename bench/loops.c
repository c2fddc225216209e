/* SPDX-License-Identifier: MIT */
/*
 * The measured loops, one a regime.  Every variant runs the very same loop
 * and the very same traced function: only what the site calls differs.
 */
#include "bench.h"
#include "callback.h"
#include "tracee.h"
#include "turn.h"

#include <ticks.h>

static unsigned long sink;

/* Throughput: calls do not wait for each other. */
static void loop_tight(unsigned long n)
{
	for (; n; n--)
		tracee(1);
}

/* Latency: each argument is the last result. */
static void loop_chain(unsigned long n)
{
	long x = 0;

	for (; n; n--)
		x = tracee(x);
	*(volatile unsigned long *)&sink = x;
}

/* Nothing of one call overlaps with the next. */
static void loop_serial(unsigned long n)
{
	for (; n; n--) {
		arch_serialize();
		tracee(1);
	}
}

/* Eight traced callers, nested: the return predictor's view. */
static void loop_deep8(unsigned long n)
{
	for (; n; n--)
		tracee_deep1(1);
}

void bench_call(long (*fn)(long), unsigned long n)
{
	for (; n; n--)
		fn(1);
}

/*
 * Each function once, from a list: a direct call each would add a branch of its own
 * to every function, whose lines and predictions are the question.
 */
static void loop_turn(unsigned long n)
{
	void (*const *f)(void);

	for (; n; n--)
		for (f = bench_turn; f < bench_turn + bench_turn_nr; f++)
			(*f)();
}

void bench_canary(unsigned long n)
{
	for (; n; n--)
		bench_plain(1);
}

const struct bench_regime bench_regimes[BENCH_NR_LOOPS] = {
	[BENCH_TIGHT]	= { "tight", loop_tight, 1, BENCH_POOL_LEAF },
	[BENCH_CHAIN]	= { "chain", loop_chain, 1, BENCH_POOL_LEAF },
	[BENCH_SERIAL]	= { "serial", loop_serial, 1, BENCH_POOL_LEAF },
	[BENCH_DEEP8]	= { "deep8", loop_deep8, TRACEE_DEEP, BENCH_POOL_DEEP },
	[BENCH_IN_TURN]	= { "in_turn", loop_turn, 0, BENCH_POOL_TURN },
	[BENCH_SHUFFLED]= { "shuffled", loop_turn, 0, BENCH_POOL_TURN },
};
