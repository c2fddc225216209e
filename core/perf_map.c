/* SPDX-License-Identifier: MIT */
/*
 * perf's table of code that is in no file: a line "START SIZE NAME" each, in the
 * one place where perf looks (perf's jit-interface.txt).  A line is never taken back.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "core.h"

static int fd = -1;
static bool created;

static void path_of(char *buf, size_t size)
{
	snprintf(buf, size, "/tmp/perf-%d.map", getpid());
}

/* When this process began, in seconds of the files' clock; 0: unknown. */
static time_t began(void)
{
	char buf[1024], *p;
	unsigned long long ticks;
	struct timespec now, boot;
	FILE *f = fopen("/proc/self/stat", "re");
	size_t n = f ? fread(buf, 1, sizeof(buf) - 1, f) : 0;

	if (f)
		fclose(f);
	buf[n] = 0;
	p = strrchr(buf, ')');	/* the name may hold anything; field 3 follows */
	if (!p || sscanf(p + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", &ticks) != 1)
		return 0;
	clock_gettime(CLOCK_REALTIME, &now);
	clock_gettime(CLOCK_BOOTTIME, &boot);
	return now.tv_sec - boot.tv_sec + ticks / sysconf(_SC_CLK_TCK);
}

/* A file of another process that had the same number is emptied; another JIT compiler's of this one is added to. */
static int check_file(const char *path)
{
	struct stat st;

	if (fstat(fd, &st))
		return tramp_fail(-errno, "%s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode) || st.st_uid != geteuid())
		return tramp_fail(-EPERM, "%s is there already and is not this user's file: perf would not read it", path);
	if (st.st_mtime + 1 < began() && ftruncate(fd, 0))
		return tramp_fail(-errno, "%s: %s", path, strerror(errno));
	return 0;
}

static void cancel(void)
{
	char path[64];

	tramp_image_anonymous = false;
	path_of(path, sizeof(path));
	close(fd);
	fd = -1;
	if (created)
		unlink(path);
}

static int open_file(void)
{
	const int flags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
	char path[64];
	int err;

	path_of(path, sizeof(path));
	fd = open(path, flags | O_CREAT | O_EXCL, 0600);
	created = fd >= 0;
	if (fd < 0 && errno == EEXIST)
		fd = open(path, flags);
	if (fd < 0)
		return tramp_fail(-errno, "%s: %s", path, strerror(errno));
	err = created ? 0 : check_file(path);
	if (err)
		cancel();
	return err;
}

static int start(const char *arg)
{
	int err;

	if (arg)
		return tramp_fail(-EINVAL, "perf-map=%s: perf looks in /tmp alone", arg);
	if (tramp_image_mapped())
		return tramp_fail(-EBUSY, "perf-map: there is memory for trampolines already, which perf takes for a file's; ask before anything is registered");
	err = open_file();
	tramp_image_anonymous = !err;
	return err;
}

/* Beside the file of a child's own, the parent's stays as it was. */
static int forked(void)
{
	close(fd);
	return open_file();
}

static void add(struct tramp_image *image, const char *name)
{
	char line[512];
	int n = snprintf(line, sizeof(line), "%lx %zx %s\n", image->code.pc, image->code.len, name);

	if (fd >= 0 && write(fd, line, n) != n) {
		tramp_warn("/tmp/perf-%d.map: %s: no more is written", getpid(), strerror(errno));
		close(fd);
		fd = -1;
	}
}

const struct tramp_tool tramp_tool_perf_map = {
	.name = "perf-map", .start = start, .cancel = cancel, .add = add, .forked = forked,
};
