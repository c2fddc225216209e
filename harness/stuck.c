/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
#include "stuck.h"

#define WORDS	1024	/* of a stack that are looked at */
#define PLACES	12

static bool read_file(char *line, size_t len, const char *fmt, int pid, int tid)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), fmt, pid, tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? 0 : read(fd, line, len - 1);
	if (fd >= 0)
		close(fd);
	line[n > 0 ? n : 0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	return n > 0;
}

static bool say_place(FILE *to, unsigned long pc)
{
	Dl_info info;
	const char *slash;

	if (!dladdr((void *)pc, &info))
		return false;
	slash = strrchr(info.dli_fname, '/');
	fprintf(to, " %s+%#lx", slash ? slash + 1 : info.dli_fname, pc - (unsigned long)info.dli_fbase);
	return true;
}

/* No unwinding: that may be what is stuck. */
static void say_stack(FILE *to, int pid, unsigned long sp)
{
	unsigned long word[WORDS];
	struct iovec here = { word, sizeof(word) }, there = { (void *)sp, sizeof(word) };
	ssize_t n = process_vm_readv(pid, &here, 1, &there, 1, 0);
	unsigned int said = 0;

	for (ssize_t i = 0; i < n / (ssize_t)sizeof(*word) && said < PLACES; i++)
		said += say_place(to, word[i]);
}

/* "NUMBER SIX-ARGUMENTS SP PC", "-1 SP PC" out of a call, or "running". */
static void say_where(FILE *to, int pid, int tid)
{
	unsigned long sp = 0, pc = 0;
	char call[256] = "", *at;

	read_file(call, sizeof(call), "/proc/%d/task/%d/syscall", pid, tid);
	at = strrchr(call, ' ');
	if (!at)
		return;
	pc = strtoul(at, NULL, 16);
	*at = '\0';
	at = strrchr(call, ' ');
	sp = strtoul(at ? at : "", NULL, 16);
	fprintf(to, ", system call %ld, at", strtol(call, NULL, 10));
	if (!say_place(to, pc))
		fprintf(to, " %#lx", pc);
	say_stack(to, pid, sp);
}

/* A hundred that idle would leave no room for the one that matters. */
static struct { char where[1024]; unsigned int more; } last;

static void say_more(int fd)
{
	if (last.more)
		dprintf(fd, "and %u more there\n", last.more);
	last.more = 0;
}

static void say_thread(int fd, int pid, int tid)
{
	char stat[512], where[sizeof(last.where)] = "", *name, *end;
	FILE *to = fmemopen(where, sizeof(where), "w");

	if (to && read_file(stat, sizeof(stat), "/proc/%d/task/%d/stat", pid, tid) &&
	    (name = strchr(stat, '(')) && (end = strrchr(stat, ')'))) {
		fprintf(to, "%.*s:%.2s", (int)(end - name + 1), name, end + 1);
		say_where(to, pid, tid);
	}
	if (to)
		fclose(to);
	if (!strcmp(where, last.where)) {
		last.more += where[0] != '\0';
		return;
	}
	say_more(fd);
	strcpy(last.where, where);
	if (where[0])
		dprintf(fd, "process %d, thread %d %s\n", pid, tid, where);
}

static void each_number(const char *path, void (*fn)(int fd, int pid, int number), int fd, int pid)
{
	DIR *dir = opendir(path);
	struct dirent *d;
	int number;

	while (dir && (d = readdir(dir))) {
		number = atoi(d->d_name);
		if (number > 0)
			fn(fd, pid, number);
	}
	if (dir)
		closedir(dir);
}

static void say_process(int fd, int group, int pid)
{
	char path[64];

	if (getpgid(pid) != group)
		return;
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	last.where[0] = '\0';
	each_number(path, say_thread, fd, pid);
	say_more(fd);
}

void stuck_say(int fd, pid_t group)
{
	each_number("/proc", say_process, fd, group);
}
