/* SPDX-License-Identifier: MIT */
/*
 * A process at its limits: no descriptor, no address space, no mapping is left.
 * A change is made, or is an error and nothing has changed; waits stay right.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "core/core.h"
#include "../../user.h"

extern const char __executable_start[], etext[];

/* Of this process's text, in memory that is there already. */
static unsigned long sum_text(void)
{
	unsigned long sum = 0;

	for (const unsigned long *p = (const void *)__executable_start; p + 1 <= (const unsigned long *)etext; p++)
		sum = sum * 31 + *p;
	return sum;
}

/* @err or 0, and a reason, and nothing half done. */
static void whole(struct probe *p, int err, const char *why)
{
	unsigned long sum = sum_text();
	int got = probe_start(p);

	EXPECT(!got || got == err, "register is %d (%s), want 0 or %d", got, tramp_why(), err);
	if (!got) {
		EXPECT_EQ(tracee_a(1), 2);
		EXPECT_EQ(p->calls, 1);
		return;
	}
	EXPECT(strstr(tramp_why(), why), "tramp_why() \"%s\" does not say \"%s\"", tramp_why(), why);
	EXPECT_EQ(sum_text(), sum);
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(p->calls, 0);
}

/* --- descriptors --- */

/* The lowest free one is the last. */
static int use_up_descriptors(void)
{
	struct rlimit none = { 0, 0 };
	int fd = dup(0);

	if (fd >= 0)
		close(fd);
	getrlimit(RLIMIT_NOFILE, &none);
	none.rlim_cur = fd < 0 ? 0 : fd;
	return setrlimit(RLIMIT_NOFILE, &none);
}

/* Nothing that it needs would need one. */
static int without_descriptors(void *arg)
{
	struct probe *p = arg, *q = probe_new();
	struct caller c;

	EXPECT_EQ(probe_add(q, tracee_b), 0);
	if (!EXPECT_EQ(use_up_descriptors(), 0))
		return 1;
	EXPECT_EQ(probe_start(q), 0);
	EXPECT_EQ(tracee_b(1), 3);
	EXPECT_EQ(q->calls, 1);
	EXPECT_EQ(probe_stop(q), 0);
	EXPECT_EQ(probe_stop(p), 0);
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(p->calls, 0);

	/* With a thread that cannot be looked at, where that is needed: whole or not at all. */
	caller_start(&c, tracee_b, 3);
	whole(p, -EMFILE, "open files");
	caller_stop(&c);
	return case_failed();
}

static int first_without_descriptors(void *arg)
{
	if (!EXPECT_EQ(use_up_descriptors(), 0))
		return 1;
	whole(arg, -EMFILE, "open files");
	EXPECT_EQ(probe_start(arg), -EMFILE);
	return case_failed();
}

CASE(no_descriptor_left, "BUG-12 S12 S13", "RLIMIT_NOFILE is used up: with trampoline memory at hand all goes on; without, -EMFILE before the first write", .needs = CASE_ONE_CLASS)
{
	struct probe *p = probe_new(), *first = probe_new();

	EXPECT_EQ(probe_add(first, tracee_a), 0);
	EXPECT_EQ(in_fork(first_without_descriptors, first), 0);
	probe_register(p, tracee_a);
	EXPECT_EQ(in_fork(without_descriptors, p), 0);
}

/* A daemon closes all that it does not know, and opens files of its own in their place. */
static int close_all_and_reopen(void *arg)
{
	struct probe *p = arg, *q = probe_new();
	struct stat now, was[64];
	int files[64];

	EXPECT_EQ(probe_add(q, tracee_b), 0);
	/* The case's own pipe for its verdict stays. */
	for (int fd = 3; fd < 256; fd++) {
		if (fstat(fd, &now) || !S_ISFIFO(now.st_mode))
			close(fd);
	}
	for (int i = 0; i < 64; i++) {
		files[i] = memfd_create("its own", MFD_CLOEXEC);
		EXPECT_EQ(fstat(files[i], &was[i]), 0);
	}
	EXPECT_EQ(probe_start(q), 0);
	EXPECT_EQ(tracee_b(1), 3);
	EXPECT_EQ(q->calls, 1);
	EXPECT_EQ(probe_stop(q), 0);
	EXPECT_EQ(probe_stop(p), 0);
	for (int i = 0; i < 64; i++) {
		EXPECT(!fstat(files[i], &now) && !now.st_size && now.st_ino == was[i].st_ino && now.st_dev == was[i].st_dev,
		       "file %d was closed, or written to, or is another", files[i]);
		EXPECT_EQ(lseek(files[i], 0, SEEK_CUR), 0);
	}
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(p->calls, 0);
	return case_failed();
}

