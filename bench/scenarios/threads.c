/* SPDX-License-Identifier: MIT */
/*
 * Question 9: threads.  What does one traced call cost while others make such calls,
 * too, each of a function of its own or all of the same one, and what while a further
 * thread registers and unregisters a second ops as fast as it can: on the functions
 * that are called, or on others?  And how often did it?
 *
 * The callback counts in its thread, so that the path to it is all that threads can
 * share.  One thread is measured and the others keep it company; each has a CPU of its
 * own, since with fewer CPUs than threads the scheduler would be measured.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include "bench/bench.h"
#include "bench/callback.h"
#include "bench/tracee.h"
#include "core/core.h"

#define SHORT	512		/* turns: most samples meet no interrupt */
#define LONG	(1U << 17)	/* some milliseconds, so that all samples meet several changes */
#define STEP	256		/* calls of the company between two looks at the switch */

enum change { NOTHING, THERE, HERE };

/* One regime: who calls what, and what is changed meanwhile. */
static struct crowd {
	char		name[16];
	unsigned int	threads;
	bool		same;
	enum change	change;
} crowd;

static struct caller {
	pthread_t	thread;
	unsigned int	nr;
	unsigned long	calls, hits, other_hits;
} __attribute__((aligned(64))) caller[TRACEE_OWN];	/* the first is the one that is measured */

static struct changer {
	pthread_t	thread;
	unsigned long	changes;
	int		err;
	char		why[256];
} changer;

static struct ftrace_ops traced = { .func = bench_callback_hit };
static struct ftrace_ops other = { .func = bench_callback_other };
static bool stop, astray;
static unsigned int running;		/* threads that were started */

/* Changes a second, one figure a sample. */
struct rate { const struct bench_config *c; double per_s; };
static struct rate *rates;
static size_t nr_rates, cap_rates;
static unsigned long changes_before;
static double begun;

/* --- the threads --- */

static void call_first(unsigned long n)
{
	bench_call(tracee_own[0], n);
	caller[0].calls += n;
}

static void to_cpu(unsigned int nr)
{
	if (!bench_pin_beside(nr))
		__atomic_store_n(&astray, true, __ATOMIC_RELAXED);
}

static void *keep_calling(void *arg)
{
	struct caller *c = arg;

	to_cpu(c->nr - 1);
	while (!READ_ONCE(stop)) {
		bench_call(tracee_own[crowd.same ? 0 : c->nr], STEP);
		__atomic_store_n(&c->calls, c->calls + STEP, __ATOMIC_RELAXED);
	}
	c->hits = bench_hits;
	c->other_hits = bench_other_hits;
	return NULL;
}

static void *keep_changing(void *arg)
{
	struct changer *c = arg;
	bool on = false;

	to_cpu(crowd.threads - 1);
	/* Ends unregistered. */
	while ((on || !READ_ONCE(stop)) && !c->err) {
		c->err = on ? unregister_ftrace_function(&other) : register_ftrace_function(&other);
		on = !on;
		__atomic_fetch_add(&c->changes, 1, __ATOMIC_RELEASE);
	}
	snprintf(c->why, sizeof(c->why), "%s", tramp_why());
	return NULL;
}

static int start_all(bool changes)
{
	unsigned int i;
	int err = 0;

	for (i = 1; i < crowd.threads && !err; i++) {
		caller[i].nr = i;
		err = pthread_create(&caller[i].thread, NULL, keep_calling, &caller[i]);
		running += !err;
	}
	for (i = 1; i < crowd.threads && !err; i++)
		while (!READ_ONCE(caller[i].calls))
			sched_yield();
	if (err || !changes)
		return -err;
	err = pthread_create(&changer.thread, NULL, keep_changing, &changer);
	running += !err;
	/* Its first change of all is a cold one. */
	while (!err && load_acquire(&changer.changes) < 2 && !READ_ONCE(changer.err))
		sched_yield();
	return -err;
}

static void stop_all(void)
{
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (unsigned int i = 1; i <= running; i++)
		pthread_join(i < crowd.threads ? caller[i].thread : changer.thread, NULL);
}

/* --- around a sample --- */

static int begin(const struct bench_config *c, const struct bench_point *p)
{
	int err = 0;

	(void)p;
	memset(caller, 0, sizeof(caller));
	memset(&changer, 0, sizeof(changer));
	bench_hits = bench_other_hits = 0;
	running = 0;
	stop = false;
	if (c->strategy)
		err = register_ftrace_function(&traced);
	if (err)
		return err;
	err = start_all(c->strategy && crowd.change);
	if (err) {
		stop_all();
		if (c->strategy)
			unregister_ftrace_function(&traced);
	}
	changes_before = load_acquire(&changer.changes);
	begun = bench_now();
	return err;
}

static void add_rate(const struct bench_config *c, double per_s)
{
	if (nr_rates == cap_rates) {
		cap_rates = cap_rates ? 2 * cap_rates : 256;
		rates = realloc(rates, cap_rates * sizeof(*rates));
		if (!rates)
			abort();
	}
	rates[nr_rates++] = (struct rate) { c, per_s };
}

/* Each call was seen once, in each thread; by the second ops only where it could. */
static int check_counts(const struct bench_config *c)
{
	unsigned long want, most;
	int err = 0;

	for (unsigned int i = 0; i < crowd.threads; i++) {
		want = c->strategy ? caller[i].calls : 0;
		most = c->strategy && crowd.change == HERE ? want : 0;
		if (caller[i].hits == want && caller[i].other_hits <= most)
			continue;
		fprintf(stderr, "bench: REFUSED %s in %s: thread %u of %u made %lu calls: %lu callbacks, want %lu; "
			"%lu of the ops that comes and goes, at most %lu\n", bench_config_name(c), crowd.name, i + 1,
			crowd.threads, caller[i].calls, caller[i].hits, want, caller[i].other_hits, most);
		err = -EIO;
	}
	return err;
}

