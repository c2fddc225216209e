/* SPDX-License-Identifier: MIT */
/*
 * tramplab beside its model.  Built with general registers only: the callbacks
 * are here.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <ftrace.h>
#include <tramp.h>
#include <case_arch.h>
#include "../tracee.h"
#include "world.h"

typedef unsigned long (*fn_t)(unsigned long x);

static const char *strategy, *solib;
static struct model model;
static struct ftrace_ops ops[MODEL_OPS];
static unsigned long nr_callbacks;

static struct place {
	fn_t		fn;
	unsigned long	adds;		/* what it returns for 0 */
	unsigned long	ip;
	unsigned char	rest[CASE_SITE_SIZE];	/* its bytes while nobody is there */
} place[MODEL_SITES] = {
#define PLACE(fn_, adds_) { .fn = fn_, .adds = adds_ }
	[TRACEE_A] = PLACE(tracee_a, 1), [TRACEE_B] = PLACE(tracee_b, 2),
	[TRACEE_C] = PLACE(tracee_c, 3), [TRACEE_D] = PLACE(tracee_d, 4),
	[GLOBBY_AA] = PLACE(globby_aa, 11), [GLOBBY_AB] = PLACE(globby_ab, 12),
	[GLOBBY_BA] = PLACE(globby_ba, 13), [GLOBBY_BA_AB] = PLACE(globby_ba_ab, 14),
	[SOLIB_A] = PLACE(NULL, 101), [SOLIB_B] = PLACE(NULL, 102),
};
#define REDIRECTED	5	/* what untraced() returns for 0 */

/* --- what differs --- */

static char trouble[400];

__attribute__((format(printf, 1, 2)))
static const char *differs(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(trouble, sizeof(trouble), fmt, ap);
	va_end(ap);
	return trouble;
}

static const char *site_name(enum model_site site)
{
	static const char *const names[MODEL_SITES] = {
		"tracee_a", "tracee_b", "tracee_c", "tracee_d", "globby_aa", "globby_ab", "globby_ba",
		"globby_ba_ab", "a site elsewhere", "solib_a", "solib_b", "a site elsewhere in the library",
	};

	return names[site];
}

/* --- callbacks --- */

#define HITS_MAX 64

static struct hit {
	uint8_t		who;
	bool		own_ops;	/* the function and the ops match (S83) */
	unsigned long	ip, parent_ip;
	bool		fregs, full;
	unsigned long	saved, arg, resume;
} hits[HITS_MAX];
static unsigned int nr_hits;

/* What the next callback shall do, and what came of it. */
static const struct call *pending;
static int pending_result;
static int make(const struct call *c);

static void make_pending(void)
{
	const struct call *c = pending;

	pending = NULL;
	if (c)
		pending_result = make(c);
}

static void note_hit(unsigned int who, unsigned long ip, unsigned long parent_ip,
		     struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct hit *h = &hits[nr_hits < HITS_MAX ? nr_hits++ : HITS_MAX - 1];

	*h = (struct hit){
		.who = who, .own_ops = op == &ops[who], .ip = ip, .parent_ip = parent_ip,
		.fregs = fregs, .full = ftrace_get_regs(fregs), .saved = tramp_regs_saved(fregs),
	};
	make_pending();
	if (!fregs)
		return;
	h->arg = ftrace_regs_get_argument(fregs, 0);
	h->resume = ftrace_regs_get_instruction_pointer(fregs);
	if (op->flags & FTRACE_OPS_FL_IPMODIFY)
		ftrace_regs_set_instruction_pointer(fregs, (unsigned long)untraced);
}

#define HIT(n)									\
static void hit_##n(unsigned long ip, unsigned long parent_ip,			\
		    struct ftrace_ops *op, struct ftrace_regs *fregs)		\
{										\
	note_hit(n, ip, parent_ip, op, fregs);					\
}
HIT(0) HIT(1) HIT(2) HIT(3) HIT(4)

