/* SPDX-License-Identifier: MIT */
/*
 * The word beside a site.  Every strategy leaves it alone or keeps it right: it
 * names the ops that is alone there and needs no guard, one that stands for the
 * list, or, where nobody is to be called, one that stands for nobody (S66).
 */
#include <dlfcn.h>
#include <string.h>
#include "../../user.h"

#define REQUIRE_WORD(func)						\
	if (!site_word(func))						\
		SKIP("the port has no words beside sites")

static unsigned long word_at(const void *func)
{
	return *(volatile unsigned long *)site_word(func);
}

/* Some strategy has to, or nothing is tested. */
static bool uses_words(const void *func)
{
	struct probe *p = probe_on(func);
	bool uses = word_at(func) == (unsigned long)&p->ops;

	EXPECT_EQ(probe_stop(p), 0);
	if (!strcmp(case_strategy, "call_ops"))
		EXPECT(uses, "call_ops does not put a lone ops into its word");
	return uses;
}

CASE(word_names_who_is_called, "S66 S137 S138", "nobody, the ops alone on the site, the list for several or for one with a guard, and back")
{
	unsigned long nobody, list, alone[2];
	struct probe *p[2], *guarded;
	bool uses;

	REQUIRE_WORD(tracee_a);
	nobody = word_at(tracee_a);
	uses = uses_words(tracee_a);
	EXPECT_EQ(word_at(tracee_a), nobody);
	for (int i = 0; i < 2; i++) {
		p[i] = probe_on(tracee_a);
		alone[i] = uses ? (unsigned long)&p[i]->ops : nobody;
	}
	list = word_at(tracee_a);
	EXPECT_EQ(list == nobody, !uses);
	EXPECT(!uses || (list != alone[0] && list != alone[1]), "the word of two ops names one of them");
	for (int i = 0; i < 2; i++) {
		EXPECT_EQ(probe_stop(p[i]), 0);
		EXPECT_EQ(word_at(tracee_a), alone[!i]);
		EXPECT_EQ(probe_start(p[i]), 0);
		EXPECT_EQ(word_at(tracee_a), list);
	}
	EXPECT_EQ(probe_stop(p[0]), 0);
	EXPECT_EQ(probe_stop(p[1]), 0);
	EXPECT_EQ(word_at(tracee_a), nobody);
	guarded = probe_flags(case_flags() | FTRACE_OPS_FL_RECURSION);
	probe_register(guarded, tracee_a);
	EXPECT_EQ(word_at(tracee_a), list);
}

CASE(word_follows_the_remaining_ops, "S67", "of a guarded and a plain ops one leaves: the one that stays decides")
{
	struct probe *plain, *guarded = probe_flags(case_flags() | FTRACE_OPS_FL_RECURSION);
	unsigned long list;
	bool uses;

	REQUIRE_WORD(tracee_a);
	uses = uses_words(tracee_a);
	plain = probe_on(tracee_a);
	probe_register(guarded, tracee_a);
	list = word_at(tracee_a);
	EXPECT_EQ(probe_stop(plain), 0);
	EXPECT_EQ(word_at(tracee_a), list);
	EXPECT_EQ(probe_start(plain), 0);
	EXPECT_EQ(probe_stop(guarded), 0);
	if (uses)
		EXPECT_EQ(word_at(tracee_a), (unsigned long)&plain->ops);
}

CASE(word_follows_the_switch, "S66 S140", "ftrace_enabled 0 leaves nobody in the words, 1 brings the ops back")
{
	unsigned long nobody, before;

	REQUIRE_WORD(tracee_a);
	nobody = word_at(tracee_a);
	probe_on(tracee_a);
	before = word_at(tracee_a);
	EXPECT_EQ(tramp_set_enabled(0), 0);
	EXPECT_EQ(word_at(tracee_a), nobody);
	EXPECT_EQ(tramp_set_enabled(1), 0);
	EXPECT_EQ(word_at(tracee_a), before);
}

/* --- all of them --- */

struct words { const struct ftrace_ops *ops; unsigned long named, crooked; };

static int look_at_word(const struct tramp_site_info *site, void *arg)
{
	struct words *w = arg;

	if (!site->word)
		return 0;
	w->named += *(volatile unsigned long *)site->word == (unsigned long)w->ops;
	w->crooked += site->word % sizeof(site->word) || site->ip - site->word > 32;
	return 0;
}

static unsigned long sites_naming(const struct probe *p)
{
	struct words w = { .ops = &p->ops };

	tramp_for_each_site(look_at_word, &w);
	EXPECT_EQ(w.crooked, 0);
	return w.named;
}

