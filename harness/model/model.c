/* SPDX-License-Identifier: MIT */
/* The reference model.  Every rule with its number in docs/semantics.md. */
#include <errno.h>
#include <string.h>
#include "model.h"

#define TRACEES	(1U << TRACEE_A | 1U << TRACEE_B | 1U << TRACEE_C | 1U << TRACEE_D)
#define GLOBBYS	(1U << GLOBBY_AA | 1U << GLOBBY_AB | 1U << GLOBBY_BA | 1U << GLOBBY_BA_AB)
#define ALL	(~BLANK)

const struct model_pattern model_patterns[MODEL_PATTERNS] = {
	{ NULL,			0 },
	{ "tracee_a",		1U << TRACEE_A },
	{ "tracee_b",		1U << TRACEE_B },
	{ "tracee_?",		TRACEES },
	{ "tracee_[bc]",	1U << TRACEE_B | 1U << TRACEE_C },
	{ "globby_*",		GLOBBYS },
	{ "globby_a*",		1U << GLOBBY_AA | 1U << GLOBBY_AB },
	{ "*obby_ba*",		1U << GLOBBY_BA | 1U << GLOBBY_BA_AB },
	{ "*",			ALL },
	{ "solib_*",		1U << SOLIB_A | 1U << SOLIB_B },
	{ "#b",			1U << TRACEE_B },
	{ "!tracee_a",		1U << TRACEE_A },
	{ "!globby_*",		GLOBBYS },
	{ "!solib_a",		1U << SOLIB_A },
	{ "!*",			ALL },
	{ "no_such_site",	0 },
	{ "99999999",		0 },
	{ "",			0 },
};

void model_init(struct model *m, enum model_class frame, bool has_noregs)
{
	*m = (struct model){
		.enabled = true, .watching = true,
		.frame = frame, .start_frame = frame, .has_noregs = has_noregs,
	};
}

bool model_any_registered(const struct model *m)
{
	for (int i = 0; i < MODEL_OPS; i++)
		if (m->ops[i].registered)
			return true;
	return false;
}

static uint32_t known_sites(const struct model *m)
{
	return m->library ? PROGRAM_SITES | SOLIB_SITES : PROGRAM_SITES;
}

/* S35 to S37. */
static uint32_t sites_of(const struct model *m, uint32_t filter, uint32_t notrace)
{
	return known_sites(m) & (filter ? filter : ALL) & ~notrace;
}

static uint32_t wanted(const struct model *m, const struct model_ops *ops)
{
	return sites_of(m, ops->filter, ops->notrace);
}

/* --- registering --- */

/* What the class of an ops saves (S9, S22, S91, S92). */
static enum model_class class_of(const struct model *m, unsigned int flags)
{
	if (m->frame == NOREGS)
		return NOREGS;
	if (flags & MODEL_SAVE_VEC)
		return VEC;
	return flags & MODEL_SAVE_REGS ? REGS : m->frame;
}

static bool needs_are_met(const struct model *m, const struct model_ops *ops)
{
	enum model_class class = class_of(m, ops->flags);

	if (ops->flags & MODEL_NEEDS_KEPT)
		return class >= REGS;
	return !(ops->flags & MODEL_NEEDS_ARG) || class >= ARGS;
}

/* S106, S107: @ops would want @filter and not @notrace. */
static int ipmodify_refuses(const struct model *m, const struct model_ops *ops, uint32_t filter, uint32_t notrace)
{
	if (!(ops->flags & MODEL_IPMODIFY))
		return 0;
	if (!filter)
		return -EINVAL;
	for (const struct model_ops *o = m->ops; o < m->ops + MODEL_OPS; o++)
		if (o != ops && o->registered && (o->flags & MODEL_IPMODIFY) &&
		    (wanted(m, o) & sites_of(m, filter, notrace)))
			return -EBUSY;
	return 0;
}

