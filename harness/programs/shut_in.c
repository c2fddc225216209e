/* SPDX-License-Identifier: MIT */
/*
 * A program that is started inside of a sandbox: what a change of live text needs has
 * never been there (BUG-20).  Each refusal is tried in a process that executes this
 * program again.  It runs on untraced and says why, or all works; never half of it.
 * The argument is a wildcard over the strategies.
 */
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <ftrace.h>
#include <tramp.h>

static unsigned long calls;

__attribute__((target("general-regs-only"), patchable_function_entry(0)))
static void count(unsigned long ip, unsigned long parent_ip,
		  struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	(void)ip, (void)parent_ip, (void)op, (void)fregs;
	calls++;
}

__attribute__((noinline)) int traced(int x)
{
	__asm__ volatile ("" : "+r" (x));
	return x + 1;
}

/* --- inside --- */

/* 0: all works; 1: nothing does, with this errno; 2: something half. */
static int use(const char *strategy, int error)
{
	static struct ftrace_ops ops;
	int err = tramp_use(strategy), right;

	calls = 0;
	ops = (struct ftrace_ops){ .func = count };
	if (!err)
		err = register_ftrace_function(&ops);
	right = traced(1) == 2;
	if (err)
		return right && !calls && err == -error && *tramp_why() ? 1 : 2;
	err = unregister_ftrace_function(&ops);
	return right && calls && !err && traced(1) == 2 ? 0 : 2;
}

static int inside(const char *pattern, int error)
{
	int result = -1, one;
	const char *name;

	for (unsigned int i = 0; (name = tramp_strategy_name(i)); i++) {
		if (fnmatch(pattern, name, 0))
			continue;
		one = use(name, error);
		if (result >= 0 && one != result)
			return 2;
		result = one;
	}
	return result;
}

/* --- outside --- */

static int refuse(int nr, int error)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { sizeof(filter) / sizeof(*filter), filter };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog);
}

/* In a place of its own an empty file system lies over /proc. */
static int hide_proc(void)
{
	if (unshare(CLONE_NEWNS) && unshare(CLONE_NEWUSER | CLONE_NEWNS))
		return -1;
	return mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) || mount("none", "/proc", "tmpfs", 0, NULL);
}

/* @want: what comes of it, and a word of what it says on stderr then. */
static const struct sandbox { const char *name; int nr, error, want; const char *says; } sandboxes[] = {
	{ "membarrier refused", SYS_membarrier, EPERM, 1, "membarrier" },
	{ "no membarrier", SYS_membarrier, ENOSYS, 1, "membarrier" },
	{ "no memfd_create", SYS_memfd_create, ENOSYS, 1, "" },
	{ "no memory by memfd", SYS_ftruncate, EPERM, 1, "" },
	{ "no tgkill", SYS_tgkill, EPERM, 1, "signal" },
	{ "no rt_tgsigqueueinfo", SYS_rt_tgsigqueueinfo, EPERM, 0, "" },
	{ "no /proc", -1, ENOENT, 1, "/proc" },
};

enum { NO_SANDBOX = 77 };

static void start_inside(const struct sandbox *s, const char *self, const char *pattern, int said)
{
	char error[16];

	snprintf(error, sizeof(error), "%d", s->error);
	if (s->nr < 0 ? hide_proc() : refuse(s->nr, s->error))
		_exit(NO_SANDBOX);
	dup2(said, STDERR_FILENO);
	execl(self, self, pattern, error, NULL);
	_exit(NO_SANDBOX);
}

/* 0: as wanted; 1: not; NO_SANDBOX. */
static int try(const struct sandbox *s, const char *self, const char *pattern)
{
	char text[4096] = "";
	int said = memfd_create("stderr", 0), status = 0, ret;
	pid_t pid = fork();

	if (!pid)
		start_inside(s, self, pattern, said);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return 1;
	ret = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	if (pread(said, text, sizeof(text) - 1, 0) < 0)
		return 1;
	close(said);
	printf("%s: %d, want %d; said: %s\n", s->name, ret, s->want, *text ? text : "nothing");
	if (ret == NO_SANDBOX)
		return ret;
	return ret != s->want || !strstr(text, s->says) || (!*s->says && *text);
}

int main(int argc, char **argv)
{
	const char *pattern = argc > 1 ? argv[1] : "*";
	char self[PATH_MAX] = "";
	int failed = 0, ran = 0, ret;

	if (argc > 2)
		return inside(pattern, atoi(argv[2]));
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return 1;
	for (unsigned int i = 0; i < sizeof(sandboxes) / sizeof(*sandboxes); i++) {
		ret = try(&sandboxes[i], self, pattern);
		failed += ret && ret != NO_SANDBOX;
		ran += ret != NO_SANDBOX;
	}
	if (!ran)
		printf("skip this system has no seccomp filters\n");
	else
		printf("survived %d sandboxes that programs start in\n%s\n", ran, failed ? "bad" : "good");
	return failed;
}
