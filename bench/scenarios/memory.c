/* SPDX-License-Identifier: MIT */
/*
 * Question 6: memory.  Differences between states, in bytes: generated code and
 * filters as the core counts them, the rest as malloc() was asked for it.
 */
#include <stdlib.h>
#include <string.h>
#include "bench/bench.h"
#include "bench/callback.h"
#include "bench/heap.h"
#include "bench/tracee.h"

#define OPS 64	/* also sites, and distinct sets */

struct usage {
	struct tramp_memory	core;
	size_t			heap;
};

static void look(struct usage *u)
{
	bench_drop_filters();
	tramp_memory_usage(&u->core);
	u->heap = bench_heap_used();
}

/* --- states --- */

enum { NONE, ONE, ELSEWHERE, HERE, NR_STATES };
static const struct bench_point states[NR_STATES] = {
	[ONE]		= { .relevant = 1 },
	[ELSEWHERE]	= { .relevant = 1, .irrelevant = OPS },
	[HERE]		= { .relevant = OPS },
};

/*
 * From OPS sites with an ops of its own each to as many distinct sets of two: one
 * ops more, on all of these sites.  Before it there is a site that two ops share,
 * so that what serves any number of sets is there.
 */
static int usage_of_sets(const struct bench_config *c, struct usage *from, struct usage *to)
{
	static const struct bench_point alone = { .relevant = 2, .irrelevant = OPS };
	struct ftrace_ops common = { .func = bench_callbacks[0], .flags = bench_class_flags(c->class) };
	unsigned long sites[OPS];
	int err = bench_set_point(c, &alone);

	for (unsigned int i = 0; i < OPS; i++)
		sites[i] = (unsigned long)tracee_many[i];
	err = err ? err : ftrace_set_filter_ips(&common, sites, OPS, 0, 1);
	look(from);
	if (err || register_ftrace_function(&common))
		return 1;
	look(to);
	err = unregister_ftrace_function(&common);
	ftrace_free_filter(&common);
	return err;
}

static int usage_at(const struct bench_config *c, struct usage usage[NR_STATES],
		    struct usage sets[2])
{
	int err = bench_arm(c);

	for (unsigned int i = 0; i < NR_STATES && !err; i++) {
		err = bench_set_point(c, &states[i]);
		look(&usage[i]);
	}
	err = err ? err : usage_of_sets(c, &sets[0], &sets[1]);
	bench_disarm(c);
	return err;
}

/* --- figures --- */

static double each(size_t from, size_t to, unsigned int nr)
{
	return ((double)to - (double)from) / nr;
}

/* @unit: what there are @nr more of. */
static void put(struct bench_run *run, const struct bench_key *key, const char *unit,
		const char *note, const struct usage *from, const struct usage *to, unsigned int nr)
{
	double code = each(from->core.code_bytes, to->core.code_bytes, nr);
	double room = each(from->core.room_bytes, to->core.room_bytes, nr);
	double hash = each(from->core.hash_bytes, to->core.hash_bytes, nr);
	double heap = each(from->heap, to->heap, nr);
	const struct { const char *name; double value; } figures[] = {
		{ "code", code }, { "room", room }, { "hash", hash }, { "heap", heap },
	};
	char metric[32];

	for (unsigned int i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
		snprintf(metric, sizeof(metric), "%s_bytes_per_%s", figures[i].name, unit);
		bench_metric(run, key, metric, figures[i].value, note);
	}
	snprintf(metric, sizeof(metric), "bytes_per_%s", unit);
	bench_metric(run, key, metric, room + heap, note);
	bench_metric(run, key, "mapped_bytes", to->core.mapped_bytes, note);
	bench_metric(run, key, "images", to->core.images, note);
}

static int one_config(struct bench_run *run, const struct bench_config *c)
{
	struct bench_key key = { .strategy = bench_config_name(c), .class = bench_config_class(c) };
	struct usage u[NR_STATES], sets[2];

	if (usage_at(c, u, sets)) {
		bench_say("memory: %s %s: %s", key.strategy, key.class, tramp_why());
		return 1;
	}
	key.relevant = key.sites = 1;
	put(run, &key, "ops", "the first ops", &u[NONE], &u[ONE], 1);
	key.irrelevant = OPS;
	put(run, &key, "ops", "each ops alone on a site", &u[ONE], &u[ELSEWHERE], OPS);
	key.irrelevant = 0;
	key.relevant = OPS;
	put(run, &key, "ops", "all ops on one site", &u[ONE], &u[HERE], OPS - 1);
	key.relevant = 2;
	key.sites = OPS;
	/* The filter of the ops that joins was there already, and is its own affair. */
	sets[1].core.hash_bytes = sets[0].core.hash_bytes;
	put(run, &key, "set", "each distinct set of two ops; the filters not counted",
	    &sets[0], &sets[1], OPS);
	key.relevant = 0;
	key.sites = tramp_nr_sites();
	bench_metric(run, &key, "bytes_per_site", u[NONE].core.site_bytes, "bookkeeping of one known site");
	return 0;
}

static int all_of_class(struct bench_run *run)
{
	unsigned int nr, i;
	struct bench_config *c = bench_all_configs(run, &nr);
	int bad = 0;

	for (i = 0; i < nr && !bad; i++)
		if (!run->class || !strcmp(run->class, bench_config_class(&c[i])))
			bad = one_config(run, &c[i]);
	bench_free_configs(c);
	return bad;
}

/* Executable memory is never given back: each variant starts in a process of its own. */
static int run_memory(struct bench_run *run, const struct bench_scenario *s)
{
	unsigned int nr, i;
	struct bench_config *c;
	char options[128];
	int bad = 0;

	(void)s;
	if (run->fixed)
		return all_of_class(run);
	/* The same in every process: once is enough. */
	if (run->order || run->process)
		return 0;
	c = bench_all_configs(run, &nr);
	for (i = 0; i < nr && !bad; i++) {
		snprintf(options, sizeof(options), "--impl %s --class %s", bench_config_name(&c[i]),
			 bench_config_class(&c[i]));
		bad = bench_in_child(run, options);
	}
	bench_free_configs(c);
	return bad;
}

static const struct bench_scenario memory = {
	.name		= "memory",
	.summary	= "bytes per ops, per distinct set and per site",
	.seconds	= 0.3,
	.untimed	= true,
	.run		= run_memory,
};
BENCH(memory);
