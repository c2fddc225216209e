/* SPDX-License-Identifier: MIT */
/*
 * Branch range: sites, trampolines and callbacks at the limits of a branch and
 * beyond (BUG-16), and changes between them (BUG-17).  All in a zone of
 * addresses of our own, far from everything else; trampolines go into its holes.
 */
#include <string.h>
#include <sys/mman.h>
#include "../../copies.h"
#include "../../faults/faults.h"
#include "../../user.h"

#define REACH		(CASE_REACH_DOWN > CASE_REACH_UP ? CASE_REACH_DOWN : CASE_REACH_UP)
#define PAGE		65536UL

static struct zone zone;

/* The middle of a zone with more than two reaches on either side. */
static unsigned long middle(void)
{
	unsigned long reach = (REACH + PAGE) & ~(PAGE - 1);

	if (!zone.start)
		EXPECT_EQ(zone_reserve(&zone, 5 * reach), 0);
	return (zone.start + 5 * reach / 2) / PAGE * PAGE + 64;
}

/* What is wanted of a test that can be asked without registering: what does the core say that @ip calls? */
struct asked { unsigned long ip, call; bool found; };

static int ask(const struct tramp_site_info *info, void *arg)
{
	struct asked *a = arg;

	if (info->ip != a->ip)
		return 0;
	a->call = info->call;
	a->found = true;
	return 1;
}

/* What the site at @ip calls: by its bytes, and the core must know the same. */
static unsigned long target_of(unsigned long ip)
{
	unsigned long target = case_site_target(ip);
	struct asked a = { .ip = ip };

	tramp_for_each_site(ask, &a);
	EXPECT(a.found && a.call == target, "the site at %#lx calls %#lx, the core says %#lx", ip, target, a.call);
	return target;
}

static size_t images(void)
{
	struct tramp_memory now;

	tramp_memory_usage(&now);
	return now.images;
}

/* One call of the copy at @ip is one call of @p's callback, with that ip. */
static void expect_hit(struct probe *p, unsigned long ip)
{
	unsigned long before = p->calls;

	EXPECT_EQ(copied_at(ip)(1), 2);
	EXPECT_EQ(p->calls - before, 1);
	EXPECT_EQ(p->ip, ip);
}

static int add_ip(struct probe *p, unsigned long ip)
{
	return ftrace_set_filter_ip(&p->ops, ip, 0, 0);
}

static int remove_ip(struct probe *p, unsigned long ip)
{
	return ftrace_set_filter_ip(&p->ops, ip, 1, 0);
}

static void put(struct copies *c, unsigned long ip)
{
	EXPECT_EQ(copies_put(c, ip, false), 0);
	EXPECT_EQ(copies_join(c), 0);
}

/* @p gets a first site, with a trampoline beside it. */
static unsigned long start_near(struct probe *p, struct copies *c, unsigned long ip)
{
	EXPECT_EQ(zone_hole((ip & ~(PAGE - 1)) - ZONE_HOLE, ZONE_HOLE), 0);
	put(c, ip);
	EXPECT_EQ(add_ip(p, ip), 0);
	EXPECT_EQ(probe_start(p), 0);
	expect_hit(p, ip);
	return target_of(ip);
}

static void at_the_limit(struct probe *p, unsigned long ip, unsigned long entry)
{
	struct copies c = { 0 };
	size_t before = images();

	put(&c, ip);
	EXPECT_EQ(add_ip(p, ip), 0);
	EXPECT_EQ(target_of(ip), entry);
	EXPECT_EQ(images(), before);
	expect_hit(p, ip);
	EXPECT_EQ(remove_ip(p, ip), 0);
	EXPECT_EQ(target_of(ip), 0);
	copies_leave(&c);
}

static void refused(struct probe *p, unsigned long ip)
{
	size_t before = images();

	EXPECT_EQ(add_ip(p, ip), -ENOMEM);
	EXPECT(strstr(tramp_why(), "reach"), "tramp_why() is \"%s\"", tramp_why());
	EXPECT_EQ(target_of(ip), 0);
	EXPECT_EQ(copied_at(ip)(1), 2);
	EXPECT_EQ(images(), before);
}

/* One instruction further.  @hole: where to make room, since there is none; 0: there is. */
static void beyond_the_limit(struct probe *p, unsigned long ip, unsigned long entry, unsigned long first,
			     unsigned long hole)
{
	struct copies c = { 0 };
	size_t before = images();

	put(&c, ip);
	if (hole) {
		refused(p, ip);
		expect_hit(p, first);
		EXPECT_EQ(zone_hole(hole, ZONE_HOLE), 0);
	}
	EXPECT_EQ(add_ip(p, ip), 0);
	EXPECT_EQ(images(), before + 1);
	EXPECT(target_of(ip) != entry, "%#lx calls %#lx, which is out of reach", ip, entry);
	EXPECT(!hole || target_of(ip) - hole < ZONE_HOLE, "%#lx calls %#lx, want into %#lx", ip, target_of(ip), hole);
	EXPECT_EQ(target_of(first), entry);
	expect_hit(p, ip);
	expect_hit(p, first);
	EXPECT_EQ(remove_ip(p, ip), 0);
	copies_leave(&c);
}

