/* SPDX-License-Identifier: MIT */
#ifndef TRAMPLAB_BENCH_TIMER_H
#define TRAMPLAB_BENCH_TIMER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* One reading each, in ticks (engine.c). */
uint32_t bench_time_empty(void);
uint32_t bench_time_ruler(void);

/* What bench_timer_validate() found. */
struct bench_timer {
	double		ticks_per_second;
	double		cycles_per_tick;
	unsigned int	step;		/* ticks by which the counter moves */
	unsigned int	empty;		/* of two readings with nothing between */
};

/* False after a message: no figure of this timer could be believed. */
bool bench_timer_validate(struct bench_timer *t);

/* Hardware counters of this process, user mode. */
struct bench_hw {
	double instructions, cycles;
};
/* False: there are none; bench_hw_why() says why. */
bool bench_hw_open(void);
const char *bench_hw_why(void);
/* Per turn of @loop. */
bool bench_hw_count(void (*loop)(unsigned long), unsigned long n, struct bench_hw *hw);

#endif
