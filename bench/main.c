/* SPDX-License-Identifier: MIT */
/*
 * One process of a campaign (run.sh starts one a link order and process):
 * settles down, puts the timer on trial, runs the scenarios, writes raw data.
 */
#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <unistd.h>
#include "bench.h"
#include "core/core.h"
#include "enable.h"
#include "timer.h"

#include <ticks.h>

extern const struct bench_scenario *const __start_bench_scenarios[] __attribute__((weak));
extern const struct bench_scenario *const __stop_bench_scenarios[] __attribute__((weak));

static const char *scenario_glob;
static unsigned int segment = 1, segments = 1;
static double tail_seconds;
static bool on_terminal, line_open;

/* --- what the user sees meanwhile --- */

static void end_line(void)
{
	if (line_open)
		fprintf(stderr, "\r\033[K");
	line_open = false;
}

void bench_say(const char *fmt, ...)
{
	va_list ap;

	end_line();
	va_start(ap, fmt);
	fprintf(stderr, "bench: ");
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
}

void bench_progress(struct bench_run *run, double seconds_done)
{
	double each = run->total > 0 ? run->total : 1, done = run->done + seconds_done;
	double all = each * segments + tail_seconds, at;

	if (!on_terminal)
		return;
	if (done > each)
		done = each;
	at = each * (segment - 1) + done;
	fprintf(stderr, "\r\033[Kbench: process %u of %u: %-14s %3.0f %%  about %.0f s left",
		segment, segments, run->scenario, 100 * at / all, all - at);
	fflush(stderr);
	line_open = true;
}

/* --- figures that are no samples --- */

static void metric_head(struct bench_run *run, const struct bench_key *key, const char *metric)
{
	fprintf(run->out, "M,%s,%s,%s,%s,%u,%u,%u,%s,", run->scenario,
		key->strategy, key->class ? key->class : "-", key->regime ? key->regime : "-",
		key->relevant, key->irrelevant, key->sites, metric);
}

void bench_metric(struct bench_run *run, const struct bench_key *key, const char *metric,
		  double value, const char *note)
{
	metric_head(run, key, metric);
	fprintf(run->out, "%.10g,%s\n", value, note ? note : "");
}

void bench_no_metric(struct bench_run *run, const struct bench_key *key, const char *metric,
		     const char *note)
{
	metric_head(run, key, metric);
	fprintf(run->out, ",%s\n", note);
}

/* --- a process of its own --- */

int bench_in_child(struct bench_run *run, const char *options)
{
	char self[2048], cmd[8192], line[1024];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	const char *emulator = getenv("EMULATOR");
	FILE *child;

	if (len < 0)
		return 1;
	self[len] = 0;
	snprintf(cmd, sizeof(cmd), "%s '%s' --fixed --scenario %s --order %u --process %u %s",
		 emulator ? emulator : "", self, run->scenario, run->order, run->process, options);
	fflush(NULL);
	child = popen(cmd, "r");
	while (child && fgets(line, sizeof(line), child))
		if (line[0] == 'M')
			fputs(line, run->out);
	return !child || pclose(child);
}

/* --- scenarios --- */

static bool match(const char *globs, const char *name)
{
	struct bench_run run = { .impl = globs };

	return bench_wants(&run, name);
}

#define for_each_scenario(s)							\
	for (const struct bench_scenario *const *__p = __start_bench_scenarios, *s; \
	     __p < __stop_bench_scenarios && (s = *__p); __p++)

/* No time of an emulator's means anything. */
static bool runs_here(const struct bench_scenario *s)
{
	return s->untimed || !tramp_emulated();
}

static void list(void)
{
	const char *name;
	unsigned int i;

	printf("scenarios:\n");
	for_each_scenario(s)
		printf("  %-16s %s%s\n", s->name, s->summary,
		       runs_here(s) ? "" : " (timed: not under an emulator)");
	printf("strategies:\n");
	for (i = 0; (name = tramp_strategy_name(i)); i++)
		printf("  %-16s %s\n", name, tramp_strategy_summary(i));
}

