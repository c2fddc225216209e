/* SPDX-License-Identifier: MIT */
/* What /proc tells of the program's threads: which there are, and where one sleeps. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "grace.h"

/*
 * Does /proc/self/task/TID/syscall tell where a sleeping thread is?  It has pc and
 * sp: not enough where a leaf's return address is in a register alone.
 */
static bool described;
static bool emulated;
/* Threads of a user-mode emulator, or of a sanitizer's runtime, which no callback runs on. */
static pid_t foreign_thread[8];
static unsigned int nr_foreign_threads;

bool tramp_emulated(void)
{
	return emulated;
}

bool tramp_threads_described(void)
{
	return described;
}

/* --- one thread --- */

/* "running", or "nr arg0..arg5 sp pc", or "-1 sp pc" (proc(5)): sp and pc are the last two. */
int tramp_thread_asleep(pid_t tid, unsigned long *pc_at, unsigned long *sp_at)
{
	char line[256], *pc, *sp;
	int n = tramp_task_read(tid, described ? "syscall" : "comm", line, sizeof(line));

	/* A missing file is no missing thread: /proc itself may be gone. */
	if ((n == -ESRCH || n == -ENOENT) && tramp_thread_gone(tid))
		return -ESRCH;
	if (n <= 0 || line[0] == 'r' || !described)
		return 0;
	pc = strrchr(line, ' ');
	if (!pc)
		return 0;
	*pc = 0;
	sp = strrchr(line, ' ');
	if (!sp)
		return 0;
	*pc_at = strtoul(pc + 1, NULL, 16);
	*sp_at = strtoul(sp + 1, NULL, 16);
	return 1;
}

int tramp_thread_blocks(pid_t tid, int sig)
{
	char status[4096], *line;
	int n = tramp_task_read(tid, "status", status, sizeof(status));

	if (n < 0)
		return tramp_thread_gone(tid) ? 0 : n;
	line = strstr(status, "SigBlk:");
	return line && (strtoull(line + 7, NULL, 16) >> (sig - 1) & 1);
}

bool tramp_thread_dead(pid_t tid)
{
	char line[512], *name_end;
	int n = tramp_task_read(tid, "stat", line, sizeof(line));

	name_end = n > 0 ? strrchr(line, ')') : NULL;
	return name_end && (name_end[2] == 'Z' || name_end[2] == 'X');
}

void tramp_thread_name(pid_t tid, char name[16])
{
	if (tramp_task_read(tid, "comm", name, 16) <= 0)
		strcpy(name, "?");
	name[strcspn(name, "\n")] = 0;
}

/* --- all of them --- */

static bool is_foreign(pid_t tid)
{
	for (unsigned int i = 0; i < nr_foreign_threads; i++)
		if (foreign_thread[i] == tid)
			return true;
	return false;
}

int tramp_threads_others(struct tramp_threads *t)
{
	pid_t self = syscall(SYS_gettid);
	int err = tramp_threads_read(t);
	size_t nr = 0;

	for (size_t i = 0; !err && i < t->nr; i++)
		if (t->tid[i] != self && !is_foreign(t->tid[i]))
			t->tid[nr++] = t->tid[i];
	t->nr = nr;
	return err;
}

/* Without the list of threads nothing may be freed: no way on but to wait. */
void tramp_threads_surely(struct tramp_threads *t)
{
	while (tramp_threads_others(t)) {
		tramp_warn("%s: waiting for it, to see what threads do", tramp_why());
		sleep(1);
	}
}

/* --- once --- */

/*
 * Asked about the very call that asks: it must be read(2) into this buffer, from
 * this stack.  An emulator for another machine makes calls with numbers of its
 * own, and any emulator has a stack of its own.
 */
static void __attribute__((noinline)) ask_kernel(void)
{
	unsigned long frame = (unsigned long)__builtin_frame_address(0), nr, buffer, sp;
	int fd = open("/proc/self/syscall", O_RDONLY | O_CLOEXEC);
	char line[256];
	ssize_t n;

	if (fd < 0)
		return;
	n = read(fd, line, sizeof(line) - 1);
	close(fd);
	if (n <= 0)
		return;
	line[n] = 0;
	emulated = !(sscanf(line, "%lu %*x %lx %*x %*x %*x %*x %lx", &nr, &buffer, &sp) == 3 &&
		     nr == SYS_read && buffer == (unsigned long)line && frame - sp < 0x10000);
	described = !emulated && arch_return_on_stack;
}

/* An emulator's start before the program does, at its start and in fork()'s child. */
void tramp_threads_know_foreign(void)
{
	const unsigned int max = sizeof(foreign_thread) / sizeof(*foreign_thread);
	struct tramp_threads t;

	nr_foreign_threads = 0;
	tramp_threads_surely(&t);
	while (nr_foreign_threads < max && t.nr)
		foreign_thread[nr_foreign_threads++] = t.tid[--t.nr];
	tramp_threads_free(&t);
}

static void __attribute__((constructor)) at_start(void)
{
	ask_kernel();
	if (!emulated)
		return;
	tramp_threads_know_foreign();
	pthread_atfork(NULL, NULL, tramp_threads_know_foreign);
}
