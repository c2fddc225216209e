/* SPDX-License-Identifier: MIT */
/* The program's text: what changes, what comes back, and what is refused. */
#include <stdlib.h>
#include <string.h>
#include "core/core.h"
#include "../../user.h"

extern const char __executable_start[], etext[];

static char *copy_text(void)
{
	unsigned long size = etext - __executable_start;
	char *copy = malloc(size);

	if (copy)
		memcpy(copy, __executable_start, size);
	return copy;
}

struct site_bytes { const char *before; unsigned long live, changed, in_live; };

static bool differs(const char *before, unsigned long at)
{
	return before[at] != __executable_start[at];
}

static int count_site_bytes(const struct tramp_site_info *site, void *arg)
{
	struct site_bytes *s = arg;
	unsigned long at = site->ip - (unsigned long)__executable_start;
	unsigned long word = site->word - (unsigned long)__executable_start;

	s->live += site->nr_ops != 0;
	for (unsigned int i = 0; i < CASE_SITE_SIZE; i++)
		s->in_live += site->nr_ops && differs(s->before, at + i);
	for (unsigned int i = 0; site->word && i < sizeof(site->word); i++)
		s->in_live += site->nr_ops && differs(s->before, word + i);
	return 0;
}

CASE(only_site_bytes_change, "S132 BUG-15 BUG-22", "while ops are registered no byte outside of their sites and words differs; afterwards none at all")
{
	struct site_bytes s = { .before = copy_text() };
	struct probe *p = probe_new();

	REQUIRE(s.before, "no memory");
	EXPECT_EQ(probe_filter(p, "tracee_*", 0), 0);
	EXPECT_EQ(probe_start(p), 0);
	for (unsigned long i = 0; i < (unsigned long)(etext - __executable_start); i++)
		s.changed += differs(s.before, i);
	tramp_for_each_site(count_site_bytes, &s);
	EXPECT(s.live > 10, "%lu sites are live, want more than 10", s.live);
	EXPECT(s.changed >= s.live, "%lu bytes changed for %lu sites", s.changed, s.live);
	EXPECT_EQ(s.changed, s.in_live);
	EXPECT_EQ(probe_stop(p), 0);
	EXPECT_EQ(memcmp(s.before, __executable_start, etext - __executable_start), 0);
	free((void *)s.before);
}

CASE(text_restored_in_any_order, "S132 BUG-22", "overlapping ops leave in another order than they came: the text is what it was")
{
	static const char *const patterns[] = { "tracee_?", "tracee_args*", "*_a", "globby_*", "tracee_*" };
	char *before = copy_text();
	struct probe *p[15];

	REQUIRE(before, "no memory");
	for (int i = 0; i < 15; i++) {
		p[i] = probe_new();
		EXPECT_EQ(probe_filter(p[i], patterns[i % 5], 0), 0);
		EXPECT_EQ(probe_start(p[i]), 0);
	}
	/* 7 and 15 have no common factor: each once. */
	for (int i = 0; i < 15; i++)
		EXPECT_EQ(probe_stop(p[(4 + 7 * i) % 15]), 0);
	EXPECT_EQ(memcmp(before, __executable_start, etext - __executable_start), 0);
	free(before);
}

CASE(foreign_bytes_are_refused, "S136 S12", "a site that somebody else changed: -EINVAL, no site of the ops is written, and ftrace lives on")
{
	unsigned char saved[CASE_SITE_SIZE], junk[CASE_SITE_SIZE];
	unsigned long site = fn_ip(tracee_c), other = fn_ip(tracee_a);
	struct probe *p = probe_new();
	unsigned char before[CASE_SITE_SIZE];

	memcpy(saved, (void *)site, sizeof(saved));
	memcpy(before, (void *)other, sizeof(before));
	memcpy(junk, saved, sizeof(junk));
	junk[CASE_SITE_SIZE - 1] ^= 0x40;
	EXPECT_EQ(probe_filter(p, "tracee_?", 0), 0);
	text_write(site, junk, sizeof(junk));
	EXPECT_EQ(probe_start(p), -EINVAL);
	EXPECT(strstr(tramp_why(), "tracee_c"), "tramp_why() \"%s\" does not name tracee_c", tramp_why());
	EXPECT_EQ(memcmp((void *)other, before, sizeof(before)), 0);
	EXPECT_EQ(memcmp((void *)site, junk, sizeof(junk)), 0);
	EXPECT_EQ(p->ops.flags & FTRACE_OPS_FL_ENABLED, 0);
	tracee_a(1);
	EXPECT_EQ(p->calls, 0);

	text_write(site, saved, sizeof(saved));
	EXPECT_EQ(probe_start(p), 0);
	tracee_a(1);
	tracee_c(1);
	EXPECT_EQ(p->calls, 2);
}

CASE(foreign_bytes_in_a_live_change, "S136 S48", "the same for a change of a registered ops' filter: the old one stays")
{
	unsigned char saved[CASE_SITE_SIZE], junk[CASE_SITE_SIZE];
	unsigned long site = fn_ip(tracee_c);
	struct probe *p = probe_on(tracee_a);

	memcpy(saved, (void *)site, sizeof(saved));
	memcpy(junk, saved, sizeof(junk));
	junk[CASE_SITE_SIZE - 1] ^= 0x40;
	text_write(site, junk, sizeof(junk));
	EXPECT_EQ(probe_filter(p, "tracee_?", 1), -EINVAL);
	EXPECT_EQ(probe_add(p, tracee_c), -EINVAL);
	tracee_a(1);
	tracee_b(1);
	EXPECT_EQ(p->calls, 1);
	text_write(site, saved, sizeof(saved));
	EXPECT_EQ(probe_filter(p, "tracee_?", 1), 0);
}

/* --- what no test can see the lack of --- */

static char steps[64], *step = steps;
static unsigned char site_was[ARCH_POKE_MAX];
static unsigned long site_at;

/* w: the site's bytes have changed; s: every processor has heard of it. */
static void note_step(const char *behind, unsigned long addr, size_t len)
{
	const void *site = (const void *)site_at;

	(void)addr, (void)len;
	if (step == steps + sizeof(steps) - 2)
		return;
	if (memcmp(site, site_was, arch_site_size)) {
		memcpy(site_was, site, arch_site_size);
		*step++ = 'w';
	}
	if (!strcmp(behind, "sync"))
		*step++ = 's';
}

CASE(each_step_is_synchronised, "S132 S133", "before the first write to a site, between two and behind the last every thread passes a membarrier; processors that need none of them do not show it")
{
	const char *want = CASE_SITE_TRAPS ? "swswsws" : "sws";
	struct probe *p = probe_new();

	EXPECT_EQ(probe_add(p, tracee_a), 0);
	for (int i = 0; i < 2; i++) {
		site_at = fn_ip(tracee_a);
		memcpy(site_was, (const void *)site_at, arch_site_size);
		memset(steps, 0, sizeof(steps));
		step = steps;
		tramp_state_hook = note_step;
		EXPECT_EQ(i ? probe_stop(p) : probe_start(p), 0);
		tramp_state_hook = NULL;
		EXPECT(strstr(steps, want), "the steps are %s, want %s", steps, want);
	}
}