CASE(branch_limits_are_exact, "BUG-16 S72 S73", "a site at exactly either limit calls the trampoline there is; one instruction further it is refused, or gets one of its own")
{
	static struct copies c;
	unsigned long first = middle(), entry, above, below;
	struct probe *p = probe_new();
	struct tramp_memory before, after;

	tramp_memory_usage(&before);
	entry = start_near(p, &c, first);
	REQUIRE(entry, "the first site calls nothing");
	above = entry + CASE_REACH_DOWN;
	below = entry - CASE_REACH_UP;
	at_the_limit(p, above, entry);
	at_the_limit(p, below, entry);
	/* It is the first of its memory: what follows is nearer from above, and nothing from below. */
	beyond_the_limit(p, above + CASE_CODE_ALIGN, entry, first, 0);
	beyond_the_limit(p, below - CASE_CODE_ALIGN, entry, first, (below & ~(PAGE - 1)) - PAGE - ZONE_HOLE);
	EXPECT_EQ(probe_stop(p), 0);
	tramp_memory_usage(&after);
	EXPECT_EQ(after.images, before.images);
	EXPECT_EQ(after.code_bytes, before.code_bytes);
}

/* The one place that is really free. */
static struct { unsigned long start, end; } hole;

static bool elsewhere(unsigned long addr)
{
	return addr < hole.start || addr >= hole.end;
}

CASE(memory_that_no_map_shows, "BUG-16", "most of what is in reach is free as the maps go and taken all the same, as by an emulator: the place that is left is found")
{
	unsigned long first = middle(), page = first & ~(PAGE - 1), reach = CASE_REACH_UP & ~(PAGE - 1);
	struct probe *p = probe_new();
	static struct copies c;

	EXPECT_EQ(zone_hole(page - reach, reach), 0);
	hole.end = page - reach / 8 * 5;
	hole.start = hole.end - reach / 32;
	put(&c, first);
	EXPECT_EQ(add_ip(p, first), 0);
	faults_hide_maps(elsewhere);
	EXPECT_EQ(probe_start(p), 0);
	faults_hide_maps(NULL);
	expect_hit(p, first);
	EXPECT(!elsewhere(target_of(first)), "%#lx calls %#lx", first, target_of(first));
}

CASE(part_of_an_arena_in_reach, "BUG-16", "of memory that is partly in reach, that part is used, from its first place on")
{
	static struct copies c, far;
	unsigned long first = middle(), entry, ip, skip = 128 * 64;
	struct probe *p = probe_new();
	struct tramp_memory before, after;

	entry = start_near(p, &c, first);
	REQUIRE(entry, "the first site calls nothing");
	tramp_memory_usage(&before);
	ip = entry + CASE_REACH_DOWN + skip;
	put(&far, ip);
	EXPECT_EQ(add_ip(p, ip), 0);
	EXPECT_EQ(target_of(ip), entry + skip);
	tramp_memory_usage(&after);
	EXPECT_EQ(after.mapped_bytes, before.mapped_bytes);
	expect_hit(p, ip);
	expect_hit(p, first);
}

CASE(refusal_touches_no_site, "BUG-16 S12 S13 S70", "one site of the filter out of reach of all memory: -ENOMEM that names it, the others stay as they are, nothing is kept")
{
	static struct copies c, lost;
	unsigned long first = middle(), ip = first + 5 * REACH / 4 / PAGE * PAGE;
	struct probe *stays = probe_new(), *p = probe_new();
	struct tramp_memory before, after;
	unsigned long entry = start_near(stays, &c, first);
	char name[32];

	put(&lost, ip);
	EXPECT_EQ(add_ip(p, first), 0);
	EXPECT_EQ(add_ip(p, ip), 0);
	/* What both would share, the first one leaves behind. */
	EXPECT_EQ(probe_start(p), -ENOMEM);
	tramp_memory_usage(&before);
	for (int i = 0; i < 100; i++)
		REQUIRE_EQ(probe_start(p), -ENOMEM);
	tramp_memory_usage(&after);
	EXPECT_EQ(after.images, before.images);
	EXPECT_EQ(after.code_bytes, before.code_bytes);
	EXPECT_EQ(after.mapped_bytes, before.mapped_bytes);
	__builtin_snprintf(name, sizeof(name), "%#lx", ip);
	EXPECT(strstr(tramp_why(), name), "tramp_why() \"%s\" does not name %s", tramp_why(), name);
	EXPECT_EQ(p->ops.flags & FTRACE_OPS_FL_ENABLED, 0);
	EXPECT_EQ(target_of(ip), 0);
	EXPECT_EQ(target_of(first), entry);
	expect_hit(stays, first);
	EXPECT_EQ(p->calls, 0);

	EXPECT_EQ(zone_hole((ip & ~(PAGE - 1)) + 2 * PAGE, ZONE_HOLE), 0);
	EXPECT_EQ(probe_start(p), 0);
	expect_hit(p, ip);
	expect_hit(p, first);
	EXPECT_EQ(stays->calls, 3);
}