static const ftrace_func_t funcs[MODEL_OPS] = { hit_0, hit_1, hit_2, hit_3, hit_4 };

/* --- the library --- */

static void *handle;

static void forget_solib(void)
{
	if (handle)
		dlclose(handle);
	handle = NULL;
}

static bool find_solib(enum model_site site, const char *name)
{
	place[site].fn = (fn_t)dlsym(handle, name);
	place[site].ip = ftrace_location((unsigned long)place[site].fn);
	/* Its bytes at rest are those of the program's, on every port. */
	memcpy(place[site].rest, place[TRACEE_A].rest, CASE_SITE_SIZE);
	return place[site].fn && place[site].ip;
}

static int set_library(bool on)
{
	if (!on || handle) {
		if (!on)
			forget_solib();
		return 0;
	}
	handle = dlopen(solib, RTLD_NOW | RTLD_LOCAL);
	return handle && find_solib(SOLIB_A, "solib_a") && find_solib(SOLIB_B, "solib_b") ? 0 : -ELIBACC;
}

/* --- one call --- */

static unsigned long kernel_flags(unsigned int flags)
{
	static const unsigned long to[8] = {
		FTRACE_OPS_FL_SAVE_REGS, TRAMP_OPS_FL_SAVE_VEC, FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED,
		FTRACE_OPS_FL_RECURSION, FTRACE_OPS_FL_RCU, FTRACE_OPS_FL_IPMODIFY, FTRACE_OPS_FL_STUB,
		FTRACE_OPS_FL_PERMANENT,
	};
	unsigned long k = flags & MODEL_DELETED ? FTRACE_OPS_FL_DELETED : 0;

	for (int i = 0; i < 8; i++)
		k |= flags >> i & 1 ? to[i] : 0;
	return k;
}

#define USER_FLAGS	(kernel_flags((1 << 9) - 1))

static void set_flags(unsigned int who, unsigned int flags)
{
	struct ftrace_ops *op = &ops[who];

	op->flags = (op->flags & ~USER_FLAGS) | kernel_flags(flags);
	op->func = flags & MODEL_NO_FUNC ? NULL : funcs[who];
	op->tramp_needs = (flags & MODEL_NEEDS_ARG ? 1UL << tramp_arg_reg(0) : 0) |
			  (flags & MODEL_NEEDS_KEPT ? 1UL << tramp_reg_number(CASE_REG_KEPT) : 0);
}

static int renew(unsigned int who)
{
	ftrace_free_filter(&ops[who]);
	ops[who] = (struct ftrace_ops){ .func = funcs[who] };
	return 0;
}

static unsigned long address(const struct call *c)
{
	static unsigned long on_stack;
	const struct place *p = &place[ADDRESS_OF(c->a)];

	on_stack = (unsigned long)&c;
	switch (ADDRESS_OF(c->a)) {
	case AT_STACK:		return on_stack;
	case AT_UNTRACED:	return (unsigned long)untraced;
	case AT_BEHIND:		return place[TRACEE_A].ip + CASE_SITE_SIZE;
	case AT_NULL: case ELSEWHERE: case SOLIB_ELSEWHERE:
				return 0;
	}
	switch (ADDRESS_BY(c->a)) {
	case BY_SITE:		return p->ip;
	case BY_SECOND_BYTE:	return p->ip + !!p->ip;
	case BY_LAST_BYTE:	return p->ip ? p->ip + CASE_SITE_SIZE - 1 : 0;
	default:		return (unsigned long)p->fn;
	}
}

static int filter_ips(const struct call *c)
{
	unsigned long ips[10];
	unsigned int nr = 0;

	if (c->b & BAD)
		ips[nr++] = (unsigned long)untraced;
	/* Not in the order of addresses. */
	for (int s = 7; s >= 0; s--)
		if (c->a >> s & 1)
			ips[nr++] = place[s].ip;
	if (c->b & TWICE && c->a)
		ips[nr++] = (unsigned long)place[__builtin_ctz(c->a)].fn;
	return ftrace_set_filter_ips(&ops[c->who], nr ? ips : NULL, nr, c->b & REMOVE, c->b & RESET);
}

