/* SPDX-License-Identifier: MIT */
/*
 * The review's central table: tracers relevant to the site by tracers
 * irrelevant to it.
 */
#include "bench/bench.h"
#include "bench/sweep.h"

static const unsigned int steps[] = { 0, 1, 2, 10, 100 };
#define N SWEEP_LEN(steps)

static int run_ops_matrix(struct bench_run *run, const struct bench_scenario *s)
{
	struct bench_point points[N * N];
	unsigned int r, i, up;

	/* Back and forth, so that few ops have to be taken away between two cells. */
	for (r = 0; r < N; r++) {
		for (i = 0; i < N; i++) {
			up = r % 2 ? N - 1 - i : i;
			points[r * N + i] = (struct bench_point) {
				.relevant = steps[r], .irrelevant = steps[up] };
		}
	}
	return bench_sweep(run, points, N * N, s->seconds * run->scale);
}

static const struct bench_scenario ops_matrix = {
	.name		= "ops_matrix",
	.summary	= "relevant by irrelevant ops, {0, 1, 2, 10, 100} each",
	.seconds	= 3,
	.run		= run_ops_matrix,
};
BENCH(ops_matrix);