CASE(descriptors_closed_behind_our_back, "S12 S132", "a program closes every descriptor that it does not know and opens files: none of them is written, read or closed, and text changes on")
{
	EXPECT_EQ(in_fork(close_all_and_reopen, probe_on(tracee_a)), 0);
}

/* --- address space --- */

static bool limit_address_space(unsigned long more)
{
	struct rlimit as;
	unsigned long pages = 0;
	char line[128];
	int fd = open("/proc/self/statm", O_RDONLY), n = fd < 0 ? 0 : read(fd, line, sizeof(line) - 1);

	if (fd >= 0)
		close(fd);
	line[n > 0 ? n : 0] = 0;
	pages = strtoul(line, NULL, 10);
	getrlimit(RLIMIT_AS, &as);
	as.rlim_cur = pages * sysconf(_SC_PAGESIZE) + more;
	return pages && !setrlimit(RLIMIT_AS, &as);
}

static int near_the_limit(void *arg)
{
	unsigned long more = (unsigned long)arg;
	struct probe *p = probe_new(), *q = probe_new();
	struct rlimit as;
	int err;

	EXPECT_EQ(probe_add(p, tracee_a), 0);
	EXPECT_EQ(probe_add(q, tracee_b), 0);
	if (!limit_address_space(more))
		return 77;
	if (!more)
		EXPECT_EQ(probe_start(p), -ENOMEM);
	whole(p, -ENOMEM, "emory");
	err = p->ops.flags & FTRACE_OPS_FL_ENABLED ? probe_stop(p) : 0;
	EXPECT(!err, "unregister is %d (%s)", err, tramp_why());
	getrlimit(RLIMIT_AS, &as);
	as.rlim_cur = as.rlim_max;
	setrlimit(RLIMIT_AS, &as);
	EXPECT_EQ(probe_start(q), 0);
	EXPECT_EQ(tracee_b(1), 3);
	EXPECT_EQ(q->calls, 1);
	return case_failed();
}

CASE(address_space_used_up, "S12 S13 BUG-04", "RLIMIT_AS leaves no room for trampolines, or for one of their two mappings, or for them: -ENOMEM and nothing changed, or it works; without the limit it does", .needs = CASE_ONE_CLASS)
{
	unsigned long left[] = { 0, 4096, 65536, 65536 + 4096, 2 * 65536, 1 << 20 };

	if (tramp_emulated())
		SKIP("an emulator sets no limit for its program alone");
	for (unsigned int i = 0; i < sizeof(left) / sizeof(*left); i++) {
		int ret = in_fork(near_the_limit, (void *)left[i]);

		if (ret == 77)
			SKIP("this system limits no address space");
		EXPECT_EQ(ret, 0);
	}
}

/* --- mappings --- */

static unsigned long max_maps(void)
{
	char line[32];
	int fd = open("/proc/sys/vm/max_map_count", O_RDONLY), n = fd < 0 ? 0 : read(fd, line, sizeof(line) - 1);

	if (fd >= 0)
		close(fd);
	line[n > 0 ? n : 0] = 0;
	return strtoul(line, NULL, 10);
}

