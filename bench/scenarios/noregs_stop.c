/* SPDX-License-Identifier: MIT */
/*
 * Class noregs has a stop switch.  Where is it tested best: in the list
 * function, as here, or the older way, in a helper between the entry and the
 * list?  Both rows use one hand-written entry; the strategy's own row stands
 * beside them.
 */
#include "bench/bench.h"
#include "bench/stop.h"

#define NR 3

static int run_noregs_stop(struct bench_run *run, const struct bench_scenario *s)
{
	static struct bench_config list[NR] = {
		{ .strategy = "list_func" },
		{ .strategy = "list_func", .label = "list_func_in_list" },
		{ .strategy = "list_func", .label = "list_func_helper" },
	};
	static struct bench_point points[NR + 2][2];
	struct bench_config *c = NULL;
	const char *why;
	unsigned int nr = 0, i;
	int bad;

	if (!bench_wants(run, "list_func") || !bench_has("list_func", TRAMP_CLASS_NOREGS, &why))
		return 0;
	list[1].redirect = (unsigned long)bench_noregs_list;
	list[2].redirect = (unsigned long)bench_noregs_helper;
	for (i = 0; i < NR; i++)
		c = bench_add_config(c, &nr, &list[i]);
	c = bench_add_refs(c, &nr, NULL);
	for (i = 0; i < nr; i++) {
		points[i][0] = (struct bench_point) { .regime = BENCH_TIGHT, .relevant = 1 };
		points[i][1] = (struct bench_point) { .regime = BENCH_SERIAL, .relevant = 1 };
		c[i].point = points[i];
		c[i].nr = 2;
	}
	bad = bench_rounds(run, c, nr, s->seconds * run->scale);
	bench_free_configs(c);
	return bad;
}

static const struct bench_scenario noregs_stop = {
	.name		= "noregs_stop",
	.summary	= "the stop switch of class noregs: in the list function or in a helper",
	.seconds	= 0.6,
	.run		= run_noregs_stop,
};
BENCH(noregs_stop);
