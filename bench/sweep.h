/* SPDX-License-Identifier: MIT */
#ifndef TRAMPLAB_BENCH_SWEEP_H
#define TRAMPLAB_BENCH_SWEEP_H

#include "bench.h"

#define SWEEP_LEN(a) (sizeof(a) / sizeof((a)[0]))

/*
 * Every strategy in class args through all @points (copied for each), beside
 * untraced twice and the floor.
 */
int bench_sweep(struct bench_run *run, const struct bench_point *points, unsigned int nr,
		double seconds);

#endif
