/* SPDX-License-Identifier: MIT */
/* Nowhere to put a trampoline that the sites reach, or hardly anywhere. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "../../copies.h"
#include "../../user.h"

#define PAGE	65536UL
/* A little more than any call reaches. */
#define REACH	((CASE_REACH_DOWN + 2 * PAGE) & ~(PAGE - 1))
#define GAPS	4096

struct gap { unsigned long start, end; };

/* The free ranges that a call from @ip could reach. */
static unsigned int find_gaps(unsigned long ip, struct gap *gap)
{
	unsigned long low = ip > REACH + 65536 ? ip - REACH : 65536, high = ip + REACH;
	unsigned long start, end, last = low;
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned int nr = 0;
	char line[512];

	while (maps && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx", &start, &end) != 2 || end <= low)
			continue;
		if (start > high)
			start = high;
		if (start > last && nr < GAPS)
			gap[nr++] = (struct gap){ last, start };
		last = end;
		if (last >= high)
			break;
	}
	if (maps)
		fclose(maps);
	if (last < high && nr < GAPS)
		gap[nr++] = (struct gap){ last, high };
	return nr;
}

static struct gap gap[GAPS], taken[GAPS];
static unsigned int nr_taken;

/* In pieces, where something is there that no map shows: an emulator's own memory. */
static void take(unsigned long start, unsigned long len)
{
	unsigned long half = len / 2 & ~(PAGE - 1);

	if (!zone_fill(start, len)) {
		if (nr_taken < GAPS)
			taken[nr_taken++] = (struct gap){ start, start + len };
	} else if (half) {
		take(start, half);
		take(start + half, len - half);
	}
}

static void take_all(unsigned long ip)
{
	unsigned int nr = find_gaps(ip & ~4095UL, gap);

	for (unsigned int i = 0; i < nr; i++)
		take(gap[i].start, gap[i].end - gap[i].start);
}

static void give_back(void)
{
	while (nr_taken) {
		nr_taken--;
		zone_hole(taken[nr_taken].start, taken[nr_taken].end - taken[nr_taken].start);
	}
}

static void refused_then_served(unsigned long ip, unsigned long (*fn)(unsigned long x))
{
	struct probe *p = probe_new();

	EXPECT_EQ(ftrace_set_filter_ip(&p->ops, ip, 0, 0), 0);
	take_all(ip);
	EXPECT_EQ(probe_start(p), -ENOMEM);
	EXPECT(strstr(tramp_why(), "reach"), "tramp_why() is \"%s\"", tramp_why());
	EXPECT_EQ(fn(1), 2);
	EXPECT_EQ(p->calls, 0);
	give_back();
	EXPECT_EQ(probe_start(p), 0);
	EXPECT_EQ(fn(1), 2);
	EXPECT_EQ(p->calls, 1);
}

CASE(no_room_within_reach, "S70 BUG-16", "all addresses within branch reach are taken: -ENOMEM with a reason, no neighbour overwritten; with room again it works")
{
	refused_then_served(fn_ip(tracee_a), tracee_a);
}

/* Sets of two at most that all have the same newest ops; their code is more than is free. */
#define SETS 300

CASE(room_ends_half_way, "S12 S41 S70 BUG-04", "trampoline memory runs out half way through the sets of a registration: -ENOMEM, and memory in use is what it was; with room again it works", .timeout = 60)
{
	struct tramp_memory before, now;
	struct probe *p = probe_new();
	void *handle = dlopen(solib_path("many"), RTLD_NOW | RTLD_LOCAL);
	many_t *const *fn = handle ? dlsym(handle, "many") : NULL;
	int err;

	REQUIRE(fn, "no table: %s", dlerror());
	for (int i = 0; i < SETS; i++) {
		probe_on(fn[i]);
		EXPECT_EQ(probe_add(p, fn[i]), 0);
	}
	tramp_memory_usage(&before);
	take_all((unsigned long)fn[0]);
	err = probe_start(p);
	tramp_memory_usage(&now);
	give_back();
	EXPECT(err || !now.sets, "there was room for the code of %zu sets", now.sets);
	if (err) {
		EXPECT_EQ(err, -ENOMEM);
		EXPECT(!memcmp(&now, &before, sizeof(now)), "%zu pieces of code and %zu bytes, before %zu and %zu",
		       now.images, now.code_bytes, before.images, before.code_bytes);
		EXPECT_EQ(fn[7](1), 2);
		EXPECT_EQ(p->calls, 0);
		EXPECT_EQ(probe_start(p), 0);
	}
	EXPECT_EQ(fn[7](1), 2);
	EXPECT_EQ(p->calls, 1);
}

/* A copy alone on a page, if that can be had: its site. */
static unsigned long copy_on(struct copies *c, unsigned long page)
{
	unsigned long ip = page + 64;

	if (zone_fill(page, PAGE))
		return 0;
	EXPECT_EQ(copies_put(c, ip, false), 0);
	EXPECT_EQ(copies_join(c), 0);
	return ip;
}

static unsigned long copy_on_last_page(struct copies *c)
{
	unsigned long ip = 0;

	for (unsigned int bit = 56; bit > 36; bit--)
		for (int i = 2; i < 16 && !ip; i++)
			ip = copy_on(c, (1UL << bit) - i * PAGE);
	return ip;
}

CASE(ends_of_the_address_space, "BUG-16", "text on the lowest and on the highest pages: no address wraps; room is found on the side where there is some, or none")
{
	static struct copies low, high;
	unsigned long ip = 0;

	if (case_tsan())
		SKIP("ThreadSanitizer lets a program have no pages there");
	for (int i = 1; i < 64 && !ip; i++)
		ip = copy_on(&low, i * PAGE);
	REQUIRE(ip, "no page at the start of the address space");
	refused_then_served(ip, copied_at(ip));
	ip = copy_on_last_page(&high);
	REQUIRE(ip, "no page at the end of the address space");
	refused_then_served(ip, copied_at(ip));
}

#define MAPPINGS 5000

CASE(room_among_thousands_of_mappings, "BUG-16", "10 000 mappings and gaps within reach, one of them large enough, at the far end: the trampoline is there")
{
	static struct copies c;
	struct probe *p = probe_new();
	unsigned long size = sysconf(_SC_PAGESIZE), ip, hole;
	struct zone z;

	REQUIRE_EQ(zone_reserve(&z, 4 * REACH), 0);
	ip = z.start + 2 * REACH + 64;
	hole = z.start + REACH + 4 * PAGE;
	for (unsigned long i = 1; i <= MAPPINGS && 4 * i * size < REACH; i++)
		REQUIRE_EQ(zone_hole(z.start + 2 * REACH - PAGE - 2 * i * size, size), 0);
	/* As large as it has to be, but for a page. */
	EXPECT_EQ(zone_hole(z.start + 2 * REACH + 2 * PAGE, 2 * PAGE), 0);
	EXPECT_EQ(zone_hole(hole, ZONE_HOLE), 0);
	EXPECT_EQ(copies_put(&c, ip, false), 0);
	EXPECT_EQ(copies_join(&c), 0);
	EXPECT_EQ(ftrace_set_filter_ip(&p->ops, ip, 0, 0), 0);
	EXPECT_EQ(probe_start(p), 0);
	EXPECT(case_site_target(ip) - hole < ZONE_HOLE, "it calls %#lx, want into the hole at %#lx",
	       case_site_target(ip), hole);
	EXPECT_EQ(copied_at(ip)(1), 2);
	EXPECT_EQ(p->calls, 1);
}
