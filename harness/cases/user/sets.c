/* SPDX-License-Identifier: MIT */
/* What is generated for sets of ops, how much of it, and when it is given back. */
#include <dlfcn.h>
#include <string.h>
#include "../../user.h"

static struct tramp_memory usage(void)
{
	struct tramp_memory now;

	tramp_memory_usage(&now);
	return now;
}

/* No more pieces of code than @nr, and all that was made for sets is in use. */
static void expect_images(unsigned long nr, const char *when)
{
	struct tramp_memory now = usage();

	EXPECT(now.images <= nr, "%s: %zu pieces of code, want at most %lu", when, now.images, nr);
	EXPECT(!now.unused_sets, "%s: %zu of them for sets that no site has", when, now.unused_sets);
}

/* --- K sets, not S sites --- */

static many_t *const *load_many(void)
{
	void *handle = dlopen(solib_path("many"), RTLD_NOW | RTLD_LOCAL);

	EXPECT(handle, "dlopen: %s", dlerror());
	return handle ? dlsym(handle, "many") : NULL;
}

static struct probe *many_probe(char tag, const char *pattern)
{
	struct probe *p = probe_new();

	p->tag = tag;
	EXPECT_EQ(probe_filter(p, pattern, 0), 0);
	EXPECT_EQ(probe_start(p), 0);
	return p;
}

static void expect_call(many_t *fn, const char *who)
{
	case_order_reset();
	EXPECT_EQ(fn(1), 2);
	EXPECT_STR(case_order(), who);
}

CASE(code_for_sets_not_for_sites, "S68 S71", "1000 sites with 4 sets of ops: a registration makes 4 pieces of code at most, and unregistering gives them back", .timeout = 60)
{
	many_t *const *fn = load_many();
	struct tramp_memory before, joined;
	struct probe *e;

	REQUIRE(fn, "no table");
	many_probe('A', "many_0???");
	many_probe('B', "many_0??1");
	many_probe('C', "many_0??2");
	many_probe('D', "many_0??3");
	before = usage();
	/* One for each ops, one for each set of two; and the entry that all share. */
	expect_images(4 + 3 + 1, "four ops");
	e = many_probe('E', "many_0???");
	joined = usage();
	EXPECT(joined.sets <= 4, "%zu pieces of code for 4 sets", joined.sets);
	EXPECT(joined.images <= before.images + 4, "%zu pieces of code, before %zu", joined.images, before.images);
	EXPECT_EQ(joined.unused_sets, 0);
	expect_call(fn[100], "EA");
	expect_call(fn[991], "EBA");
	expect_call(fn[2], "ECA");
	expect_call(fn[503], "EDA");
	EXPECT_EQ(probe_stop(e), 0);
	EXPECT_EQ(usage().sets, before.sets);
	EXPECT_EQ(usage().code_bytes <= before.code_bytes + 1024, true);
	expect_call(fn[991], "BA");
	expect_call(fn[100], "A");
}

/* --- given back --- */

CASE(sets_are_given_back, "S130 BUG-04", "200 ops join and leave a shared site in turn, by registration and by filter: no more code than sets in use, after each step")
{
	probe_on(tracee_a);
	probe_on(tracee_a);
	for (int i = 0; i < 200 && !case_failed(); i++) {
		struct probe *p = probe_new();

		EXPECT_EQ(probe_add(p, tracee_a), 0);
		/* An ops of each, two sets at most, and the shared entry. */
		EXPECT_EQ(probe_start(p), 0);
		expect_images(3 + 2 + 1, "registered");
		EXPECT_EQ(probe_add(p, tracee_b), 0);
		expect_images(3 + 2 + 1, "filter grown");
		EXPECT_EQ(ftrace_set_filter_ip(&p->ops, fn_ip(tracee_a), 1, 0), 0);
		expect_images(3 + 2 + 1, "filter shrunk");
		EXPECT_EQ(probe_add(p, tracee_a), 0);
		EXPECT_EQ(ftrace_set_filter_ip(&p->ops, fn_ip(tracee_b), 1, 0), 0);
		EXPECT_EQ(probe_stop(p), 0);
		expect_images(2 + 1 + 1, "unregistered");
	}
}

CASE(refused_sets_leave_nothing, "S13 BUG-04", "1000 registrations that are refused at the last of their sites, shared ones before it: memory in use is what it was")
{
	struct probe *first = probe_flags(case_flags() | FTRACE_OPS_FL_IPMODIFY);
	struct probe *second = probe_flags(case_flags() | FTRACE_OPS_FL_IPMODIFY);
	struct tramp_memory before, now;

	for (int i = 0; i < 3; i++) {
		struct probe *p = probe_on(tracee_a);

		EXPECT_EQ(probe_add(p, tracee_b), 0);
		EXPECT_EQ(probe_add(p, tracee_c), 0);
	}
	probe_register(first, tracee_d);
	EXPECT_EQ(probe_filter(second, "tracee_?", 0), 0);
	before = usage();
	for (int i = 0; i < 1000; i++)
		REQUIRE_EQ(probe_start(second), -EBUSY);
	now = usage();
	EXPECT(!memcmp(&now, &before, sizeof(now)), "%zu pieces of code and %zu bytes, before %zu and %zu",
	       now.images, now.code_bytes, before.images, before.code_bytes);
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(second->calls, 0);
}

