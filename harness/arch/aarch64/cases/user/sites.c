/* SPDX-License-Identifier: MIT */
/* AArch64: what the instructions of sites are, in every shape. */
#include <string.h>
#include "../../../../user.h"

unsigned long site_tiny(unsigned long x);
unsigned long site_plain(unsigned long x);
unsigned long site_bti(unsigned long x);
unsigned long site_bti_no_word(unsigned long x);
unsigned long site_bti_late(unsigned long x);
unsigned long site_signs(unsigned long x);
unsigned long site_loop(unsigned long x);
unsigned long site_odd(unsigned long x);
unsigned long site_across_page(unsigned long x);
unsigned long site_across_line(unsigned long x);

static const struct shape {
	const char	*name;
	unsigned long	(*fn)(unsigned long x);
	unsigned int	lead;		/* from the function to its site */
} shapes[] = {
	{ "tiny",		site_tiny,		4 },
	{ "no word",		site_plain,		4 },
	{ "bti",		site_bti,		8 },
	{ "bti, no word",	site_bti_no_word,	8 },
	{ "bti, late record",	site_bti_late,		8 },
	{ "signed return",	site_signs,		4 },
	{ "loop",		site_loop,		4 },
	{ "word not aligned",	site_odd,		4 },
	{ "across a page",	site_across_page,	4 },
	{ "across a line",	site_across_line,	4 },
};
#define NR_SHAPES (sizeof(shapes) / sizeof(shapes[0]))

#define NOP		0xd503201fU
#define MOV_X9_LR	0xaa1e03e9U
#define BL		0x94000000U
#define BTI_C		0xd503245fU

static unsigned int insn(const struct shape *s, int at)
{
	return *(volatile unsigned int *)((unsigned long)s->fn + at);
}

static void expect_at_rest(const struct shape *s)
{
	int lead = s->lead;

	EXPECT(insn(s, lead) == NOP, "%s: at rest the site is %#x, want a nop", s->name, insn(s, lead));
	EXPECT(insn(s, lead - 4) == MOV_X9_LR, "%s: before the site is %#x, want mov x9, x30",
	       s->name, insn(s, lead - 4));
	if (lead == 8)
		EXPECT(insn(s, 0) == BTI_C, "%s: the landing pad changed", s->name);
}

CASE(every_shape_of_site, "S42 S55 S76 S148 BUG-11 BUG-37 BUG-42 BUG-52", "with a word and without, landing pads, signed returns, tiny functions, loops, sites across a page and a line")
{
	for (unsigned int i = 0; i < NR_SHAPES; i++) {
		const struct shape *s = &shapes[i];
		unsigned long site = (unsigned long)s->fn + s->lead;
		struct probe *p = probe_new();

		EXPECT(fn_ip(s->fn) == site, "%s: the site is at %#lx, want %#lx", s->name, fn_ip(s->fn), site);
		expect_at_rest(s);
		probe_register(p, s->fn);
		EXPECT((insn(s, s->lead) & 0xfc000000) == BL, "%s: live, the site is %#x, want a bl",
		       s->name, insn(s, s->lead));
		if (s->fn != site_tiny && s->fn != site_loop)
			EXPECT(s->fn(5) == 6, "%s: the function's result is wrong", s->name);
		else
			s->fn(5);
		EXPECT(p->calls == 1, "%s: called %lu times, want 1", s->name, p->calls);
		EXPECT_EQ(p->ip, site);
		EXPECT_EQ(probe_stop(p), 0);
		expect_at_rest(s);
	}
}

CASE(awkward_sites_under_load, "S132 BUG-10 BUG-11", "sites across a page and a line, and one whose word is not aligned, toggle while a thread calls: counts exact", .timeout = 60, .needs = CASE_ONE_CLASS)
{
	for (unsigned int i = NR_SHAPES - 3; i < NR_SHAPES; i++) {
		struct probe *stays = probe_on(shapes[i].fn), *toggles = probe_new();
		struct caller c;

		caller_start(&c, shapes[i].fn, 2);
		for (unsigned int k = 0; k < rounds(6); k++) {
			probe_register(toggles, shapes[i].fn);
			EXPECT_EQ(probe_stop(toggles), 0);
		}
		caller_stop(&c);
		EXPECT_EQ(stays->calls, c.calls);
		EXPECT_EQ(c.wrong, 0);
	}
}
