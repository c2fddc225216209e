/* SPDX-License-Identifier: MIT */
/*
 * Question 6: memory.  Differences of tramp_memory_usage(), which counts
 * exactly what the core holds; the strategy's own bytes are all in there.
 */
#include <stdlib.h>
#include <string.h>
#include "bench/bench.h"

#define OPS 64

static const struct bench_point points[] = {
	{ .relevant = 0 }, { .relevant = 1 }, { .relevant = 1, .irrelevant = OPS },
	{ .relevant = OPS },
};
enum { NONE, ONE, ELSEWHERE, HERE, NR };

static int usage_at(const struct bench_config *c, struct tramp_memory usage[NR])
{
	unsigned int i;
	int err = bench_arm(c);

	bench_drop_filters();
	for (i = 0; i < NR && !err; i++) {
		err = bench_set_point(c, &points[i]);
		tramp_memory_usage(&usage[i]);
	}
	bench_disarm(c);
	return err;
}

static void per_ops(struct bench_run *run, struct bench_key *key, const char *where,
		    const struct tramp_memory *from, const struct tramp_memory *to, unsigned int nr)
{
	char note[96];

	snprintf(note, sizeof(note), "%s; the tracer's own struct ftrace_ops (%zu) not counted",
		 where, sizeof(struct ftrace_ops));
	bench_metric(run, key, "code_bytes_per_ops",
		     (double)(to->code_bytes - from->code_bytes) / nr, note);
	bench_metric(run, key, "hash_bytes_per_ops",
		     (double)(to->hash_bytes - from->hash_bytes) / nr, note);
	bench_metric(run, key, "bytes_per_ops",
		     (double)(to->code_bytes - from->code_bytes + to->hash_bytes - from->hash_bytes) / nr,
		     note);
	bench_metric(run, key, "mapped_bytes", to->mapped_bytes, note);
	bench_metric(run, key, "images", to->images, note);
}

static int one_config(struct bench_run *run, const struct bench_config *c)
{
	struct bench_key key = { .strategy = bench_config_name(c), .class = bench_config_class(c) };
	struct tramp_memory u[NR];

	if (usage_at(c, u)) {
		bench_say("memory: %s %s: %s", key.strategy, key.class, tramp_why());
		return 1;
	}
	key.relevant = 1;
	key.sites = 1;
	per_ops(run, &key, "the first ops", &u[NONE], &u[ONE], 1);
	key.irrelevant = OPS;
	per_ops(run, &key, "each ops alone on a site", &u[ONE], &u[ELSEWHERE], OPS);
	key.irrelevant = 0;
	key.relevant = OPS;
	per_ops(run, &key, "all ops on one site", &u[ONE], &u[HERE], OPS - 1);
	key.relevant = 0;
	key.sites = tramp_nr_sites();
	bench_metric(run, &key, "bytes_per_site", u[NONE].site_bytes, "bookkeeping of one known site");
	return 0;
}

static int run_memory(struct bench_run *run, const struct bench_scenario *s)
{
	unsigned int nr, i;
	struct bench_config *c;
	int bad = 0;

	(void)s;
	/* The same in every process: once is enough. */
	if (run->order || run->process)
		return 0;
	c = bench_all_configs(run, &nr);
	for (i = 0; i < nr && !bad; i++)
		bad = one_config(run, &c[i]);
	bench_free_configs(c);
	return bad;
}

static const struct bench_scenario memory = {
	.name		= "memory",
	.summary	= "bytes per ops and per site",
	.seconds	= 0.3,
	.run		= run_memory,
};
BENCH(memory);
