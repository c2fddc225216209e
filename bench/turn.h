/* SPDX-License-Identifier: MIT */
#ifndef TRAMPLAB_BENCH_TURN_H
#define TRAMPLAB_BENCH_TURN_H

#include <stdbool.h>
#include <stdint.h>

/* Of tracee_many[], the first. */
#define TURN_MAX 4096

/* What one turn calls. */
extern void (*const *bench_turn)(void);
extern unsigned int bench_turn_nr;

/* Where the shuffled orders come from; before the first of them. */
void bench_turn_seed(uint64_t seed);
/* The first @nr of tracee_many[], as they lie there or shuffled. */
void bench_turn_order(unsigned int nr, bool shuffled);

#endif
