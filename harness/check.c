/* SPDX-License-Identifier: MIT */
/*
 * The runner: every case x every strategy x every register class, each in a
 * process of its own, KTAP on stdout.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <getopt.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "core/core.h"
#include "check.h"
#include "stuck.h"

#define TIMEOUT	20	/* seconds, unless the case says otherwise */
#define BUILD_TIMEOUT 120
#define EMULATED	5	/* times as long */
#define BUILD	"build"
#define JOBS_MAX 64

enum outcome { PASSED, FAILED, SKIPPED, NR_OUTCOMES };

/* A strategy with a class, or the programs that builds.sh makes. */
struct group {
	char		name[64];
	const char	*strategy;	/* NULL: the builds */
	enum tramp_class class;
	unsigned int	nr, count[NR_OUTCOMES];
};

struct job {
	struct group	*group;
	const struct harness_case *c;	/* NULL: a build */
	const char	*name;

	pid_t		pid;
	int		fd;		/* the verdict pipe; -1: not running */
	int		output;		/* memfd: what it printed */
	double		share;		/* seconds that it may go on; 0: no torture */
	double		deadline;
	double		cpu;		/* seconds of processor time it took */
	bool		timed_out, done;
	char		*said;
	size_t		len;

	enum outcome	outcome;
	char		*why;		/* skip or failure */
};

static struct {
	const char	*impl, *name, *class, *file, *builds, *survived;
	unsigned int	jobs, timeout, torture;
} opt = { .impl = "*", .name = "*", .class = "*", .timeout = TIMEOUT };

static const struct harness_case **cases;
static size_t nr_cases;
static struct { char *name, *about; } builds[64];
static size_t nr_builds;
static struct group *groups;
static size_t nr_groups;
static struct job *jobs;
static size_t nr_jobs;

static void *xrealloc(void *p, size_t size)
{
	p = realloc(p, size);
	if (!p) {
		fprintf(stderr, "check: no memory\n");
		exit(2);
	}
	return p;
}

static bool matches(const char *pattern, const char *name)
{
	return !fnmatch(pattern, name, 0);
}

/* --- what there is --- */

extern const struct harness_case *const __start_harness_cases[], *const __stop_harness_cases[];

static int compare_cases(const void *pa, const void *pb)
{
	const struct harness_case *a = *(const struct harness_case *const *)pa;
	const struct harness_case *b = *(const struct harness_case *const *)pb;
	int d = strcmp(a->file, b->file);

	return d ? d : a->line - b->line;
}

static void collect_cases(void)
{
	const struct harness_case *const *c;

	cases = xrealloc(NULL, sizeof(*cases) * (__stop_harness_cases - __start_harness_cases));
	for (c = __start_harness_cases; c < __stop_harness_cases; c++) {
		if ((!opt.file || !fnmatch(opt.file, (*c)->file, FNM_PATHNAME)) &&
		    (!opt.torture || (*c)->needs & CASE_TORTURE))
			cases[nr_cases++] = *c;
	}
	qsort(cases, nr_cases, sizeof(*cases), compare_cases);
}

/* builds.sh prints a name, a tab and a description a line; of make torture there may be none. */
static void collect_builds(void)
{
	char cmd[512], line[512], *tab;
	FILE *f;

	if (!opt.builds)
		return;
	snprintf(cmd, sizeof(cmd), "%s %s", opt.builds, opt.torture ? "torture" : "list");
	f = popen(cmd, "r");
	while (f && nr_builds < 64 && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		tab = strchr(line, '\t');
		if (!tab)
			continue;
		*tab = '\0';
		builds[nr_builds].name = strdup(line);
		builds[nr_builds++].about = strdup(tab + 1);
	}
	if (!f || pclose(f) || !(nr_builds || opt.torture)) {
		fprintf(stderr, "check: %s gives no list\n", cmd);
		exit(2);
	}
}

static const char *case_file(const struct harness_case *c)
{
	const char *slash = strrchr(c->file, '/');

	return slash ? slash + 1 : c->file;
}

