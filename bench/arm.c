/* SPDX-License-Identifier: MIT */
/*
 * Putting a variant in place and taking it away again, and the check that it
 * does its work.  Everything goes through the public API, but for references:
 * those are what the sites are pointed at by the port's own text writer, so
 * that they too are called from the very same traced function.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "bench.h"
#include "callback.h"
#include "tracee.h"
#include "turn.h"
#include "core/arch.h"

#define POOL_MAX 1024

struct bench_pool {
	struct ftrace_ops	ops[POOL_MAX];
	unsigned long		hits[POOL_MAX];	/* of the check's callback */
	unsigned int		nr;		/* registered: the first nr */
	bool			filtered[POOL_MAX];
};
static struct bench_pool pools[BENCH_NR_POOLS];
static bool checking;	/* every ops counts its calls */

/* What the hand-written entries pass as ops. */
static unsigned long ref_hits;
struct ftrace_ops bench_ref_ops = { .private = &ref_hits };
struct ftrace_ops *bench_ref_ops_ptr = &bench_ref_ops;

extern const struct bench_ref __start_bench_refs[] __attribute__((weak));
extern const struct bench_ref __stop_bench_refs[] __attribute__((weak));

const struct bench_ref *bench_ref_next(const struct bench_ref *ref)
{
	ref = ref ? ref + 1 : __start_bench_refs;
	return ref < __stop_bench_refs ? ref : NULL;
}

const struct bench_ref *bench_ref(const char *name)
{
	const struct bench_ref *ref = NULL;

	while ((ref = bench_ref_next(ref)))
		if (!strcmp(ref->name, name))
			return ref;
	return NULL;
}

const char *bench_config_name(const struct bench_config *c)
{
	if (c->label)
		return c->label;
	if (c->ref)
		return c->ref->name;
	return c->strategy ? c->strategy : "untraced";
}

const char *bench_config_class(const struct bench_config *c)
{
	return c->strategy ? tramp_class_names[c->class] : "-";
}

/* --- sites of a pool --- */

static unsigned long sites[TURN_MAX];
static unsigned int turn_groups = 1;	/* ops that share the functions called in turn */

/* Neighbours have different ops. */
static unsigned int turn_sites(unsigned int i)
{
	unsigned int nr = 0;

	for (; i < TURN_MAX; i += turn_groups)
		sites[nr++] = (unsigned long)tracee_many[i];
	return nr;
}

/* To sites[]; how many. */
static unsigned int pool_sites(enum bench_pool_id pool, unsigned int i)
{
	unsigned int nr = 0, d;

	if (pool == BENCH_POOL_TURN)
		return turn_sites(i);

	if (pool == BENCH_POOL_IRRELEVANT) {
		sites[nr++] = (unsigned long)tracee_many[i];
		return nr;
	}
	if (pool == BENCH_POOL_LEAF || pool == BENCH_POOL_CHECK)
		sites[nr++] = (unsigned long)tracee;
	if (pool == BENCH_POOL_CHECK)
		sites[nr++] = (unsigned long)tracee_args;
	if (pool == BENCH_POOL_DEEP || pool == BENCH_POOL_CHECK)
		for (d = 0; d < TRACEE_DEEP; d++)
			sites[nr++] = (unsigned long)tracee_deep[d];
	return nr;
}

static int pool_filter(enum bench_pool_id pool, unsigned int i)
{
	unsigned int nr;
	int err;

	if (pools[pool].filtered[i])
		return 0;
	nr = pool_sites(pool, i);
	err = ftrace_set_filter_ips(&pools[pool].ops[i], sites, nr, 0, 1);
	pools[pool].filtered[i] = !err;
	return err;
}

unsigned long bench_class_flags(enum tramp_class class)
{
	switch (class) {
	case TRAMP_CLASS_REGS:	return FTRACE_OPS_FL_SAVE_REGS;
	case TRAMP_CLASS_VEC:	return FTRACE_OPS_FL_SAVE_REGS | TRAMP_OPS_FL_SAVE_VEC;
	default:		return 0;
	}
}