CASE(no_word_names_who_has_gone, "S66 S127 S137", "an ops that has left a site, or all, is in no word there; words are aligned and just before their sites")
{
	struct probe *p = probe_new(), *q = probe_new();

	EXPECT_EQ(probe_filter(p, "tracee_*", 0), 0);
	EXPECT_EQ(probe_filter(q, "tracee_args*", 0), 0);
	EXPECT_EQ(probe_start(p), 0);
	EXPECT_EQ(probe_start(q), 0);
	EXPECT_EQ(ftrace_set_filter_ip(&p->ops, fn_ip(tracee_b), 0, 1), 0);
	EXPECT(sites_naming(p) <= 1, "%lu words name an ops with one site", sites_naming(p));
	EXPECT_EQ(probe_stop(q), 0);
	EXPECT_EQ(sites_naming(q), 0);
	EXPECT_EQ(probe_stop(p), 0);
	EXPECT_EQ(sites_naming(p), 0);
	EXPECT_EQ(sites_naming(q), 0);
}

CASE(refused_change_leaves_words, "S13 S138", "a registration that fails at its last site has changed no word")
{
	struct probe *first = probe_flags(case_flags() | FTRACE_OPS_FL_IPMODIFY);
	struct probe *second = probe_flags(case_flags() | FTRACE_OPS_FL_IPMODIFY);
	unsigned long a, d;

	REQUIRE_WORD(tracee_a);
	probe_register(first, tracee_d);
	a = word_at(tracee_a);
	d = word_at(tracee_d);
	EXPECT_EQ(probe_filter(second, "tracee_?", 0), 0);
	EXPECT_EQ(probe_start(second), -EBUSY);
	EXPECT_EQ(word_at(tracee_a), a);
	EXPECT_EQ(word_at(tracee_d), d);
	EXPECT_EQ(sites_naming(second), 0);
}

/* --- somebody else's words --- */

static void expect_why(void)
{
	EXPECT(strstr(tramp_why(), "tracee_c"), "tramp_why() \"%s\" does not name tracee_c", tramp_why());
}

/* @junk in the word of tracee_c, first at rest, then live. */
static void expect_refused(unsigned long junk)
{
	unsigned long at = (unsigned long)site_word(tracee_c), good = word_at(tracee_c), a = word_at(tracee_a);
	struct probe *p = probe_new();

	EXPECT_EQ(probe_filter(p, "tracee_?", 0), 0);
	text_write(at, &junk, sizeof(junk));
	EXPECT_EQ(probe_start(p), -EINVAL);
	expect_why();
	EXPECT_EQ(p->ops.flags & FTRACE_OPS_FL_ENABLED, 0);
	EXPECT_EQ(word_at(tracee_a), a);
	EXPECT_EQ(word_at(tracee_c), junk);
	text_write(at, &good, sizeof(good));
	EXPECT_EQ(probe_start(p), 0);

	good = word_at(tracee_c);
	text_write(at, &junk, sizeof(junk));
	EXPECT_EQ(probe_stop(p), -EINVAL);
	expect_why();
	tracee_a(1);
	EXPECT_EQ(p->calls, 1);
	text_write(at, &good, sizeof(good));
	tracee_c(1);
	EXPECT_EQ(p->calls, 2);
	EXPECT_EQ(probe_stop(p), 0);
}

CASE(foreign_word_is_refused, "S136 S138 BUG-11", "a torn word, or one that names another ops, is noticed: -EINVAL, no site written, and ftrace lives on")
{
	unsigned long low = 0xffffffffUL, other;

	REQUIRE_WORD(tracee_c);
	other = (unsigned long)&probe_on(tracee_b)->ops;
	expect_refused((word_at(tracee_c) & ~low) | (~word_at(tracee_c) & low));
	expect_refused(other);
}

/* --- sites without one --- */

CASE(sites_without_a_word, "S66 S138 BUG-11", "packed and cold functions: whether or not the word could be aligned, each ops is called once a call")
{
	struct probe *p = probe_new(), *q = probe_new();
	unsigned long calls = 0;

	EXPECT_EQ(probe_filter(p, "packed_*", 0), 0);
	EXPECT_EQ(probe_filter(p, "cold_*", 0), 0);
	EXPECT_EQ(probe_start(p), 0);
	for (int i = 0; i < TRACEE_PACKED; i++) {
		EXPECT_EQ(tracee_packed[i](1), 1 + i % (TRACEE_PACKED / 2) + 1);
		EXPECT_EQ(p->calls, ++calls);
		EXPECT_EQ(p->ip, fn_ip(tracee_packed[i]));
		probe_register(q, tracee_packed[i]);
		tracee_packed[i](1);
		EXPECT_EQ(p->calls, ++calls);
		EXPECT_EQ(q->calls, (unsigned long)i + 1);
		EXPECT_EQ(q->ip, fn_ip(tracee_packed[i]));
		EXPECT_EQ(probe_stop(q), 0);
	}
}

static const void *packed_without_word(void)
{
	for (int i = 0; i < TRACEE_PACKED; i++)
		if (!site_word(tracee_packed[i]))
			return tracee_packed[i];
	return NULL;
}