static void list_all(void)
{
	const char *name, *file = "";

	printf("strategies (IMPL=)\n");
	for (unsigned int i = 0; (name = tramp_strategy_name(i)); i++)
		printf("  %-14s %s\n", name, tramp_strategy_summary(i));
	printf("\nclasses (CLASS=)\n ");
	for (int i = 0; i < TRAMP_NR_CLASSES; i++)
		printf(" %s", tramp_class_names[i]);
	printf(" " BUILD "\n\ncases (CASE=)\n");
	for (size_t i = 0; i < nr_cases; i++) {
		if (strcmp(file, cases[i]->file))
			printf(" %s\n", case_file(cases[i]));
		file = cases[i]->file;
		printf("  %-36s %s [%s]\n", cases[i]->name, cases[i]->about, cases[i]->ids);
	}
	printf(" %s\n", BUILD);
	for (size_t i = 0; i < nr_builds; i++)
		printf("  %-36s %s\n", builds[i].name, builds[i].about);
}

/* --- what was asked for --- */

static void add_group(const char *strategy, enum tramp_class class)
{
	struct group *g;

	groups = xrealloc(groups, (nr_groups + 1) * sizeof(*groups));
	g = &groups[nr_groups++];
	*g = (struct group){ .strategy = strategy, .class = class };
	if (strategy)
		snprintf(g->name, sizeof(g->name), "%s/%s", strategy, tramp_class_names[class]);
	else
		strcpy(g->name, BUILD);
}

static void add_job(size_t group, const struct harness_case *c, const char *name)
{
	jobs = xrealloc(jobs, (nr_jobs + 1) * sizeof(*jobs));
	/* The groups' array is complete before the first job. */
	jobs[nr_jobs++] = (struct job){ .group = &groups[group], .c = c, .name = name, .fd = -1 };
	groups[group].nr++;
}

static unsigned int select_groups(void)
{
	unsigned int strategies = 0;
	const char *name;

	for (unsigned int i = 0; (name = tramp_strategy_name(i)); i++) {
		if (!matches(opt.impl, name))
			continue;
		strategies++;
		for (int class = 0; class < TRAMP_NR_CLASSES; class++) {
			if (matches(opt.class, tramp_class_names[class]))
				add_group(name, class);
		}
	}
	if (matches(opt.class, BUILD) && nr_builds)
		add_group(NULL, 0);
	return strategies;
}

static void select_jobs(void)
{
	for (size_t g = 0; g < nr_groups; g++) {
		for (size_t i = 0; groups[g].strategy && i < nr_cases; i++) {
			if (matches(opt.name, cases[i]->name))
				add_job(g, cases[i], cases[i]->name);
		}
		for (size_t i = 0; !groups[g].strategy && i < nr_builds; i++) {
			if (matches(opt.name, builds[i].name))
				add_job(g, NULL, builds[i].name);
		}
	}
}

static bool any_case(void)
{
	for (size_t i = 0; i < nr_cases; i++) {
		if (matches(opt.name, cases[i]->name))
			return true;
	}
	for (size_t i = 0; i < nr_builds; i++) {
		if (matches(opt.name, builds[i].name))
			return true;
	}
	return false;
}

__attribute__((noreturn))
static void nothing_matches(const char *what, const char *pattern)
{
	fprintf(stderr, "check: no %s matches \"%s\".  There is:\n", what, pattern);
	if (!strcmp(what, "strategy")) {
		for (unsigned int i = 0; tramp_strategy_name(i); i++)
			fprintf(stderr, "  %s\n", tramp_strategy_name(i));
	} else if (!strcmp(what, "class")) {
		for (int i = 0; i < TRAMP_NR_CLASSES; i++)
			fprintf(stderr, "  %s\n", tramp_class_names[i]);
		fprintf(stderr, "  " BUILD "\n");
	} else {
		for (size_t i = 0; i < nr_cases; i++)
			fprintf(stderr, "  %s\n", cases[i]->name);
		for (size_t i = 0; i < nr_builds; i++)
			fprintf(stderr, "  %s\n", builds[i].name);
	}
	exit(2);
}

static void select_all(void)
{
	if (!select_groups())
		nothing_matches("strategy", opt.impl);
	if (!nr_groups)
		nothing_matches("class", opt.class);
	if (!any_case())
		nothing_matches("case", opt.name);
	select_jobs();
	if (!nr_jobs) {
		fprintf(stderr, "check: case \"%s\" does not exist for class \"%s\"\n",
			opt.name, opt.class);
		exit(2);
	}
}

/* --- running --- */

static void set_number(const char *name, unsigned long nr)
{
	char s[24];

	snprintf(s, sizeof(s), "%lu", nr);
	setenv(name, s, 1);
}

