/* SPDX-License-Identifier: MIT */
/* In what order many functions are called: all variants of a run have the same. */
#include "bench.h"
#include "tracee.h"
#include "turn.h"

void (*const *bench_turn)(void) = tracee_many;
unsigned int bench_turn_nr;

static uint64_t turn_seed;

void bench_turn_seed(uint64_t seed)
{
	turn_seed = seed;
}

void bench_turn_order(unsigned int nr, bool shuffled)
{
	static void (*order[TURN_MAX])(void);
	static unsigned int index[TURN_MAX], made;
	uint64_t state = turn_seed;
	unsigned int i;

	bench_turn = shuffled ? order : tracee_many;
	bench_turn_nr = nr;
	if (!shuffled || made == nr)
		return;
	bench_shuffle(&state, index, nr);
	for (i = 0; i < nr; i++)
		order[i] = tracee_many[index[i]];
	made = nr;
}
