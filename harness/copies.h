/* SPDX-License-Identifier: MIT */
/*
 * Sites at any address: copies of one small function, in a zone of addresses
 * where nothing else lies, and handed to the core as text that is in no object.
 * Trampolines can only go where a test makes a hole into the zone.
 */
#ifndef TRAMPLAB_COPIES_H
#define TRAMPLAB_COPIES_H

#include <stdbool.h>
#include <stddef.h>

typedef unsigned long copied_t(unsigned long x);	/* x + 1 */

struct zone { unsigned long start, end; };

/* Room for an arena between neighbours that may grow, and not for two. */
#define ZONE_HOLE	(256UL * 1024)

/* All 0 or -errno. */
int zone_reserve(struct zone *z, size_t len);
int zone_hole(unsigned long at, size_t len);
int zone_fill(unsigned long at, size_t len);

#define COPIES_MAX 2048

/* One module; what the core refers to as long as it has joined. */
struct copies {
	size_t		nr;
	unsigned long	record[COPIES_MAX];
	unsigned long	start, end;	/* of its pages */
	bool		joined;
};

/* A copy with its site at exactly @ip, in a zone; @word: with room for a site's word.  Before copies_join(). */
int copies_put(struct copies *c, unsigned long ip, bool word);
/* Executable memory over all that was put, in one piece; then tramp_module_add_text(). */
int copies_join(struct copies *c);
/* Its pages are part of the zone again. */
void copies_leave(struct copies *c);

/* From the address of a copy to its site, and back; its length. */
unsigned long copied_ip(unsigned long func);
size_t copied_size(void);
copied_t *copied_at(unsigned long ip);

#endif
