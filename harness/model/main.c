/* SPDX-License-Identifier: MIT */
/*
 * make model: the model beside every strategy and register class, for many calls.
 *
 *	model [--impl GLOB] [--class GLOB] [--seed N] [--steps N] [--orders] [--jobs N]
 *	model --impl NAME --class NAME --replay FILE
 */
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <tramp.h>
#include <unistd.h>
#include "harness/tester/tap.h"
#include "run.h"

static struct {
	const char	*impl, *class, *replay;
	unsigned long	seed, steps, jobs;
	bool		orders;
} opt = { .impl = "*", .class = "*", .seed = 1, .steps = 1000000 };

/* One strategy with one class. */
struct part {
	struct model_setup	setup;
	pid_t			pid;
	FILE			*out;
};

/* What a part's process says of itself. */
enum { PASSED, FAILED, SKIPPED };

static char solib[PATH_MAX + 32];

static void find_solib(void)
{
	ssize_t n = readlink("/proc/self/exe", solib, PATH_MAX);
	char *slash;

	solib[n > 0 ? n : 0] = '\0';
	slash = strrchr(solib, '/');
	strcpy(slash ? slash + 1 : solib, "solib-plain.so");
}

/* --- one part --- */

struct sums { size_t orders, calls; unsigned long callbacks; };

static bool check(const struct part *p, struct model_calls s, struct sums *sums)
{
	struct model_verdict v;
	bool ok = calls_check(&p->setup, &s, &v, p->out);

	sums->calls += v.steps;
	sums->callbacks += v.callbacks;
	free(s.call);
	return ok;
}

/* What the orders of four different ops show, they show in one class. */
static bool check_orders(const struct part *p, struct sums *sums)
{
	unsigned int mixes = !opt.orders ? 0 : p->setup.class == ARGS ? MODEL_MIXES : MODEL_MIXES_SHORT;
	bool ok = true;

	for (unsigned int mix = 0; mix < mixes && ok; mix++) {
		size_t orders;

		ok = check(p, calls_orders(&p->setup, mix, &orders), sums);
		sums->orders += orders;
	}
	return ok;
}

static int run_part(const struct part *p, size_t steps)
{
	struct sums sums = { 0 };

	if (model_use(&p->setup)) {
		fprintf(p->out, "%s\n", tramp_why());
		return SKIPPED;
	}
	if (!check_orders(p, &sums) || (steps && !check(p, calls_random(&p->setup, opt.seed, steps), &sums)))
		return FAILED;
	if (sums.orders)
		fprintf(p->out, "%zu orders, ", sums.orders);
	fprintf(p->out, "%zu calls, %lu callbacks\n", sums.calls, sums.callbacks);
	return PASSED;
}

static void start(struct part *p, size_t steps)
{
	p->out = tmpfile();
	fflush(stdout);
	p->pid = p->out ? fork() : -1;
	if (p->pid < 0) {
		perror("model");
		exit(2);
	}
	if (!p->pid) {
		int status = run_part(p, steps);

		fflush(p->out);
		_exit(status);
	}
}

static void report(struct part *p, int status)
{
	char name[100], line[600] = "";

	snprintf(name, sizeof(name), "%s/%s", p->setup.strategy, tramp_class_names[p->setup.class]);

	rewind(p->out);
	if (WIFEXITED(status) && WEXITSTATUS(status) == PASSED && fgets(line, sizeof(line), p->out)) {
		line[strcspn(line, "\n")] = '\0';
		tap_ok("%s: %s", name, line);
	} else if (WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED && fgets(line, sizeof(line), p->out)) {
		line[strcspn(line, "\n")] = '\0';
		tap_skip(line, "%s", name);
	} else {
		while (fgets(line, sizeof(line), p->out)) {
			line[strcspn(line, "\n")] = '\0';
			tap_note("%s", line);
		}
		tap_not_ok("%s, --seed %lu", name, opt.seed);
	}
	fclose(p->out);
}

/* --- all of them --- */

static struct part *parts;
static size_t nr_parts;

static void add_part(const char *strategy, enum model_class class)
{
	parts = realloc(parts, (nr_parts + 1) * sizeof(*parts));
	if (!parts)
		abort();
	parts[nr_parts++] = (struct part){ .setup = { strategy, class, solib } };
}

static void select_parts(void)
{
	const char *name;

	for (unsigned int i = 0; (name = tramp_strategy_name(i)); i++)
		for (int class = 0; class < TRAMP_NR_CLASSES; class++)
			if (!fnmatch(opt.impl, name, 0) && !fnmatch(opt.class, tramp_class_names[class], 0))
				add_part(name, class);
	if (nr_parts)
		return;
	fprintf(stderr, "model: no strategy and class match \"%s\" and \"%s\"; make list shows them\n", opt.impl, opt.class);
	exit(2);
}

