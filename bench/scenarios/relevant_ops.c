/* SPDX-License-Identifier: MIT */
/*
 * Question 3: a second tracer here.  1 to 64 ops on the traced function, none
 * elsewhere.
 */
#include "bench/bench.h"
#include "bench/sweep.h"

static const unsigned int steps[] = { 1, 2, 4, 8, 10, 16, 64 };

static int run_relevant_ops(struct bench_run *run, const struct bench_scenario *s)
{
	struct bench_point points[SWEEP_LEN(steps)];
	unsigned int i;

	for (i = 0; i < SWEEP_LEN(steps); i++)
		points[i] = (struct bench_point) { .relevant = steps[i] };
	return bench_sweep(run, points, SWEEP_LEN(steps), s->seconds * run->scale);
}

static const struct bench_scenario relevant_ops = {
	.name		= "relevant_ops",
	.summary	= "1 to 64 ops here, none elsewhere",
	.seconds	= 2,
	.run		= run_relevant_ops,
};
BENCH(relevant_ops);
