/* SPDX-License-Identifier: MIT */
/*
 * Batches of sites around what one write covers: neighbours, some on one page
 * and some on the next, across the ends of pages, at both ends of the text, up to
 * one byte more than is written at once.  Between any two lies a site that is not
 * in the batch, and must not change for a moment.
 */
#include <sys/mman.h>
#include <unistd.h>
#include "../../copies.h"
#include "states.h"

#define PAGE	4096UL
#define SPAN	(64 * 1024UL)		/* core/text.c's */
#define PAGES	(2 * SPAN / PAGE)
#define BATCH_MAX (PAGES + 2)		/* each second site */

static struct zone zone;
static struct copies copies;
static unsigned long site[COPIES_MAX];

static void put(unsigned long ip, bool word)
{
	site[copies.nr] = ip;
	EXPECT_EQ(copies_put(&copies, ip, word), 0);
}

/* One for batches with each second site, with a word where one fits; another just behind it. */
static void put_pair(unsigned long ip)
{
	unsigned long func = ip - copied_ip(0);

	put(ip, func % 8 == 0 && func % PAGE >= 8);
	put(ip + copied_size(), false);
}

/* On the page's first byte, across its end, or anywhere. */
static unsigned long place_on(unsigned long page)
{
	switch (page % 4) {
	case 0:
		return page ? page * PAGE : copied_ip(0);
	case 2:
		return (page + 1) * PAGE - (1 + page / 4) * CASE_CODE_ALIGN;
	default:
		return page * PAGE + 1024 + 64 * page + copied_ip(0);
	}
}

/*
 * The second half of the pages is like the first, SPAN further, but for a few
 * bytes: what is written of a site here and of its like there begins and ends
 * just below, at and above SPAN.
 */
static unsigned long place(unsigned long page)
{
	unsigned long half = PAGES / 2, like = page % half;

	return place_on(like) + page / half * (SPAN - like % 6 * CASE_CODE_ALIGN);
}

static void lay_out(void)
{
	unsigned long base, page;

	REQUIRE(!zone_reserve(&zone, 5 * SPAN), "no addresses for copies");
	base = zone.start + SPAN;
	for (page = 0; page < PAGES; page++)
		put_pair(base + place(page));
	/* Behind a page that nobody may touch, since no site is on it; and the last bytes that there are. */
	put_pair(base + (PAGES + 1) * PAGE + 512 + copied_ip(0));
	put(base + 3 * SPAN - copied_size() + copied_ip(0), false);
	REQUIRE(!copies_join(&copies), "copies: %s", tramp_why());
	if (sysconf(_SC_PAGESIZE) == PAGE)
		EXPECT_EQ(mprotect((void *)(base + PAGES * PAGE), PAGE, PROT_NONE), 0);
	for (unsigned int i = 0; i < copies.nr; i++)
		states_add_site(copied_at(site[i]), site[i], OPS(OTHER));
}

struct batch { unsigned int from, nr, step; };

/* In a row, or each second one. */
static struct batch some_batch(void)
{
	struct batch b = { .step = 1 + states_random(2) };

	b.nr = 1 + states_random(BATCH_MAX);
	b.from = states_random(states_nr_sites - (b.nr - 1) * b.step) / b.step * b.step;
	return b;
}

static void choose(struct batch b)
{
	states_choose(b.from, b.nr, b.step);
	states_replace(PLAIN);
}

/* An ops comes to @a's sites, goes over to @b's, and leaves. */
static void change(struct batch a, struct batch b)
{
	choose(a);
	states_register(PLAIN);
	choose(b);
	states_unregister(PLAIN);
}

CASE(every_state_of_every_batch, "S132 S135", "batches of one site, two, ..., of a span and a site more or less, with and without an ops beside that stays: in each state calls there, before, behind and between are exact, and nothing but a changing site is ever written", .timeout = 60, .needs = CASE_TORTURE)
{
	/* From the first page to the one SPAN further; both sides of the untouched page; all; neighbours. */
	static const struct batch first[] = {
		{ 0, 17, 2 }, { 2 * PAGES - 2, 2, 2 }, { 0, BATCH_MAX, 2 }, { 0, 2, 1 },
	};
	const unsigned int nr = sizeof(first) / sizeof(*first);

	ONE_CLASS_ONLY();
	states_begin();
	lay_out();
	for (unsigned long n = 0; more(n, nr); n++) {
		states_tear(n % 3 - 1);
		if (n % 2)
			(states_on(OTHER) ? states_unregister : states_register)(OTHER);
		if (n < nr)
			change(first[n], first[(n + 1) % nr]);
		else
			change(some_batch(), some_batch());
	}
	states_end();
}