static char index_of_b[16];

static int set_names(const struct call *c)
{
	const char *text = model_patterns[c->a].text;
	unsigned char copy[32];
	int len = 0;

	if (text && *text == '#')
		text = index_of_b;
	/* What follows the pattern is not part of it. */
	memset(copy, 'x', sizeof(copy));
	if (text) {
		len = strlen(text);
		memcpy(copy, text, len);
	}
	return (c->kind == FILTER ? ftrace_set_filter : ftrace_set_notrace)
		(&ops[c->who], text ? copy : NULL, len, c->b & RESET);
}

/* Of a registered ops it warns, which would be half of what is printed. */
static int free_filter(unsigned int who)
{
	bool warns = model.ops[who].registered;
	int err = warns ? dup(STDERR_FILENO) : -1, null;

	if (warns) {
		null = open("/dev/null", O_WRONLY | O_CLOEXEC);
		dup2(null, STDERR_FILENO);
		close(null);
	}
	ftrace_free_filter(&ops[who]);
	if (warns) {
		dup2(err, STDERR_FILENO);
		close(err);
	}
	return 0;
}

static int rest(void)
{
	int err = 0;

	for (int i = MODEL_OPS; i-- > 0 && !err; ) {
		if (model.ops[i].registered)
			err = unregister_ftrace_function(&ops[i]);
		if (!err)
			renew(i);
	}
	forget_solib();
	tramp_rcu_watching(true);
	function_trace_stop = 0;
	if (!err)
		err = tramp_set_strict(false);
	if (!err)
		err = tramp_use_frame((enum tramp_class)model.start_frame);
	return err ? err : tramp_set_enabled(1);
}

static int make(const struct call *c)
{
	struct ftrace_ops *op = &ops[c->who];
	bool at_rest = !model.ops[c->who].registered;

	switch ((enum call_kind)c->kind) {
	case REST:		return rest();
	case REGISTER:		return register_ftrace_function(op);
	case UNREGISTER:	return unregister_ftrace_function(op);
	case FLAGS:
		if (at_rest)
			set_flags(c->who, c->a | c->b << 8);
		return 0;
	case RENEW:		return at_rest ? renew(c->who) : 0;
	case FILTER_IP:		return ftrace_set_filter_ip(op, address(c), c->b & REMOVE, c->b & RESET);
	case FILTER_IPS:	return filter_ips(c);
	case FILTER:
	case NOTRACE:		return set_names(c);
	case FREE_FILTER:	return free_filter(c->who);
	case ENABLED:		return tramp_set_enabled(c->a);
	case WATCHING:		tramp_rcu_watching(c->a); return 0;
	case STRICT:		return tramp_set_strict(c->a);
	case STOP:		function_trace_stop = c->a; return 0;
	case FRAME:		return tramp_use_frame((enum tramp_class)c->a);
	case USE:		return tramp_use(c->a ? strategy : "no_such_strategy");
	case LIBRARY:		return set_library(c->a);
	case CALL_KINDS:	break;
	}
	return 0;
}

/* --- looking --- */

/* One call instruction for all, so that all have one parent. */
static __attribute__((noinline)) unsigned long call_place(fn_t fn)
{
	unsigned long sum = fn(0);

	__asm__ ("" : "+r" (sum));
	return sum;
}

static const char *letters(const uint8_t *who, unsigned int nr)
{
	static char text[2][HITS_MAX + 1];
	static int turn;
	char *t = text[turn ^= 1];

	for (unsigned int i = 0; i < nr; i++)
		t[i] = 'A' + who[i];
	t[nr] = '\0';
	return t;
}