__attribute__((noreturn))
static void build_run(const struct job *j, int fd)
{
	char cmd[1024];

	dup2(fd, STDOUT_FILENO);
	set_number("SEED", check_seed);
	if (j->share > 0)
		set_number("TORTURE", j->share + 1);
	snprintf(cmd, sizeof(cmd), "exec %s run %s '%s'", opt.builds, j->name, opt.impl);
	execl("/bin/sh", "sh", "-c", cmd, (char *)NULL);
	_exit(127);
}

__attribute__((noreturn))
static void in_child(const struct job *j, int fd)
{
	struct rlimit no_core = { 0, 0 };

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setrlimit(RLIMIT_CORE, &no_core);
	if (!freopen("/dev/null", "r", stdin))
		_exit(1);
	dup2(j->output, STDOUT_FILENO);
	dup2(j->output, STDERR_FILENO);
	if (!j->c)
		build_run(j, fd);
	check_share = j->share;
	child_run(j->c, j->group->strategy, j->group->class, fd);
}

static unsigned int timeout_of(const struct job *j)
{
	unsigned int slow = tramp_emulated() ? EMULATED : 1;

	if (!j->c)
		return BUILD_TIMEOUT * slow + j->share;
	return (j->c->timeout > opt.timeout ? j->c->timeout : opt.timeout) * check_stress * slow + j->share;
}

static void start(struct job *j)
{
	int fd[2];

	fflush(stdout);
	j->output = memfd_create("output", MFD_CLOEXEC);
	if (j->output < 0 || pipe2(fd, O_CLOEXEC)) {
		perror("check: pipe");
		exit(2);
	}
	j->pid = fork();
	if (j->pid < 0) {
		perror("check: fork");
		exit(2);
	}
	if (!j->pid)
		in_child(j, fd[1]);
	setpgid(j->pid, j->pid);
	close(fd[1]);
	j->fd = fd[0];
	j->deadline = check_now() + timeout_of(j);
}

/* --- what was survived --- */

static struct survived {
	const struct job	*job;
	unsigned long		nr;
	char			*what;
} *survived;
static size_t nr_survived;

/* Takes these lines out of what the job said. */
static void gather_survived(struct job *j)
{
	char *from = j->said, *to = j->said, *end;

	for (; from && *from; from = end) {
		size_t len = strcspn(from, "\n");

		end = from + len + !!from[len];
		if (strncmp(from, SURVIVED_LINE, strlen(SURVIVED_LINE))) {
			memmove(to, from, end - from);
			to += end - from;
			continue;
		}
		survived = xrealloc(survived, (nr_survived + 1) * sizeof(*survived));
		survived[nr_survived] = (struct survived){
			.job = j, .nr = strtoul(from + strlen(SURVIVED_LINE), &from, 10),
		};
		from += strspn(from, " ");
		survived[nr_survived++].what = strndup(from, strcspn(from, "\n"));
	}
	if (!j->said)
		return;
	*to = '\0';
	j->len = to - j->said;
}

/* Each kind once, in order of appearance. */
static void print_survived(void)
{
	for (size_t i = 0; i < nr_survived; i++) {
		unsigned long sum = 0;
		size_t k = 0;

		while (strcmp(survived[k].what, survived[i].what))
			k++;
		if (k < i)
			continue;
		for (; k < nr_survived; k++)
			if (!strcmp(survived[k].what, survived[i].what))
				sum += survived[k].nr;
		printf("# survived: %lu %s\n", sum, survived[i].what);
	}
}

static const char *const outcome_names[NR_OUTCOMES] = { "passed", "failed", "skipped" };

static void write_survived_row(FILE *f, const struct job *j, unsigned long nr, const char *what)
{
	fprintf(f, "%s,%s,%s,%s,%lu,", j->name, j->c ? j->group->strategy : "-",
		j->c ? tramp_class_names[j->group->class] : BUILD, outcome_names[j->outcome], nr);
	for (; *what; what++)
		fputc(*what == ',' ? ';' : *what, f);
	fputc('\n', f);
}

/* Why it did not pass: the runner's word, else the first line of the case's. */
static const char *reason_of(struct job *j)
{
	if (!j->why && j->outcome == FAILED && j->said && !strncmp(j->said, "# ", 2))
		j->why = strndup(j->said + 2, strcspn(j->said + 2, "\n"));
	return j->why ?: "";
}

