/* SPDX-License-Identifier: MIT */
/*
 * The timer on trial, before anything is timed with it.
 */
#include <math.h>
#include <stdlib.h>
#include <time.h>
#include "timer.h"

#include <ticks.h>

#define READINGS 2001

static int cmp_u32(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static uint32_t median_of(uint32_t (*read)(void))
{
	static uint32_t v[READINGS];
	unsigned int i;

	for (i = 0; i < READINGS; i++)
		v[i] = read();
	qsort(v, READINGS, sizeof(*v), cmp_u32);
	return v[READINGS / 2];
}

static bool never_backwards(void)
{
	uint64_t last = arch_ticks_stop(), next;
	unsigned int i;

	for (i = 0; i < 100000; i++, last = next) {
		next = arch_ticks_stop();
		if (next < last)
			return false;
	}
	return true;
}

/* Some counters move by more than one; half a sample's error comes from that. */
static unsigned int find_step(void)
{
	uint64_t a, b, step = 0, t;
	unsigned int i;

	for (i = 0; i < 5000; i++) {
		a = arch_ticks_stop();
		arch_ruler(1 + i % 7);
		b = arch_ticks_stop() - a;
		for (a = step; b; b = t) {
			t = a % b;
			a = b;
		}
		step = a;
	}
	return step;
}

/* Ticks a second over a window of wall-clock time. */
static double rate(long ns)
{
	struct timespec t;
	uint64_t ticks;
	double start, end;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	ticks = arch_ticks_start();
	start = t.tv_sec * 1e9 + t.tv_nsec;
	do {
		clock_gettime(CLOCK_MONOTONIC_RAW, &t);
		end = t.tv_sec * 1e9 + t.tv_nsec;
	} while (end - start < ns);
	return (arch_ticks_stop() - ticks) / (end - start) * 1e9;
}

static uint32_t ruler_twice(void)
{
	uint64_t start = arch_ticks_start();
	uint32_t lead;

	arch_ruler(1024 / ARCH_RULER_BLOCK);
	lead = arch_ticks_stop() - start;
	start = arch_ticks_start();
	arch_ruler((1024 + 8192) / ARCH_RULER_BLOCK);
	return arch_ticks_stop() - start - lead;
}

static bool verdict(bool ok, const char *what, double got)
{
	if (!ok)
		fprintf(stderr, "bench: the timer (" ARCH_TICKS_NAME ") %s: %g\n", what, got);
	return ok;
}

bool bench_timer_validate(struct bench_timer *t)
{
	double a = rate(5000000), b = rate(20000000), one, two;
	bool ok;

	one = median_of(bench_time_ruler);
	two = median_of(ruler_twice);
	t->ticks_per_second = b;
	t->cycles_per_tick = 4096 / one;
	t->step = find_step();
	t->empty = median_of(bench_time_empty);

	ok = verdict(never_backwards(), "runs backwards", 0);
	/* A counter that stands still, or follows the core's clock, is no wall clock. */
	ok &= verdict(fabs(a / b - 1) < 0.02, "does not tick evenly, ratio of two windows", a / b);
	ok &= verdict(t->empty < 1000, "costs too many ticks to read", t->empty);
	ok &= verdict(t->step < one / 16, "moves in steps too large, ticks", t->step);
	/* A folded or broken ruler is not proportional, or implies an absurd clock. */
	ok &= verdict(fabs(two / one - 2) < 0.06, "and its ruler disagree, 8192/4096", two / one);
	ok &= verdict(t->cycles_per_tick * b > 2e8 && t->cycles_per_tick * b < 8e9,
		      "and its ruler give an impossible core clock, Hz", t->cycles_per_tick * b);
	return ok;
}
