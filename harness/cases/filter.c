/* SPDX-License-Identifier: MIT */
/* Which sites an ops is called for: filter and notrace, at rest and live. */
#include "../case.h"

/* Bits 0 to 3: called for tracee_a, _b, _c, _d. */
static unsigned int called_for(struct probe *p)
{
	static unsigned long (*const tracee[])(unsigned long) = {
		tracee_a, tracee_b, tracee_c, tracee_d,
	};
	unsigned int mask = 0;

	for (unsigned int i = 0; i < 4; i++) {
		unsigned long before = p->calls;

		tracee[i](1);
		mask |= (p->calls != before) << i;
	}
	return mask;
}

enum { A = 1, B = 2, C = 4, D = 8 };

CASE(empty_filter_is_everything, "S2 S37", "an ops without a filter is called for every function", .needs = CASE_SLOW, .timeout = 30)
{
	struct probe *p = probe_new();

	EXPECT_EQ(probe_start(p), 0);
	EXPECT_EQ(called_for(p), A | B | C | D);
	p->calls = 0;
	untraced(1);
	EXPECT_EQ(p->calls, 0);
}

CASE(filter_and_notrace, "S35", "called iff in the filter and not in notrace")
{
	struct probe *p = probe_new();

	probe_add(p, tracee_a);
	probe_add(p, tracee_b);
	EXPECT_EQ(probe_notrace(p, "tracee_b", 0), 0);
	EXPECT_EQ(probe_notrace(p, "tracee_c", 0), 0);
	EXPECT_EQ(probe_start(p), 0);
	EXPECT_EQ(called_for(p), A);
}

CASE(notrace_alone, "S35", "notrace without a filter: all but those", .needs = CASE_SLOW, .timeout = 30)
{
	struct probe *p = probe_new();

	EXPECT_EQ(probe_notrace(p, "tracee_b", 0), 0);
	EXPECT_EQ(probe_start(p), 0);
	EXPECT_EQ(called_for(p), A | C | D);
}

CASE(notrace_wins, "S36", "filter and notrace alike: called nowhere")
{
	struct probe *p = probe_new();

	EXPECT_EQ(probe_filter(p, "tracee_a", 0), 0);
	EXPECT_EQ(probe_notrace(p, "tracee_a", 0), 0);
	EXPECT_EQ(probe_start(p), 0);
	EXPECT_EQ(called_for(p), 0);
}

CASE(filters_are_per_ops, "S35 S59", "one ops' filter says nothing about another's")
{
	struct probe *p = probe_on(tracee_a), *q = probe_on(tracee_b), *r = probe_on(tracee_a);

	EXPECT_EQ(probe_add(r, tracee_b), 0);
	EXPECT_EQ(called_for(p), A);
	EXPECT_EQ(called_for(q), B);
	EXPECT_EQ(called_for(r), A | B);
}

/* --- live --- */

CASE(filter_grows_and_shrinks_live, "S48", "a change of a registered ops' filter is in force when the call returns")
{
	struct probe *p = probe_on(tracee_a);

	EXPECT_EQ(called_for(p), A);
	EXPECT_EQ(probe_add(p, tracee_b), 0);
	EXPECT_EQ(called_for(p), A | B);
	EXPECT_EQ(ftrace_set_filter_ip(&p->ops, fn_ip(tracee_a), 1, 0), 0);
	EXPECT_EQ(called_for(p), B);
	EXPECT_EQ(ftrace_set_filter_ip(&p->ops, fn_ip(tracee_d), 0, 1), 0);
	EXPECT_EQ(called_for(p), D);
	EXPECT_EQ(probe_filter(p, "tracee_?", 1), 0);
	EXPECT_EQ(called_for(p), A | B | C | D);
}

CASE(notrace_changes_live, "S48 S36", "the same for notrace")
{
	struct probe *p = probe_on(tracee_a);

	EXPECT_EQ(probe_add(p, tracee_b), 0);
	EXPECT_EQ(probe_notrace(p, "tracee_a", 0), 0);
	EXPECT_EQ(called_for(p), B);
	EXPECT_EQ(probe_notrace(p, "tracee_b", 1), 0);
	EXPECT_EQ(called_for(p), A);
	EXPECT_EQ(probe_notrace(p, NULL, 1), 0);
	EXPECT_EQ(called_for(p), A | B);
}

CASE(live_change_leaves_others_alone, "S48 S58", "an ops that stays on a site misses nothing when another joins and leaves it")
{
	struct probe *stays = probe_on(tracee_a), *moves = probe_on(tracee_b);

	for (int i = 0; i < 10; i++) {
		EXPECT_EQ(ftrace_set_filter_ip(&moves->ops, fn_ip(tracee_a), 0, 1), 0);
		tracee_a(1);
		EXPECT_EQ(ftrace_set_filter_ip(&moves->ops, fn_ip(tracee_b), 0, 1), 0);
		tracee_a(1);
	}
	EXPECT_EQ(stays->calls, 20);
	EXPECT_EQ(moves->calls, 10);
}