/* A row for each figure; for a job without one, or that did not pass, its reason. */
static void write_survived(void)
{
	FILE *f = fopen(opt.survived, "w");
	size_t had;

	if (!f) {
		fprintf(stderr, "check: %s: %s\n", opt.survived, strerror(errno));
		exit(2);
	}
	fprintf(f, "case,strategy,class,outcome,number,what\n");
	for (size_t i = 0; i < nr_jobs; i++) {
		had = 0;
		for (size_t k = 0; k < nr_survived; k++) {
			if (survived[k].job != &jobs[i])
				continue;
			write_survived_row(f, &jobs[i], survived[k].nr, survived[k].what);
			had++;
		}
		if (!had || jobs[i].outcome != PASSED)
			write_survived_row(f, &jobs[i], 0, reason_of(&jobs[i]));
	}
	if (fclose(f)) {
		fprintf(stderr, "check: %s: %s\n", opt.survived, strerror(errno));
		exit(2);
	}
}

/* The last line is the verdict; what precedes it is for the reader. */
static bool verdict_of(struct job *j)
{
	char *line;

	while (j->len && j->said[j->len - 1] == '\n')
		j->said[--j->len] = '\0';
	line = j->len ? strrchr(j->said, '\n') : NULL;
	line = line ? line + 1 : j->said;
	if (!line || strncmp(line, "verdict ", 8))
		return false;
	if (!strcmp(line, VERDICT_OK))
		j->outcome = PASSED;
	else if (!strncmp(line, VERDICT_SKIP, strlen(VERDICT_SKIP)))
		j->outcome = SKIPPED;
	else
		j->outcome = FAILED;
	if (j->outcome == SKIPPED)
		j->why = strdup(line + strlen(VERDICT_SKIP));
	*line = '\0';
	return true;
}

__attribute__((format(printf, 2, 3)))
static void fails(struct job *j, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&j->why, fmt, ap) < 0)
		j->why = NULL;
	va_end(ap);
	j->outcome = FAILED;
}

static void judge(struct job *j, int status)
{
	size_t before = nr_survived;
	bool has_verdict;

	gather_survived(j);
	has_verdict = verdict_of(j);
	if (j->timed_out)
		fails(j, "timed out after %u s", timeout_of(j));
	else if (WIFSIGNALED(status))
		fails(j, "killed by SIG%s%s", sigabbrev_np(WTERMSIG(status)) ?: "?",
		      has_verdict ? " after its verdict" : "");
	else if (!has_verdict)
		fails(j, "exited with status %d and no verdict", WEXITSTATUS(status));
	else if (WEXITSTATUS(status))
		fails(j, "exited with status %d after its verdict", WEXITSTATUS(status));
	/* What came before a failure was not survived. */
	if (j->outcome == FAILED)
		nr_survived = before;
}

/* The pipe is at its end: the process is gone, or about to be. */
static void finish(struct job *j)
{
	struct rusage used = { 0 };
	int status = 0;

	close(j->fd);
	j->fd = -1;
	while (wait4(j->pid, &status, 0, &used) < 0 && errno == EINTR)
		;
	j->cpu = used.ru_utime.tv_sec + used.ru_utime.tv_usec * 1e-6 +
		 used.ru_stime.tv_sec + used.ru_stime.tv_usec * 1e-6;
	/* What it started ends with it. */
	kill(-j->pid, SIGKILL);
	judge(j, status);
	j->done = true;
}

static void listen_to(struct job *j)
{
	char buf[4096];
	ssize_t n = read(j->fd, buf, sizeof(buf));

	if (n <= 0) {
		finish(j);
		return;
	}
	j->said = xrealloc(j->said, j->len + n + 1);
	memcpy(j->said + j->len, buf, n);
	j->len += n;
	j->said[j->len] = '\0';
}

static void wait_for_some(struct job *const *running, unsigned int nr)
{
	struct pollfd p[JOBS_MAX];
	double first = 1e18;

	for (unsigned int i = 0; i < nr; i++) {
		p[i] = (struct pollfd){ .fd = running[i]->fd, .events = POLLIN };
		if (running[i]->deadline < first)
			first = running[i]->deadline;
	}
	first -= check_now();
	poll(p, nr, first > 0 ? (int)(first * 1000) + 1 : 0);
	for (unsigned int i = 0; i < nr; i++) {
		if (p[i].revents) {
			listen_to(running[i]);
		} else if (check_now() > running[i]->deadline) {
			running[i]->timed_out = true;
			running[i]->deadline = 1e18;
			stuck_say(running[i]->output, running[i]->pid);
			kill(-running[i]->pid, SIGKILL);
		}
	}
}

/* --- KTAP --- */

