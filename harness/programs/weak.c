/* SPDX-License-Identifier: MIT */
/*
 * Weak functions that lost to others (weak_strong.c): their code and their sites
 * stay, their symbols do not (BUG-50).  Such a site is traced and given back like
 * any other, and has no name: least of all its neighbour's.
 */
#include <stdio.h>
#include <string.h>
#include <ftrace.h>
#include <tramp.h>
#include "each.h"

/* volatile: by the traced functions' bodies it could not change. */
static volatile unsigned long calls;
static int bad;

__attribute__((target("general-regs-only"), patchable_function_entry(0)))
static void count(unsigned long ip, unsigned long parent_ip,
		  struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	(void)ip, (void)parent_ip, (void)op, (void)fregs;
	calls++;
}

/* Code without a symbol lies between these two. */
__attribute__((noinline)) int before(int x)
{
	__asm__ volatile ("" : "+r" (x));
	return x + 1;
}

__attribute__((weak, noinline)) int contested(int x)
{
	__asm__ volatile ("" : "+r" (x));
	return x + 100;
}

__attribute__((noinline)) int behind(int x)
{
	__asm__ volatile ("" : "+r" (x));
	return x + 2;
}

static struct { unsigned int sites, nameless, contested, live; } seen;

__attribute__((patchable_function_entry(0)))
static int look(const struct tramp_site_info *site, void *arg)
{
	(void)arg;
	seen.sites++;
	seen.live += site->call != 0;
	if (site->ip > (unsigned long)before && site->ip < (unsigned long)behind && site->func != (unsigned long)before)
		seen.nameless += !site->name;
	if (site->name && !strcmp(site->name, "contested")) {
		seen.contested++;
		bad += site->ip != ftrace_location((unsigned long)contested);
	}
	return 0;
}

static int run(const char *strategy)
{
	struct ftrace_ops all = { .func = count }, named = { .func = count };
	int err = tramp_use(strategy);

	bad = 0;
	memset(&seen, 0, sizeof(seen));
	tramp_for_each_site(look, NULL);
	if (seen.nameless != 1 || seen.contested != 1) {
		printf("%s: %u sites without a name, %u named contested, want 1 and 1\n", strategy,
		       seen.nameless, seen.contested);
		bad++;
	}
	/* Every site, the loser's too, on; the name's off for one ops, while the others stay; all off. */
	calls = 0;
	err = err ? err : register_ftrace_function(&all);
	err = err ? err : ftrace_set_filter(&named, (unsigned char *)"contested", 9, 1);
	err = err ? err : register_ftrace_function(&named);
	bad += contested(1) != 4 || calls != 2;
	err = err ? err : ftrace_set_notrace(&all, (unsigned char *)"contested", 9, 0);
	bad += contested(1) != 4 || calls != 3 || before(1) != 2 || behind(1) != 3 || calls != 5;
	seen.live = 0;
	tramp_for_each_site(look, NULL);
	if (seen.live * 2 != seen.sites) {	/* both looks saw all of them */
		printf("%s: %u sites are on\n", strategy, seen.live);
		bad++;
	}
	err = err ? err : unregister_ftrace_function(&all);
	err = err ? err : unregister_ftrace_function(&named);
	seen.live = 0;
	tramp_for_each_site(look, NULL);
	if (err || seen.live || calls != 5) {
		printf("%s: %d (%s), %u sites are still on, %lu calls\n", strategy, err, tramp_why(), seen.live, calls);
		bad++;
	}
	ftrace_free_filter(&all);
	ftrace_free_filter(&named);
	return bad;
}

int main(int argc, char **argv)
{
	return each_strategy(argc, argv, run);
}
