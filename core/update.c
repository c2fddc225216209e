/* SPDX-License-Identifier: MIT */
/*
 * The transaction.  Every change of what sites call goes through here:
 *
 *	collect	which sites does it touch
 *	resolve	ask the strategy what each shall call; generate code
 *	verify	does the text hold what we wrote there last
 *	write	all sites in one poke; then publish list and hashes
 *	settle	re-point the call slots of shared entries
 *	wait	for threads inside, and give up what they may have used
 *
 * Any failure up to the first write undoes everything.  Text changes before the
 * list does, so that a failed poke has nothing to take back: a site that calls
 * the list too early finds nobody there, which is right until register returns.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core.h"

struct change {
	struct tramp_site	*site;
	struct tramp_target	target;		/* new; after commit: the old one */
	unsigned long		meanwhile;	/* what to call while the site's word changes */
	unsigned int		nr_ops;
};

struct update {
	struct ftrace_ops	*ops;		/* NULL: nobody joins or leaves */
	struct ftrace_ops_hash	*from, *to;
	bool			waits;		/* for callbacks, when it is written */
	struct tramp_module	*module;	/* only its sites; NULL: all */
	struct change		*change;
	size_t			nr, cap;
	struct ftrace_ops	**set;		/* scratch: the ops at one site */
	struct tramp_range	*range;		/* scratch: one an image; see tramp_grace_wait() */
	struct tramp_batch	*sites, *slots, *slots_back;	/* the trap handler reads them until the wait is over */
	struct tramp_image	*newest;	/* before the change */
};

static int no_memory(void)
{
	return tramp_fail(-ENOMEM, "out of memory");
}

/* --- collect --- */

static bool wants(const struct ftrace_ops_hash *h, unsigned long ip)
{
	return h && ftrace_ops_test(h, ip);
}

static int add_change(struct update *u, struct tramp_site *site)
{
	if (u->nr == u->cap) {
		size_t cap = u->cap ? 2 * u->cap : 16;
		struct change *more = realloc(u->change, cap * sizeof(*more));

		if (!more)
			return no_memory();
		u->change = more;
		u->cap = cap;
	}
	u->change[u->nr++] = (struct change){ .site = site };
	return 0;
}

static bool touches(const struct update *u, unsigned long ip)
{
	return !u->ops || wants(u->from, ip) || wants(u->to, ip);
}

static int collect_all(struct update *u)
{
	int err = 0;

	for (struct tramp_module *m = tramp_modules; m && !err; m = m->next) {
		if (u->module ? u->module != m : m->leaving)
			continue;
		for (size_t i = 0; i < m->nr_sites && !err; i++)
			if (touches(u, m->sites[i].ip))
				err = add_change(u, &m->sites[i]);
	}
	return err;
}

static unsigned long nr_keys(const struct ftrace_ops_hash *h)
{
	return !h ? 0 : h->filter_hash ? h->filter_hash->nr : ~0UL / 32;	/* two of them, times 8, still fit */
}

static int collect_keys(struct update *u, const struct ftrace_ops_hash *h,
			const struct ftrace_ops_hash *but)
{
	struct tramp_site *site;
	int err = 0;

	for (unsigned long i = 0; h && i <= h->filter_hash->mask && !err; i++) {
		unsigned long ip = h->filter_hash->slot[i];

		if (ip <= 1 || !wants(h, ip) || wants(but, ip))
			continue;
		site = tramp_find_site(ip);
		if (site && site->ip == ip && !site->module->leaving)
			err = add_change(u, site);
	}
	return err;
}

static int by_ip(const void *a, const void *b)
{
	unsigned long x = ((const struct change *)a)->site->ip, y = ((const struct change *)b)->site->ip;

	return x < y ? -1 : x > y;
}

/* A filter of a few sites is looked up; one of many is found by a walk, already in order. */
static int collect(struct update *u)
{
	int err;

	if (!u->ops || (nr_keys(u->from) + nr_keys(u->to)) * 8 > tramp_count_sites()) {
		err = collect_all(u);
	} else {
		err = collect_keys(u, u->from, NULL);
		if (!err)
			err = collect_keys(u, u->to, u->from);
	}
	/* Modules are in load order, filters in none. */
	for (size_t i = 1; i < u->nr && !err; i++) {
		if (u->change[i].site->ip < u->change[i - 1].site->ip) {
			qsort(u->change, u->nr, sizeof(*u->change), by_ip);
			break;
		}
	}
	return err;
}

