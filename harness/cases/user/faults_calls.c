/* SPDX-License-Identifier: MIT */
/*
 * Every way in which a call can fail: its first allocation (mapping, membarrier,
 * ...) fails, then the second, until it does without one more.  A call that fails
 * has changed nothing; the next one succeeds.
 */
#include <string.h>
#include "../../faults/state.h"
#include "../../user.h"

#define PROBES 3

static struct probe a_probe, another, a_third, *const probes[PROBES] = { &a_probe, &another, &a_third };

/*
 * For each probe the functions that it is called for: letters of a, b, c.  @start
 * are the filters (NULL: none, so all three), of which the first @on are registered.
 */
struct scenario {
	const char	*name;
	const char	*start[PROBES];
	unsigned int	on;
	int		(*call)(void);
	const char	*before[PROBES], *after[PROBES];
};

/* --- what is called for what --- */

static unsigned long (*const funcs[])(unsigned long x) = { tracee_a, tracee_b, tracee_c };

static void expect_hits(const char *const want[PROBES], const char *when, const char *name)
{
	for (unsigned long f = 0; f < 3; f++) {
		unsigned long before[PROBES];

		for (unsigned int i = 0; i < PROBES; i++)
			before[i] = probes[i]->calls;
		EXPECT_EQ(funcs[f](1), f + 2);
		for (unsigned int i = 0; i < PROBES; i++)
			EXPECT(probes[i]->calls - before[i] == !!strchr(want[i], 'a' + f),
			       "%s, %s: tracee_%c called probe %u %lu times", name, when, (int)('a' + f), i,
			       probes[i]->calls - before[i]);
	}
}

static int filter_letters(struct probe *p, const char *letters)
{
	int err = 0;

	for (; letters && *letters && !err; letters++)
		err = probe_add(p, funcs[*letters - 'a']);
	return err;
}

static struct state empty, ready;	/* before and behind set_up() */

static bool set_up(const struct scenario *s)
{
	bool good = true;

	state_take(&empty, NULL, 0);
	for (unsigned int i = 0; i < PROBES && good; i++) {
		probe_init(probes[i], case_flags());
		good = EXPECT_EQ(filter_letters(probes[i], s->start[i]), 0);
	}
	for (unsigned int i = 0; i < s->on && good; i++)
		good = EXPECT_EQ(probe_start(probes[i]), 0);
	expect_hits(s->before, "at first", s->name);
	state_take(&ready, probes, PROBES);
	return good && !case_failed();
}

/* Nothing leaks. */
static void tear_down(const struct scenario *s)
{
	EXPECT_EQ(case_set_enabled(1), 0);
	for (unsigned int i = 0; i < PROBES; i++) {
		if (probes[i]->ops.flags & FTRACE_OPS_FL_ENABLED)
			EXPECT_EQ(probe_stop(probes[i]), 0);
		ftrace_free_filter(&probes[i]->ops);
	}
	state_expect(&empty, NULL, 0, s->name);
}

/* --- one fault after the other --- */

static bool done(const struct scenario *s, const char *when)
{
	expect_hits(s->after, when, s->name);
	tear_down(s);
	return set_up(s);
}

/* Nothing has changed; the next try, after one failure, works. */
static bool refused(const struct scenario *s, const struct fault *fault, unsigned long *n)
{
	EXPECT(!strstr(tramp_why(), "no strategy of"), "tramp_why() does not say what failed");
	if (!state_expect(&ready, probes, PROBES, s->name)) {
		/* Some of what failed here comes no more: from the start. */
		*n = 0;
		state_take(&ready, probes, PROBES);
	}
	expect_hits(s->before, "failed", s->name);
	if (fault->lasting || !*n)
		return !case_failed();
	return EXPECT_EQ(s->call(), 0) && done(s, "second try");
}

static bool attempt(const struct scenario *s, const struct fault *fault, unsigned long *n)
{
	unsigned long failed;
	int err;

	tramp_use("no strategy of this name");	/* sets tramp_why() */
	faults_arm(fault, *n);
	err = s->call();
	failed = faults_disarm();
	EXPECT(!err || (failed && err == -fault->err), "call is %d (%s), want 0%s", err, tramp_why(),
	       failed ? " or the error of what failed" : "");
	return (err ? refused(s, fault, n) : done(s, "done")) && failed;
}