/* How many parts will run; the rest skip. */
static size_t parts_that_fit(void)
{
	size_t nr = 0;

	for (size_t i = 0; i < nr_parts; i++)
		nr += !model_use(&parts[i].setup);
	return nr ? nr : 1;
}

static void wait_for_one(void)
{
	int status;
	pid_t pid = wait(&status);

	for (size_t i = 0; i < nr_parts; i++) {
		if (parts[i].pid == pid) {
			parts[i].pid = 0;
			report(&parts[i], status);
		}
	}
}

static int run_all(void)
{
	size_t steps = (opt.steps + parts_that_fit() - 1) / parts_that_fit();
	unsigned long running = 0;

	tap_plan(nr_parts);
	for (size_t i = 0; i < nr_parts; i++, running++) {
		if (running == opt.jobs) {
			wait_for_one();
			running--;
		}
		start(&parts[i], steps);
	}
	for (; running; running--)
		wait_for_one();
	return tap_done();
}

static int replay(void)
{
	struct model_calls s = { 0 };
	struct model_verdict v;
	FILE *f = fopen(opt.replay, "r");
	char text[CALL_TEXT];

	if (!f) {
		fprintf(stderr, "model: %s: %s\n", opt.replay, strerror(errno));
		return 2;
	}
	if (nr_parts != 1) {
		fprintf(stderr, "model: --replay needs one strategy and one class: --impl NAME --class NAME\n");
		return 2;
	}
	if (model_use(&parts[0].setup)) {
		fprintf(stderr, "model: %s\n", tramp_why());
		return 2;
	}
	if (!calls_read(f, &s) || !s.nr) {
		fprintf(stderr, "model: %s holds no sequence of calls\n", opt.replay);
		return 2;
	}
	fclose(f);
	calls_run(&parts[0].setup, &s, &v);
	for (size_t i = 0; i < s.nr && i <= v.steps; i++) {
		call_print(&s.call[i], text);
		printf("%s%s%s\n", text, i == v.steps ? "\t# " : "", i == v.steps ? v.what : "");
	}
	printf("# %zu of %zu calls do what the model does\n", v.steps, s.nr);
	return *v.what ? 1 : 0;
}

/* --- the command line --- */

static unsigned long number(const char *s, unsigned long min)
{
	char *end;
	unsigned long n = strtoul(s, &end, 10);

	if (!isdigit((unsigned char)*s) || *end || n < min) {
		fprintf(stderr, "model: \"%s\" is no number from %lu up\n", s, min);
		exit(2);
	}
	return n;
}

static void usage(FILE *f)
{
	fprintf(f, "usage: model [--impl GLOB] [--class GLOB] [--seed N] [--steps N] [--orders] [--jobs N]\n"
		   "       model --impl NAME --class NAME --replay FILE\n");
	exit(f == stdout ? 0 : 2);
}

static void parse(int argc, char **argv)
{
	static const struct option options[] = {
		{ "impl",	required_argument,	NULL, 'i' },
		{ "class",	required_argument,	NULL, 'k' },
		{ "seed",	required_argument,	NULL, 'S' },
		{ "steps",	required_argument,	NULL, 's' },
		{ "jobs",	required_argument,	NULL, 'j' },
		{ "replay",	required_argument,	NULL, 'r' },
		{ "orders",	no_argument,		NULL, 'o' },
		{ "help",	no_argument,		NULL, 'h' },
		{ NULL, 0, NULL, 0 }
	};
	cpu_set_t set;
	int o;

	opt.jobs = sched_getaffinity(0, sizeof(set), &set) ? 1 : CPU_COUNT(&set);
	while ((o = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		switch (o) {
		case 'i': opt.impl = optarg; break;
		case 'k': opt.class = optarg; break;
		case 'S': opt.seed = number(optarg, 1); break;
		case 's': opt.steps = number(optarg, 0); break;
		case 'j': opt.jobs = number(optarg, 1); break;
		case 'r': opt.replay = optarg; break;
		case 'o': opt.orders = true; break;
		case 'h': usage(stdout); break;
		default: usage(stderr);
		}
	}
	if (optind < argc || (!opt.steps && !opt.orders))
		usage(stderr);
}

int main(int argc, char **argv)
{
	parse(argc, argv);
	find_solib();
	select_parts();
	return opt.replay ? replay() : run_all();
}
