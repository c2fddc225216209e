/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include "sweep.h"

/* References have no ops to count: one point is all of theirs. */
static const struct bench_point ref_point = { .regime = BENCH_TIGHT, .relevant = 1 };

int bench_sweep(struct bench_run *run, const struct bench_point *points, unsigned int nr,
		double seconds)
{
	unsigned int nr_configs, i;
	struct bench_config *c = bench_args_configs(run, &nr_configs);
	struct bench_point *copies, *copy;
	int bad;

	c = bench_add_refs(c, &nr_configs, "floor", NULL);
	copies = copy = calloc((size_t)nr_configs * nr, sizeof(*copies));
	if (!copies)
		abort();
	for (i = 0; i < nr_configs; i++, copy += nr) {
		c[i].point = copy;
		c[i].nr = c[i].strategy ? nr : 1;
		memcpy(copy, c[i].strategy ? points : &ref_point, c[i].nr * sizeof(*copy));
	}
	bad = bench_rounds(run, c, nr_configs, seconds);
	free(copies);
	bench_free_configs(c);
	return bad;
}
