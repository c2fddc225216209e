/* SPDX-License-Identifier: MIT */
/*
 * Which sites an ops wants.  A change is built aside as two new hashes and
 * published as a whole, so that a failure leaves the old filter (S40, S44) and
 * no third one is ever visible in between (S38).
 */
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include "core.h"

/* Sorted and free of duplicates, but for the time between keys_add() and keys_sort(). */
struct keys {
	unsigned long	*key;
	size_t		nr, cap;
};

struct change {
	struct keys	sites;		/* what the caller named */
	bool		notrace;
	bool		reset;
	bool		remove;
	bool		must_be_in;	/* with remove: S43 */
};

static int keys_add(struct keys *k, unsigned long key)
{
	if (k->nr == k->cap) {
		size_t cap = k->cap ? 2 * k->cap : 16;
		unsigned long *p = realloc(k->key, cap * sizeof(*p));

		if (!p)
			return tramp_fail(-ENOMEM, "no memory for a filter of %zu sites", cap);
		k->key = p;
		k->cap = cap;
	}
	k->key[k->nr++] = key;
	return 0;
}

static int compare(const void *pa, const void *pb)
{
	unsigned long a = *(const unsigned long *)pa, b = *(const unsigned long *)pb;

	return a < b ? -1 : a > b;
}

/* Returns how many duplicates went. */
static size_t keys_sort(struct keys *k)
{
	size_t i, nr = 0, before = k->nr;

	if (!before)
		return 0;
	qsort(k->key, k->nr, sizeof(*k->key), compare);
	for (i = 0; i < before; i++) {
		if (!nr || k->key[i] != k->key[nr - 1])
			k->key[nr++] = k->key[i];
	}
	k->nr = nr;
	return before - nr;
}

/* Its module has gone, and another may have come to the same place (S145). */
static bool has_gone(const struct ftrace_hash *h, unsigned long key)
{
	const struct tramp_site *site = tramp_find_site(key);

	return !site || site->ip != key || site->module->since > h->as_of;
}

/* Filters of registered ops are blanked when a module goes; nobody knows of the others. */
static bool is_stale(const struct ftrace_hash *h)
{
	unsigned long i;

	if (!h || h->as_of == tramp_modules_changed)
		return false;
	for (i = 0; i <= h->mask; i++)
		if (h->slot[i] > 1 && has_gone(h, h->slot[i]))
			return true;
	return false;
}

static int keys_from_hash(struct keys *k, const struct ftrace_hash *h)
{
	bool stale = is_stale(h);
	unsigned long i;
	int err = 0;

	for (i = 0; h && !err && i <= h->mask; i++) {
		if (h->slot[i])
			err = keys_add(k, stale && has_gone(h, h->slot[i]) ? 1 : h->slot[i]);
	}
	keys_sort(k);
	return err;
}

static int keys_merge(struct keys *k, const struct keys *more)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < more->nr; i++)
		err = keys_add(k, more->key[i]);
	keys_sort(k);
	return err;
}

/* Returns how many of @less were not in @k. */
static size_t keys_subtract(struct keys *k, const struct keys *less)
{
	size_t i, j = 0, nr = 0, found = 0;

	for (i = 0; i < k->nr; i++) {
		while (j < less->nr && less->key[j] < k->key[i])
			j++;
		if (j < less->nr && less->key[j] == k->key[i])
			found++;
		else
			k->key[nr++] = k->key[i];
	}
	k->nr = nr;
	return less->nr - found;
}

/* --- what the caller named --- */

static size_t sites_known(void)
{
	struct tramp_module *m;
	size_t nr = 0;

	for (m = tramp_modules; m; m = m->next)
		nr += m->nr_sites;
	return nr;
}

/* S46, 1-based. */
static int select_index(struct keys *k, const char *number)
{
	struct tramp_module *m;
	unsigned long i;
	char *end;

	errno = 0;
	i = strtoul(number, &end, 0);
	if (errno || *end || !i--)
		return 0;
	for (m = tramp_modules; m; m = m->next) {
		if (i < m->nr_sites)
			return keys_add(k, m->sites[i].ip);
		i -= m->nr_sites;
	}
	return 0;
}

static bool site_matches(const struct tramp_site *site, const char *glob)
{
	return site->name ? !fnmatch(glob, site->name, 0) : !strcmp(glob, "*");
}

