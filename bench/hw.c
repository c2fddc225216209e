/* SPDX-License-Identifier: MIT */
/*
 * Hardware counters, where the machine has them: a column more, never a
 * condition.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include "timer.h"

static int fd_instructions = -1, fd_cycles = -1;
static int why;

static int counter(uint64_t config, int group)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = PERF_TYPE_HARDWARE;
	attr.config = config;
	attr.exclude_kernel = 1;
	attr.exclude_hv = 1;
	attr.read_format = PERF_FORMAT_GROUP;
	attr.disabled = group < 0;
	return syscall(SYS_perf_event_open, &attr, 0, -1, group, 0);
}

bool bench_hw_open(void)
{
	if (fd_cycles >= 0)
		return true;
	fd_instructions = counter(PERF_COUNT_HW_INSTRUCTIONS, -1);
	if (fd_instructions >= 0)
		fd_cycles = counter(PERF_COUNT_HW_CPU_CYCLES, fd_instructions);
	if (fd_cycles >= 0)
		return true;
	why = errno;
	if (fd_instructions >= 0)
		close(fd_instructions);
	fd_instructions = -1;
	return false;
}

const char *bench_hw_why(void)
{
	switch (why) {
	case ENOENT:
	case EOPNOTSUPP:
	case ENODEV:
		return "not supported here: no PMU";
	case EACCES:
	case EPERM:
		return "not supported here: perf_event_paranoid forbids it";
	default:
		return "not supported here";
	}
}

static bool read_pair(struct bench_hw *hw)
{
	struct { uint64_t nr, value[2]; } v;

	if (read(fd_instructions, &v, sizeof(v)) != sizeof(v))
		return false;
	hw->instructions = v.value[0];
	hw->cycles = v.value[1];
	return true;
}

static bool count(void (*loop)(unsigned long), unsigned long n, struct bench_hw *hw)
{
	ioctl(fd_instructions, PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP);
	ioctl(fd_instructions, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
	loop(n);
	ioctl(fd_instructions, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
	return read_pair(hw);
}

/* Two lengths again: what switching the counters costs falls out. */
bool bench_hw_count(void (*loop)(unsigned long), unsigned long n, struct bench_hw *hw)
{
	struct bench_hw one, two;

	if (!count(loop, n, &one) || !count(loop, 2 * n, &two))
		return false;
	hw->instructions = (two.instructions - one.instructions) / n;
	hw->cycles = (two.cycles - one.cycles) / n;
	return true;
}