CASE(refused_ops_names_no_code, "S13 S30", "a registration is refused at the last of its sites: .trampoline names no code, which would be another's soon")
{
	struct probe *first = probe_flags(case_flags() | FTRACE_OPS_FL_IPMODIFY);
	struct probe *second = probe_flags(case_flags() | FTRACE_OPS_FL_IPMODIFY);

	probe_register(first, tracee_d);
	EXPECT_EQ(probe_filter(second, "tracee_?", 0), 0);
	EXPECT_EQ(probe_start(second), -EBUSY);
	EXPECT_EQ(second->ops.trampoline, 0);
	EXPECT_EQ(ftrace_set_filter_ip(&second->ops, fn_ip(tracee_d), 1, 0), 0);
	EXPECT_EQ(probe_start(second), 0);
	EXPECT_EQ(!second->ops.trampoline, !(second->ops.flags & FTRACE_OPS_FL_ALLOC_TRAMP));
	tracee_a(1);
	EXPECT_EQ(second->calls, 1);
}

/* --- not before everybody is out --- */

static struct gate gate;

static void park(struct probe *p, struct ftrace_regs *fregs)
{
	(void)fregs;
	if (p->calls == 1)
		gate_pass(&gate);
}

CASE(code_stays_while_a_thread_is_inside, "S129 S130 BUG-01", "a thread stands in a callback of a shared site, registrations change the site's set 20 times: what it returns to stays, bounded by them, and goes when it has left", .timeout = 60)
{
	struct probe *older = probe_on(tracee_a), *p = probe_new(), *comes[20];
	struct tramp_memory now;
	unsigned long result = 0;
	pthread_t worker;

	memset(&gate, 0, sizeof(gate));
	p->then = park;
	probe_register(p, tracee_a);
	worker = spawn(thread_calls_a, &result);
	gate_await(&gate, 1);
	for (int i = 0; i < 20; i++)
		comes[i] = probe_on(tracee_a);
	now = usage();
	EXPECT(now.unused_sets <= 20, "%zu unused sets, 20 registrations", now.unused_sets);
	EXPECT_EQ(tracee_a(1), 2);
	gate_open(&gate);
	join(worker);
	EXPECT_EQ(result, 2);
	EXPECT_EQ(p->calls, 2);
	EXPECT_EQ(older->calls, 2);
	EXPECT_EQ(probe_stop(comes[7]), 0);
	expect_images(23 + 1 + 1, "after one that waits");
}

/* What the stopper stops is newer or older than the ops that the thread stands in. */
static void *stop_probe(void *arg)
{
	EXPECT_EQ(probe_stop(arg), 0);
	return NULL;
}

static void expect_wait_for(bool newer)
{
	struct probe *p[2] = { probe_new(), probe_new() };
	unsigned long result = 0, calls;
	pthread_t worker, stopper;

	for (int i = 0; i < 2; i++)
		probe_register(p[i], tracee_a);
	memset(&gate, 0, sizeof(gate));
	p[!newer]->then = park;
	worker = spawn(thread_calls_a, &result);
	gate_await(&gate, 1);
	stopper = spawn(stop_probe, p[newer]);
	nap_ms(30);
	EXPECT_EQ(p[newer]->ops.flags & FTRACE_OPS_FL_ENABLED, FTRACE_OPS_FL_ENABLED);
	gate_open(&gate);
	join(stopper);
	join(worker);
	EXPECT_EQ(p[newer]->ops.flags & FTRACE_OPS_FL_ENABLED, 0);
	EXPECT_EQ(result, 2);
	calls = p[newer]->calls;
	tracee_a(1);
	EXPECT_EQ(p[newer]->calls, calls);
	EXPECT_EQ(p[!newer]->calls, 2);
	EXPECT_EQ(probe_stop(p[!newer]), 0);
	expect_images(1, "nobody is left");
}

CASE(unregister_waits_for_neighbours, "S127 S129 BUG-01", "a thread stands in the callback of one ops, the other one of that site unregisters: it returns when the thread has left the site's code")
{
	expect_wait_for(false);
	expect_wait_for(true);
}

#define COMES 3