CASE(module_out_of_reach, "BUG-16 S143", "a module that what traces everything cannot reach stays untraced, with a reason; with memory near it joins")
{
	static struct copies c, lost;
	unsigned long first = middle(), ip = first + 5 * REACH / 4 / PAGE * PAGE;
	struct probe *all = probe_new();

	EXPECT_EQ(zone_hole((first & ~(PAGE - 1)) - ZONE_HOLE, ZONE_HOLE), 0);
	EXPECT_EQ(probe_start(all), 0);
	put(&c, first);
	expect_hit(all, first);
	EXPECT_EQ(copies_put(&lost, ip, false), 0);
	EXPECT_EQ(copies_join(&lost), -ENOMEM);
	EXPECT(strstr(tramp_why(), "reach"), "tramp_why() is \"%s\"", tramp_why());
	EXPECT_EQ(ftrace_location(ip), 0);
	EXPECT_EQ(copied_at(ip)(1), 2);
	expect_hit(all, first);

	EXPECT_EQ(zone_hole((ip & ~(PAGE - 1)) + 2 * PAGE, ZONE_HOLE), 0);
	copies_leave(&lost);
	put(&lost, ip);
	expect_hit(all, ip);
}

CASE(room_within_the_text, "BUG-16 S73", "text whose sites reach no free memory: with room of its own it is traced")
{
	static struct copies c;
	unsigned long ip = middle(), room = (ip & ~(PAGE - 1)) + 4 * PAGE;
	struct tramp_memory before, after;
	struct probe *p = probe_new(), *q = probe_new();

	EXPECT_EQ(copies_put(&c, ip, false), 0);
	EXPECT_EQ(copies_put(&c, room + PAGE + 64, false), 0);
	EXPECT_EQ(copies_join(&c), 0);
	EXPECT_EQ(add_ip(p, ip), 0);
	tramp_memory_usage(&before);
	EXPECT_EQ(probe_start(p), -ENOMEM);
	EXPECT_EQ(tramp_room_add((void *)(room + 1), PAGE), -EINVAL);
	EXPECT_EQ(probe_start(p), -ENOMEM);

	EXPECT_EQ(tramp_room_add((void *)room, PAGE), 0);
	EXPECT_EQ(probe_start(p), 0);
	EXPECT(target_of(ip) - room < PAGE, "it calls %#lx, want into the room at %#lx", target_of(ip), room);
	expect_hit(p, ip);
	EXPECT_EQ(add_ip(q, room + PAGE + 64), 0);
	EXPECT_EQ(probe_start(q), 0);
	expect_hit(q, room + PAGE + 64);
	tramp_memory_usage(&after);
	EXPECT_EQ(after.mapped_bytes - before.mapped_bytes, PAGE);
	EXPECT_EQ(maps_wx(), 0);
}

/* --- BUG-17 --- */

/* Of the site in the middle: who is on it. */
enum { NEAR = 1, FAR = 2 };

static unsigned int members;
static struct probe *near, *far;

static void move_to(unsigned long ip, unsigned int to)
{
	if (to & ~members & NEAR)
		EXPECT_EQ(add_ip(near, ip), 0);
	if (to & ~members & FAR)
		EXPECT_EQ(add_ip(far, ip), 0);
	if (members & ~to & NEAR)
		EXPECT_EQ(remove_ip(near, ip), 0);
	if (members & ~to & FAR)
		EXPECT_EQ(remove_ip(far, ip), 0);
	members = to;
}

static void expect_members(unsigned long ip, struct probe *second)
{
	unsigned long n = near->calls, f = far->calls, s = second->calls;
	bool joined = second->ops.flags & FTRACE_OPS_FL_ENABLED;

	EXPECT_EQ(copied_at(ip)(1), 2);
	EXPECT_EQ(near->calls - n, !!(members & NEAR));
	EXPECT_EQ(far->calls - f, !!(members & FAR));
	EXPECT_EQ(second->calls - s, joined);
	EXPECT_EQ(target_of(ip) != 0, members || joined);
}