/* --- resolve --- */

/* Newest first: the order of calling (S126). */
static unsigned int gather(struct update *u, const struct tramp_site *site)
{
	unsigned long ip = site->ip;
	unsigned int n = 0;

	if (site->module->leaving)
		return 0;
	if (u->ops && !u->from && wants(u->to, ip))
		u->set[n++] = u->ops;
	for (struct ftrace_ops *op = ftrace_ops_list; op; op = op->next)
		if (wants(op == u->ops ? u->to : op->func_hash, ip))
			u->set[n++] = op;
	return n;
}

static size_t count_ops(void)
{
	size_t nr = 0;

	for (struct ftrace_ops *op = ftrace_ops_list; op; op = op->next)
		nr++;
	return nr;
}

/* One IPMODIFY ops a site (S106). */
static int check_ipmodify(const struct update *u, unsigned int nr, const struct tramp_site *site)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < nr; i++)
		n += !!(u->set[i]->flags & FTRACE_OPS_FL_IPMODIFY);
	return n > 1 ? tramp_fail(-EBUSY, "%s has an IPMODIFY ops already",
				  site->name ? site->name : "the site") : 0;
}

/*
 * The word of a site that calls nobody, or an entry that reads none, names
 * nobody's ops: no ops that is gone stays in a word.  While a word changes, the
 * list stands in for the two calls; for a call and a nop, a nop does.
 */
static int resolve_word(struct update *u, struct change *c)
{
	const struct tramp_target *old = &c->site->target;
	struct tramp_target list = { 0 };
	int err = 0;

	if (c->site->word && !c->target.word)
		c->target.word = (unsigned long)&ftrace_nop_ops;
	c->meanwhile = c->target.call;
	if (c->target.word == old->word)
		return 0;
	if (old->call && c->target.call)
		err = tramp_target_list(c->site, u->set, c->nr_ops, &list);
	c->meanwhile = list.call;
	return err;
}

static int resolve(struct update *u)
{
	bool ipmodify = u->ops && u->to && (u->ops->flags & FTRACE_OPS_FL_IPMODIFY);
	int err = 0;

	if (ipmodify && !u->to->filter_hash)
		return tramp_fail(-EINVAL, "an IPMODIFY ops needs a filter");
	u->set = calloc(count_ops() + 1, sizeof(*u->set));
	if (!u->set)
		return no_memory();
	for (struct change *c = u->change; c < u->change + u->nr && !err; c++) {
		c->nr_ops = gather(u, c->site);
		if (ipmodify)
			err = check_ipmodify(u, c->nr_ops, c->site);
		if (!err && c->nr_ops && ftrace_enabled)
			err = tramp_strategy->resolve(c->site, u->set, c->nr_ops, &c->target);
		if (!err)
			err = resolve_word(u, c);
	}
	return err;
}

/* --- verify --- */

static void print_bytes(char *buf, const uint8_t *bytes)
{
	for (unsigned int i = 0; i < arch_site_size; i++)
		buf += sprintf(buf, "%02x ", bytes[i]);
}

static int check_text(const struct tramp_poke *poke, const struct tramp_site *site)
{
	char want[4 * ARCH_POKE_MAX], got[4 * ARCH_POKE_MAX];

	if (!memcmp((const void *)poke->addr, poke->old, arch_site_size))
		return 0;
	print_bytes(want, poke->old);
	print_bytes(got, (const uint8_t *)poke->addr);
	return tramp_fail(-EINVAL, "somebody else changed the site of %s at %#lx: it should hold %sand holds %s%s",
			  site->name ? site->name : "a function", poke->addr, want, got,
			  *(const uint8_t *)poke->addr == arch_trap_byte ? "(a debugger's breakpoint?)" : "");
}

static int check_word(const struct tramp_site *site)
{
	unsigned long got = site->word ? READ_ONCE(*(unsigned long *)site->word) : site->target.word;

	return got == site->target.word ? 0 :
	       tramp_fail(-EINVAL, "somebody else changed the word of %s at %#lx: it should hold %#lx and holds %#lx",
			  site->name ? site->name : "a function", site->word, site->target.word, got);
}

static struct tramp_batch *batch_alloc(size_t nr)
{
	return calloc(1, sizeof(struct tramp_batch) + nr * sizeof(struct tramp_poke));
}

