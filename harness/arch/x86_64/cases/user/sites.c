/* SPDX-License-Identifier: MIT */
/* x86-64: what the bytes of sites are, in every shape. */
#include <string.h>
#include "../../../../user.h"

unsigned long site_tiny(unsigned long x);
unsigned long site_clang_nop(unsigned long x);
unsigned long site_endbr(unsigned long x);
unsigned long site_endbr_late(unsigned long x);
unsigned long site_loop(unsigned long x);
unsigned long site_across_page(unsigned long x);
unsigned long site_across_line(unsigned long x);
unsigned long site_word_gcc(unsigned long x);
unsigned long site_word_clang(unsigned long x);
unsigned long site_word_endbr(unsigned long x);
unsigned long site_word_page(unsigned long x);
unsigned long site_word_inside(unsigned long x);
unsigned long site_word_odd(unsigned long x);
unsigned long site_word_odd_endbr(unsigned long x);
unsigned long site_word_across_line(unsigned long x);
unsigned long site_word_across_page(unsigned long x);

static const struct shape {
	const char	*name;
	unsigned long	(*fn)(unsigned long x);
	unsigned int	lead;		/* from the function to its site */
	bool		word;		/* 8 aligned bytes before the function */
} shapes[] = {
	{ "tiny",		site_tiny,		0, false },
	{ "clang nop",		site_clang_nop,		0, false },
	{ "endbr64",		site_endbr,		4, false },
	{ "endbr64, late record", site_endbr_late,	4, false },
	{ "loop",		site_loop,		0, false },
	{ "across a page",	site_across_page,	0, false },
	{ "across a line",	site_across_line,	0, false },
	{ "word",		site_word_gcc,		0, true },
	{ "word, clang nop",	site_word_clang,	0, true },
	{ "word, endbr64",	site_word_endbr,	4, true },
	{ "word on the page before", site_word_page,	0, true },
	{ "word half inside",	site_word_inside,	4, false },
	{ "odd word",		site_word_odd,		0, false },
	{ "odd word, endbr64",	site_word_odd_endbr,	4, false },
	{ "word across a line",	site_word_across_line,	0, false },
	{ "word across a page",	site_word_across_page,	0, false },
};
#define NR_SHAPES (sizeof(shapes) / sizeof(shapes[0]))
#define FIRST_AWKWARD 5

static const unsigned char nop5[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };

CASE(every_shape_of_site, "S42 S55 S76 S148 BUG-11 BUG-14 BUG-15 BUG-37 BUG-42 BUG-52", "gcc's and clang's nops, landing pads, tiny functions, loops, sites and words across a page and a line")
{
	for (unsigned int i = 0; i < NR_SHAPES; i++) {
		const struct shape *s = &shapes[i];
		const unsigned char *text = (const unsigned char *)s->fn;
		struct probe *p = probe_new();

		EXPECT(fn_ip(s->fn) == (unsigned long)text + s->lead, "%s: the site is at %#lx, want %p",
		       s->name, fn_ip(s->fn), (void *)(text + s->lead));
		EXPECT(!memcmp(text + s->lead, nop5, 5), "%s: at rest the site is no 5-byte nop", s->name);
		EXPECT(site_word(s->fn) == (s->word ? (void *)(text - 8) : NULL), "%s: its word is at %p",
		       s->name, (void *)site_word(s->fn));
		probe_register(p, s->fn);
		EXPECT(text[s->lead] == 0xe8, "%s: live, the site begins with %#x, want a call",
		       s->name, text[s->lead]);
		if (strstr(s->name, "endbr64"))
			EXPECT(!memcmp(text, "\xf3\x0f\x1e\xfa", 4), "%s: the landing pad changed", s->name);
		if (s->fn != site_tiny && s->fn != site_loop)
			EXPECT(s->fn(5) == 6, "%s: the function's result is wrong", s->name);
		else
			s->fn(5);
		EXPECT(p->calls == 1, "%s: called %lu times, want 1", s->name, p->calls);
		EXPECT_EQ(p->ip, (unsigned long)text + s->lead);
		EXPECT_EQ(probe_stop(p), 0);
		EXPECT(!memcmp(text + s->lead, nop5, 5), "%s: the nop is not back", s->name);
	}
}

CASE(awkward_sites_under_load, "S132 BUG-10 BUG-11 BUG-14", "sites and words across a page and a line toggle while a thread calls: counts exact", .timeout = 60, .needs = CASE_ONE_CLASS)
{
	for (unsigned int i = FIRST_AWKWARD; i < NR_SHAPES; i++) {
		struct probe *stays = probe_on(shapes[i].fn), *toggles = probe_new();
		struct caller c;

		caller_start(&c, shapes[i].fn, 2);
		for (unsigned int k = 0; k < rounds(3); k++) {
			probe_register(toggles, shapes[i].fn);
			EXPECT_EQ(probe_stop(toggles), 0);
		}
		caller_stop(&c);
		EXPECT_EQ(stays->calls, c.calls);
		EXPECT_EQ(c.wrong, 0);
	}
}
