/* SPDX-License-Identifier: MIT */
/*
 * Question 2: tracers elsewhere.  One ops on the traced function, 0 to 256 on
 * others, each on one of its own.
 */
#include "bench/bench.h"
#include "bench/sweep.h"

static const unsigned int steps[] = { 0, 1, 2, 4, 8, 16, 64, 100, 256 };

static int run_irrelevant_ops(struct bench_run *run, const struct bench_scenario *s)
{
	struct bench_point points[SWEEP_LEN(steps)];
	unsigned int i;

	for (i = 0; i < SWEEP_LEN(steps); i++)
		points[i] = (struct bench_point) { .relevant = 1, .irrelevant = steps[i] };
	return bench_sweep(run, points, SWEEP_LEN(steps), s->seconds * run->scale);
}

static const struct bench_scenario irrelevant_ops = {
	.name		= "irrelevant_ops",
	.summary	= "one ops here, 0 to 256 on other functions",
	.seconds	= 2.5,
	.run		= run_irrelevant_ops,
};
BENCH(irrelevant_ops);