/* One page of two, so that none is joined with the next: how many there are now. */
static unsigned long add_maps(unsigned long nr)
{
	unsigned long size = sysconf(_SC_PAGESIZE), n = 0;
	char *p = mmap(NULL, 2 * nr * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	for (; p != MAP_FAILED && n < nr; n++)
		if (mprotect(p + 2 * n * size, size, PROT_READ | PROT_WRITE))
			break;
	return n;
}

static int wait_among_maps(void *arg)
{
	struct probe *p = arg, *q = probe_new();
	struct caller c;
	struct stopper stopper;
	pthread_t sleeper;

	p->then = stay_inside;
	EXPECT_EQ(probe_add(q, tracee_b), 0);
	caller_start(&c, tracee_b, 3);
	sleeper = spawn(thread_calls_a, NULL);
	gate_await(&inside_gate, 1);
	/* Below the threads' stacks, which come last in the list. */
	EXPECT_EQ(add_maps(2500), 2500);
	stopper_start(&stopper, p);
	/* Who registers waits for no callback. */
	EXPECT_EQ(probe_start(q), 0);
	nap_ms(20);
	EXPECT_EQ(stopper_done(&stopper), 0);
	gate_open(&inside_gate);
	join(stopper.thread);
	EXPECT_EQ(stopper.err, 0);
	join(sleeper);
	for (int i = 0; i < 3; i++) {
		EXPECT_EQ(probe_stop(q), 0);
		EXPECT_EQ(probe_start(q), 0);
	}
	caller_stop(&c);
	EXPECT_EQ(c.wrong, 0);
	EXPECT_EQ(p->calls, 1);
	return case_failed();
}

CASE(waits_among_5000_mappings, "S127", "5 000 mappings: who sleeps in a callback is waited for, who runs is seen outside", .needs = CASE_ONE_CLASS)
{
	EXPECT_EQ(in_fork(wait_among_maps, probe_on(tracee_a)), 0);
}

/* Small mappings, each beside one of another kind, until there is none left; @nr of them may be given back. */
static char *use_up_maps(unsigned long nr)
{
	unsigned long max = max_maps(), size = sysconf(_SC_PAGESIZE);
	char *spare = mmap(NULL, nr * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (unsigned long i = 0; spare != MAP_FAILED && i < nr; i += 2)
		mprotect(spare + i * size, size, PROT_READ);
	if (spare == MAP_FAILED || add_maps(max / 2 + 100) > max / 2)
		return NULL;
	/* The last ones singly. */
	for (int i = 0; i < 1000; i++)
		if (mmap(NULL, size, i % 2 ? PROT_READ : PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
			return spare;
	return NULL;
}

static int at_the_last_mapping(void *arg)
{
	struct probe *p = arg, *q = probe_new();
	static struct caller c;		/* its thread outlives this function where nothing is counted */
	unsigned long size = sysconf(_SC_PAGESIZE);
	char *spare;

	EXPECT_EQ(probe_add(q, tracee_b), 0);
	caller_start(&c, tracee_c, 4);
	spare = use_up_maps(64);
	if (!spare)
		return 77;
	EXPECT_EQ(probe_start(p), -ENOMEM);
	whole(p, -ENOMEM, "emory");
	munmap(spare, 32 * size);
	whole(p, 0, "");
	while (mmap(NULL, size, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
		;
	EXPECT_EQ(probe_start(q), 0);
	EXPECT_EQ(tracee_b(1), 3);
	EXPECT_EQ(q->calls, 1);
	EXPECT_EQ(probe_stop(p), 0);
	EXPECT_EQ(probe_stop(q), 0);
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(p->calls, 1);
	caller_stop(&c);
	return case_failed();
}

CASE(no_mapping_left, "S12 S13 BUG-04", "vm.max_map_count is reached: the first register is -ENOMEM and changes nothing; with trampoline memory at hand all goes on", .timeout = 60, .needs = CASE_ONE_CLASS)
{
	struct probe *p = probe_new();
	int ret;

	if (tramp_emulated() || case_asan() || case_tsan())
		SKIP("%s needs mappings of its own", tramp_emulated() ? "an emulator" : "a sanitizer");
	if (max_maps() > 100000)
		SKIP("vm.max_map_count is %lu, too many to use up", max_maps());
	EXPECT_EQ(probe_add(p, tracee_a), 0);
	ret = in_fork(at_the_last_mapping, p);
	if (ret == 77)
		SKIP("this system counts no mappings");
	EXPECT_EQ(ret, 0);
}