/* What the class of @flags saves, as the API tells. */
static unsigned long regs_of(const struct place *p, enum model_class class)
{
	static const unsigned long flags[MODEL_CLASSES] = {
		[REGS] = FTRACE_OPS_FL_SAVE_REGS, [VEC] = TRAMP_OPS_FL_SAVE_VEC,
	};

	return tramp_site_regs(p->ip, flags[class]);
}

static const char *check_hit(enum model_site site, const struct model_hit *want, unsigned int nr)
{
	static unsigned long parent;
	const struct place *p = &place[site];
	const struct hit *h = &hits[nr];
	char who = 'A' + h->who;
	unsigned long saved = regs_of(p, want->class);

	if (!parent)
		parent = h->parent_ip;
	if (!h->own_ops)
		return differs("%s calls %c's function with another ops", site_name(site), who);
	if (h->ip != p->ip || h->parent_ip != parent)
		return differs("%s tells %c of ip %#lx and parent %#lx, want %#lx and %#lx", site_name(site), who,
			       h->ip, h->parent_ip, p->ip, parent);
	if (h->fregs != want->fregs || h->full != want->full[nr] || h->saved != saved)
		return differs("%s shows %c %s registers, ftrace_get_regs() %s, mask %#lx; want %s, %s, %#lx",
			       site_name(site), who, h->fregs ? "some" : "no", h->full ? "them" : "NULL", h->saved,
			       want->fregs ? "some" : "no", want->full[nr] ? "them" : "NULL", saved);
	if (h->fregs && (h->arg || (h->resume != p->ip + CASE_SITE_SIZE && !want->redirected)))
		return differs("%s shows %c argument %#lx and resumes at %#lx, want 0 and %#lx", site_name(site), who,
			       h->arg, h->resume, p->ip + CASE_SITE_SIZE);
	return NULL;
}

/* Where nobody promises whether it is called, nobody promises a miss either. */
static struct model_hit count_misses(enum model_site site)
{
	const struct model_hit hit = model_call(&model, site);

	for (int i = 0; i < MODEL_OPS; i++)
		model.ops[i].missed = hit.maybe ? tramp_missed(&ops[i]) : model.ops[i].missed + (hit.misses >> i & 1);
	return hit;
}

static const char *check_call(enum model_site site)
{
	struct model_hit want;
	uint8_t who[HITS_MAX];
	const char *what = NULL;
	unsigned long sum, adds;

	nr_hits = 0;
	sum = call_place(place[site].fn);
	for (unsigned int i = 0; i < nr_hits; i++)
		who[i] = hits[i].who;
	nr_callbacks += nr_hits;
	want = count_misses(site);
	if (want.maybe && !nr_hits)
		return NULL;
	if (nr_hits != want.nr || memcmp(who, want.who, want.nr))
		return differs("%s calls \"%s\", want \"%s\"", site_name(site), letters(who, nr_hits),
			       letters(want.who, want.nr));
	for (unsigned int i = 0; i < nr_hits && !what; i++)
		what = check_hit(site, &want, i);
	adds = want.redirected ? REDIRECTED : place[site].adds;
	if (!what && sum != adds)
		what = differs("%s(0) returns %lu, want %lu", site_name(site), sum, adds);
	return what;
}

struct listing {
	size_t		nr, nr_program;
	const char	*what;
};

static size_t nr_program_sites;

static enum model_site site_at(const struct tramp_site_info *info, size_t index)
{
	for (int s = 0; s < MODEL_SITES; s++)
		if (MODEL_CALLED(s) && place[s].ip == info->ip && (s < ELSEWHERE) == (index < nr_program_sites))
			return s;
	return index < nr_program_sites ? ELSEWHERE : SOLIB_ELSEWHERE;
}

