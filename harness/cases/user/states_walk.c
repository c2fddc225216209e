/* SPDX-License-Identifier: MIT */
/* All ways between the sets of ops that a site can have. */
#include "states.h"

/* Site 0 and 1 are the ones that change; 2 stays, and keeps filters from being empty. */
static void add_sites(unsigned int filter)
{
	states_add_tracee(tracee_a, filter);
	states_add_tracee(tracee_b, filter);
	states_add_tracee(tracee_d, ALL_OPS & ~filter);
}

static void by_registration(unsigned int k)
{
	if (states_on(k))
		states_unregister(k);
	else
		states_register(k);
}

static void by_filter(unsigned int k)
{
	states_choose(0, 2, 1);
	if (states_site[0].filter & OPS(k))
		states_leave(k);
	else
		states_join(k);
}

/* The switch takes all at once, and brings them back. */
static void every_switch(unsigned int pool)
{
	for (unsigned int set = 1; set <= pool; set++) {
		if (set & ~pool)
			continue;
		states_go_to(0, set, by_registration);
		states_switch(false);
		states_switch(true);
	}
	states_go_to(0, 0, by_registration);
}

static void replace(unsigned int k, unsigned int from, unsigned int nr)
{
	states_choose(from, nr, 1);
	states_replace(k);
}

/* One ops leaves site 0 and joins site 1 in one change, and back, whoever else is on both. */
static void every_replacement(unsigned int pool)
{
	for (unsigned int k = 0; k < NR_STATES_OPS; k++) {
		if (!(pool & OPS(k)))
			continue;
		for (unsigned int set = 0; set <= pool; set++) {
			if (set & (OPS(k) | ~pool))
				continue;
			states_go_to(0, set, by_registration);
			replace(k, 0, 1);
			states_register(k);
			replace(k, 1, 1);
			replace(k, 0, 1);
			replace(k, 0, 2);
			states_unregister(k);
		}
	}
	states_go_to(0, 0, by_registration);
}

/* @nr of all ops. */
static unsigned int some_ops(unsigned int nr)
{
	unsigned int pool = 0;

	while ((unsigned int)__builtin_popcount(pool) < nr)
		pool |= OPS(states_random(NR_STATES_OPS));
	return pool;
}

/* The first round is short; the others are what make torture has time for. */
static unsigned int pool_of(unsigned long round, unsigned int first)
{
	return round ? some_ops(5) : first;
}

CASE(every_state_by_registration, "S58 S60 S84 S106 S132 S133 S137", "ops register and unregister, from each set to its neighbours: in each state of each patch, torn as far as a copy may tear it, another thread's calls are exact", .timeout = 60, .needs = CASE_TORTURE)
{
	states_begin();
	add_sites(ALL_OPS);
	for (unsigned long n = 0; more(n, 1); n++) {
		states_tear(n & 1 ? -1 : 1);
		EXPECT_EQ(tramp_set_strict(n % 4 > 1), 0);
		states_every_step(0, pool_of(n, OPS(PLAIN) | OPS(REGS) | OPS(REDIRECTS)), by_registration);
	}
	states_end();
}

CASE(every_state_from_inside_a_callback, "S58 S119 S120 S122 S132", "the same, when each callback calls the other site: that call is exact in each state, too, whatever guards either", .timeout = 60, .needs = CASE_TORTURE)
{
	states_begin();
	add_sites(ALL_OPS);
	states_nest = true;
	for (unsigned long n = 0; more(n, 1); n++) {
		states_tear(n & 1 ? 1 : -1);
		states_every_step(0, pool_of(n, OPS(PLAIN) | OPS(GUARDED)), by_registration);
	}
	states_end();
}

CASE(every_state_by_filter, "S48 S58 S60 S106 S132 S133 S137", "the same, when registered ops join and leave the sites by their filters", .timeout = 60, .needs = CASE_TORTURE)
{
	states_begin();
	add_sites(0);
	for (unsigned int k = 0; k < NR_STATES_OPS; k++)
		states_register(k);
	for (unsigned long n = 0; more(n, 1); n++) {
		states_tear(n & 1 ? 1 : -1);
		states_every_step(0, pool_of(n, OPS(OTHER) | OPS(GUARDED) | OPS(REDIRECTS)), by_filter);
	}
	states_end();
}

CASE(every_state_of_a_replacement, "S38 S48 S132 S140 BUG-47", "the same, when an ops' filter is replaced: in one patch it leaves one site and joins the other; and when ftrace_enabled takes all ops from all sites, and brings them back", .timeout = 60, .needs = CASE_TORTURE)
{
	states_begin();
	add_sites(ALL_OPS);
	for (unsigned long n = 0; more(n, 1); n++) {
		states_tear(n & 1 ? -1 : 1);
		every_replacement(pool_of(n, OPS(GUARDED) | OPS(VEC)));
		every_switch(pool_of(n, OPS(PLAIN) | OPS(REGS)) & ~OPS(REDIRECTS));
	}
	states_end();
}

/* --- from any set to any other --- */

/* On its sites or off them, by its filter or by registration. */
static void by_either(unsigned int k)
{
	bool on = states_members(0) & OPS(k), named = states_site[0].filter & OPS(k);

	if (on)
		(states_random(2) ? by_registration : by_filter)(k);
	else if (named)
		by_registration(k);
	else if (states_on(k))
		by_filter(k);
	else {
		by_filter(k);
		by_registration(k);
	}
}

CASE(every_state_between_any_sets, "S58 S60 S106 S132", "from any set of six ops to any other, one ops after the other, each by registration or by filter", .timeout = 60, .needs = CASE_TORTURE)
{
	unsigned int redirected = 0;

	states_begin();
	add_sites(0);
	for (unsigned long n = 0; more(n, 20); n++) {
		states_tear((int)states_random(3) - 1);
		states_go_to(0, states_random(ALL_OPS + 1), by_either);
		redirected += !!(states_members(0) & OPS(REDIRECTS));
	}
	EXPECT(redirected, "no set had an ops that redirects");
	states_end();
}

CASE(any_sets_at_full_speed, "S58 S60 S106 S132", "the same without stops, stores torn or not, while three threads call as fast as they can: each call is exact", .timeout = 60, .needs = CASE_TORTURE)
{
	states_begin();
	add_sites(0);
	states_run_free();
	for (unsigned long n = 0; more(n, 2); n++) {
		states_tear(n % 2);
		states_go_to(0, states_random(ALL_OPS + 1), by_either);
	}
	states_end();
}
