/* SPDX-License-Identifier: MIT */
/*
 * The very first calls of the core, which in other programs are made before main():
 * each allocation, open, signal, ... of them fails in turn, each in a process where
 * nothing has been initialised.  The second try works.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <ftrace.h>
#include <tramp.h>
#include "harness/faults/faults.h"

#define UNTRACED __attribute__((patchable_function_entry(0)))

extern const unsigned long __start___patchable_function_entries[], __stop___patchable_function_entries[];
static const char *strategy;
static unsigned long hits;

__attribute__((noinline)) static unsigned long traced(unsigned long x)
{
	__asm__ ("" : "+r" (x));
	return x + 1;
}

__attribute__((target("general-regs-only"))) UNTRACED
static void hit(unsigned long ip, unsigned long parent_ip,
		struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	(void)ip, (void)parent_ip, (void)op, (void)fregs;
	hits++;
}

UNTRACED static int handlers(void)
{
	struct sigaction act;
	int nr = 0;

	for (int sig = SIGRTMIN; sig <= SIGRTMAX; sig++)
		nr += !sigaction(sig, NULL, &act) && act.sa_handler != SIG_DFL;
	return nr;
}

UNTRACED static int descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int nr = 0;

	while (dir && readdir(dir))
		nr++;
	if (dir)
		closedir(dir);
	return nr;
}

UNTRACED static bool works(void)
{
	struct ftrace_ops ops = { .func = hit };

	hits = 0;
	/* By no filter: where its file is refused, a function's address is not known. */
	return !tramp_use(strategy) && !register_ftrace_function(&ops) && traced(1) == 2 && hits == 1 &&
	       !unregister_ftrace_function(&ops) && traced(1) == 2 && hits == 1;
}

UNTRACED static int add(void)
{
	return tramp_module_add(__start___patchable_function_entries, __stop___patchable_function_entries);
}

/* What a child ends with. */
enum { NOTHING_FAILED, SURVIVED, WRONG_ERROR, NO_REASON, NO_SECOND_TRY, WRONG_HANDLERS, WRONG_DESCRIPTORS, DOES_NOT_WORK };
static const char *const verdicts[] = {
	"", "", "the error is not that of what failed", "tramp_why() is empty", "the second try fails",
	"more signals are taken than one", "descriptors are left open", "a traced call does not work",
};

UNTRACED static int child(const struct fault *fault, unsigned long n, int normal)
{
	unsigned long failed;
	int err;

	faults_arm(fault, n);
	err = add();
	failed = faults_disarm();
	if (err && (!failed || err != -fault->err))
		return WRONG_ERROR;
	if (err && !*tramp_why())
		return NO_REASON;
	if (err && add())
		return NO_SECOND_TRY;
	if (handlers() != 1)
		return WRONG_HANDLERS;
	if (descriptors() > normal)
		return WRONG_DESCRIPTORS;
	return !works() ? DOES_NOT_WORK : failed ? SURVIVED : NOTHING_FAILED;
}

/* Runs it in a process of its own, whose warnings are nobody's concern here. */
UNTRACED static int in_fork(const struct fault *fault, unsigned long n, int normal)
{
	int status = 0;
	pid_t pid = fork();

	if (!pid) {
		if (!freopen("/dev/null", "w", stderr))
			_exit(255);
		_exit(normal ? child(fault, n, normal) : add() ? 255 : descriptors());
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

UNTRACED static bool each(const struct fault *fault, int normal)
{
	unsigned long n = 1;
	int status;

	while ((status = in_fork(fault, n, normal)) == SURVIVED)
		n++;
	if (n > 1)
		printf("survived %lu %s\n", n - 1, fault_name(fault->kind));
	if (status != NOTHING_FAILED)
		printf("%s, errno %d, number %lu%s: %s\n", fault_name(fault->kind), fault->err, n,
		       fault->lasting ? " and later ones" : "", status < 0 ? "killed" : verdicts[status]);
	return status == NOTHING_FAILED;
}

UNTRACED int main(int argc, char **argv)
{
	const struct fault handler = { FAULT_HANDLER, ENOMEM, false };
	int normal;
	bool good;

	setvbuf(stdout, NULL, _IOLBF, 0);
	/* The runner's pattern, else any that needs nothing. */
	strategy = argc > 1 && !strpbrk(argv[1], "*?[") ? argv[1] : "list_func";
	normal = in_fork(NULL, 0, 0);
	good = normal > 0 && normal < 255 && each(&handler, normal);
	for (unsigned int i = 0; i < NR_FAULTS && good; i++)
		good = each(&faults[i], normal);
	if (good)
		puts("good");
	return !good;
}