static void second_joins(unsigned long ip, struct probe *second)
{
	expect_members(ip, second);
	EXPECT_EQ(probe_start(second), 0);
	expect_members(ip, second);
	EXPECT_EQ(probe_stop(second), 0);
	expect_members(ip, second);
}

static void walk(unsigned long ip, struct probe *second)
{
	for (unsigned int from = 0; from < 4; from++) {
		for (unsigned int to = 0; to < 4; to++) {
			move_to(ip, from);
			second_joins(ip, second);
			move_to(ip, to);
			second_joins(ip, second);
		}
	}
	move_to(ip, 0);
}

/*
 * @near's trampoline is made beside its own site, @far's as far from the middle
 * as a branch goes, for a site that reaches nothing else.
 */
CASE(near_and_far_trampolines, "BUG-17 BUG-16 BUG-36 S58", "a site goes between no, a near and a far trampoline in all orders, others joining in each state: bytes, counts and memory are right")
{
	static struct copies c, own, others;
	unsigned long ip = middle(), base = ip & ~(PAGE - 1), hole = base + REACH / PAGE * PAGE - 16 * PAGE;
	unsigned long beyond = hole + REACH / 2 / PAGE * PAGE + 64, beside = base - REACH / 2 / PAGE * PAGE + 64;
	struct probe *second = probe_new();
	struct tramp_memory before, after;

	near = probe_new();
	far = probe_new();
	members = 0;
	EXPECT_EQ(zone_hole(hole, ZONE_HOLE), 0);
	put(&others, beyond);
	EXPECT_EQ(add_ip(far, beyond), 0);
	EXPECT_EQ(probe_start(far), 0);
	EXPECT(target_of(beyond) - hole < ZONE_HOLE, "the far trampoline is at %#lx, want in the hole at %#lx",
	       target_of(beyond), hole);
	start_near(near, &own, beside);

	put(&c, ip);
	EXPECT_EQ(add_ip(second, ip), 0);
	walk(ip, second);
	tramp_memory_usage(&before);
	walk(ip, second);
	tramp_memory_usage(&after);
	EXPECT_EQ(after.images, before.images);
	EXPECT_EQ(after.code_bytes, before.code_bytes);
	EXPECT_EQ(after.mapped_bytes, before.mapped_bytes);
}

/* Uses nothing but its arguments, so that a copy of it runs anywhere. */
static __attribute__((noinline))
void count_only(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct probe *p = (struct probe *)op;

	(void)fregs;
	p->calls++;
	p->ip = ip;
	p->parent_ip = parent_ip;
}

static ftrace_func_t copy_callback(unsigned long page)
{
	char *copy = mmap((void *)page, PAGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	if (!EXPECT(copy == (char *)page, "no page for a callback"))
		return count_only;
	memcpy(copy, count_only, 256);
	__builtin___clear_cache(copy, copy + 256);
	EXPECT_EQ(mprotect(copy, PAGE, PROT_READ | PROT_EXEC), 0);
	return (ftrace_func_t)copy;
}

CASE(near_and_far_callbacks, "BUG-17 BUG-16 S84", "the one ops' callback is in reach of the trampoline, out of reach or gone, in all orders, a second ops joining in each state")
{
	static struct copies c;
	unsigned long ip = middle();
	struct probe *who[3] = { NULL, probe_new(), probe_new() }, *second = probe_new(), *first = probe_new();

	start_near(first, &c, ip);
	EXPECT_EQ(probe_stop(first), 0);
	who[1]->ops.func = copy_callback((ip & ~(PAGE - 1)) + 2 * PAGE);
	who[2]->ops.func = count_only;
	EXPECT_EQ(add_ip(who[1], ip), 0);
	EXPECT_EQ(add_ip(who[2], ip), 0);
	EXPECT_EQ(add_ip(second, ip), 0);
	for (int i = 0; i < 9; i++) {
		struct probe *pair[2] = { who[i / 3], who[i % 3] };

		for (int k = 0; k < 2; k++) {
			if (pair[k])
				EXPECT_EQ(probe_start(pair[k]), 0);
			for (int joined = 0; joined < 3; joined++) {
				if (joined == 1)
					EXPECT_EQ(probe_start(second), 0);
				if (joined == 2)
					EXPECT_EQ(probe_stop(second), 0);
				if (pair[k])
					expect_hit(pair[k], ip);
				if (joined == 1)
					expect_hit(second, ip);
				EXPECT_EQ(target_of(ip) != 0, pair[k] || joined == 1);
			}
			if (pair[k])
				EXPECT_EQ(probe_stop(pair[k]), 0);
		}
	}
}