/* The order of the questions is the kernel's: S5, S4, S8, S11, S9, S106. */
static int do_register(struct model *m, struct model_ops *ops)
{
	unsigned int wants_regs = ops->flags & (MODEL_SAVE_REGS | MODEL_SAVE_VEC);
	int err;

	if (ops->flags & MODEL_DELETED)
		return -EINVAL;
	if (ops->registered)
		return -EBUSY;
	if (ops->flags & MODEL_NO_FUNC)
		return -EINVAL;
	if ((ops->flags & MODEL_PERMANENT) && !m->enabled)
		return -EBUSY;
	if (!needs_are_met(m, ops))
		return -EOPNOTSUPP;
	if (m->frame == NOREGS && wants_regs && !(ops->flags & MODEL_IF_SUPPORTED))
		return -EINVAL;
	err = ipmodify_refuses(m, ops, ops->filter, ops->notrace);
	if (err)
		return err;
	if (m->frame == NOREGS && (ops->flags & MODEL_IF_SUPPORTED))
		ops->flags |= MODEL_SAVE_REGS;		/* S23: it shows, and so it stays */
	ops->registered = true;
	ops->since = ++m->registrations;
	m->library_was |= m->library;
	return 0;
}

static int do_unregister(struct model *m, struct model_ops *ops)
{
	if (!ops->registered)
		return -EBUSY;		/* S6 */
	ops->registered = false;	/* S17: the filter stays */
	if (!model_any_registered(m))
		m->library_was = false;
	return 0;
}

/* --- filters --- */

static int set_filter(struct model *m, struct model_ops *ops, uint32_t filter)
{
	int err = ops->registered ? ipmodify_refuses(m, ops, filter, ops->notrace) : 0;

	if (!err)
		ops->filter = filter;
	return err;
}

/* S43, S44. */
static int by_addresses(struct model *m, struct model_ops *ops, uint32_t sites, unsigned int how, bool bad, bool twice)
{
	uint32_t old = how & RESET ? 0 : ops->filter;

	if (bad || (sites & ~known_sites(m)))
		return -EINVAL;
	if (!(how & REMOVE))
		return set_filter(m, ops, old | sites);
	if ((sites & ~old) || (twice && sites))
		return -ENOENT;
	return set_filter(m, ops, old & ~sites);
}

/* S42 */
static int filter_ip(struct model *m, struct model_ops *ops, const struct call *c)
{
	unsigned int at = ADDRESS_OF(c->a);

	if (at >= MODEL_SITES || !MODEL_CALLED(at))
		return by_addresses(m, ops, 0, c->b, true, false);
	return by_addresses(m, ops, 1U << at, c->b, false, false);
}

/* S40, S45, S46, S54. */
static int by_pattern(struct model *m, struct model_ops *ops, const struct call *c)
{
	const struct model_pattern *p = &model_patterns[c->a];
	uint32_t sites = p->sites & known_sites(m), old = c->kind == FILTER ? ops->filter : ops->notrace, new;

	if (c->kind == NOTRACE && (ops->flags & MODEL_IPMODIFY))
		return -EINVAL;
	if (c->b & RESET)
		old = 0;
	if (p->text && !sites)
		return -EINVAL;
	new = p->text && *p->text == '!' ? old & ~sites : old | sites;
	if (c->kind == FILTER)
		return set_filter(m, ops, new);
	ops->notrace = new;
	return 0;
}

/* --- the rest of the API --- */

static int set_enabled(struct model *m, bool on)
{
	for (const struct model_ops *o = m->ops; o < m->ops + MODEL_OPS; o++)
		if (!on && o->registered && (o->flags & MODEL_PERMANENT))
			return -EBUSY;		/* S28 */
	m->enabled = on;
	return 0;
}

static int set_frame(struct model *m, unsigned int class)
{
	if (class > ARGS_RESERVED)
		return -EINVAL;
	if (model_any_registered(m))
		return -EBUSY;
	if (class == NOREGS && !m->has_noregs)
		return -EOPNOTSUPP;
	m->frame = class;
	return 0;
}