static void print_variants(struct bench_run *run)
{
	unsigned int nr, i;
	struct bench_config *c = bench_all_configs(run, &nr);

	for (i = 0; i < nr; i++)
		printf("%s/%s\n", bench_config_name(&c[i]), bench_config_class(&c[i]));
	bench_free_configs(c);
}

static void know_or_exit(bool known, const char *what, const char *got)
{
	if (known)
		return;
	fprintf(stderr, "bench: no %s matches %s=%s; there is:\n", what,
		strcmp(what, "scenario") ? "IMPL" : "SCENARIO", got);
	fflush(stderr);
	dup2(STDERR_FILENO, STDOUT_FILENO);
	list();
	fflush(stdout);
	exit(2);
}

/* Every word has to match something, or the user meant something else. */
static void check_words(const char *globs, const char *what, bool (*any)(const char *glob))
{
	char buf[256], *p, *save;

	if (!globs)
		return;
	snprintf(buf, sizeof(buf), "%s", globs);
	for (p = strtok_r(buf, ", ", &save); p; p = strtok_r(NULL, ", ", &save))
		know_or_exit(any(p), what, p);
}

static bool any_scenario(const char *glob)
{
	for_each_scenario(s)
		if (!fnmatch(glob, s->name, 0) && runs_here(s))
			return true;
	return false;
}

static bool any_strategy(const char *glob)
{
	const char *name;
	unsigned int i;

	for (i = 0; (name = tramp_strategy_name(i)); i++)
		if (!fnmatch(glob, name, 0))
			return true;
	return false;
}

/* --- settling down --- */

static cpu_set_t allowed;

unsigned int bench_cpus(void)
{
	return CPU_COUNT(&allowed);
}

static int pin_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) ? -1 : cpu;
}

/* Number @nr of the CPUs that we may use, from the last down: the first takes most interrupts. */
static int nth_cpu(unsigned int nr)
{
	int cpu;

	for (cpu = CPU_SETSIZE - 1; cpu >= 0; cpu--)
		if (CPU_ISSET(cpu, &allowed) && !nr--)
			break;
	return cpu;
}

static int pin(void)
{
	return sched_getaffinity(0, sizeof(allowed), &allowed) ? -1 : pin_to(nth_cpu(0));
}

bool bench_pin_beside(unsigned int nr)
{
	int cpu = nth_cpu(nr + 1);

	return cpu >= 0 && pin_to(cpu) >= 0;
}

static int settle(struct bench_run *run)
{
	struct bench_timer t = { 0 };
	int cpu = pin(), locked, tries = 3;

	fprintf(run->out, "R,%u,%u,%#lx\n", run->order, run->process, (unsigned long)run->seed);
	if (tramp_emulated())
		return 0;
	locked = !mlockall(MCL_CURRENT);

	/* A busy moment may spoil the trial; a bad timer spoils it every time. */
	while (!bench_timer_validate(&t))
		if (!--tries)
			return 1;
	fprintf(run->out, "T,%.0f,%.4f,%u,%u,%d,%d,%s\n", t.ticks_per_second, t.cycles_per_tick,
		t.step, t.empty, cpu, locked, bench_hw_open() ? "yes" : bench_hw_why());
	return 0;
}

static int run_scenarios(struct bench_run *run)
{
	int bad = 0;

	for_each_scenario(s)
		if (match(scenario_glob, s->name) && runs_here(s))
			run->total += s->seconds * run->scale;
	for_each_scenario(s) {
		if (!match(scenario_glob, s->name) || !runs_here(s))
			continue;
		run->scenario = s->name;
		bench_progress(run, 0);
		if (s->run(run, s)) {
			bench_say("scenario %s failed", s->name);
			bad = 1;
		}
		run->done += s->seconds * run->scale;
	}
	end_line();
	return bad;
}