#define USER_FLAGS (FTRACE_OPS_FL_SAVE_REGS | TRAMP_OPS_FL_SAVE_VEC)

static int pool_grow(enum bench_pool_id id, const struct bench_config *c)
{
	struct bench_pool *pool = &pools[id];
	struct ftrace_ops *ops = &pool->ops[pool->nr];
	int err = pool_filter(id, pool->nr);

	if (err)
		return err;
	ops->private = &pool->hits[pool->nr];
	ops->func = checking ? bench_callback_check :
			       bench_callbacks[pool->nr % BENCH_CALLBACKS];
	/* Between the variants' flags; never while the ops is registered. */
	ops->flags = (ops->flags & ~(unsigned long)USER_FLAGS) | bench_class_flags(c->class);
	err = register_ftrace_function(ops);
	pool->nr += !err;
	return err;
}

static int pool_set(enum bench_pool_id id, const struct bench_config *c, unsigned int nr)
{
	struct bench_pool *pool = &pools[id];
	int err = 0;

	if (nr > POOL_MAX)
		return -E2BIG;
	while (pool->nr > nr && !err) {
		err = unregister_ftrace_function(&pool->ops[pool->nr - 1]);
		pool->nr -= !err;
	}
	while (pool->nr < nr && !err)
		err = pool_grow(id, c);
	return err;
}

static void pool_drop_filters(struct bench_pool *pool)
{
	unsigned int i;

	for (i = pool->nr; i < POOL_MAX; i++) {
		if (pool->filtered[i])
			ftrace_free_filter(&pool->ops[i]);
		pool->filtered[i] = false;
	}
}

void bench_drop_filters(void)
{
	unsigned int id;

	for (id = 0; id < BENCH_NR_POOLS; id++)
		pool_drop_filters(&pools[id]);
}

static int turn_share(const struct bench_config *c, unsigned int nr)
{
	int err = pool_set(BENCH_POOL_TURN, c, 0);

	if (err || !nr)
		return err;
	if (nr != turn_groups)
		pool_drop_filters(&pools[BENCH_POOL_TURN]);
	turn_groups = nr;
	return pool_set(BENCH_POOL_TURN, c, nr);
}

/* Switched off meanwhile: the text changes in one transaction, not in one an ops. */
static int turn_set(const struct bench_config *c, unsigned int nr)
{
	int err, on;

	if (pools[BENCH_POOL_TURN].nr == nr)
		return 0;
	err = tramp_set_enabled(0);
	if (err)
		return err;
	err = turn_share(c, nr);
	on = tramp_set_enabled(1);
	return err ? err : on;
}

/* --- references --- */