static int select_glob(struct keys *k, const char *glob)
{
	struct tramp_module *m;
	size_t i;
	int err = 0;

	for (m = tramp_modules; m; m = m->next) {
		for (i = 0; !err && !m->leaving && i < m->nr_sites; i++) {
			if (site_matches(&m->sites[i], glob))
				err = keys_add(k, m->sites[i].ip);
		}
	}
	return err;
}

static int select_names(struct change *c, const char *pattern)
{
	int err;

	c->remove = *pattern == '!';
	pattern += c->remove;
	if (isdigit((unsigned char)*pattern))
		err = select_index(&c->sites, pattern);
	else
		err = select_glob(&c->sites, pattern);
	if (err)
		return err;
	if (!c->sites.nr)
		return tramp_fail(-EINVAL, "no site matches \"%s\"; %zu sites are known",
				  pattern, sites_known());
	keys_sort(&c->sites);
	return 0;
}

static int select_ips(struct change *c, const unsigned long *ips, size_t nr)
{
	struct tramp_site *site;
	size_t i, twice;
	int err = 0;

	for (i = 0; !err && i < nr; i++) {
		site = tramp_find_site(ips[i]);
		if (!site || site->module->leaving)
			return tramp_fail(-EINVAL, "no site at %#lx; %zu sites are known",
					  ips[i], sites_known());
		err = keys_add(&c->sites, site->ip);
	}
	twice = keys_sort(&c->sites);
	/* The second time it is no longer in (S43). */
	if (!err && c->remove && twice)
		return tramp_fail(-ENOENT, "a site is named twice in one removal");
	return err;
}

/* --- from change to hashes --- */

static struct ftrace_hash *copy_hash(const struct ftrace_hash *h, int *err)
{
	size_t size = ftrace_hash_size(h);
	struct ftrace_hash *copy;

	*err = 0;
	if (!h)
		return NULL;
	copy = malloc(size);
	if (!copy)
		*err = tramp_fail(-ENOMEM, "no memory for a filter of %lu sites", h->nr);
	else
		memcpy(copy, h, size);
	return copy;
}

static int changed_keys(struct keys *k, const struct ftrace_hash *old, const struct change *c)
{
	size_t absent;
	int err = 0;

	if (!c->reset)
		err = keys_from_hash(k, old);
	if (err)
		return err;
	if (!c->remove)
		return keys_merge(k, &c->sites);
	absent = keys_subtract(k, &c->sites);
	if (absent && c->must_be_in)
		return tramp_fail(-ENOENT, "%zu of %zu sites to remove are not in the filter",
				  absent, c->sites.nr);
	return 0;
}

static struct ftrace_hash *changed_hash(const struct ftrace_hash *old, const struct change *c,
					int *err)
{
	struct ftrace_hash *h = NULL;
	struct keys k = { 0 };

	*err = changed_keys(&k, old, c);
	if (!*err)
		h = ftrace_hash_make(k.key, k.nr, err);
	free(k.key);
	return h;
}

/* A pair owns both of its hashes, so the one that stays is copied. */
static struct ftrace_ops_hash *changed_pair(const struct ftrace_ops_hash *old,
					    const struct change *c, int *err)
{
	struct ftrace_hash *changed, *other;
	struct ftrace_ops_hash *pair;

	changed = changed_hash(c->notrace ? old->notrace_hash : old->filter_hash, c, err);
	if (*err)
		return NULL;
	other = copy_hash(c->notrace ? old->filter_hash : old->notrace_hash, err);
	if (!*err && !changed && !other)
		return &ftrace_empty_hash;

	pair = *err ? NULL : malloc(sizeof(*pair));
	if (!pair) {
		free(changed);
		free(other);
		if (!*err)
			*err = tramp_fail(-ENOMEM, "no memory for a filter");
		return NULL;
	}
	pair->filter_hash = c->notrace ? other : changed;
	pair->notrace_hash = c->notrace ? changed : other;
	return pair;
}