CASE(last_entry_gone_means_all, "S37 BUG-47", "taking the last entry out of a live filter turns everything on", .needs = CASE_SLOW, .timeout = 30)
{
	struct probe *p = probe_on(tracee_a);

	EXPECT_EQ(ftrace_set_filter_ip(&p->ops, fn_ip(tracee_a), 1, 0), 0);
	EXPECT_EQ(called_for(p), A | B | C | D);
	EXPECT_EQ(probe_filter(p, "tracee_c", 1), 0);
	EXPECT_EQ(called_for(p), C);
	EXPECT_EQ(probe_filter(p, "!tracee_c", 0), 0);
	EXPECT_EQ(called_for(p), A | B | C | D);
}

CASE(reset_with_null_means_all, "S39", "an emptied filter is every function until something is added", .needs = CASE_SLOW, .timeout = 30)
{
	struct probe *p = probe_on(tracee_a);

	EXPECT_EQ(probe_filter(p, NULL, 1), 0);
	EXPECT_EQ(called_for(p), A | B | C | D);
	EXPECT_EQ(probe_filter(p, "tracee_b", 0), 0);
	EXPECT_EQ(called_for(p), B);
}

/* --- refusals --- */

static void expect_refusals_keep_a(struct probe *p, const char *when)
{
	static unsigned long data;
	unsigned long ips[] = { fn_ip(tracee_b), (unsigned long)&data, fn_ip(tracee_c) };

	case_printf("filter {tracee_a}, %s", when);
	EXPECT_EQ(probe_filter(p, "no_such_function", 0), -EINVAL);
	EXPECT_EQ(probe_filter(p, "no_such_function", 1), -EINVAL);
	EXPECT_EQ(probe_filter(p, "no_such_*", 1), -EINVAL);
	EXPECT_EQ(probe_notrace(p, "no_such_function", 1), -EINVAL);
	EXPECT_EQ(ftrace_set_filter_ip(&p->ops, (unsigned long)&data, 0, 1), -EINVAL);
	EXPECT_EQ(ftrace_set_filter_ips(&p->ops, ips, 3, 0, 0), -EINVAL);
	EXPECT_EQ(ftrace_set_filter_ips(&p->ops, ips, 3, 0, 1), -EINVAL);
	EXPECT_EQ(ftrace_set_filter_ip(&p->ops, fn_ip(tracee_b), 1, 0), -ENOENT);
}

CASE(refused_change_keeps_filter, "S40 S43 S44", "no match or a bad address: an error, the old filter stands, even with reset")
{
	struct probe *p = probe_new();

	probe_add(p, tracee_a);
	expect_refusals_keep_a(p, "not registered");
	EXPECT_EQ(probe_start(p), 0);
	EXPECT_EQ(called_for(p), A);
	expect_refusals_keep_a(p, "registered");
	EXPECT_EQ(called_for(p), A);
}

CASE(filter_ip_accepts_any_byte_of_the_site, "S42 S148", "the function, the site, any byte of it; nothing else")
{
	unsigned long func = (unsigned long)tracee_a, site = fn_ip(tracee_a);
	static unsigned long data;
	struct probe *p = probe_new();

	REQUIRE(site >= func && site - func <= CASE_SITE_LEAD,
		"the site is %ld bytes from the function", (long)(site - func));
	EXPECT_EQ(ftrace_set_filter_ip(&p->ops, func, 0, 1), 0);
	for (unsigned long i = 0; i < CASE_SITE_SIZE; i++) {
		EXPECT_EQ(ftrace_location(site + i), site);
		EXPECT_EQ(ftrace_set_filter_ip(&p->ops, site + i, 0, 1), 0);
	}
	EXPECT_EQ(ftrace_set_filter_ip(&p->ops, site + CASE_SITE_SIZE, 0, 1), -EINVAL);
	EXPECT_EQ(ftrace_set_filter_ip(&p->ops, (unsigned long)untraced, 0, 1), -EINVAL);
	EXPECT_EQ(ftrace_set_filter_ip(&p->ops, (unsigned long)&data, 0, 1), -EINVAL);
	EXPECT_EQ(ftrace_set_filter_ip(&p->ops, 0, 0, 1), -EINVAL);
	if (site > func + 1)	/* within the landing pad */
		EXPECT_EQ(ftrace_set_filter_ip(&p->ops, func + 1, 0, 1), -EINVAL);
	EXPECT_EQ(probe_start(p), 0);
	EXPECT_EQ(called_for(p), A);
}

CASE(location_of_what_is_no_site, "S42", "ftrace_location() is 0 where there is no site")
{
	static unsigned long data;

	EXPECT(fn_ip(tracee_a), "tracee_a has no site");
	EXPECT_EQ(fn_ip(untraced), 0);
	EXPECT_EQ(ftrace_location((unsigned long)&data), 0);
	EXPECT_EQ(ftrace_location(0), 0);
	EXPECT_EQ(ftrace_location(~0UL), 0);
}

