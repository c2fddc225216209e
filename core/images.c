/* SPDX-License-Identifier: MIT */
/*
 * Which images there are: found by who writes them and for whom, in one step
 * however many sets of ops the sites have; given up when nobody can use them
 * again.
 */
#include <stdlib.h>
#include <string.h>
#include "core.h"

struct tramp_image *tramp_images;

/* Chains by maker.  They get longer than one when there is no memory for more of them. */
static struct tramp_image *first_buckets[64], **buckets = first_buckets;
static size_t nr_buckets = sizeof(first_buckets) / sizeof(*first_buckets), nr_images;

static unsigned long mix(unsigned long hash, unsigned long word)
{
	return ((hash ^ word) * FTRACE_HASH_MULT) ^ (hash >> 29);
}

static struct tramp_image **bucket_of(const struct tramp_maker *m)
{
	unsigned long hash = mix((unsigned long)m->emit ^ (unsigned long)m->emit_set, m->class);

	for (unsigned int i = 0; i < m->nr; i++)
		hash = mix(hash, (unsigned long)m->ops[i]);
	return &buckets[(hash >> 32) & (nr_buckets - 1)];
}

static void chain_add(struct tramp_image *image)
{
	struct tramp_image **bucket = bucket_of(&image->maker);

	image->chain = *bucket;
	*bucket = image;
}

static void grow(void)
{
	struct tramp_image **more = calloc(2 * nr_buckets, sizeof(*more)), **old = buckets;

	if (!more)
		return;
	buckets = more;
	nr_buckets *= 2;
	for (struct tramp_image *i = tramp_images; i; i = i->next)
		chain_add(i);
	if (old != first_buckets)
		free(old);
}

/* What an ops says of its own code (S29). */
static struct tramp_shown shown_by(const struct ftrace_ops *ops)
{
	return (struct tramp_shown){ ops->flags, ops->trampoline, ops->trampoline_size };
}

static void show(const struct tramp_image *image)
{
	image->ops->trampoline = image->code.entry;
	image->ops->trampoline_size = image->code.len;
	image->ops->flags |= FTRACE_OPS_FL_ALLOC_TRAMP;
}

static void publish(struct tramp_image *image)
{
	if (++nr_images > nr_buckets)
		grow();
	chain_add(image);
	image->next = tramp_images;
	tramp_images = image;
	tramp_tools_add(image);
	if (!image->ops)
		return;
	image->was = shown_by(image->ops);
	show(image);
}

/* An ops has several where regions of text are far apart. */
static void show_another(struct ftrace_ops *ops)
{
	ops->trampoline = 0;
	for (struct tramp_image *i = tramp_images; i && !ops->trampoline; i = i->next)
		if (i->ops == ops)
			show(i);
}

/* @p: where the list has it. */
static void destroy(struct tramp_image **p)
{
	struct tramp_image *image = *p, **chain = bucket_of(&image->maker);

	*p = image->next;
	while (*chain != image)
		chain = &(*chain)->chain;
	*chain = image->chain;
	nr_images--;
	tramp_tools_del(image);
	if (image->ops && image->ops->trampoline == image->code.entry)
		show_another(image->ops);
	tramp_unwind_del(image);
	tramp_image_free(image);
}

static bool same(const struct tramp_maker *a, const struct tramp_maker *b)
{
	return a->emit == b->emit && a->emit_set == b->emit_set && a->class == b->class &&
	       a->nr == b->nr && !memcmp(a->ops, b->ops, a->nr * sizeof(*a->ops));
}

struct tramp_image *tramp_image_get(const struct tramp_site *site, const struct tramp_maker *maker, int *err)
{
	struct tramp_image *image = site->target.image;

	*err = 0;
	/* Where copies overlap in reach, a live site stays with its own. */
	if (image && same(&image->maker, maker))
		return image;
	image = *bucket_of(maker);
	while (image && !(same(&image->maker, maker) && tramp_site_reaches(site->ip, image)))
		image = image->chain;
	if (!image) {
		image = tramp_image_new(site->ip, maker, err);
		if (image)
			publish(image);
	}
	return image;
}

/* --- how long --- */

static unsigned long moments = 1;

unsigned long tramp_image_moment(void)
{
	return moments;
}

unsigned long tramp_image_new_moment(void)
{
	return ++moments;
}

void tramp_image_hold(struct tramp_image *image)
{
	image->refs++;
}

void tramp_image_drop(struct tramp_image *image)
{
	if (!--image->refs)
		image->left = tramp_image_new_moment();
}

static bool is_set(const struct tramp_image *image)
{
	return image->maker.emit_set;
}

static bool is_shared(const struct tramp_image *image, const struct ftrace_ops *ops)
{
	return !image->ops || image->ops == ops;
}

static bool retired(const struct tramp_image *image, const struct ftrace_ops *gone)
{
	if (is_set(image))
		return true;
	return image->ops ? image->ops == gone : !ftrace_ops_list;
}

static void reap(const struct ftrace_ops *gone, unsigned long moment, bool sets)
{
	struct tramp_image **p = &tramp_images, *image;

	while ((image = *p)) {
		if (image->refs || image->left > moment || !retired(image, gone) || (sets && !is_set(image)))
			p = &image->next;
		else
			destroy(p);
	}
}

void tramp_image_reap(const struct ftrace_ops *gone, unsigned long moment)
{
	reap(gone, moment, false);
}

void tramp_image_reap_sets(unsigned long moment)
{
	reap(NULL, moment, true);
}

void tramp_image_forget(const struct tramp_image *newest)
{
	while (tramp_images != newest) {
		struct tramp_shown was = tramp_images->was;
		struct ftrace_ops *ops = tramp_images->ops;

		destroy(&tramp_images);
		if (!ops)
			continue;
		ops->flags = was.flags;
		ops->trampoline = was.trampoline;
		ops->trampoline_size = was.size;
	}
}

/* --- where threads may be inside --- */

size_t tramp_image_count(void)
{
	return nr_images;
}

size_t tramp_image_ranges(struct tramp_range *r)
{
	size_t nr = 0;

	for (struct tramp_image *i = tramp_images; i; i = i->next)
		r[nr++] = tramp_image_range(i);
	return tramp_ranges_sort(r, nr);
}

size_t tramp_image_shared(struct tramp_range *r, const struct ftrace_ops *ops)
{
	size_t nr = 0;

	for (struct tramp_image *i = tramp_images; i; i = i->next)
		if (is_shared(i, ops))
			r[nr++] = tramp_image_range(i);
	return tramp_ranges_sort(r, nr);
}

size_t tramp_image_unused_sets(struct tramp_range *r)
{
	size_t nr = 0;

	for (struct tramp_image *i = tramp_images; i; i = i->next)
		if (is_set(i) && !i->refs)
			r[nr++] = tramp_image_range(i);
	return tramp_ranges_sort(r, nr);
}

void tramp_image_usage(struct tramp_memory *usage)
{
	for (struct tramp_image *i = tramp_images; i; i = i->next) {
		usage->images++;
		usage->sets += is_set(i);
		usage->unused_sets += is_set(i) && !i->refs;
		usage->code_bytes += i->code.len;
		usage->room_bytes += tramp_image_room(i);
	}
	usage->mapped_bytes = tramp_image_mapped();
}
