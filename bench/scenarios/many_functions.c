/* SPDX-License-Identifier: MIT */
/*
 * Question 7: many functions with many ops in turn.  Up to 4096 functions
 * are called one after another, each traced by one ops; they share one, or
 * neighbours have different ones of 16 or 256.  A trampoline an ops has to be fetched
 * and predicted then, a shared entry has not, but its word or its list has to be read.
 *
 * All functions are traced throughout and the first of them called, so that the ops
 * are registered once a round, whatever the number of functions.
 */
#include <stdlib.h>
#include <string.h>
#include "bench/bench.h"
#include "bench/sweep.h"
#include "bench/turn.h"
#include "core/core.h"

static const unsigned int functions[] = { 1, 16, 256, TURN_MAX };
#define N SWEEP_LEN(functions)

static const unsigned int groups[] = { 1, 16, 256, 1024 };

/*
 * Most of the time goes into registering, once a round and strategy: 256 ops take
 * some 30 ms, 1024 four times as long, and list_func as long to walk through all
 * of them in 4096 calls.  Hence 1024 in a full run alone, and 256 otherwise in the
 * first process of each link order.
 */
static unsigned int nr_groups(const struct bench_run *run)
{
	return run->full ? SWEEP_LEN(groups) : run->process ? 2 : 3;
}

/* --- cycles --- */

/* One function has one order. */
static unsigned int fill_points(struct bench_point *p, unsigned int irrelevant)
{
	unsigned int i, nr = 0;

	for (i = 0; i < N; i++)
		p[nr++] = (struct bench_point) { .regime = BENCH_IN_TURN, .relevant = 1,
						 .irrelevant = irrelevant, .functions = functions[i] };
	for (i = 1; i < N; i++)
		p[nr++] = (struct bench_point) { .regime = BENCH_SHUFFLED, .relevant = 1,
						 .irrelevant = irrelevant, .functions = functions[i] };
	return nr;
}

static int time_ops(struct bench_run *run, unsigned int ops, double seconds)
{
	unsigned int nr, i;
	struct bench_config *c = bench_args_configs(run, &nr);
	struct bench_point *points;
	int bad;

	c = bench_add_refs(c, &nr, "floor", NULL);
	points = calloc(nr * 2UL * N, sizeof(*points));
	if (!points)
		abort();
	for (i = 0; i < nr; i++) {
		c[i].point = points + i * 2UL * N;
		/* References have no ops to count. */
		c[i].nr = fill_points(c[i].point, c[i].strategy ? ops - 1 : 0);
	}
	bad = bench_rounds(run, c, nr, seconds);
	free(points);
	bench_free_configs(c);
	return bad;
}

/* --- bytes --- */

static int count_bytes(struct bench_run *run, const struct bench_config *c, unsigned int ops)
{
	const struct bench_point p = { .regime = BENCH_IN_TURN, .relevant = 1, .irrelevant = ops - 1,
				       .functions = TURN_MAX };
	struct bench_key key = { .strategy = bench_config_name(c), .class = bench_config_class(c),
				 .relevant = 1, .irrelevant = ops - 1, .sites = TURN_MAX };
	struct tramp_memory m;
	int err = bench_check(c, &p) ? bench_arm(c) : -1;

	err = err ? err : bench_set_point(c, &p);
	if (err)
		bench_say("many_functions: %s, %u ops: %s", key.strategy, ops, tramp_why());
	tramp_memory_usage(&m);
	bench_disarm(c);
	if (err)
		return err;
	bench_metric(run, &key, "code_bytes", m.code_bytes, "generated code while all functions are traced");
	bench_metric(run, &key, "room_bytes", m.room_bytes, "executable memory that it takes");
	return 0;
}

static int all_bytes(struct bench_run *run)
{
	unsigned int nr, i, g;
	struct bench_config *c = bench_args_configs(run, &nr);
	int bad = 0;

	for (i = 0; i < nr; i++)
		for (g = 0; g < nr_groups(run); g++)
			bad |= count_bytes(run, &c[i], groups[g]);
	bench_free_configs(c);
	return bad;
}

static int run_many_functions(struct bench_run *run, const struct bench_scenario *s)
{
	double done = run->done, share = s->seconds * run->scale / 6;
	unsigned int g;
	int bad = 0;

	bench_turn_seed(run->seed);
	/* The same in every process: once is enough. */
	if (!run->order && !run->process)
		bad = all_bytes(run);
	/* Few ops have done their rounds by then; of many it takes longer to do the least. */
	for (g = 0; g < nr_groups(run) && !bad && !tramp_emulated(); g++) {
		bad = time_ops(run, groups[g], share);
		run->done += share;
	}
	run->done = done;
	bench_drop_filters();
	return bad;
}

static const struct bench_scenario many_functions = {
	.name		= "many_functions",
	.summary	= "1 to 4096 functions in turn, traced by 1 to 256 ops",
	.seconds	= 3,
	.untimed	= true,
	.run		= run_many_functions,
};
BENCH(many_functions);