static int verify(struct update *u)
{
	int err;

	/* All memory that the change needs: from the first write on there is no way back. */
	u->sites = batch_alloc(u->nr);
	u->slots = batch_alloc(tramp_image_count());
	u->slots_back = batch_alloc(tramp_image_count());
	u->range = calloc(tramp_image_count() + 1, sizeof(*u->range));
	if (!u->sites || !u->slots || !u->slots_back || !u->range)
		return no_memory();
	for (struct change *c = u->change; c < u->change + u->nr; c++) {
		struct tramp_poke *poke = &u->sites->poke[u->sites->nr];
		bool word = c->target.word != c->site->target.word;
		unsigned long ip = c->site->ip;

		if (c->target.call == c->site->target.call && !word)
			continue;
		*poke = (struct tramp_poke){
			.addr = ip, .target = c->target.call, .meanwhile = c->meanwhile,
			.word_addr = word ? c->site->word : 0, .word = c->target.word,
		};
		u->sites->words |= word;
		err = arch_site_encode(ip, c->site->target.call, poke->old);
		if (!err)
			err = arch_site_encode(ip, c->target.call, poke->new);
		if (err)
			return tramp_fail(err, "the site at %#lx cannot reach %#lx", ip, c->target.call);
		err = check_text(poke, c->site);
		if (!err)
			err = check_word(c->site);
		if (err)
			return err;
		u->sites->nr++;
	}
	return 0;
}

/* --- the call slots of shared entries --- */

static unsigned long list_func(enum tramp_class class)
{
	if (class == TRAMP_CLASS_NOREGS)
		return (unsigned long)ftrace_ops_list_func_noregs;
	return (unsigned long)(tramp_strict ? ftrace_ops_list_func_strict : ftrace_ops_list_func);
}

void tramp_emit_call_list(struct tramp_code *code, enum tramp_class class)
{
	arch_emit_call(code, list_func(class));
}

void tramp_emit_call_list_slot(struct tramp_code *code, enum tramp_class class)
{
	arch_emit_call_slot(code, list_func(class));
}

static int by_addr(const void *a, const void *b)
{
	unsigned long x = ((const struct tramp_poke *)a)->addr, y = ((const struct tramp_poke *)b)->addr;

	return x < y ? -1 : x > y;
}

/* @func 0: the list function of the image's class. */
static unsigned long slot_callee(const struct tramp_image *image, unsigned long func)
{
	return func ? func : list_func(image->maker.class);
}

static int poke_slots(struct tramp_batch *batch, unsigned long func)
{
	int err;

	for (struct tramp_image *i = tramp_images; i; i = i->next) {
		struct tramp_poke *poke = &batch->poke[batch->nr];
		unsigned long want = slot_callee(i, func);

		if (!i->code.slot || i->callee == want)
			continue;
		*poke = (struct tramp_poke){ .addr = i->code.slot, .target = want, .meanwhile = want };
		memcpy(poke->old, (const void *)i->code.slot, arch_site_size);
		arch_slot_encode(&i->code, want, poke->new);
		batch->nr++;
	}
	qsort(batch->poke, batch->nr, sizeof(*batch->poke), by_addr);
	err = arch_poke(batch);
	for (struct tramp_image *i = tramp_images; i && !err; i = i->next)
		if (i->code.slot)
			i->callee = slot_callee(i, func);
	return err;
}

/* What the slots shall call with the ops that are registered now, 0 for the list. */
static unsigned long wanted_callee(const struct ftrace_ops **only)
{
	*only = ftrace_ops_list && !ftrace_ops_list->next ? ftrace_ops_list : NULL;
	return tramp_strategy && tramp_strategy->callee ? tramp_strategy->callee(*only) : 0;
}

static void set_slot_ops(const struct ftrace_ops *ops)
{
	for (struct tramp_image *i = tramp_images; i; i = i->next) {
		if (!i->code.slot_ops)
			continue;
		store_release((unsigned long *)(i->code.w + (i->code.slot_ops - i->code.pc)), (unsigned long)ops);
		tramp_state("slot's ops", i->code.slot_ops, sizeof(ops));
	}
}

/* Threads that may have loaded the slot's ops and not yet made the call. */
static void wait_windows(struct update *u)
{
	size_t nr = 0;

	for (struct tramp_image *i = tramp_images; i; i = i->next)
		if (i->code.slot)
			u->range[nr++] = (struct tramp_range){ i->code.pc, i->code.slot + arch_site_size };
	if (nr)
		tramp_grace_wait(u->range, tramp_ranges_sort(u->range, nr));
}

