/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <tramp.h>
#include "copies.h"
#include "user.h"

/* The port's copied.S. */
extern const unsigned char copied_room[], copied_func[], copied_site[], copied_end[];

/* No system that the ports run on has larger pages; pages of the zone change in this unit. */
#define PAGE		65536UL
#define DOWN(x)		((x) & ~(PAGE - 1))
#define UP(x)		DOWN((x) + PAGE - 1)

/* --- zones --- */

static int reserve(unsigned long at, size_t len, int flags)
{
	void *p = mmap((void *)at, len, PROT_NONE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);

	return p == MAP_FAILED ? -errno : 0;
}

int zone_reserve(struct zone *z, size_t len)
{
	int err = -ENOMEM;

	/*
	 * Not where mmap() looks for room by itself: it would put other things into the holes.
	 * ThreadSanitizer has its own things above 2^39.
	 */
	for (unsigned int bit = case_tsan() ? 37 : 45; err && bit >= 37; bit -= 2) {
		z->start = 1UL << bit;
		z->end = z->start + len;
		err = reserve(z->start, len, MAP_FIXED_NOREPLACE);
	}
	return err;
}

int zone_hole(unsigned long at, size_t len)
{
	return munmap((void *)at, len) ? -errno : 0;
}

int zone_fill(unsigned long at, size_t len)
{
	return reserve(at, len, MAP_FIXED_NOREPLACE);
}

/* --- copies --- */

/* Text is private memory as a program's is, but never writable and executable at once. */
static int write_text(unsigned long at, const void *bytes, size_t n)
{
	unsigned long page = DOWN(at);
	size_t len = UP(at + n) - page;

	if (mprotect((void *)page, len, PROT_READ | PROT_WRITE))
		return -errno;
	memcpy((void *)at, bytes, n);
	__builtin___clear_cache((char *)at, (char *)at + n);
	return mprotect((void *)page, len, PROT_READ | PROT_EXEC) ? -errno : 0;
}

int copies_put(struct copies *c, unsigned long ip, bool word)
{
	const unsigned char *from = word ? copied_room : copied_func;
	unsigned long at = ip - (copied_site - from), end = at + (copied_end - from);

	if (c->nr == COPIES_MAX)
		return -ENOSPC;
	c->start = c->nr && c->start < DOWN(at) ? c->start : DOWN(at);
	c->end = c->end > UP(end) ? c->end : UP(end);
	c->record[c->nr++] = at;
	return write_text(at, from, end - at);
}

int copies_join(struct copies *c)
{
	int err;

	if (mprotect((void *)c->start, c->end - c->start, PROT_READ | PROT_EXEC))
		return -errno;
	err = tramp_module_add_text(c->record, c->record + c->nr, (void *)c->start,
				    c->end - c->start, "copies");
	c->joined = !err;
	return err;
}

void copies_leave(struct copies *c)
{
	if (c->joined)
		tramp_module_del(c->record);
	if (c->nr)
		reserve(c->start, c->end - c->start, MAP_FIXED);
	*c = (struct copies){ 0 };
}

unsigned long copied_ip(unsigned long func)
{
	return func + (copied_site - copied_func);
}

size_t copied_size(void)
{
	return copied_end - copied_func;
}

copied_t *copied_at(unsigned long ip)
{
	return (copied_t *)(ip - (copied_site - copied_func));
}
