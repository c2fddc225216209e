/* SPDX-License-Identifier: MIT */
/*
 * The scenarios of the engine as google-benchmark cases: a second opinion, and
 * a format that other tools read.  Times here are wall-clock means of one
 * binary, not interleaved; the engine's cycles are what to quote.
 *
 * --impl=WILDCARDS before the library's own options.
 */
#include <stdlib.h>
#include <string.h>
#include "bench.h"
#include "gbench_shim.h"

struct variant {
	struct gbench_case	c;
	struct bench_config	config;
	struct bench_point	point;
};

static bool arm(void *arg)
{
	struct variant *v = arg;

	return !bench_arm(&v->config) && !bench_set_point(&v->config, &v->point);
}

static void disarm(void *arg)
{
	struct variant *v = arg;

	bench_disarm(&v->config);
}

/* Not checked, not timed. */
static bool add(const struct bench_config *config, const struct bench_point *point,
		const char *scenario)
{
	const struct bench_regime *r = &bench_regimes[point->regime];
	struct variant *v = calloc(1, sizeof(*v));
	char name[160];

	if (!v || !bench_check(config, point)) {
		free(v);
		return false;
	}
	v->config = *config;
	v->point = *point;
	v->c = (struct gbench_case) { arm, r->loop, disarm, v, r->calls };
	snprintf(name, sizeof(name), "%s/%s/%s/%s/relevant:%u/irrelevant:%u", scenario,
		 bench_config_name(config), bench_config_class(config), r->name,
		 point->relevant, point->irrelevant);
	gbench_register(name, &v->c);
	return true;
}

static bool add_traced_call(struct bench_run *run)
{
	unsigned int nr, i, r;
	struct bench_config *c = bench_all_configs(run, &nr);
	bool ok = true;

	c = bench_add_refs(c, &nr, "floor", "floor7", "kernel_shaped", "pushregs", "popfq", NULL);
	for (i = 0; i < nr; i++)
		for (r = 0; r < BENCH_NR_REGIMES; r++)
			ok &= add(&c[i], &(struct bench_point) { .regime = r, .relevant = 1 },
				  "traced_call");
	bench_free_configs(c);
	return ok;
}

static bool add_sweep(struct bench_run *run, const char *scenario, bool here)
{
	static const unsigned int counts[] = { 2, 10, 100 };
	unsigned int nr, i, k;
	struct bench_config *c = bench_args_configs(run, &nr);
	struct bench_point p = { .relevant = 1 };
	bool ok = true;

	for (i = 0; i < nr; i++) {
		for (k = 0; k < 3; k++) {
			*(here ? &p.relevant : &p.irrelevant) = counts[k];
			ok &= add(&c[i], &p, scenario);
		}
	}
	bench_free_configs(c);
	return ok;
}

int main(int argc, char **argv)
{
	struct bench_run run = { .out = stdout };

	if (argc > 1 && !strncmp(argv[1], "--impl=", 7)) {
		run.impl = argv[1] + 7;
		argv[1] = argv[0];
		argc--;
		argv++;
	}
	if (!add_traced_call(&run) || !add_sweep(&run, "irrelevant_ops", false) ||
	    !add_sweep(&run, "relevant_ops", true))
		return 1;
	return gbench_main(argc, argv);
}

/* The engine's are in main.c; the library prints its own progress. */
void bench_progress(struct bench_run *run, double seconds_done)
{
	(void)run;
	(void)seconds_done;
}
