/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <fnmatch.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include "core/core.h"
#include "run.h"

#define CPU_MS	(300 * slowness())	/* a case may run in circles */
#define WALL_MS	(10000 * slowness())	/* or stand still */

static int slowness(void)
{
	return tramp_emulated() ? 3 : 1;
}

extern const struct harness_case *const __start_harness_cases[], *const __stop_harness_cases[];

static int by_place(const void *pa, const void *pb)
{
	const struct harness_case *a = *(const struct harness_case *const *)pa;
	const struct harness_case *b = *(const struct harness_case *const *)pb;
	int d = strcmp(a->file, b->file);

	return d ? d : a->line - b->line;
}

static bool matches(const struct harness_case *c, const char *const *patterns, unsigned int nr)
{
	const char *slash = strrchr(c->file, '/'), *name = slash ? slash + 1 : c->file;

	for (unsigned int i = 0; i < nr; i++)
		if (!fnmatch(patterns[i], name, 0) || !fnmatch(patterns[i], c->name, 0))
			return true;
	return false;
}

const struct harness_case **run_select(const char *const *patterns, unsigned int nr)
{
	size_t all = __stop_harness_cases - __start_harness_cases, n = 0;
	const struct harness_case **cases = calloc(all + 1, sizeof(*cases));

	if (!cases)
		abort();
	for (size_t i = 0; i < all; i++)
		if (matches(__start_harness_cases[i], patterns, nr))
			cases[n++] = __start_harness_cases[i];
	qsort(cases, n, sizeof(*cases), by_place);
	return cases;
}

__attribute__((noreturn))
static void in_child(const struct harness_case *c, const char *strategy, enum tramp_class class, int fd)
{
	const struct itimerval cpu = { .it_value = { .tv_usec = CPU_MS * 1000 } };
	struct rlimit none = { 0, 0 };
	int null = open("/dev/null", O_RDWR);

	setpgid(0, 0);
	setrlimit(RLIMIT_CORE, &none);
	setitimer(ITIMER_PROF, &cpu, NULL);
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	child_run(c, strategy, class, fd);
}

/* What it says until it ends. */
static void listen_to(pid_t pid, int fd, char *said, size_t size)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	size_t len = 0;
	ssize_t n;

	while (len < size - 1) {
		if (poll(&p, 1, WALL_MS) <= 0)
			break;
		n = read(fd, said + len, size - 1 - len);
		if (n <= 0)
			break;
		len += n;
	}
	said[len] = '\0';
	kill(pid, SIGKILL);
}

/* The last line of @said is the verdict; it is cut off. */
static enum run_result judge(char *said)
{
	char *end = said + strlen(said), *line, *why;

	while (end > said && end[-1] == '\n')
		*--end = '\0';
	line = strrchr(said, '\n');
	line = line ? line + 1 : said;
	if (!strncmp(line, VERDICT_SKIP, strlen(VERDICT_SKIP))) {
		why = line + strlen(VERDICT_SKIP);
		memmove(said, why, strlen(why) + 1);
		return RUN_SKIPPED;
	}
	if (!strcmp(line, VERDICT_OK)) {
		*line = '\0';
		return RUN_PASSED;
	}
	if (!strcmp(line, VERDICT_FAIL))
		*line = '\0';
	return RUN_FAILED;
}

enum run_result run_case(const struct harness_case *c, const char *strategy, enum tramp_class class,
			 char *said, size_t size)
{
	int fd[2];
	pid_t pid;

	if (pipe2(fd, O_CLOEXEC)) {
		perror("pipe");
		exit(2);
	}
	fflush(NULL);
	pid = fork();
	if (pid < 0) {
		perror("fork");
		exit(2);
	}
	if (!pid)
		in_child(c, strategy, class, fd[1]);
	close(fd[1]);
	listen_to(pid, fd[0], said, size);
	close(fd[0]);
	waitpid(pid, NULL, 0);
	return judge(said);
}