/* --- command line --- */

static const struct option options[] = {
	{ "list", no_argument, NULL, 'l' },
	{ "check", no_argument, NULL, 'c' },
	{ "out", required_argument, NULL, 'o' },
	{ "listings", required_argument, NULL, 'L' },
	{ "scenario", required_argument, NULL, 's' },
	{ "impl", required_argument, NULL, 'i' },
	{ "class", required_argument, NULL, 'C' },
	{ "order", required_argument, NULL, 'O' },
	{ "process", required_argument, NULL, 'P' },
	{ "seed", required_argument, NULL, 'S' },
	{ "scale", required_argument, NULL, 'x' },
	{ "full", no_argument, NULL, 'f' },
	{ "segment", required_argument, NULL, 'g' },	/* 2/6: which of the campaign's processes */
	{ "enable", required_argument, NULL, 'E' },	/* a scenario's child process */
	{ "variants", no_argument, NULL, 'V' },	/* STRATEGY/CLASS of all that runs here */
	{ "fixed", no_argument, NULL, 'F' },	/* without address randomisation */
	{ "tail", required_argument, NULL, 't' },	/* seconds of what comes after them */
	{ NULL, 0, NULL, 0 },
};

static const char *given(const char *arg)
{
	return *arg ? arg : NULL;
}

static int enable_child(const char *spec)
{
	int bad = pin() < 0 || bench_enable_child(spec);

	return fflush(stdout) || bad;
}

/* What else than a run is wanted. */
struct wanted {
	bool check, variants;
};

static const char *parse(struct bench_run *run, int argc, char **argv, struct wanted *want)
{
	const char *out = NULL;
	int opt;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (opt) {
		case 'l': list(); exit(0);
		case 'c': want->check = true; break;
		case 'o': out = optarg; break;
		case 'L': run->listings = optarg; break;
		case 's': scenario_glob = given(optarg); break;
		case 'i': run->impl = given(optarg); break;
		case 'C': run->class = given(optarg); break;
		case 'O': run->order = atoi(optarg); break;
		case 'P': run->process = atoi(optarg); break;
		case 'S': run->seed = strtoull(optarg, NULL, 0); break;
		case 'x': run->scale = atof(optarg); break;
		case 'f': run->full = true; break;
		case 'V': want->variants = true; break;
		case 'F': run->fixed = true; break;
		case 'E': exit(enable_child(optarg));
		case 'g': sscanf(optarg, "%u/%u", &segment, &segments); break;
		case 't': tail_seconds = atof(optarg); break;
		default: exit(2);
		}
	}
	return out;
}

/* Where this is forbidden, the counts may differ a little from run to run, and rows say lo and hi. */
static void fix_addresses(char **argv)
{
	int now = personality(0xffffffff);

	if (now < 0 || now & ADDR_NO_RANDOMIZE || personality(now | ADDR_NO_RANDOMIZE) < 0)
		return;
	execv("/proc/self/exe", argv);
}

int main(int argc, char **argv)
{
	struct bench_run run = { .out = stdout, .seed = 1, .scale = 1 };
	struct wanted want = { false, false };
	const char *out = parse(&run, argc, argv, &want);
	int bad;

	if (run.fixed)
		fix_addresses(argv);
	on_terminal = isatty(STDERR_FILENO);
	check_words(scenario_glob, "scenario", any_scenario);
	check_words(run.impl, "strategy", any_strategy);
	if (want.variants)
		print_variants(&run);
	if (want.check || want.variants)
		return 0;
	if (out && !(run.out = fopen(out, "w"))) {
		fprintf(stderr, "bench: %s: %s\n", out, strerror(errno));
		return 1;
	}
	bad = settle(&run) || run_scenarios(&run);
	if (fclose(run.out)) {
		fprintf(stderr, "bench: %s: %s\n", out ? out : "stdout", strerror(errno));
		return 1;
	}
	return bad;
}
