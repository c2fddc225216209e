/* SPDX-License-Identifier: MIT */
/*
 * Sites that change between code near and far, and batches whose sites call
 * copies of their own of what is shared (BUG-16, BUG-17).
 */
#include "../../copies.h"
#include "states.h"

#define UNIT	65536UL
#define REACH	((CASE_REACH_DOWN > CASE_REACH_UP ? CASE_REACH_DOWN : CASE_REACH_UP) / UNIT * UNIT)

static struct zone zone;
static struct copies copies[3];

static void put(struct copies *c, unsigned long ip, unsigned int filter)
{
	REQUIRE(!copies_put(c, ip, true), "no copy at %#lx", ip);
	REQUIRE(!copies_join(c), "copies: %s", tramp_why());
	states_add_site(copied_at(ip), ip, filter);
}

enum { BELOW, MIDDLE, ABOVE, ELSEWHERE };

/*
 * Two holes a reach and a half from each other: the site below reaches the first alone, the one
 * above the second alone, the middle one both, and memory nowhere else.
 */
static void lay_out(void)
{
	unsigned long first, second;

	REQUIRE(!zone_reserve(&zone, 5 * REACH), "no addresses for copies");
	first = zone.start + 2 * REACH - REACH / 4;
	second = first + REACH * 3 / 2;
	REQUIRE(!zone_hole(first, ZONE_HOLE) && !zone_hole(second, ZONE_HOLE), "no holes");
	put(&copies[0], copied_ip(first - REACH / 4 / UNIT * UNIT + 64), OPS(PLAIN));
	put(&copies[1], copied_ip(first + REACH * 3 / 4 / UNIT * UNIT + 64), 0);
	put(&copies[2], copied_ip(second + REACH / 4 / UNIT * UNIT + 64), OPS(OTHER));
	states_add_tracee(tracee_d, OPS(GUARDED) | OPS(REGS) | OPS(REDIRECTS));
}

static void register_all(void)
{
	for (unsigned int k = 0; k < NR_STATES_OPS; k++)
		if (k != VEC)
			states_register(k);
}

static void toggle_at(unsigned int at, unsigned int from, unsigned int nr, unsigned int k)
{
	states_choose(from, nr, 1);
	if (states_members(at) & OPS(k))
		states_leave(k);
	else
		states_join(k);
}

static void at_middle(unsigned int k)
{
	toggle_at(MIDDLE, MIDDLE, 1, k);
}

static void at_all(unsigned int k)
{
	toggle_at(MIDDLE, BELOW, 3, k);
}

/* Only what a strategy makes for one ops has its place from where that ops was first. */
static void expect_apart(void)
{
	EXPECT(case_site_target(states_site[BELOW].ip) - zone.start < 2 * REACH, "the site below calls far away");
	EXPECT(case_site_target(states_site[ABOVE].ip) - zone.start > 3 * REACH, "the site above calls far away");
}

CASE(every_state_near_and_far, "S58 S72 S132 BUG-16 BUG-17", "a site goes between nothing, near and far code, and three sites in one patch between copies of what they share: in each state calls are exact", .timeout = 60, .needs = CASE_TORTURE)
{
	ONE_CLASS_ONLY();
	states_begin();
	lay_out();
	register_all();
	expect_apart();
	for (unsigned long n = 0; more(n, 1); n++) {
		states_tear(n & 1 ? -1 : 1);
		states_every_step(MIDDLE, OPS(PLAIN) | OPS(OTHER) | OPS(GUARDED), at_middle);
		states_every_step(MIDDLE, OPS(GUARDED) | OPS(n & 1 ? REGS : REDIRECTS), at_all);
	}
	states_end();
}

static void by_registration(unsigned int k)
{
	(states_on(k) ? states_unregister : states_register)(k);
}

CASE(every_state_with_callbacks_out_of_reach, "S84 S132 BUG-16 BUG-17", "the same for registrations, where neither callbacks nor the list function are in reach of the code that calls them", .timeout = 60, .needs = CASE_TORTURE)
{
	ONE_CLASS_ONLY();
	states_begin();
	lay_out();
	states_choose(BELOW, 4, 1);
	for (unsigned int k = PLAIN; k <= GUARDED; k++)
		states_replace(k);
	for (unsigned long n = 0; more(n, 1); n++) {
		states_tear(n & 1 ? 1 : -1);
		states_every_step(MIDDLE, OPS(PLAIN) | OPS(OTHER) | (n ? OPS(GUARDED) : 0), by_registration);
	}
	states_end();
}