/* No ops that is not there is in the word beside a site. */
static const char *check_word(enum model_site site, const struct tramp_site_info *info)
{
	unsigned long word = info->word ? *(unsigned long *)info->word : 0;

	for (int i = 0; i < MODEL_OPS; i++) {
		const struct model_ops *o = &model.ops[i];

		if (word == (unsigned long)&ops[i] && !o->registered)
			return differs("the word of %s names %c, which has gone", site_name(site), 'A' + i);
	}
	return NULL;
}

static int check_listed(const struct tramp_site_info *info, void *arg)
{
	struct listing *l = arg;
	enum model_site site = site_at(info, l->nr++);
	const struct model_hit want = model_call(&model, site);

	if (info->nr_ops != want.nr_ops || !info->call != !want.live)
		l->what = differs("%s (%s) has %u ops and %s, want %u and %s", site_name(site), info->name ?: "no name",
				  info->nr_ops, info->call ? "a call" : "a nop", want.nr_ops, want.live ? "a call" : "a nop");
	else if (case_site_target(info->ip) != info->call)
		l->what = differs("%s calls %#lx by its bytes, and %#lx by the listing", site_name(site),
				  case_site_target(info->ip), info->call);
	else if (MODEL_CALLED(site) && !want.live && memcmp((void *)info->ip, place[site].rest, CASE_SITE_SIZE))
		l->what = differs("%s is called by nobody, and its bytes are not what they were", site_name(site));
	else
		l->what = check_word(site, info);
	return !!l->what;
}

static const char *check_listing(void)
{
	struct listing l = { 0 };

	tramp_for_each_site(check_listed, &l);
	if (!l.what && (l.nr > nr_program_sites) != model.library)
		return differs("%zu sites are listed, %zu are the program's; the library is %s", l.nr,
			       nr_program_sites, model.library ? "loaded" : "not loaded");
	return l.what;
}

#define CORE_ONLY_INSIDE (FTRACE_OPS_FL_ADDING | FTRACE_OPS_FL_REMOVING | FTRACE_OPS_FL_MODIFYING)

static const char *check_ops(unsigned int who)
{
	const struct ftrace_ops *op = &ops[who];
	const struct model_ops *want = &model.ops[who];
	bool enabled = op->flags & FTRACE_OPS_FL_ENABLED;

	if (enabled != want->registered)
		return differs("%c has ENABLED %d, want %d", 'A' + who, enabled, want->registered);
	if (op->flags & CORE_ONLY_INSIDE)
		return differs("%c has flags %#lx behind a call", 'A' + who, op->flags);
	if (enabled && !(op->flags & FTRACE_OPS_FL_DYNAMIC))
		return differs("%c is registered without DYNAMIC", 'A' + who);
	if (enabled && kernel_flags(want->flags) & ~op->flags & USER_FLAGS)
		return differs("%c has flags %#lx, want %#lx in them", 'A' + who, op->flags, kernel_flags(want->flags));
	if (op->trampoline && (!enabled || !(op->flags & FTRACE_OPS_FL_ALLOC_TRAMP) || !op->trampoline_size))
		return differs("%c has .trampoline %#lx of %lu bytes with flags %#lx", 'A' + who,
			       (unsigned long)op->trampoline, (unsigned long)op->trampoline_size, op->flags);
	if (tramp_missed(op) != want->missed)
		return differs("%c has missed %lu calls, want %lu", 'A' + who, tramp_missed(op), want->missed);
	return NULL;
}

/* Executable memory is kept, but not more and more of it: a piece for each region. */
#define MAPPED_MAX	(4 * 64 * 1024)