/*
 * Two words, func and ops, and threads in between: the kernel's shared entry can
 * call a new func with an old ops (S84).  Here the slot calls the list, which
 * looks at neither, until every thread has left the window.
 *
 * An emulator's thread is in a block of translated code, which goes on with the
 * instructions of before, sync or not, up to its end; signals come there alone.
 */
static void settle_slots(struct update *u)
{
	const struct ftrace_ops *only;
	unsigned long func = wanted_callee(&only);

	if (!func)
		return;
	if (tramp_emulated())
		wait_windows(u);
	set_slot_ops(only);
	wait_windows(u);
	/* Where it stays so, all is right, and slower. */
	if (poke_slots(u->slots_back, func))
		tramp_warn("a shared entry keeps calling the list function: %s", tramp_why());
}

/* Will the one ops that the slots were made for be another after @u? */
static bool slots_change(const struct update *u)
{
	if (!tramp_strategy || !tramp_strategy->callee)
		return false;
	return u->ops && (!u->from || !u->to);
}

/* --- the words beside sites --- */

static struct tramp_range *word_range;	/* the scratch of the transaction that writes */

void tramp_wait_word_readers(void)
{
	size_t nr = 0;

	for (struct tramp_image *i = tramp_images; i; i = i->next)
		if (i->code.word_read)
			word_range[nr++] = (struct tramp_range){ i->code.pc, i->code.word_read };
	if (nr)
		tramp_grace_wait_trapping(word_range, tramp_ranges_sort(word_range, nr));
}

/* --- write --- */

static void commit(struct update *u)
{
	for (struct change *c = u->change; c < u->change + u->nr; c++) {
		struct tramp_target old = c->site->target;

		c->site->target = c->target;
		c->site->nr_ops = c->nr_ops;
		c->target = old;
		if (c->site->target.image)
			tramp_image_hold(c->site->target.image);
		if (old.image)
			tramp_image_drop(old.image);
	}
}

static void unlink_ops(struct ftrace_ops *ops)
{
	struct ftrace_ops **p = &ftrace_ops_list;

	while (*p != ops)
		p = &(*p)->next;
	/* ops->next stays: a walker may stand on it. */
	store_release(p, ops->next);
	tramp_state("list", 0, 0);
}

static void publish(struct update *u)
{
	if (!u->ops)
		return;
	if (u->from && u->to)
		ftrace_ops_hash_retire(u->from);
	if (!u->to) {
		unlink_ops(u->ops);
		return;
	}
	store_release(&u->ops->func_hash, u->to);
	tramp_state("hash", 0, 0);
	if (!u->from) {
		u->ops->next = ftrace_ops_list;
		store_release(&ftrace_ops_list, u->ops);
		tramp_state("list", 0, 0);
	}
}

static int write_all(struct update *u)
{
	bool slots = slots_change(u);
	int err = slots ? poke_slots(u->slots, 0) : 0;

	word_range = u->range;
	if (!err)
		err = arch_poke(u->sites);
	if (err) {
		if (slots)
			settle_slots(u);
		return err;
	}
	commit(u);
	publish(u);
	settle_slots(u);
	tramp_state("change", 0, 0);
	return 0;
}

/* --- wait --- */

/*
 * Those who register do not wait for callbacks: they may be in one.  But where
 * nobody is inside the sets that the sites have just left, this is seen at once.
 */
#define TRY_MS 5

/* The batches, which the trap handler reads. */
static void wait_entry(const struct update *u)
{
	if (u->sites->nr || u->slots->nr || u->slots_back->nr)
		tramp_grace_wait(NULL, 0);
}

/*
 * Without the lock: a thread that we wait for may be in a callback that wants it.
 * The wait for callbacks is for the list's readers, too.
 */
static void wait_and_release(struct update *u)
{
	unsigned long moment = tramp_image_moment();
	size_t nr = u->waits ? tramp_image_shared(u->range, u->ops) : tramp_image_unused_sets(u->range);
	bool left = true;

	tramp_lock_drop();
	if (u->waits && nr) {
		tramp_grace_wait(u->range, nr);
	} else {
		wait_entry(u);
		left = !nr || tramp_grace_try(u->range, nr, TRY_MS);
	}
	tramp_lock_again();
	if (u->waits) {
		ftrace_ops_hash_reap(moment);
		tramp_image_reap(u->to ? NULL : u->ops, moment);
	} else if (left) {
		tramp_image_reap_sets(moment);
	}
}