static int cmp_poke(const void *a, const void *b)
{
	const struct tramp_poke *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* What the sites of a pool call instead of what the core wrote; NULL: nothing. */
static struct tramp_batch *redirected[BENCH_NR_POOLS];

/* One thread is all there is: no grace period. */
static int poke(const struct tramp_batch *batch)
{
	int err = arch_poke_begin();

	if (err)
		return err;
	err = arch_poke(batch);
	arch_poke_end();
	return err;
}

static int redirect_undo(enum bench_pool_id pool)
{
	struct tramp_batch *batch = redirected[pool];
	uint8_t old[ARCH_POKE_MAX];
	unsigned int i;
	int err;

	if (!batch)
		return 0;
	for (i = 0; i < batch->nr; i++) {
		memcpy(old, batch->poke[i].old, ARCH_POKE_MAX);
		memcpy(batch->poke[i].old, batch->poke[i].new, ARCH_POKE_MAX);
		memcpy(batch->poke[i].new, old, ARCH_POKE_MAX);
	}
	redirected[pool] = NULL;
	err = poke(batch);
	free(batch);
	return err;
}

static int redirect_fill(struct tramp_poke *p, unsigned long site, unsigned long target)
{
	p->addr = ftrace_location(site);
	p->target = target;
	memcpy(p->old, (void *)p->addr, arch_site_size);
	return arch_site_encode(p->addr, target, p->new);
}

int bench_redirect(enum bench_pool_id pool, unsigned long target)
{
	struct tramp_batch *batch;
	int err = redirect_undo(pool);
	unsigned int nr;

	if (err || !target)
		return err;
	nr = pool_sites(pool, 0);
	batch = calloc(1, sizeof(*batch) + nr * sizeof(batch->poke[0]));
	if (!batch)
		return -ENOMEM;
	for (; batch->nr < nr && !err; batch->nr++)
		err = redirect_fill(&batch->poke[batch->nr], sites[batch->nr], target);
	qsort(batch->poke, nr, sizeof(batch->poke[0]), cmp_poke);
	err = err ? err : poke(batch);
	if (err)
		free(batch);
	else
		redirected[pool] = batch;
	return err;
}

/* --- variants --- */

int bench_arm(const struct bench_config *c)
{
	enum tramp_class partial = c->class <= TRAMP_CLASS_ARGS_RESERVED ? c->class :
									   TRAMP_CLASS_ARGS;
	int err;

	if (c->ref) {
		err = bench_redirect(BENCH_POOL_LEAF, c->ref->entry);
		return err ? err : bench_redirect(BENCH_POOL_DEEP, c->ref->entry);
	}
	if (!c->strategy)
		return 0;
	/* By way of args, which no strategy lacks. */
	err = tramp_use_frame(TRAMP_CLASS_ARGS);
	if (!err)
		err = tramp_use(c->strategy);
	if (!err && partial != TRAMP_CLASS_ARGS)
		err = tramp_use_frame(partial);
	return err;
}

/* All functions are traced, and p->functions of them called. */
static int set_turn(const struct bench_config *c, const struct bench_point *p)
{
	bench_turn_order(p->functions, p->regime == BENCH_SHUFFLED);
	if (c->ref && !redirected[BENCH_POOL_TURN]) {
		turn_groups = 1;
		return bench_redirect(BENCH_POOL_TURN, checking ? c->ref->entry_check : c->ref->entry);
	}
	return c->strategy ? turn_set(c, p->irrelevant + 1) : 0;
}

int bench_set_point(const struct bench_config *c, const struct bench_point *p)
{
	enum bench_pool_id pool = bench_regimes[p->regime].pool;
	enum bench_pool_id other = pool == BENCH_POOL_LEAF ? BENCH_POOL_DEEP : BENCH_POOL_LEAF;
	int err;

	if (p->functions)
		return set_turn(c, p);
	if (!c->strategy)
		return 0;
	/* The core verifies what it changes: the text has to be its own again first. */
	err = c->redirect ? redirect_undo(pool) : 0;
	if (!err)
		err = pool_set(other, c, 0);
	if (!err)
		err = pool_set(pool, c, p->relevant);
	if (!err)
		err = pool_set(BENCH_POOL_IRRELEVANT, c, p->irrelevant);
	if (!err && c->redirect)
		err = bench_redirect(pool, c->redirect);
	return err;
}

void bench_disarm(const struct bench_config *c)
{
	enum bench_pool_id id;
	int err = 0;

	for (id = 0; id < BENCH_NR_POOLS; id++)
		err = err ? err : redirect_undo(id);
	err = err ? err : turn_set(c, 0);
	for (id = 0; id < BENCH_NR_POOLS; id++)
		err = err ? err : pool_set(id, c, 0);
	if (!err)
		return;
	/* Nothing after this could be believed. */
	fprintf(stderr, "bench: %s cannot be taken away: %s\n", bench_config_name(c), tramp_why());
	exit(1);
}

bool bench_has(const char *strategy, enum tramp_class class, const char **why)
{
	static char reason[256];
	struct bench_config c = { .strategy = strategy, .class = class };
	int err = bench_arm(&c);

	if (!err)
		err = pool_set(BENCH_POOL_LEAF, &c, 1);
	if (err) {
		snprintf(reason, sizeof(reason), "%s", tramp_why());
		*why = *reason ? reason : strerror(-err);
	}
	bench_disarm(&c);
	return !err;
}

/* --- the check --- */

static bool complain(const struct bench_config *c, const struct bench_point *p,
		     const char *what, unsigned long got, unsigned long want)
{
	if (got == want)
		return true;
	fprintf(stderr, "bench: REFUSED %s %s (%u relevant, %u irrelevant ops): %s: got %#lx, want %#lx\n",
		bench_config_name(c), bench_config_class(c), p->relevant, p->irrelevant,
		what, got, want);
	return false;
}

/* What the floor and the strategies without a frame cannot tell is not asked. */
static bool check_regs(const struct bench_config *c, const struct bench_point *p)
{
	static const unsigned long want[BENCH_ARGS] = { 11, 22, 33, 44, 55, 66 };
	bool ok = true;
	unsigned int i;

	if (!c->strategy)
		return true;
	if (!complain(c, p, "a frame is passed", bench_seen.has_regs,
		      c->class != TRAMP_CLASS_NOREGS))
		return false;
	for (i = 0; bench_seen.has_regs && i < BENCH_ARGS; i++)
		ok &= complain(c, p, "an argument in the frame", bench_seen.arg[i], want[i]);
	return ok;
}

static bool check_calls(const struct bench_config *c, const struct bench_point *p)
{
	unsigned int ops = c->strategy ? p->relevant : c->ref ? 1 : 0;
	long (*volatile leaf)(long) = tracee;
	long (*volatile deep)(long) = tracee_deep1;
	long (*volatile args)(long, long, long, long, long, long) = tracee_args;
	bool ok;

	memset(&bench_seen, 0, sizeof(bench_seen));
	ok = complain(c, p, "tracee(41)", leaf(41), 42);
	ok &= complain(c, p, "calls of one call", bench_seen.calls, ops);
	ok &= complain(c, p, "eight nested", deep(34), 42);
	ok &= complain(c, p, "calls of nine calls", bench_seen.calls, 9 * ops);
	ok &= complain(c, p, "six arguments", args(11, 22, 33, 44, 55, 66),
		       11 + 44 + 132 + 352 + 880 + 2112);
	ok &= complain(c, p, "calls of ten calls", bench_seen.calls, 10 * ops);
	if (!ops)
		return ok;
	ok &= complain(c, p, "ip", bench_seen.ip, ftrace_location((unsigned long)args));
	ok &= complain(c, p, "a parent_ip", !!bench_seen.parent_ip, 1);
	return check_regs(c, p) && ok;
}

static bool check_hits(const struct bench_config *c, const struct bench_point *p)
{
	bool ok = true;
	unsigned int i;

	if (c->ref)
		return complain(c, p, "calls with the reference's ops", ref_hits, 10);
	if (!c->strategy)
		return true;
	for (i = 0; i < p->relevant; i++)
		ok &= complain(c, p, "calls of one ops", pools[BENCH_POOL_CHECK].hits[i], 10);
	for (i = 0; i < p->irrelevant; i++)
		ok &= complain(c, p, "calls of an irrelevant ops",
			       pools[BENCH_POOL_IRRELEVANT].hits[i], 0);
	return ok;
}

/* Each of the functions once: its own ops is called, and no other. */
static bool check_turn(const struct bench_config *c, const struct bench_point *p)
{
	struct bench_pool *pool = &pools[BENCH_POOL_TURN];
	unsigned int ops = c->strategy || c->ref, i;
	unsigned long hits;
	bool ok = true;

	for (i = 0; i < TURN_MAX && ok; i++) {
		hits = c->ref ? ref_hits : pool->hits[i % turn_groups];
		memset(&bench_seen, 0, sizeof(bench_seen));
		tracee_many[i]();
		ok = complain(c, p, "calls of one of many functions", bench_seen.calls, ops);
		hits = (c->ref ? ref_hits : pool->hits[i % turn_groups]) - hits;
		ok &= complain(c, p, "calls of its own ops", hits, ops);
		if (ops)
			ok &= complain(c, p, "ip", bench_seen.ip,
				       ftrace_location((unsigned long)tracee_many[i]));
	}
	return ok;
}

bool bench_same_check(const struct bench_point *a, const struct bench_point *b)
{
	return a->functions && b->functions && a->irrelevant == b->irrelevant;
}

/* All that the check needs in place; 0 or -errno. */
static int check_arm(const struct bench_config *c, const struct bench_point *p)
{
	int err;

	if (p->functions) {
		err = bench_arm(c);
		return err ? err : set_turn(c, p);
	}
	if (c->ref)
		return bench_redirect(BENCH_POOL_CHECK, c->ref->entry_check);
	err = bench_arm(c);
	if (!c->strategy)
		return err;
	if (!err)
		err = pool_set(BENCH_POOL_CHECK, c, p->relevant);
	if (!err)
		err = pool_set(BENCH_POOL_IRRELEVANT, c, p->irrelevant);
	if (!err && c->redirect)
		err = bench_redirect(BENCH_POOL_CHECK, c->redirect);
	return err;
}

bool bench_check(const struct bench_config *c, const struct bench_point *p)
{
	bool ok;
	int err;

	ref_hits = 0;
	memset(pools[BENCH_POOL_CHECK].hits, 0, sizeof(pools[0].hits));
	memset(pools[BENCH_POOL_IRRELEVANT].hits, 0, sizeof(pools[0].hits));
	memset(pools[BENCH_POOL_TURN].hits, 0, sizeof(pools[0].hits));
	checking = true;
	err = check_arm(c, p);
	ok = !err;
	if (err)
		fprintf(stderr, "bench: REFUSED %s %s (%u relevant, %u irrelevant ops): %s (%s)\n",
			bench_config_name(c), bench_config_class(c), p->relevant,
			p->irrelevant, tramp_why(), strerror(-err));
	else if (p->functions)
		ok = check_turn(c, p);
	else
		ok = check_calls(c, p) && check_hits(c, p);
	bench_disarm(c);
	checking = false;
	return ok;
}

/* --- lists of variants --- */

struct bench_config *bench_add_config(struct bench_config *c, unsigned int *nr,
				      const struct bench_config *new)
{
	c = realloc(c, (*nr + 1) * sizeof(*c));
	if (!c)
		abort();
	c[(*nr)++] = *new;
	return c;
}

void bench_free_configs(struct bench_config *c)
{
	free(c);
}

struct bench_config *bench_all_configs(struct bench_run *run, unsigned int *nr)
{
	struct bench_config *c = NULL, new = { 0 };
	const char *why;
	unsigned int i;

	*nr = 0;
	for (i = 0; (new.strategy = tramp_strategy_name(i)); i++) {
		if (!bench_wants(run, new.strategy))
			continue;
		for (new.class = 0; new.class < TRAMP_NR_CLASSES; new.class++)
			if (bench_has(new.strategy, new.class, &why))
				c = bench_add_config(c, nr, &new);
	}
	return c;
}

struct bench_config *bench_args_configs(struct bench_run *run, unsigned int *nr)
{
	struct bench_config *c = NULL, new = { .class = TRAMP_CLASS_ARGS };
	const char *why;
	unsigned int i;

	*nr = 0;
	for (i = 0; (new.strategy = tramp_strategy_name(i)); i++)
		if (bench_wants(run, new.strategy) && bench_has(new.strategy, new.class, &why))
			c = bench_add_config(c, nr, &new);
	return c;
}

struct bench_config *bench_add_refs(struct bench_config *c, unsigned int *nr, ...)
{
	struct bench_config new = { .label = "untraced" };
	const char *name;
	va_list names;

	c = bench_add_config(c, nr, &new);
	new.label = "untraced_b";
	c = bench_add_config(c, nr, &new);
	new.label = NULL;
	va_start(names, nr);
	while ((name = va_arg(names, const char *))) {
		new.ref = bench_ref(name);
		if (new.ref)
			c = bench_add_config(c, nr, &new);
	}
	va_end(names);
	return c;
}

bool bench_wants(const struct bench_run *run, const char *strategy)
{
	char buf[256], *p, *save;

	if (!run->impl || !*run->impl)
		return true;
	snprintf(buf, sizeof(buf), "%s", run->impl);
	for (p = strtok_r(buf, ", ", &save); p; p = strtok_r(NULL, ", ", &save))
		if (!fnmatch(p, strategy, 0))
			return true;
	return false;
}