static void fail_each(const struct scenario *s, const struct fault *fault)
{
	unsigned long n = 0;

	if (!set_up(s))
		return;
	do {
		n++;
	} while (attempt(s, fault, &n));
	if (case_failed())
		faults_describe(s->name, fault, n);
	tear_down(s);
}

static void run_all(const struct scenario *s, unsigned int nr)
{
	for (unsigned long n = 0; more(n, 1); n++)
		for (unsigned int i = 0; i < nr * NR_FAULTS && !case_failed(); i++)
			if (faults_share(i + n))
				fail_each(&s[i / NR_FAULTS], &faults[i % NR_FAULTS]);
	faults_report();
}

/* --- calls --- */

static int start0(void) { return probe_start(probes[0]); }
static int start1(void) { return probe_start(probes[1]); }
static int start2(void) { return probe_start(probes[2]); }
static int stop0(void) { return probe_stop(probes[0]); }
static int stop1(void) { return probe_stop(probes[1]); }
static int stop2(void) { return probe_stop(probes[2]); }

static const struct scenario registering[] = {
	{ "register among others", { "a", "b" }, 1, start1, { "a", "", "" }, { "a", "b", "" } },
	{ "register on the same site", { "a", "a" }, 1, start1, { "a", "", "" }, { "a", "a", "" } },
	{ "register the third", { "a", "ab", "a" }, 2, start2, { "a", "ab", "" }, { "a", "ab", "a" } },
	{ "register for all", { "a", "b", NULL }, 2, start2, { "a", "b", "" }, { "a", "b", "abc" } },
	{ "unregister the last", { "a" }, 1, stop0, { "a", "", "" }, { "", "", "" } },
	{ "unregister one of two", { "a", "a" }, 2, stop1, { "a", "a", "" }, { "a", "", "" } },
	{ "unregister the older", { "a", "a" }, 2, stop0, { "a", "a", "" }, { "", "a", "" } },
	{ "unregister one of three", { "a", "a", "ab" }, 3, stop2, { "a", "a", "ab" }, { "a", "a", "" } },
};

CASE(failed_registering_changes_nothing, "S13 S70 BUG-04", "each allocation, mapping, membarrier, ... of register and unregister fails in turn: nothing has changed, the next try works, nothing leaks",
     .needs = CASE_TORTURE, .timeout = 60)
{
	run_all(registering, sizeof(registering) / sizeof(*registering));
}

static int filter_ip(unsigned int probe, const void *func, int remove, int reset)
{
	return ftrace_set_filter_ip(&probes[probe]->ops, (unsigned long)func, remove, reset);
}

static int add_b0(void) { return filter_ip(0, tracee_b, 0, 0); }
static int add_a1(void) { return filter_ip(1, tracee_a, 0, 0); }
static int del_a0(void) { return filter_ip(0, tracee_a, 1, 0); }
static int del_a1(void) { return filter_ip(1, tracee_a, 1, 0); }
static int only_c0(void) { return filter_ip(0, tracee_c, 0, 1); }
static int names0(void) { return probe_filter(probes[0], "tracee_[abc]", 1); }
static int all0(void) { return probe_filter(probes[0], NULL, 1); }
static int but_b0(void) { return probe_notrace(probes[0], "tracee_b", 0); }
static int off(void) { return case_set_enabled(0); }

static const struct scenario filters[] = {
	{ "a filter grows", { "a" }, 1, add_b0, { "a", "", "" }, { "ab", "", "" } },
	{ "a filter grows into another's site", { "a", "b" }, 2, add_a1, { "a", "b", "" }, { "a", "ab", "" } },
	{ "a filter leaves another's site", { "a", "ab" }, 2, del_a1, { "a", "ab", "" }, { "a", "b", "" } },
	{ "a filter is replaced", { "a", "ac" }, 2, only_c0, { "a", "ac", "" }, { "c", "ac", "" } },
	{ "a filter by names", { "a", "b" }, 2, names0, { "a", "b", "" }, { "abc", "b", "" } },
	{ "a filter is opened", { "a", "b" }, 2, all0, { "a", "b", "" }, { "abc", "b", "" } },
	{ "exceptions", { "ab", "a" }, 2, but_b0, { "ab", "a", "" }, { "a", "a", "" } },
	{ "a filter of an ops that is not registered", { "a", "b" }, 0, add_a1, { "", "", "" }, { "", "", "" } },
	{ "a filter of its own again", { "ab", "a" }, 2, del_a0, { "ab", "a", "" }, { "b", "a", "" } },
	{ "the switch off", { "a", "ab" }, 2, off, { "a", "ab", "" }, { "", "", "" } },
};