static void print_lines(const char *text, size_t len, const char *prefix)
{
	const char *end = text + len, *nl;

	for (; text < end; text = nl + 1) {
		nl = memchr(text, '\n', end - text);
		if (!nl)
			nl = end;
		if (nl > text)
			printf("  %s%.*s\n", prefix, (int)(nl - text), text);
	}
}

static void print_output(const struct job *j)
{
	char buf[2048];
	ssize_t n = pread(j->output, buf, sizeof(buf), 0);

	if (n > 0)
		print_lines(buf, n, "# output: ");
}

static void print_job(const struct job *j, unsigned int number)
{
	if (j->outcome == FAILED) {
		print_lines(j->said ?: "", j->len, "");
		print_output(j);
		if (j->why)
			printf("  # %s\n", j->why);
		if (j->c && j->c->needs & CASE_TORTURE)
			printf("  # SEED=%lu\n", check_seed);
		if (j->c)
			printf("  # %s: %s; %s:%d\n", j->c->ids, j->c->about,
			       j->c->file, j->c->line);
	}
	printf("  %sok %u %s%s%s\n", j->outcome == FAILED ? "not " : "", number, j->name,
	       j->outcome == SKIPPED ? " # SKIP " : "", j->outcome == SKIPPED ? j->why : "");
}

/* Prints @j, whose predecessors are printed. */
static void report(struct job *j)
{
	static unsigned int in_group, group_number;
	struct group *g = j->group;

	if (!in_group++)
		printf("  KTAP version 1\n  # Subtest: %s\n  1..%u\n", g->name, g->nr);
	g->count[j->outcome]++;
	print_job(j, in_group);
	close(j->output);
	if (in_group < g->nr)
		return;
	in_group = 0;
	printf("%sok %u %s%s\n", g->count[FAILED] ? "not " : "", ++group_number, g->name,
	       g->count[SKIPPED] == g->nr ? " # SKIP every case" : "");
}

static size_t groups_with_jobs(void)
{
	size_t nr = 0;

	for (size_t i = 0; i < nr_groups; i++)
		nr += !!groups[i].nr;
	return nr;
}

/* Of what is left of --torture: those that skip leave theirs to the rest. */
static double share(size_t started)
{
	static double end;
	double left;

	if (!end)
		end = check_now() + opt.torture;
	left = end - check_now();
	return left > 0 ? left * opt.jobs / (nr_jobs - started) : 0;
}

/* --jobs at a time, reported in order. */
static void run_all(void)
{
	struct job *running[JOBS_MAX];
	size_t started = 0, reported = 0;
	unsigned int nr = 0, i;

	printf("KTAP version 1\n1..%zu\n", groups_with_jobs());
	while (reported < nr_jobs) {
		while (nr < opt.jobs && started < nr_jobs) {
			running[nr++] = &jobs[started];
			jobs[started].share = share(started);
			start(&jobs[started++]);
		}
		wait_for_some(running, nr);
		for (i = 0; i < nr; ) {
			if (running[i]->done)
				running[i] = running[--nr];
			else
				i++;
		}
		for (; reported < nr_jobs && jobs[reported].done; reported++)
			report(&jobs[reported]);
		fflush(stdout);
	}
}

/* --- for the reader with two minutes --- */

/* A case once, with all the groups that it failed in. */
static void print_failures(void)
{
	for (size_t i = 0; i < nr_jobs; i++) {
		size_t k = 0;

		if (jobs[i].outcome != FAILED)
			continue;
		while (k < i && (jobs[k].outcome != FAILED || jobs[k].name != jobs[i].name))
			k++;
		if (k < i)
			continue;
		printf("# failed: %s:", jobs[i].name);
		for (; k < nr_jobs; k++) {
			if (jobs[k].outcome == FAILED && jobs[k].name == jobs[i].name)
				printf(" %s", jobs[k].group->name);
		}
		printf("\n");
	}
}

/* Each reason once, with its count, in order of appearance. */
static void print_skips(void)
{
	for (size_t i = 0; i < nr_jobs; i++) {
		unsigned int count = 0;

		if (jobs[i].outcome != SKIPPED || !jobs[i].why)
			continue;
		for (size_t k = 0; k < nr_jobs; k++) {
			if (jobs[k].outcome != SKIPPED || !jobs[k].why ||
			    strcmp(jobs[i].why, jobs[k].why))
				continue;
			if (k < i)
				break;
			count++;
		}
		if (count)
			printf("# %5u skipped: %s\n", count, jobs[i].why);
	}
}