static const char *check_memory(void)
{
	unsigned int sets = model_sets_max(&model), images = model_images_max(&model);
	struct tramp_memory now;

	tramp_memory_usage(&now);
	/* Of what changes without a wait have left, as much may be there as there was. */
	if (now.unused_sets > model.retired_sets || now.sets > sets + model.retired_sets ||
	    now.images > images || (!images && (now.code_bytes || now.room_bytes)))
		return differs("%zu pieces of code (%zu bytes), %zu for sets, %zu of these unused; want at most %u, %u, %u",
			       now.images, now.code_bytes, now.sets, now.unused_sets, images,
			       sets + model.retired_sets, model.retired_sets);
	if (now.code_bytes > now.room_bytes || now.room_bytes > now.mapped_bytes || now.mapped_bytes > MAPPED_MAX)
		return differs("%zu bytes of code take %zu of %zu mapped", now.code_bytes, now.room_bytes, now.mapped_bytes);
	if (!now.hash_bytes == model_has_hashes(&model))
		return differs("filters of registered ops, and retired ones, take %zu bytes", now.hash_bytes);
	return NULL;
}

static const char *check_all(void)
{
	const char *what = NULL;

	for (int s = 0; s < MODEL_SITES && !what; s++)
		if (MODEL_CALLED(s) && (s < ELSEWHERE || model.library))
			what = check_call(s);
	if (!what)
		what = check_listing();
	for (int i = 0; i < MODEL_OPS && !what; i++)
		what = check_ops(i);
	return what ? what : check_memory();
}

/* --- both --- */

/* A reason that no call gives: one that fails must replace it. */
static const char *const no_reason = "no strategy \"model: no reason yet\"";

static const char *check_result(int got, int want)
{
	if (got != want)
		return differs("returns %d (%s), want %d", got, got ? tramp_why() : "", want);
	if (got && (!*tramp_why() || !strcmp(tramp_why(), no_reason)))
		return differs("returns %d without a reason in tramp_why()", got);
	return NULL;
}

static int make_inside(const struct call *c)
{
	enum model_site site = model_inside(&model);

	pending_result = 0;
	if (site == MODEL_SITES)
		return 0;
	pending = c;
	nr_hits = 0;
	call_place(place[site].fn);
	/* No call returns this. */
	if (pending)
		pending_result = 1;
	pending = NULL;
	return pending_result;
}

const char *world_step(const struct call *c)
{
	const char *what;
	bool comes;
	int got, want;

	if (c->kind == LIBRARY && !solib)
		return NULL;
	tramp_use("model: no reason yet");
	comes = c->kind == LIBRARY && c->a && !model.library;
	got = c->inside ? make_inside(c) : make(c);
	want = model_step(&model, c);
	/* What the rest of that hit does is decided before or behind the call. */
	for (int i = 0; c->inside && i < MODEL_OPS; i++)
		model.ops[i].missed = tramp_missed(&ops[i]);
	/* Its constructor has called what it calls. */
	if (comes && model.library && !c->inside) {
		count_misses(SOLIB_A);
		count_misses(SOLIB_ELSEWHERE);
	}
	what = check_result(got, want);
	return what ? what : check_all();
}

static int find_site(const struct tramp_site_info *info, void *arg)
{
	size_t *index = arg;

	++*index;
	return info->ip == place[TRACEE_B].ip;
}

void world_solib(const char *path)
{
	solib = path;
}

unsigned long world_callbacks(void)
{
	return nr_callbacks;
}

void world_init(const char *name, enum model_class frame)
{
	bool has_noregs = !tramp_use_frame(TRAMP_CLASS_NOREGS);
	size_t index = 0;

	strategy = name;
	tramp_use_frame((enum tramp_class)frame);
	model_init(&model, frame, has_noregs);
	nr_program_sites = tramp_nr_sites();
	for (int s = 0; s < ELSEWHERE; s++) {
		place[s].ip = ftrace_location((unsigned long)place[s].fn);
		memcpy(place[s].rest, (void *)place[s].ip, CASE_SITE_SIZE);
	}
	tramp_for_each_site(find_site, &index);
	snprintf(index_of_b, sizeof(index_of_b), "%zu", index);
	for (int i = 0; i < MODEL_OPS; i++)
		renew(i);
}