/* Joins or leaves one of two sites, or both, by a filter or by registration. */
static void change_one(struct probe *p, unsigned int how)
{
	const void *func = how & 1 ? tracee_b : tracee_a;

	if (how & 2 && !(p->ops.flags & FTRACE_OPS_FL_ENABLED))
		EXPECT_EQ(probe_start(p), 0);
	else if (how & 2)
		EXPECT_EQ(probe_stop(p), 0);
	else if (how & 4)
		EXPECT_EQ(probe_add(p, func), 0);
	else
		ftrace_set_filter_ip(&p->ops, fn_ip(func), 1, 0);
}

static unsigned long call_both(unsigned long x)
{
	return tracee_a(x) + tracee_b(x);
}

CASE(sets_change_under_load, "S130 S132 BUG-01 BUG-10", "a thread calls two sites while three ops join and leave them in every way: an ops that stays counts exactly, and no code is left over", .timeout = 60, .needs = CASE_TORTURE)
{
	struct probe *a = probe_on(tracee_a), *b = probe_on(tracee_b), *comes[COMES];
	unsigned int seed = case_seed();
	unsigned long n;
	struct caller c;

	for (int i = 0; i < COMES; i++) {
		comes[i] = probe_new();
		/* Never empty, which would be every site. */
		EXPECT_EQ(probe_add(comes[i], tracee_c), 0);
	}
	caller_start(&c, call_both, 5);
	for (n = 0; more(n, 20); n++) {
		seed = seed * 1103515245 + 12345;
		change_one(comes[(seed >> 20) % COMES], seed >> 16 & 7);
	}
	caller_stop(&c);
	EXPECT_EQ(c.wrong, 0);
	EXPECT_EQ(a->calls, c.calls);
	EXPECT_EQ(b->calls, c.calls);
	for (int i = 0; i < COMES; i++)
		if (comes[i]->ops.flags & FTRACE_OPS_FL_ENABLED)
			EXPECT_EQ(probe_stop(comes[i]), 0);
	EXPECT_EQ(probe_stop(a), 0);
	expect_images(2, "one ops is left");
	case_survived(c.calls, "calls counted while ops come and go");
	case_survived(n, "changes of ops under load");
}

/* --- changes from inside --- */

/* data[0]: another probe; data[1]: the results, or-ed. */
static void start_other(struct probe *p, struct ftrace_regs *fregs)
{
	(void)fregs;
	if (p->calls == 1)
		p->data[1] |= probe_start((struct probe *)p->data[0]);
}

static void shrink_other(struct probe *p, struct ftrace_regs *fregs)
{
	struct probe *other = (struct probe *)p->data[0];

	(void)fregs;
	if (p->calls != 1)
		return;
	p->data[1] |= probe_add(other, tracee_b);
	p->data[1] |= ftrace_set_filter_ip(&other->ops, fn_ip(tracee_a), 1, 0);
}

static void expect_change_inside(void (*change)(struct probe *, struct ftrace_regs *), bool starts)
{
	struct probe *oldest = probe_on(tracee_a), *p = probe_new(), *other = probe_new(), *newest;

	if (starts)
		EXPECT_EQ(probe_add(other, tracee_a), 0);
	else
		probe_register(other, tracee_a);
	p->data[0] = (unsigned long)other;
	p->then = change;
	probe_register(p, tracee_a);
	newest = probe_on(tracee_a);
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(p->data[1], 0);
	EXPECT_EQ(oldest->calls, 1);
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(oldest->calls, 2);
	EXPECT_EQ(newest->calls, 2);
	EXPECT_EQ(p->calls, 2);
	EXPECT_EQ(probe_stop(newest), 0);
	expect_images(4 + 2 + 1, "after one that waits");
	EXPECT_EQ(probe_stop(p), 0);
	EXPECT_EQ(probe_stop(other), 0);
	EXPECT_EQ(probe_stop(oldest), 0);
}

CASE(set_changes_under_its_callback, "S48 S131", "a callback of a shared site registers an ops there, or takes another's filter away: its own way back stays, then it goes")
{
	expect_change_inside(start_other, true);
	expect_change_inside(shrink_other, false);
}

/* --- very many --- */

#define LARGE 2000

CASE(more_ops_than_code_has_room_for, "S20 S70", "2000 ops on one function: each called once, however much code that would be", .timeout = 60)
{
	static struct probe p[LARGE];
	unsigned long wrong = 0;
	int nr = 0;

	while (nr < LARGE && !case_failed()) {
		probe_init(&p[nr], case_flags());
		probe_register(&p[nr++], tracee_a);
	}
	EXPECT_EQ(tracee_a(1), 2);
	for (int i = 0; i < nr; i++)
		wrong += p[i].calls != 1;
	EXPECT_EQ(wrong, 0);
	EXPECT_EQ(usage().unused_sets, 0);
	while (nr--) {
		EXPECT_EQ(probe_stop(&p[nr]), 0);
		ftrace_free_filter(&p[nr].ops);
	}
}
