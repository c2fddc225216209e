/* SPDX-License-Identifier: MIT */
/*
 * Question 1: what does one traced call cost, by strategy and register class,
 * beside the hand-written entries?  And question 4, with the rows popfq and
 * pushregs, which differ in how the flags are put back.
 */
#include "bench/bench.h"
#include "bench/timer.h"

static struct bench_point points[64][BENCH_NR_REGIMES];

static void hw(struct bench_run *run, const struct bench_config *c)
{
	struct bench_key key = { .strategy = bench_config_name(c), .class = bench_config_class(c),
				 .regime = "tight", .relevant = 1, .sites = 1 };
	struct bench_hw count;
	bool ok = bench_hw_open();

	if (ok) {
		ok = !bench_arm(c) && !bench_set_point(c, &c->point[0]) &&
		     bench_hw_count(bench_regimes[BENCH_TIGHT].loop, 100000, &count);
		bench_disarm(c);
	}
	if (!ok) {
		bench_no_metric(run, &key, "hw_instructions", bench_hw_why());
		bench_no_metric(run, &key, "hw_cycles", bench_hw_why());
		return;
	}
	bench_metric(run, &key, "hw_instructions", count.instructions, "one turn of the loop");
	bench_metric(run, &key, "hw_cycles", count.cycles, "one turn of the loop");
}

static int run_traced_call(struct bench_run *run, const struct bench_scenario *s)
{
	unsigned int nr, i, r;
	struct bench_config *c = bench_all_configs(run, &nr);
	int bad;

	c = bench_add_refs(c, &nr, "floor", "floor7", "kernel_shaped", "pushregs", "popfq", NULL);
	for (i = 0; i < nr && i < 64; i++) {
		for (r = 0; r < BENCH_NR_REGIMES; r++)
			points[i][r] = (struct bench_point) { .regime = r, .relevant = 1 };
		c[i].point = points[i];
		c[i].nr = BENCH_NR_REGIMES;
	}
	bad = bench_rounds(run, c, i, s->seconds * run->scale);
	for (i = 0; i < nr && !bad; i++)
		hw(run, &c[i]);
	bench_free_configs(c);
	return bad;
}

static const struct bench_scenario traced_call = {
	.name		= "traced_call",
	.summary	= "one traced call by strategy, register class and regime",
	.seconds	= 4,
	.run		= run_traced_call,
};
BENCH(traced_call);
