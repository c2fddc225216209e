/* SPDX-License-Identifier: MIT */
/*
 * jit-PID.dump, perf's record of generated code with its bytes (perf's
 * jitdump-specification.txt): "perf inject --jit" makes an object of each piece,
 * which holds from its time on, so that an address that is used again names what
 * was there then.  perf finds the file by a mapping of it in the process.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include "core.h"

struct file_header {
	uint32_t	magic, version, total_size, machine, pad, pid;
	uint64_t	timestamp, flags;
};

struct code_load {
	uint32_t	id, total_size;
	uint64_t	timestamp;
	uint32_t	pid, tid;
	uint64_t	vma, code_addr, code_size, code_index;
};

enum { MAGIC = 0x4a695444, VERSION = 1, CODE_LOAD = 0 };

extern const ElfW(Ehdr) __ehdr_start __attribute__((weak, visibility("hidden")));

static char path[PATH_MAX], *directory;
static int fd = -1;
static void *marker;
static uint64_t nr_loads;

/* perf record has to use the same clock: -k CLOCK_MONOTONIC. */
static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000UL + t.tv_nsec;
}

static void close_file(void)
{
	if (marker && marker != MAP_FAILED)
		munmap(marker, sysconf(_SC_PAGESIZE));
	marker = NULL;
	if (fd >= 0)
		close(fd);
	fd = -1;
}

static int fail(const char *what)
{
	int err = tramp_fail(-errno, "%s: %s%s", path, what, strerror(errno));

	if (fd >= 0)
		unlink(path);
	close_file();
	return err;
}

static int open_file(void)
{
	const struct file_header header = {
		.magic = MAGIC, .version = VERSION, .total_size = sizeof(header),
		.machine = __ehdr_start.e_machine, .pid = getpid(), .timestamp = now(),
	};

	if (snprintf(path, sizeof(path), "%s/jit-%d.dump", directory, getpid()) >= (int)sizeof(path))
		return tramp_fail(-ENAMETOOLONG, "jitdump: the directory's name is too long");
	/* A former process may have left one of that name; nobody else's is followed or kept open. */
	unlink(path);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return fail("");
	if (write(fd, &header, sizeof(header)) != sizeof(header))
		return fail("");
	marker = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	return marker == MAP_FAILED ? fail("perf finds it by an executable mapping: ") : 0;
}

static int start(const char *arg)
{
	int err;

	if (!&__ehdr_start)
		return tramp_fail(-ENOEXEC, "jitdump: the program's ELF header is not in its memory");
	/* Children may run elsewhere. */
	directory = realpath(arg && *arg ? arg : ".", NULL);
	if (!directory)
		return tramp_fail(-errno, "jitdump=%s: %s", arg ? arg : ".", strerror(errno));
	err = open_file();
	if (err)
		free(directory);
	return err;
}

static void cancel(void)
{
	unlink(path);
	close_file();
	free(directory);
}

static int forked(void)
{
	close_file();
	nr_loads = 0;
	return open_file();
}

static void add(struct tramp_image *image, const char *name)
{
	struct code_load load = {
		.id = CODE_LOAD, .timestamp = now(), .pid = getpid(), .tid = syscall(SYS_gettid),
		.vma = image->code.pc, .code_addr = image->code.pc, .code_size = image->code.len,
		.code_index = nr_loads++,
	};
	const struct iovec parts[] = {
		{ &load, sizeof(load) },
		{ (void *)name, strlen(name) + 1 },
		{ image->code.w, image->code.len },
	};
	off_t at = fd >= 0 ? lseek(fd, 0, SEEK_CUR) : -1;

	load.total_size = parts[0].iov_len + parts[1].iov_len + parts[2].iov_len;
	if (fd < 0 || writev(fd, parts, 3) == load.total_size)
		return;
	tramp_warn("%s: %s: no more is written", path, strerror(errno));
	/* Half a record would spoil the file. */
	if (ftruncate(fd, at))
		unlink(path);
	close_file();
}

const struct tramp_tool tramp_tool_jitdump = {
	.name = "jitdump", .start = start, .cancel = cancel, .add = add, .forked = forked,
};