CASE(filter_is_a_set, "S43 BUG-49", "an address added twice is in once: one call a hit, one removal suffices")
{
	struct probe *p = probe_on(tracee_a);

	EXPECT_EQ(probe_add(p, tracee_b), 0);
	EXPECT_EQ(probe_add(p, tracee_b), 0);
	EXPECT_EQ(probe_filter(p, "tracee_b", 0), 0);
	tracee_b(1);
	EXPECT_EQ(p->calls, 1);
	EXPECT_EQ(ftrace_set_filter_ip(&p->ops, fn_ip(tracee_b), 1, 0), 0);
	tracee_b(1);
	EXPECT_EQ(p->calls, 1);
	EXPECT_EQ(ftrace_set_filter_ip(&p->ops, fn_ip(tracee_b), 1, 0), -ENOENT);
}

CASE(filter_ips_sets_all, "S44", "ftrace_set_filter_ips() takes effect for every address; a count of 0 changes nothing")
{
	unsigned long ips[] = { fn_ip(tracee_a), fn_ip(tracee_b), fn_ip(tracee_d) };
	struct probe *p = probe_on(tracee_c);

	EXPECT_EQ(ftrace_set_filter_ips(&p->ops, ips, 3, 0, 0), 0);
	EXPECT_EQ(called_for(p), A | B | C | D);
	EXPECT_EQ(ftrace_set_filter_ips(&p->ops, ips, 3, 0, 1), 0);
	EXPECT_EQ(called_for(p), A | B | D);
	EXPECT_EQ(ftrace_set_filter_ips(&p->ops, ips, 0, 0, 0), 0);
	EXPECT_EQ(called_for(p), A | B | D);
	EXPECT_EQ(ftrace_set_filter_ips(&p->ops, ips, 2, 1, 0), 0);
	EXPECT_EQ(called_for(p), D);
}

/* --- patterns --- */

enum { AA = 1, AB = 2, BA = 4, BA_AB = 8 };

static unsigned int globbies_called(struct probe *p)
{
	static unsigned long (*const globby[])(unsigned long) = {
		globby_aa, globby_ab, globby_ba, globby_ba_ab,
	};
	unsigned int mask = 0;

	for (unsigned int i = 0; i < 4; i++) {
		unsigned long before = p->calls;

		globby[i](1);
		mask |= (p->calls != before) << i;
	}
	return mask;
}

CASE(patterns_select_by_name, "S45", "full names, prefixes, suffixes, substrings and globs", .needs = CASE_SLOW)
{
	static const struct { const char *pattern; unsigned int want; } table[] = {
		{ "globby_aa",		AA },
		{ "globby_ba",		BA },
		{ "globby_a*",		AA | AB },
		{ "globby_*",		AA | AB | BA | BA_AB },
		{ "*by_ab",		AB },
		{ "*_ab",		AB | BA_AB },
		{ "*lobby_b*",		BA | BA_AB },
		{ "globby_?a",		AA | BA },
		{ "globby_[ab]a",	AA | BA },
		{ "globby_[!b]*",	AA | AB },
		{ "g*y_b*b",		BA_AB },
		{ "*",			AA | AB | BA | BA_AB },
	};
	struct probe *p = probe_on(tracee_a);

	for (unsigned int i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		EXPECT_EQ(probe_filter(p, table[i].pattern, 1), 0);
		EXPECT(globbies_called(p) == table[i].want, "\"%s\" selects %#x, want %#x",
		       table[i].pattern, globbies_called(p), table[i].want);
	}
}

CASE(bang_removes, "S45", "a leading ! takes what matches out of the filter")
{
	struct probe *p = probe_new();

	EXPECT_EQ(probe_filter(p, "globby_*", 1), 0);
	EXPECT_EQ(probe_filter(p, "!*_ab", 0), 0);
	EXPECT_EQ(probe_start(p), 0);
	EXPECT_EQ(globbies_called(p), AA | BA);
	EXPECT_EQ(probe_filter(p, "!globby_b?", 0), 0);
	EXPECT_EQ(globbies_called(p), AA);
	EXPECT_EQ(probe_filter(p, "!no_such_function", 0), -EINVAL);
	EXPECT_EQ(globbies_called(p), AA);
}

CASE(patterns_add_up, "S45 S48", "without reset a pattern adds to the filter")
{
	struct probe *p = probe_new();

	EXPECT_EQ(probe_filter(p, "globby_aa", 0), 0);
	EXPECT_EQ(probe_start(p), 0);
	EXPECT_EQ(globbies_called(p), AA);
	EXPECT_EQ(probe_filter(p, "globby_ba*", 0), 0);
	EXPECT_EQ(globbies_called(p), AA | BA | BA_AB);
	EXPECT_EQ(probe_notrace(p, "*_ab", 0), 0);
	EXPECT_EQ(globbies_called(p), AA | BA);
}

CASE(digits_are_an_index, "S46", "a pattern that begins with a digit is a 1-based index into the site table")
{
	struct probe *p = probe_new();

	EXPECT_EQ(probe_filter(p, "0", 1), -EINVAL);
	EXPECT_EQ(probe_filter(p, "999999999", 1), -EINVAL);
	EXPECT_EQ(probe_filter(p, "1", 1), 0);
	EXPECT_EQ(probe_filter(p, "1abc", 1), -EINVAL);
}