CASE(site_without_a_word_under_load, "S132 S138 BUG-11", "a site whose word cannot be aligned, called while ops come and go: counts exact", .timeout = 60)
{
	unsigned long (*fn)(unsigned long) = (unsigned long (*)(unsigned long))packed_without_word();
	struct probe *stays, *toggles = probe_new();
	unsigned long want;
	struct caller c;

	if (!fn)
		SKIP("this compiler aligned the words of all packed functions");
	want = fn(1);
	stays = probe_on(fn);
	caller_start(&c, fn, want);
	for (unsigned int i = 0; i < rounds(4); i++) {
		probe_register(toggles, fn);
		EXPECT_EQ(probe_stop(toggles), 0);
	}
	caller_stop(&c);
	EXPECT_EQ(stays->calls, c.calls);
	EXPECT_EQ(c.wrong, 0);
}

/* --- under load: A, A and B, B, nobody --- */

static struct probe *ab[2];
static unsigned long wrong;

static void hit(unsigned int which, struct ftrace_ops *op)
{
	__atomic_fetch_add(op == &ab[which]->ops ? &ab[which]->calls : &wrong, 1, __ATOMIC_RELAXED);
}

static void hit_a(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		  struct ftrace_regs *fregs)
{
	(void)ip, (void)parent_ip, (void)fregs;
	hit(0, op);
}

static void hit_b(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		  struct ftrace_regs *fregs)
{
	(void)ip, (void)parent_ip, (void)fregs;
	hit(1, op);
}

/* Who is called from now on, and who is not. */
static void expect_called(struct caller *c, bool a, bool b)
{
	unsigned long calls[2] = { ab[0]->calls, ab[1]->calls };

	caller_progress(c, 3);
	EXPECT_EQ(ab[0]->calls > calls[0], a);
	EXPECT_EQ(ab[1]->calls > calls[1], b);
}

CASE(word_fits_function_under_load, "S83 S84 S132 S138", "a thread calls while A, A and B, B, nobody are on its site in turn: no function gets the other's ops, nobody is missed", .timeout = 60)
{
	struct caller c;

	ab[0] = probe_new();
	ab[1] = probe_new();
	ab[0]->ops.func = hit_a;
	ab[1]->ops.func = hit_b;
	EXPECT_EQ(probe_add(ab[0], tracee_a), 0);
	EXPECT_EQ(probe_add(ab[1], tracee_a), 0);
	caller_start(&c, tracee_a, 2);
	for (unsigned int i = 0; i < rounds(4); i++) {
		EXPECT_EQ(probe_start(ab[0]), 0);
		expect_called(&c, true, false);
		EXPECT_EQ(probe_start(ab[1]), 0);
		expect_called(&c, true, true);
		EXPECT_EQ(probe_stop(ab[0]), 0);
		expect_called(&c, false, true);
		EXPECT_EQ(probe_stop(ab[1]), 0);
		expect_called(&c, false, false);
	}
	caller_stop(&c);
	EXPECT_EQ(c.wrong, 0);
	EXPECT_EQ(wrong, 0);
}

/* --- libraries and children --- */

CASE(words_of_a_new_library, "S143 S144", "a library that is loaded under an ops without filter: its words name that ops at once, nobody after it has gone")
{
	struct probe *all = probe_new();
	unsigned long nobody;
	void *handle;
	const void *fn;
	bool uses;

	REQUIRE_WORD(tracee_a);
	nobody = word_at(tracee_a);
	uses = uses_words(tracee_a);
	EXPECT_EQ(probe_start(all), 0);
	handle = dlopen(solib_path("plain"), RTLD_NOW | RTLD_LOCAL);
	REQUIRE(handle, "dlopen: %s", dlerror());
	fn = dlsym(handle, "solib_a");
	REQUIRE(fn && site_word(fn), "the library has no words");
	EXPECT_EQ(word_at(fn), uses ? (unsigned long)&all->ops : nobody);
	EXPECT_EQ(probe_stop(all), 0);
	EXPECT_EQ(word_at(fn), nobody);
	dlclose(handle);
}

static int another_in_child(void *arg)
{
	struct probe *p = arg;
	int err = probe_start(p);

	tracee_a(1);
	return err || p->calls != 1;
}

CASE(words_of_a_child_are_its_own, "S138", "a forked child registers another ops: the parent's word stays")
{
	struct probe *p, *late = probe_new();
	unsigned long before;

	REQUIRE_WORD(tracee_a);
	p = probe_on(tracee_a);
	before = word_at(tracee_a);
	EXPECT_EQ(probe_add(late, tracee_a), 0);
	EXPECT_EQ(in_fork(another_in_child, late), 0);
	EXPECT_EQ(word_at(tracee_a), before);
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(p->calls, 1);
}