/*
 * Two threads in callbacks that waited for each other's would never end (S131): who
 * is in one, whatever it is, waits for none.
 */
static int check_self(struct update *u)
{
	struct tramp_range *range = calloc(tramp_image_count() + 1, sizeof(*range));

	if (!range)
		return no_memory();
	u->waits = tramp_grace_self_outside(range, tramp_image_ranges(range));
	free(range);
	return u->waits || u->to ? 0 :
	       tramp_fail(-EDEADLK, "called from a callback, or from something it called; unregister waits for callbacks, and two of them could wait for each other");
}

static int prepare(struct update *u)
{
	int err = u->from ? check_self(u) : 0;

	if (!err)
		err = collect(u);
	if (!err)
		err = resolve(u);
	return err ? err : verify(u);
}

/*
 * Signal handlers of this thread must meet neither half-written text nor the
 * lock: they would wait for us.  Traps stay allowed, since this thread allocates
 * while text changes (tramp_wait_word_readers()), and an allocator may have sites.
 */
static int undisturbed(int (*step)(struct update *), struct update *u)
{
	sigset_t all, old;
	int err;

	sigfillset(&all);
	sigdelset(&all, SIGTRAP);
	sigdelset(&all, SIGILL);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	err = step(u);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return err;
}

static int run(struct update *u)
{
	int err;

	u->newest = tramp_images;
	err = undisturbed(prepare, u);
	if (!err)
		err = tramp_grace_ready();
	if (!err)
		err = arch_poke_begin();
	if (!err) {
		err = undisturbed(write_all, u);
		if (!err)
			wait_and_release(u);
		else
			wait_entry(u);	/* slots may have gone to the list and back */
		arch_poke_end();
	}
	if (err)
		tramp_image_forget(u->newest);
	free(u->change);
	free(u->set);
	free(u->range);
	free(u->sites);
	free(u->slots);
	free(u->slots_back);
	return err;
}

int ftrace_update(struct ftrace_ops *ops, struct ftrace_ops_hash *from, struct ftrace_ops_hash *to)
{
	struct update u = { .ops = ops, .from = from, .to = to };

	return run(&u);
}

/* --- modules --- */

int ftrace_update_module(struct tramp_module *module)
{
	struct update u = { .module = module };

	return ftrace_ops_list && tramp_strategy ? run(&u) : 0;
}

/*
 * In place, since a library that goes cannot be refused for lack of memory: who looks
 * a site up finds it or does not, and goes on in either case.  A filter is never empty
 * by that, which would mean all (S145).
 */
static void blank(struct ftrace_hash *h, const struct tramp_module *m)
{
	for (unsigned long i = 0; h && i <= h->mask; i++)
		if (h->slot[i] >= m->start && h->slot[i] < m->end)
			__atomic_store_n(&h->slot[i], 1, __ATOMIC_RELAXED);
}

static void blank_filters(const struct tramp_module *module)
{
	for (struct ftrace_ops *op = ftrace_ops_list; op; op = op->next) {
		blank(op->func_hash->filter_hash, module);
		blank(op->func_hash->notrace_hash, module);
	}
}

/* What has been left is given up, if nobody is seen inside. */
static void try_all(void)
{
	struct tramp_range *range = calloc(tramp_image_count() + 1, sizeof(*range));
	unsigned long moment = tramp_image_moment();
	size_t nr;
	bool left;

	if (!range)
		return;
	nr = tramp_image_shared(range, NULL);
	tramp_lock_drop();
	left = tramp_grace_try(range, nr, TRY_MS);
	tramp_lock_again();
	free(range);
	if (!left)
		return;
	ftrace_ops_hash_reap(moment);
	tramp_image_reap(NULL, moment);
}

static bool any_live(const struct tramp_module *module)
{
	for (size_t i = 0; i < module->nr_sites; i++)
		if (module->sites[i].target.call)
			return true;
	return false;
}

/* The library's own last destructor calls us, so nobody may run its text from here on, live or not. */
static void let_go(struct tramp_module *module)
{
	for (struct tramp_site *site = module->sites; site < module->sites + module->nr_sites; site++) {
		if (site->target.image)
			tramp_image_drop(site->target.image);
		site->target = (struct tramp_target){ 0 };
	}
}