/* S145: its sites leave every filter, which does not become "everything" by that. */
static void library_leaves(struct model *m)
{
	for (struct model_ops *o = m->ops; o < m->ops + MODEL_OPS; o++) {
		if (o->filter & SOLIB_SITES)
			o->filter = (o->filter & ~SOLIB_SITES) | BLANK;
		if (o->notrace & SOLIB_SITES)
			o->notrace = (o->notrace & ~SOLIB_SITES) | BLANK;
	}
	m->library = false;
}

static int set_library(struct model *m, bool on)
{
	if (m->library && !on)
		library_leaves(m);
	m->library = on;
	m->library_was |= on && model_any_registered(m);
	return 0;
}

static int rest(struct model *m)
{
	enum model_class start = m->start_frame;

	model_init(m, start, m->has_noregs);
	return 0;
}

/* Of an ops at rest; on a registered one these are no calls that a user may make (S21). */
static int change_at_rest(struct model_ops *ops, const struct call *c)
{
	if (ops->registered)
		return 0;
	if (c->kind == RENEW)
		*ops = (struct model_ops){ 0 };
	else
		ops->flags = c->a | c->b << 8;
	return 0;
}

static int step(struct model *m, const struct call *c)
{
	struct model_ops *ops = &m->ops[c->who];

	switch ((enum call_kind)c->kind) {
	case REST:		return rest(m);
	case REGISTER:		return do_register(m, ops);
	case UNREGISTER:	return do_unregister(m, ops);
	case FLAGS:
	case RENEW:		return change_at_rest(ops, c);
	case FILTER_IP:		return filter_ip(m, ops, c);
	case FILTER_IPS:	return by_addresses(m, ops, c->a, c->b, c->b & BAD, c->b & TWICE);
	case FILTER:
	case NOTRACE:		return by_pattern(m, ops, c);
	case FREE_FILTER:
		if (!ops->registered)
			ops->filter = ops->notrace = 0;
		return 0;
	case ENABLED:		return set_enabled(m, c->a);
	case WATCHING:		m->watching = c->a; return 0;
	case STOP:		m->stop = c->a; return 0;
	case STRICT:
		if (model_any_registered(m))
			return -EBUSY;
		m->strict = c->a;
		return 0;
	case FRAME:		return set_frame(m, c->a);
	case USE:
		if (!c->a)
			return -ENOENT;
		return model_any_registered(m) ? -EBUSY : 0;
	case LIBRARY:		return set_library(m, c->a);
	case CALL_KINDS:	break;
	}
	return 0;
}

static bool has_hashes(const struct model_ops *ops)
{
	return ops->registered && (ops->filter || ops->notrace);
}

static bool changes_filter(const struct call *c)
{
	return c->kind >= FILTER_IP && c->kind <= NOTRACE;
}

/* What a callback changes does not wait; the next change from outside that does gives up what that left (S131). */
int model_step(struct model *m, const struct call *c)
{
	bool waits = !c->inside && (c->kind == UNREGISTER || (changes_filter(c) && m->ops[c->who].registered));
	unsigned int sets = model_sets_max(m);
	bool hashes = changes_filter(c) && has_hashes(&m->ops[c->who]);
	int err;

	if (c->inside && model_inside(m) == MODEL_SITES)
		return 0;
	if (c->inside && c->kind == UNREGISTER && m->ops[c->who].registered)
		return -EDEADLK;
	err = step(m, c);
	if (!err && waits) {
		m->retired_sets = 0;
		m->retired_hashes = false;
	} else if (!err && c->inside) {
		m->retired_sets += sets;
		m->retired_hashes |= hashes;
	}
	return err;
}

/* --- what a site does --- */

