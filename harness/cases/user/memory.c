/* SPDX-License-Identifier: MIT */
/* Memory: what is executable, what is given back, where things may lie. */
#include <sys/mman.h>
#include "../../user.h"

static void look_at_maps(struct probe *p, struct ftrace_regs *fregs)
{
	(void)fregs;
	p->data[0] = maps_wx();
}

static void *watch_maps(void *arg)
{
	struct caller *c = arg;

	while (!__atomic_load_n(&c->stop, __ATOMIC_RELAXED)) {
		c->wrong += maps_wx();
		__atomic_store_n(&c->calls, c->calls + 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

CASE(never_writable_and_executable, "S149 BUG-19", "no mapping is both at one address: at rest, inside a callback, during updates", .needs = CASE_ONE_CLASS)
{
	struct caller watch = { .stop = 0 };
	struct probe *p = probe_new();

	EXPECT_EQ(maps_wx(), 0);
	watch.thread = spawn(watch_maps, &watch);
	caller_progress(&watch, 1);
	p->then = look_at_maps;
	p->data[0] = 1;
	for (int i = 0; i < 30; i++) {
		probe_register(p, tracee_a);
		if (!i)
			tracee_a(1);
		EXPECT_EQ(probe_stop(p), 0);
	}
	caller_stop(&watch);
	EXPECT_EQ(p->data[0], 0);
	EXPECT_EQ(watch.wrong, 0);
	EXPECT_EQ(maps_wx(), 0);
}

static void expect_no_growth(const struct tramp_memory *before)
{
	struct tramp_memory now;

	tramp_memory_usage(&now);
	EXPECT_EQ(now.images, before->images);
	EXPECT_EQ(now.code_bytes, before->code_bytes);
	EXPECT_EQ(now.mapped_bytes, before->mapped_bytes);
	EXPECT_EQ(now.hash_bytes, before->hash_bytes);
}

CASE(failing_registrations_leak_nothing, "S13 BUG-04", "10 000 refused registrations: memory in use is what it was", .timeout = 60)
{
	struct probe *first = probe_flags(case_flags() | FTRACE_OPS_FL_IPMODIFY);
	struct probe *second = probe_flags(case_flags() | FTRACE_OPS_FL_IPMODIFY);
	struct tramp_memory before;

	/* The conflict is at the last site, so that all others are made ready first. */
	probe_register(first, tracee_d);
	EXPECT_EQ(probe_filter(second, "tracee_?", 0), 0);
	tramp_memory_usage(&before);
	for (int i = 0; i < 10000; i++)
		REQUIRE_EQ(probe_start(second), -EBUSY);
	expect_no_growth(&before);
}

CASE(pairs_leak_nothing, "S15 BUG-04", "500 ops registered, filtered and unregistered, each its own: memory in use is what it was", .timeout = 60)
{
	struct tramp_memory before;

	for (int i = 0; i < 501; i++) {
		struct probe *p = probe_on(tracee_a);

		EXPECT_EQ(probe_add(p, tracee_b), 0);
		EXPECT_EQ(probe_filter(p, "tracee_?", 1), 0);
		EXPECT_EQ(probe_stop(p), 0);
		ftrace_free_filter(&p->ops);
		if (!i)
			tramp_memory_usage(&before);
	}
	expect_no_growth(&before);
}

static void at_address(void *hint)
{
	unsigned long size = 2 * 4096;
	char *m = mmap(hint, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct probe *p;

	REQUIRE(m != MAP_FAILED, "mmap near %p failed", hint);
	/* Across a page boundary, at an address that is not round. */
	p = (struct probe *)(m + 4096 - 40);
	probe_init(p, case_flags());
	probe_register(p, tracee_a);
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT(p->calls == 1, "the ops at %p was called %lu times, want 1", (void *)p, p->calls);
	EXPECT_EQ(probe_stop(p), 0);
	ftrace_free_filter(&p->ops);
	munmap(m, size);
}

CASE(ops_may_lie_anywhere, "BUG-35", "ops in the low 2 GiB, above 4 GiB, with bits 31 and 46 set: the callback gets exactly that pointer")
{
	at_address((void *)0x10000000UL);
	at_address((void *)0x70000000UL);
	at_address((void *)0x180000000UL);
	at_address((void *)0x100080000000UL);
	at_address((void *)0x600000000000UL);
	at_address((void *)0x7ff000000000UL);
	at_address(NULL);
}
