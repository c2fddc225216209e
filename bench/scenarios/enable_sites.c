/* SPDX-License-Identifier: MIT */
/*
 * Question 5: how long does it take to switch 1 to 10000 sites on and off?
 * Cold is the first time in a process, so each cell has a process of its own;
 * warm are the times after it.  Alone, and with a second thread that runs
 * through the very functions that are being patched.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "bench/bench.h"
#include "bench/callback.h"
#include "bench/enable.h"
#include "bench/tracee.h"

#define REPS 7
#define REPS_FULL 25

/* --- the cell's own process --- */

struct runner {
	pthread_t	thread;
	unsigned int	sites;
	bool		stop;
	unsigned long	turns;
};

static void to_other_cpu(void)
{
	cpu_set_t set;
	int cpu, mine = sched_getcpu(), nr = sysconf(_SC_NPROCESSORS_CONF);

	for (cpu = 0; cpu < nr; cpu++) {
		CPU_ZERO(&set);
		CPU_SET(cpu, &set);
		if (cpu != mine && !sched_setaffinity(0, sizeof(set), &set))
			return;
	}
}

static void *run_through(void *arg)
{
	struct runner *r = arg;
	unsigned int i;

	to_other_cpu();
	while (!__atomic_load_n(&r->stop, __ATOMIC_RELAXED)) {
		for (i = 0; i < r->sites; i++)
			tracee_many[i]();
		__atomic_fetch_add(&r->turns, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

static int start_runner(struct runner *r, unsigned int sites)
{
	memset(r, 0, sizeof(*r));
	r->sites = sites;
	if (pthread_create(&r->thread, NULL, run_through, r))
		return -EAGAIN;
	while (!__atomic_load_n(&r->turns, __ATOMIC_RELAXED))
		sched_yield();
	return 0;
}

static void stop_runner(struct runner *r)
{
	__atomic_store_n(&r->stop, true, __ATOMIC_RELAXED);
	pthread_join(r->thread, NULL);
}

static int toggle(struct ftrace_ops *ops, unsigned int reps)
{
	double a, b, c;
	unsigned int i;
	int err;

	for (i = 0; i < reps; i++) {
		a = bench_now();
		err = register_ftrace_function(ops);
		b = bench_now();
		if (err)
			return err;
		err = unregister_ftrace_function(ops);
		c = bench_now();
		if (err)
			return err;
		printf("%.0f %.0f\n", (b - a) * 1e9, (c - b) * 1e9);
	}
	return 0;
}

static int set_filter(struct ftrace_ops *ops, unsigned int sites)
{
	static unsigned long ips[TRACEE_MANY];
	unsigned int i;

	for (i = 0; i < sites; i++)
		ips[i] = (unsigned long)tracee_many[i];
	return ftrace_set_filter_ips(ops, ips, sites, 0, 1);
}

int bench_enable_child(const char *spec)
{
	static struct ftrace_ops ops;
	struct runner runner;
	char strategy[64];
	unsigned int sites, threaded, reps;
	int err;

	if (sscanf(spec, "%63[^,],%u,%u,%u", strategy, &sites, &threaded, &reps) != 4 ||
	    sites > TRACEE_MANY)
		return 2;
	ops.func = bench_callbacks[0];
	err = tramp_use(strategy);
	err = err ? err : set_filter(&ops, sites);
	if (!err && threaded)
		err = start_runner(&runner, sites);
	err = err ? err : toggle(&ops, reps);
	if (err)
		fprintf(stderr, "bench: enable_sites %s: %s (%s)\n", spec, tramp_why(), strerror(-err));
	else if (threaded)
		stop_runner(&runner);
	return err ? 1 : 0;
}

/* --- the scenario --- */

static void report(struct bench_run *run, struct bench_key *key, bool cold, double on, double off)
{
	const char *note = cold ? "first in its process" : "";

	bench_metric(run, key, cold ? "enable_ns_cold" : "enable_ns", on, note);
	bench_metric(run, key, cold ? "disable_ns_cold" : "disable_ns", off, note);
	bench_metric(run, key, cold ? "ns_per_site_enable_cold" : "ns_per_site_enable",
		     on / key->sites, note);
	bench_metric(run, key, cold ? "ns_per_site_disable_cold" : "ns_per_site_disable",
		     off / key->sites, note);
}

static int cell(struct bench_run *run, const char *strategy, unsigned int sites, bool threaded)
{
	struct bench_key key = { .strategy = strategy, .class = "args", .relevant = 1,
				 .sites = sites, .regime = threaded ? "threaded" : "alone" };
	unsigned int reps = run->full ? REPS_FULL : REPS, i;
	char self[2048], cmd[4096];
	double on, off;
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	FILE *child;

	if (len < 0)
		return 1;
	self[len] = 0;
	snprintf(cmd, sizeof(cmd), "'%s' --enable %s,%u,%d,%u", self, strategy, sites, threaded, reps);
	fflush(NULL);
	child = popen(cmd, "r");
	for (i = 0; child && fscanf(child, "%lf %lf", &on, &off) == 2; i++)
		report(run, &key, !i, on, off);
	return !child || pclose(child) || i != reps;
}

static int run_enable_sites(struct bench_run *run, const struct bench_scenario *s)
{
	static const unsigned int counts[] = { 1, 10, 100, 1000, 10000 };
	unsigned int nr, i, k, done = 0;
	struct bench_config *c = bench_args_configs(run, &nr);
	int bad = 0;

	for (i = 0; i < nr; i++) {
		for (k = 0; k < 2 * 5 && !bad; k++) {
			bad = cell(run, c[i].strategy, counts[k / 2], k % 2);
			bench_progress(run, s->seconds * run->scale * ++done / (nr * 10));
		}
	}
	bench_free_configs(c);
	return bad;
}

static const struct bench_scenario enable_sites = {
	.name		= "enable_sites",
	.summary	= "switching 1 to 10000 sites on and off",
	.seconds	= 1.5,
	.run		= run_enable_sites,
};
BENCH(enable_sites);