/* Newest first (S126). */
static unsigned int ops_at(const struct model *m, enum model_site site, uint8_t who[MODEL_OPS])
{
	unsigned int nr = 0;

	for (int i = 0; i < MODEL_OPS; i++) {
		unsigned int at = nr;

		if (!m->ops[i].registered || !(wanted(m, &m->ops[i]) & 1U << site))
			continue;
		for (; at && m->ops[who[at - 1]].since < m->ops[i].since; at--)
			who[at] = who[at - 1];
		who[at] = i;
		nr++;
	}
	return nr;
}

static void add_callback(const struct model *m, struct model_hit *hit, unsigned int who)
{
	unsigned int flags = m->ops[who].flags;

	if ((flags & MODEL_RCU) && !m->watching) {
		hit->misses |= 1U << who;	/* S26 */
		return;
	}
	/* S60, S87 */
	hit->full[hit->nr] = hit->class >= REGS && !(m->strict && !(flags & (MODEL_SAVE_REGS | MODEL_SAVE_VEC)));
	hit->who[hit->nr++] = who;
	hit->redirected |= (flags & MODEL_IPMODIFY) && hit->fregs;
}

struct model_hit model_call(const struct model *m, enum model_site site)
{
	struct model_hit hit = { 0 };
	uint8_t who[MODEL_OPS];

	hit.nr_ops = ops_at(m, site, who);
	hit.live = hit.nr_ops && m->enabled;	/* S55, S140 */
	for (unsigned int i = 0; i < hit.nr_ops; i++) {
		enum model_class one = class_of(m, m->ops[who[i]].flags);

		hit.class = one > hit.class ? one : hit.class;
	}
	hit.fregs = hit.class != NOREGS;	/* S85, S86 */
	if (!hit.live || (hit.class == NOREGS && m->stop))
		return hit;
	/* Only the list is said to leave them out. */
	hit.maybe = hit.nr_ops == 1 && (m->ops[who[0]].flags & MODEL_STUB);
	for (unsigned int i = 0; i < hit.nr_ops; i++)
		if (hit.maybe || !(m->ops[who[i]].flags & MODEL_STUB))
			add_callback(m, &hit, who[i]);
	return hit;
}

enum model_site model_inside(const struct model *m)
{
	for (int s = 0; s < ELSEWHERE; s++) {
		struct model_hit hit = model_call(m, s);

		if (hit.nr && !hit.maybe)
			return s;
	}
	return MODEL_SITES;
}

/* --- docs/contract.md, "How long generated code lives" --- */

/* Is there an earlier site of @region with the same ops? */
static bool seen_before(const struct model *m, enum model_site site, uint32_t region)
{
	uint8_t here[MODEL_OPS], there[MODEL_OPS];
	unsigned int nr = ops_at(m, site, here);

	for (unsigned int s = 0; s < site; s++)
		if ((region & 1U << s) && ops_at(m, s, there) == nr && !memcmp(here, there, nr))
			return true;
	return false;
}

static unsigned int sets_in(const struct model *m, uint32_t region)
{
	unsigned int nr = 0;
	uint8_t who[MODEL_OPS];

	for (unsigned int s = 0; s < MODEL_SITES; s++)
		if ((region & 1U << s) && ops_at(m, s, who) > 1 && !seen_before(m, s, region))
			nr++;
	return nr;
}

/* A library may lie beyond the reach of branches: then it has code of its own. */
unsigned int model_sets_max(const struct model *m)
{
	return !m->enabled ? 0 : sets_in(m, PROGRAM_SITES) + sets_in(m, SOLIB_SITES);
}

/* One an ops, one a class that all share, with a word and without: for each region. */
unsigned int model_images_max(const struct model *m)
{
	unsigned int registered = 0;

	for (int i = 0; i < MODEL_OPS; i++)
		registered += m->ops[i].registered;
	if (!registered)
		return 0;
	return model_sets_max(m) + m->retired_sets + (registered + 2 * 3) * (m->library_was ? 2 : 1);
}

bool model_has_hashes(const struct model *m)
{
	for (int i = 0; i < MODEL_OPS; i++)
		if (has_hashes(&m->ops[i]))
			return true;
	return m->retired_hashes;
}
