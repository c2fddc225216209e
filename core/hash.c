/* SPDX-License-Identifier: MIT */
/*
 * A set of site addresses.  Built once, then only read, by callbacks' threads
 * without a lock: so there is no insert and no remove here.
 */
#include <errno.h>
#include <stdlib.h>
#include "core.h"

struct ftrace_ops_hash ftrace_empty_hash;

static void hash_put(struct ftrace_hash *h, unsigned long key)
{
	unsigned long i = (key * FTRACE_HASH_MULT) >> h->shift;

	while (h->slot[i & h->mask])
		i++;
	h->slot[i & h->mask] = key;
}

/*
 * Half of the slots stay empty: lookups that miss are the common ones, and
 * they end at the first empty slot.  A blanked entry (1) takes a slot like any
 * other, which keeps the set from turning empty, that is into "every site".
 */
struct ftrace_hash *ftrace_hash_make(const unsigned long *keys, size_t nr, int *err)
{
	struct ftrace_hash *h;
	unsigned int bits = 1;
	size_t i;

	*err = 0;
	if (!nr)
		return NULL;
	while ((1UL << bits) < 2 * nr)
		bits++;

	h = calloc(1, sizeof(*h) + (sizeof(h->slot[0]) << bits));
	if (!h) {
		*err = tramp_fail(-ENOMEM, "no memory for a filter of %zu sites", nr);
		return NULL;
	}
	h->nr = nr;
	h->as_of = tramp_modules_changed;
	h->shift = 64 - bits;
	h->mask = (1U << bits) - 1;
	for (i = 0; i < nr; i++)
		hash_put(h, keys[i]);
	return h;
}

size_t ftrace_hash_size(const struct ftrace_hash *h)
{
	return h ? sizeof(*h) + (h->mask + 1UL) * sizeof(h->slot[0]) : 0;
}

static struct ftrace_ops_hash *retired;		/* newest first */

void ftrace_ops_hash_retire(struct ftrace_ops_hash *h)
{
	if (h == &ftrace_empty_hash)
		return;
	h->left = tramp_image_new_moment();
	h->retired = retired;
	retired = h;
}

void ftrace_ops_hash_reap(unsigned long moment)
{
	struct ftrace_ops_hash **p = &retired, *h;

	while ((h = *p)) {
		if (h->left > moment) {
			p = &h->retired;
			continue;
		}
		*p = h->retired;
		ftrace_ops_hash_free(h);
	}
}

size_t ftrace_ops_hash_bytes(const struct ftrace_ops_hash *h)
{
	return ftrace_hash_size(h->filter_hash) + ftrace_hash_size(h->notrace_hash);
}

size_t ftrace_ops_hash_retired_bytes(void)
{
	size_t bytes = 0;

	for (const struct ftrace_ops_hash *h = retired; h; h = h->retired)
		bytes += ftrace_ops_hash_bytes(h);
	return bytes;
}

void ftrace_ops_hash_free(struct ftrace_ops_hash *h)
{
	if (!h || h == &ftrace_empty_hash)
		return;
	free(h->filter_hash);
	free(h->notrace_hash);
	free(h);
}