static int apply(struct ftrace_ops *ops, const struct change *c)
{
	struct ftrace_ops_hash *old = ops->func_hash, *new;
	int err;

	new = changed_pair(old, c, &err);
	if (!new)
		return err;
	if (ops->flags & FTRACE_OPS_FL_ENABLED) {
		/* Takes over @old, which threads may still be reading. */
		err = ftrace_update(ops, old, new);
		if (err)
			ftrace_ops_hash_free(new);
		return err;
	}
	store_release(&ops->func_hash, new);
	ftrace_ops_hash_free(old);
	return 0;
}

int ftrace_ops_refresh(struct ftrace_ops *ops)
{
	const struct change same = { 0 }, same_notrace = { .notrace = true };
	int err = is_stale(ops->func_hash->filter_hash) ? apply(ops, &same) : 0;

	return !err && is_stale(ops->func_hash->notrace_hash) ? apply(ops, &same_notrace) : err;
}

/* --- the API --- */

void ftrace_ops_init(struct ftrace_ops *ops)
{
	if (ops->flags & FTRACE_OPS_FL_INITIALIZED)
		return;
	ops->func_hash = &ftrace_empty_hash;
	ops->flags |= FTRACE_OPS_FL_INITIALIZED;
}

static int begin(struct ftrace_ops *ops, const struct change *c)
{
	ftrace_ops_init(ops);
	if (ftrace_disabled)
		return tramp_fail(-ENODEV, "ftrace was killed");
	if (c->notrace && (ops->flags & FTRACE_OPS_FL_IPMODIFY))
		return tramp_fail(-EINVAL, "an IPMODIFY ops cannot have a notrace list");
	return 0;
}

static int set_names(struct ftrace_ops *ops, const unsigned char *buf, int len, int reset,
		     bool notrace)
{
	struct change c = { .notrace = notrace, .reset = reset };
	char *pattern = NULL;
	int cancel, err;

	if (buf) {
		if (len < 0)
			return tramp_fail(-EINVAL, "a pattern of %d bytes", len);
		/* The caller's bytes may lack the NUL, and are not ours to write to. */
		pattern = strndup((const char *)buf, len);
		if (!pattern)
			return tramp_fail(-ENOMEM, "no memory for a pattern");
	}
	err = tramp_lock(&cancel);
	if (!err) {
		err = begin(ops, &c);
		if (!err && pattern)
			err = select_names(&c, pattern);
		if (!err)
			err = apply(ops, &c);
		tramp_unlock(cancel);
	}
	free(c.sites.key);
	free(pattern);
	return err;
}

int ftrace_set_filter(struct ftrace_ops *ops, unsigned char *buf, int len, int reset)
{
	return set_names(ops, buf, len, reset, false);
}

int ftrace_set_notrace(struct ftrace_ops *ops, unsigned char *buf, int len, int reset)
{
	return set_names(ops, buf, len, reset, true);
}

int ftrace_set_filter_ips(struct ftrace_ops *ops, unsigned long *ips, unsigned int cnt,
			  int remove, int reset)
{
	struct change c = { .reset = reset, .remove = remove, .must_be_in = true };
	int cancel, err = tramp_lock(&cancel);

	if (err)
		return err;
	err = begin(ops, &c);
	if (!err)
		err = select_ips(&c, ips, cnt);
	if (!err)
		err = apply(ops, &c);
	tramp_unlock(cancel);
	free(c.sites.key);
	return err;
}

int ftrace_set_filter_ip(struct ftrace_ops *ops, unsigned long ip, int remove, int reset)
{
	return ftrace_set_filter_ips(ops, &ip, 1, remove, reset);
}

void ftrace_free_filter(struct ftrace_ops *ops)
{
	int cancel;

	if (tramp_lock(&cancel)) {
		tramp_warn("ftrace_free_filter: %s; nothing done", tramp_why());
		return;
	}
	ftrace_ops_init(ops);
	if (ops->flags & FTRACE_OPS_FL_ENABLED) {
		tramp_warn("ftrace_free_filter: the ops is registered; nothing done");
	} else {
		ftrace_ops_hash_free(ops->func_hash);
		ops->func_hash = &ftrace_empty_hash;
	}
	tramp_unlock(cancel);
}

unsigned long ftrace_location(unsigned long ip)
{
	struct tramp_site *site;
	unsigned long at;
	int cancel;

	if (tramp_lock(&cancel))
		return 0;
	site = tramp_find_site(ip);
	at = site ? site->ip : 0;
	tramp_unlock(cancel);
	return at;
}
