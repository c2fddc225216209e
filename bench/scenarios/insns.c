/* SPDX-License-Identifier: MIT */
/*
 * Exact instructions and stack bytes of one traced call, by single-stepping.
 * Every cell is stepped twice: a figure that is not the same is no figure.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "bench/bench.h"
#include "bench/insns.h"

static const unsigned int relevants[] = { 1, 2, 10, 100 };
static const unsigned int irrelevants[] = { 0, 1, 2, 10, 100 };
#define LEN(a) (sizeof(a) / sizeof((a)[0]))

static struct bench_key key_of(const struct bench_config *c, const struct bench_point *p)
{
	return (struct bench_key) { .strategy = bench_config_name(c),
				    .class = bench_config_class(c), .relevant = p->relevant,
				    .irrelevant = p->irrelevant, .sites = 1 };
}

static int complain(const struct bench_config *c, const struct bench_point *p, int err)
{
	bench_say("insns: %s %s, %u relevant, %u irrelevant: %s", bench_config_name(c),
		  bench_config_class(c), p->relevant, p->irrelevant, strerror(-err));
	return err;
}

static int write_listing(struct bench_run *run, const struct bench_config *c,
			 const struct step_run *steps)
{
	char path[4096];
	FILE *out;
	int err;

	snprintf(path, sizeof(path), "%s/listing-%s%s%s.txt", run->listings, bench_config_name(c),
		 c->strategy ? "-" : "", c->strategy ? bench_config_class(c) : "");
	out = fopen(path, "w");
	if (!out)
		return -errno;
	fprintf(out, "# one traced call: %s %s, one ops\n", bench_config_name(c),
		bench_config_class(c));
	err = step_list(steps, out);
	return fclose(out) ? -errno : err;
}

#define STEP_TWICE 1500	/* longer calls are stepped once */

/* The count, or -errno. */
static long count(struct bench_run *run, const struct bench_config *c,
		  const struct bench_point *p, unsigned long *stack, bool list)
{
	struct step_run one = { .want_bytes = list }, two = { 0 };
	int err = bench_step(c, p, &one);
	bool again = one.nr < STEP_TWICE;
	long nr;

	if (!err && again)
		err = bench_step(c, p, &two);
	if (!err && again && (one.nr != two.nr || one.stack != two.stack)) {
		bench_say("insns: %s %s: %zu instructions, then %zu", bench_config_name(c),
			  bench_config_class(c), one.nr, two.nr);
		err = -EAGAIN;
	}
	if (!err && list && run->listings)
		err = write_listing(run, c, &one);
	nr = err ? complain(c, p, err) : (long)one.nr;
	*stack = one.stack;
	step_free(&one);
	step_free(&two);
	return nr;
}

static int cell(struct bench_run *run, const struct bench_config *c, struct bench_point p,
		long untraced, bool list)
{
	struct bench_key key = key_of(c, &p);
	unsigned long stack;
	long nr;

	if (list && !bench_check(c, &p))
		return -EINVAL;
	nr = count(run, c, &p, &stack, list);
	if (nr < 0)
		return nr;
	bench_metric(run, &key, "insns_over_untraced", nr - untraced, "");
	if (list)
		bench_metric(run, &key, "stack_bytes", stack,
			     "below the caller's sp at the deepest; the callback's frame included");
	return 0;
}

/* Ops counts of a matrix: so many of relevants[] and irrelevants[]. */
struct extent {
	unsigned int r, i;
};

/*
 * The whole matrix for class args, or for all (FULL=1, make insns); without the
 * hundreds else, since a step takes microseconds.  Once: other link orders and
 * processes repeat the corner.
 */
static struct extent extent_of(const struct bench_run *run, const struct bench_config *c)
{
	if (!c->strategy)
		return (struct extent) { 1, 1 };
	if (run->order || run->process)
		return (struct extent) { 2, 3 };
	if (run->full || c->class == TRAMP_CLASS_ARGS)
		return (struct extent) { LEN(relevants), LEN(irrelevants) };
	return (struct extent) { LEN(relevants) - 1, LEN(irrelevants) - 1 };
}

static int one_config(struct bench_run *run, const struct bench_config *c, long untraced)
{
	struct extent max = extent_of(run, c);
	struct bench_point p = { 0 };
	unsigned int r, i;
	int err = 0;

	for (r = 0; r < max.r; r++) {
		for (i = 0; i < max.i && !err; i++) {
			p.relevant = relevants[r];
			p.irrelevant = irrelevants[i];
			err = cell(run, c, p, untraced, !r && !i);
		}
	}
	return err;
}

static int step_all(struct bench_run *run, const struct bench_scenario *s)
{
	const struct bench_config none = { .label = "untraced" };
	const struct bench_point one = { .relevant = 1 };
	struct bench_key key = key_of(&none, &one);
	unsigned long stack;
	unsigned int nr, i;
	struct bench_config *c = bench_all_configs(run, &nr);
	long untraced = count(run, &none, &one, &stack, true);
	int err = untraced < 0;

	c = bench_add_refs(c, &nr, "floor", "floor7", "kernel_shaped", "pushregs", "popfq", NULL);
	bench_metric(run, &key, "insns_total", untraced, "the traced function itself, nops and ret");
	for (i = 0; i < nr && !err; i++) {
		err = one_config(run, &c[i], untraced);
		bench_progress(run, s->seconds * run->scale * (i + 1) / nr);
	}
	bench_free_configs(c);
	return err;
}

/*
 * Filters are hashed by address, so where the program is loaded decides how
 * many filters have to be looked at twice.
 */
static int copy_from_child(struct bench_run *run)
{
	char options[4096];

	snprintf(options, sizeof(options), "--impl '%s'%s%s%s%s", run->impl ? run->impl : "",
		 run->full ? " --full" : "", run->listings ? " --listings '" : "",
		 run->listings ? run->listings : "", run->listings ? "'" : "");
	return bench_in_child(run, options);
}

static int run_insns(struct bench_run *run, const struct bench_scenario *s)
{
	return run->fixed ? step_all(run, s) : copy_from_child(run);
}

static const struct bench_scenario insns = {
	.name		= "insns",
	.summary	= "exact instructions and stack bytes of one traced call",
	.seconds	= 2,
	.untimed	= true,
	.run		= run_insns,
};
BENCH(insns);