/* So that whoever adds a case sees what the run spends its time on. */
static void print_costs(void)
{
	const struct job *most = NULL;
	double total = 0;

	for (size_t i = 0; i < nr_jobs; i++) {
		total += jobs[i].cpu;
		if (!most || jobs[i].cpu > most->cpu)
			most = &jobs[i];
	}
	printf("# %.1f s of processor time, most of it %.1f s for %s %s\n",
	       total, most->cpu, most->group->name, most->name);
	if (getenv("CHECK_COSTS")) {
		for (size_t i = 0; i < nr_jobs; i++)
			printf("# cost %.3f %s %s\n", jobs[i].cpu, jobs[i].group->name, jobs[i].name);
	}
}

static void print_matrix(void)
{
	printf("#\n# %-28s %8s %8s %8s\n", "strategy/class", "passed", "failed", "skipped");
	for (size_t i = 0; i < nr_groups; i++) {
		const struct group *g = &groups[i];

		if (g->nr)
			printf("# %-28s %8u %8u %8u\n", g->name, g->count[PASSED],
			       g->count[FAILED], g->count[SKIPPED]);
	}
	printf("#\n");
}

static int summary(void)
{
	unsigned int total[NR_OUTCOMES] = { 0 };

	for (size_t i = 0; i < nr_jobs; i++)
		total[jobs[i].outcome]++;
	print_matrix();
	print_skips();
	print_survived();
	print_failures();
	print_costs();
	printf("%u passed, %u failed, %u skipped\n", total[PASSED], total[FAILED], total[SKIPPED]);
	return total[FAILED] || !total[PASSED];
}

/* --- the command line --- */

__attribute__((noreturn))
static void usage(int status)
{
	fprintf(status ? stderr : stdout,
		"usage: check [--impl GLOB] [--case GLOB] [--class GLOB] [--list]\n"
		"             [--jobs N] [--timeout SECONDS] [--stress FACTOR]\n"
		"             [--file GLOB] [--builds SCRIPT] [--seed N]\n"
		"             [--torture SECONDS] [--survived FILE.csv]\n");
	exit(status);
}

static unsigned int processors(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) ? 1 : CPU_COUNT(&set);
}

static unsigned long number(const char *s, unsigned long max)
{
	char *end;
	unsigned long n = strtoul(s, &end, 10);

	if (!isdigit((unsigned char)*s) || *end || !n || n > max) {
		fprintf(stderr, "check: \"%s\" is no number from 1 to %lu\n", s, max);
		exit(2);
	}
	return n;
}

static bool parse(int argc, char **argv)
{
	static const struct option options[] = {
		{ "impl",	required_argument,	NULL, 'i' },
		{ "case",	required_argument,	NULL, 'c' },
		{ "class",	required_argument,	NULL, 'k' },
		{ "file",	required_argument,	NULL, 'f' },
		{ "builds",	required_argument,	NULL, 'b' },
		{ "jobs",	required_argument,	NULL, 'j' },
		{ "timeout",	required_argument,	NULL, 't' },
		{ "stress",	required_argument,	NULL, 's' },
		{ "seed",	required_argument,	NULL, 'S' },
		{ "torture",	required_argument,	NULL, 'T' },
		{ "survived",	required_argument,	NULL, 'V' },
		{ "list",	no_argument,		NULL, 'l' },
		{ "help",	no_argument,		NULL, 'h' },
		{ NULL, 0, NULL, 0 }
	};
	bool list = false;
	int o;

	opt.jobs = processors() < JOBS_MAX ? processors() : JOBS_MAX;
	while ((o = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		switch (o) {
		case 'i': opt.impl = optarg; break;
		case 'c': opt.name = optarg; break;
		case 'k': opt.class = optarg; break;
		case 'f': opt.file = optarg; break;
		case 'b': opt.builds = optarg; break;
		case 'j': opt.jobs = number(optarg, JOBS_MAX); break;
		case 's': check_stress = number(optarg, 1000); break;
		case 't': opt.timeout = number(optarg, 3600); break;
		case 'S': check_seed = number(optarg, ~0U); break;
		case 'T': opt.torture = number(optarg, 1000000); break;
		case 'V': opt.survived = optarg; break;
		case 'l': list = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	}
	if (optind < argc)
		usage(2);
	return list;
}

int main(int argc, char **argv)
{
	bool list = parse(argc, argv);

	collect_cases();
	collect_builds();
	if (list) {
		list_all();
		return 0;
	}
	select_all();
	child_prepare();
	run_all();
	if (opt.survived)
		write_survived();
	return summary();
}