CASE(failed_filters_change_nothing, "S40 S44 BUG-04", "the same for changes of filters and the switch",
     .needs = CASE_TORTURE, .timeout = 60)
{
	run_all(filters, sizeof(filters) / sizeof(*filters));
}

/* --- what is written first --- */

#define PAGE 4096UL
static struct { unsigned long page[64]; unsigned int nr; unsigned long writes, changes; } written;

static bool is_known(unsigned long page)
{
	for (unsigned int i = 0; i < written.nr; i++)
		if (written.page[i] == page)
			return true;
	return false;
}

/* A write that no page needs memory for, or one that changes nothing. */
static void on_write(unsigned long addr, const void *buf, size_t len)
{
	bool changes = memcmp((const void *)addr, buf, len);

	written.writes++;
	written.changes += changes;
	for (unsigned long page = addr / PAGE; page <= (addr + len - 1) / PAGE; page++) {
		EXPECT(!changes || is_known(page), "the first write to %#lx changes it", page * PAGE);
		if (!is_known(page) && written.nr < 64)
			written.page[written.nr++] = page;
	}
}

static void expect_tried(int (*call)(void), const char *name)
{
	unsigned long before = written.changes;

	written.nr = 0;
	faults_watch_writes(on_write);
	EXPECT_EQ(call(), 0);
	faults_watch_writes(NULL);
	EXPECT(written.changes > before, "%s: nothing was written", name);
}

CASE(first_write_changes_nothing, "S133", "each page of text is written as it is before anything in it changes: what a page needs for that cannot be missing half way")
{
	const struct scenario s = { "first writes", { "a", "ab", NULL }, 0, NULL, { "", "", "" }, { "", "", "" } };

	if (!set_up(&s))
		return;
	expect_tried(start0, "register");
	expect_tried(start1, "on a site that has one");
	expect_tried(start2, "for all");
	expect_tried(off, "the switch");
	EXPECT_EQ(case_set_enabled(1), 0);
	expect_tried(stop2, "unregister");
	expect_tried(stop1, "from a site that others have");
	expect_tried(stop0, "the last");
	case_survived(written.writes, "writes of text that were tried before");
}

CASE(short_writes_go_on, "S132 S133", "the kernel writes half of what it is asked to, each time: the rest follows, and every site is as it should be")
{
	struct probe *p = probe_new(), *q = probe_on(tracee_b);

	EXPECT_EQ(probe_add(p, tracee_a), 0);
	EXPECT_EQ(probe_add(p, tracee_b), 0);
	faults_shorten_writes(true);
	EXPECT_EQ(probe_start(p), 0);
	tracee_a(1);
	tracee_b(1);
	EXPECT_EQ(p->calls, 2);
	EXPECT_EQ(q->calls, 1);
	EXPECT_EQ(probe_stop(p), 0);
	EXPECT_EQ(probe_stop(q), 0);
	faults_shorten_writes(false);
	EXPECT(text_is_restored(), "the text is not what it was");
}

/* --- the first trampoline --- */

static const struct scenario first[] = {
	{ "register the first", { "a" }, 0, start0, { "", "", "" }, { "a", "", "" } },
};

static int first_with(void *arg)
{
	state_forked();
	fail_each(first, arg);
	faults_report();
	return case_failed();
}

CASE(failed_first_trampoline_changes_nothing, "S13 S70 BUG-04", "the same where there is no memory for trampolines yet: each failure in a process of its own",
     .needs = CASE_TORTURE, .timeout = 60)
{
	for (unsigned long n = 0; more(n, 1); n++)
		for (unsigned int i = 0; i < NR_FAULTS && !case_failed(); i++)
			if (faults_share(i + n))
				EXPECT_EQ(in_fork(first_with, (void *)&faults[i]), 0);
}