/*
 * Cannot fail.  Text that is in no library may run afterwards: it is turned off as
 * soon as that can be done, and where nothing can ever be changed again (a seccomp
 * filter) no ops can leave either, and what the sites call stays.
 */
static void turn_off(struct tramp_module *module)
{
	int err;

	while (any_live(module) && (err = ftrace_update_module(module))) {
		if (!module->in_object && err != -EPERM && err != -ENOSYS) {
			tramp_warn("%s: its sites have to be turned off: %s; trying again", module->path, tramp_why());
			tramp_lock_drop();
			sleep(1);
			tramp_lock_again();
			continue;
		}
		tramp_warn("%s leaves with live sites: %s", module->path, tramp_why());
		if (module->in_object)
			let_go(module);
		return;
	}
}

/*
 * No wait for callbacks: dlclose() holds the loader's lock, which a callback may
 * want, or be called from one.  A thread in the callback of a leaving site is about
 * to return into the library, which its program must not do.
 */
void tramp_module_leave(struct tramp_module *module)
{
	module->leaving = true;
	turn_off(module);
	blank_filters(module);
	try_all();
}

/* --- what strategies use --- */

static int target_made(struct tramp_site *site, const struct tramp_maker *maker,
		       struct tramp_target *target)
{
	int err;
	struct tramp_image *image = tramp_image_get(site, maker, &err);

	if (!image)
		return err;
	if (image->code.slot && !image->callee)
		image->callee = list_func(maker->class);
	target->image = image;
	target->call = image->code.entry;
	return 0;
}

int tramp_target_image(struct tramp_site *site, tramp_emit_t emit, struct ftrace_ops *ops,
		       enum tramp_class class, struct tramp_target *target)
{
	const struct tramp_maker maker = { .emit = emit, .class = class, .nr = !!ops, .ops = &ops };

	return target_made(site, &maker, target);
}

int tramp_target_set(struct tramp_site *site, tramp_emit_set_t emit, struct ftrace_ops *const *ops,
		     unsigned int nr, enum tramp_class class, struct tramp_target *target)
{
	const struct tramp_maker maker = { .emit_set = emit, .class = class, .nr = nr, .ops = ops };

	if (!tramp_image_fits(&maker))
		return tramp_target_list(site, ops, nr, target);
	return target_made(site, &maker, target);
}

static void emit_list(struct tramp_code *code, struct ftrace_ops *ops, enum tramp_class class)
{
	(void)ops;
	arch_emit_enter(code, class);
	arch_emit_args(code);
	tramp_emit_call_list(code, class);
	arch_emit_leave(code);
}

bool tramp_maker_is_list(const struct tramp_maker *maker)
{
	return maker->emit == emit_list;
}

int tramp_target_list(struct tramp_site *site, struct ftrace_ops *const *ops,
		      unsigned int nr, struct tramp_target *target)
{
	return tramp_target_image(site, emit_list, NULL, tramp_ops_class(ops, nr), target);
}

unsigned long ftrace_ops_get_func(const struct ftrace_ops *ops)
{
	return (unsigned long)(ops->flags & (FTRACE_OPS_FL_RECURSION | FTRACE_OPS_FL_RCU) ?
			       ftrace_ops_assist_func : ops->func);
}

unsigned long ftrace_ops_get_guarded_func(const struct ftrace_ops *ops)
{
	return (unsigned long)(ops->flags & FTRACE_OPS_FL_RCU ? ftrace_ops_rcu_func : ops->func);
}

bool tramp_hides_regs(const struct ftrace_ops *ops)
{
	return tramp_strict && !(ops->flags & FTRACE_OPS_FL_SAVE_REGS);
}

void tramp_memory_usage(struct tramp_memory *usage)
{
	int cancel;

	*usage = (struct tramp_memory){ 0 };
	if (tramp_lock(&cancel))
		return;
	tramp_image_usage(usage);
	usage->site_bytes = sizeof(struct tramp_site);
	for (struct ftrace_ops *op = ftrace_ops_list; op; op = op->next)
		usage->hash_bytes += ftrace_ops_hash_bytes(op->func_hash);
	usage->hash_bytes += ftrace_ops_hash_retired_bytes();
	tramp_unlock(cancel);
}