static int end(const struct bench_config *c, const struct bench_point *p)
{
	bool changes = c->strategy && crowd.change;
	unsigned long nr = load_acquire(&changer.changes) - changes_before;
	double seconds = bench_now() - begun;
	int err = 0;

	(void)p;
	stop_all();
	if (c->strategy)
		err = unregister_ftrace_function(&traced);
	caller[0].hits = bench_hits;
	caller[0].other_hits = bench_other_hits;
	if (changer.err) {
		fprintf(stderr, "bench: %s in %s: the ops that comes and goes: %s (%s)\n", bench_config_name(c),
			crowd.name, changer.why, strerror(-changer.err));
		return changer.err;
	}
	if (changes)
		add_rate(c, nr / seconds);
	return err ? err : check_counts(c);
}

/* --- the regimes --- */

static int set_filters(void)
{
	unsigned int nr = crowd.same ? 1 : crowd.threads;
	unsigned long called[TRACEE_OWN], others[TRACEE_OWN];
	int err;

	for (unsigned int i = 0; i < nr; i++) {
		called[i] = (unsigned long)tracee_own[i];
		others[i] = (unsigned long)tracee_many[i];
	}
	err = ftrace_set_filter_ips(&traced, called, nr, 0, 1);
	return err ? err : ftrace_set_filter_ips(&other, crowd.change == THERE ? others : called, nr, 0, 1);
}

static int measure(struct bench_run *run, struct bench_config *c, unsigned int nr, double seconds)
{
	const struct bench_beside beside = {
		.name = crowd.name, .loop = call_first, .begin = begin, .end = end,
	};
	struct bench_point *points = calloc(nr, sizeof(*points));
	struct bench_key key = { .regime = crowd.name, .relevant = 1, .sites = 1 };
	int bad = !points || set_filters();

	for (unsigned int i = 0; i < nr && !bad; i++) {
		/* Untraced is alone in every regime. */
		points[i] = (struct bench_point) { .beside = &beside, .relevant = 1,
						   .n = c[i].strategy && crowd.change ? LONG : SHORT };
		c[i].point = &points[i];
		c[i].nr = 1;
	}
	nr_rates = 0;
	bad = bad || bench_rounds(run, c, nr, seconds);
	for (size_t i = 0; i < nr_rates && !bad; i++) {
		key.strategy = bench_config_name(rates[i].c);
		key.class = bench_config_class(rates[i].c);
		bench_metric(run, &key, "changes_per_s", rates[i].per_s, "");
	}
	free(points);
	return bad;
}

static void skip(struct bench_run *run, unsigned int cpus)
{
	struct bench_key key = { .strategy = "-", .regime = crowd.name, .relevant = 1, .sites = 1 };
	char why[128];

	snprintf(why, sizeof(why), "%u threads need a CPU each; there %s %u",
		 crowd.threads + (crowd.change != NOTHING), cpus == 1 ? "is" : "are", cpus);
	bench_no_metric(run, &key, "cycles_over_untraced", why);
}

/* How many threads call: few and all; with FULL=1, all powers of two, too. */
static bool wants_threads(struct bench_run *run, unsigned int threads, unsigned int cpus)
{
	return threads <= 2 || threads + 1 >= cpus || (run->full && !(threads & (threads - 1)));
}

/*
 * The next of them; false: that was the last.  Two threads are asked for also where
 * there is one CPU, and skipped with the reason.
 */
static bool next_crowd(struct bench_run *run, unsigned int cpus)
{
	unsigned int most = cpus < 2 ? 2 : cpus;

	if (++crowd.change > HERE) {
		crowd.change = NOTHING;
		/* One thread cannot share. */
		crowd.same = !crowd.same && crowd.threads > 1;
		if (!crowd.same)
			while (++crowd.threads <= most && !wants_threads(run, crowd.threads, cpus))
				;
	}
	snprintf(crowd.name, sizeof(crowd.name), "%s-%u%s", crowd.same ? "same" : "own", crowd.threads,
		 crowd.change == HERE ? "-here" : crowd.change == THERE ? "-there" : "");
	return crowd.threads <= most;
}

static bool fits(unsigned int cpus)
{
	return crowd.threads + (crowd.change != NOTHING) <= cpus;
}

static double weight(void)
{
	return crowd.change ? 4 : 1;
}

static int run_threads(struct bench_run *run, const struct bench_scenario *s)
{
	unsigned int nr, cpus = bench_cpus() < TRACEE_OWN ? bench_cpus() : TRACEE_OWN;
	struct bench_config *c = bench_args_configs(run, &nr);
	double all = 0, done = run->done, share;
	int bad = 0;

	c = bench_add_refs(c, &nr, NULL);
	crowd = (struct crowd) { .change = HERE };
	while (next_crowd(run, cpus))
		all += fits(cpus) ? weight() : 0;
	crowd = (struct crowd) { .change = HERE };
	while (!bad && next_crowd(run, cpus)) {
		if (!fits(cpus)) {
			skip(run, cpus);
			continue;
		}
		share = s->seconds * run->scale * weight() / all;
		bad = measure(run, c, nr, share);
		run->done += share;
	}
	run->done = done;
	if (astray)
		bench_say("threads: a thread could not be moved to a CPU of its own");
	bench_free_configs(c);
	return bad || astray;
}

static const struct bench_scenario threads = {
	.name		= "threads",
	.summary	= "calls of several threads at once, alone and while sites are changed",
	.seconds	= 2,
	.run		= run_threads,
};
BENCH(threads);
