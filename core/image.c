/* SPDX-License-Identifier: MIT */
/*
 * Trampoline memory.  An arena is a memfd that is mapped twice: r-x within
 * branch reach of the code that calls it, and rw- anywhere.  No address is ever
 * both writable and executable.  Images are allocated in units of a cache line.
 * For perf, which looks up its map for memory without a name alone, the arena is
 * shared memory of no file; that is not the rule, since it takes an mprotect() that
 * policies refuse.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include "core.h"

#define ARENA_SIZE	(64UL * 1024)
#define UNIT		64UL
#define UNITS		(ARENA_SIZE / UNIT)
/* Room that a neighbour (the heap, a stack guard) may want to grow into. */
#define GUARD		(16UL * 4096)
/* Below that a program that may map it should not: stray pointers end there. */
#define LOWEST		65536UL
/* Unwind rules: some three bytes for each push and pop; a set's leaves twice. */
#define CFI_MAX		1024UL

struct tramp_arena {
	struct tramp_arena	*next;
	uint8_t			*rw;
	unsigned long		rx;
	int			copy_fd;	/* between before_fork and after; -1: there is none */
	void			*copy;		/* memory, for want of that; MAP_FAILED: there is none */
	bool			used[UNITS];
};

/* Never unmapped, so that the trap handler may walk them without a lock. */
static struct tramp_arena *arenas;
bool tramp_image_anonymous;
void (*tramp_image_hook)(struct tramp_code *code);

void *tramp_image_alias(unsigned long addr)
{
	for (struct tramp_arena *a = load_acquire(&arenas); a; a = a->next)
		if (addr - a->rx < ARENA_SIZE)
			return a->rw + (addr - a->rx);
	return NULL;
}

/* What an image for the site at @site needs of an arena. */
struct need {
	unsigned long	site;
	size_t		units;
	size_t		entry;		/* offset of what the site calls in the image */
};

/* The port's encoding is the one judge of reach: its limits differ by direction and are exact (BUG-16). */
static bool reaches(unsigned long site, unsigned long entry)
{
	uint8_t bytes[ARCH_POKE_MAX];

	return !arch_site_encode(site, entry, bytes);
}

/* A port may put an image's rare code before its entry. */
static size_t entry_offset(enum tramp_class class)
{
	struct tramp_code none = { 0 };

	arch_emit_enter(&none, class);
	return none.entry;
}

/* First unit of enough free ones with the entry in reach, or UNITS. */
static size_t arena_find(const struct tramp_arena *arena, const struct need *need)
{
	size_t run = 0;

	for (size_t i = 0; i < UNITS; i++) {
		size_t first = i + 1 - need->units;

		run = arena->used[i] ? 0 : run + 1;
		if (run >= need->units &&
		    reaches(need->site, arena->rx + first * UNIT + need->entry))
			return first;
	}
	return UNITS;
}

/* The free places for an arena that are nearest to a site; 0: there is none. */
struct places { unsigned long below, above; };

static void note_gap(struct places *p, unsigned long start, unsigned long end, unsigned long site)
{
	if (end <= start || end - start < ARENA_SIZE + 2 * GUARD)
		return;
	if (end <= site)
		p->below = end - GUARD - ARENA_SIZE;
	else if (!p->above)
		p->above = start + GUARD;
}

struct search { struct places *p; unsigned long site, last; };

static void note_map(const struct tramp_map *m, void *arg)
{
	struct search *s = arg;

	note_gap(s->p, s->last, m->start, s->site);
	s->last = m->end;
}

static int find_places(struct places *p, unsigned long site)
{
	struct search s = { .p = p, .site = site, .last = LOWEST };
	int err;

	*p = (struct places){ 0 };
	err = tramp_maps_each(note_map, &s);
	/* Where the address space ends, nobody says: mmap() will refuse. */
	note_gap(p, s.last, -4096UL, site);
	return err;
}

static int no_memory(void)
{
	return tramp_fail(-ENOMEM, "out of memory");
}

static int no_room(unsigned long site, const struct places *p)
{
	unsigned long down = p->below ? site - p->below : -1UL, up = p->above ? p->above - site : -1UL;
	unsigned long nearest = down < up ? down : up;
	char where[48] = "there is none at all";

	/* Above, the address space may end. */
	if (down < arch_reach)
		return tramp_fail(-ENOMEM, "memory for trampolines within branch reach of %#lx: %s: is there a limit on address space (RLIMIT_AS) or mappings (vm.max_map_count)?",
				  site, strerror(ENOMEM));
	if (nearest != -1UL)
		snprintf(where, sizeof(where), "the nearest is %lu MiB away", nearest >> 20);
	return tramp_fail(-ENOMEM, "no free %lu KiB for trampolines within branch reach of %#lx, which is %lu MiB; %s",
			  (ARENA_SIZE + 2 * GUARD) >> 10, site, arch_reach >> 20, where);
}

/* @fd, or memory without a name, at exactly @at; MAP_FAILED with errno.  @fixed: MAP_FIXED, or _NOREPLACE. */
static void *map_at(unsigned long at, int fd, int fixed)
{
	void *rx = fd < 0 ? mmap((void *)at, ARENA_SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | fixed, -1, 0) :
			    mmap((void *)at, ARENA_SIZE, PROT_READ | PROT_EXEC, MAP_SHARED | fixed, fd, 0);

	if (rx == MAP_FAILED || (unsigned long)rx == at)
		return rx;
	munmap(rx, ARENA_SIZE);		/* before 4.17 the flag is only a hint */
	errno = EEXIST;
	return MAP_FAILED;
}

/* A second view of shared memory that has no file: mremap(2), "old_size is zero"; for one that is there already. */
static bool map_again(void *rw, void *rx)
{
	return mremap(rw, 0, ARENA_SIZE, MREMAP_MAYMOVE | MREMAP_FIXED, rx) != MAP_FAILED &&
	       !mprotect(rx, ARENA_SIZE, PROT_READ | PROT_EXEC);
}

static void *map_rx(const struct tramp_arena *arena, unsigned long at, int fd, int fixed)
{
	void *rx = map_at(at, fd, fixed);
	int err;

	if (rx == MAP_FAILED || fd >= 0 || map_again(arena->rw, rx))
		return rx;
	err = errno == ENOMEM ? EACCES : errno;		/* the place was free */
	munmap(rx, ARENA_SIZE);
	errno = err;
	return MAP_FAILED;
}

static void *map_rw(void *at, int fd)
{
	const int flags = MAP_SHARED | (at ? MAP_FIXED : 0) | (fd < 0 ? MAP_ANONYMOUS : 0);

	return mmap(at, ARENA_SIZE, PROT_READ | PROT_WRITE, flags, fd, 0);
}

/* Map it at @at if @need is met there.  1: it is; 0: not there; -errno. */
static int try_place(struct tramp_arena *arena, unsigned long at, const struct need *need, int fd,
		     int fixed)
{
	arena->rx = at;
	if (!at || arena_find(arena, need) == UNITS)
		return 0;
	if (map_rx(arena, at, fd, fixed) != MAP_FAILED)
		return 1;
	/* Taken meanwhile, or beyond the end of the address space. */
	if (errno == EEXIST || errno == ENOMEM)
		return 0;
	return tramp_fail(-errno, "executable memory near %#lx: %s%s", need->site, strerror(errno),
			  tramp_image_anonymous ? " (perf-map takes mremap() and mprotect(); jitdump does without)" : "");
}

/*
 * Farther out by twice as much each time: a place may be taken and in no map, as an
 * emulator's own memory is.  That can be most of what is in reach: then evenly over it.
 */
#define TRIES 16
#define EVENLY 64

static int try_outwards(struct tramp_arena *arena, const unsigned long first, long step,
			const struct need *need, int fd)
{
	const long even = (step < 0 ? -1 : 1) * (long)(arch_reach / EVENLY);
	unsigned long at = first;
	int ret = 0;

	for (int i = 0; at >= LOWEST && !ret && i < TRIES; i++, at += step, step *= 2)
		ret = try_place(arena, at, need, fd, MAP_FIXED_NOREPLACE);
	at = first;
	for (int i = 0; at >= LOWEST && !ret && i < EVENLY; i++, at += even)
		ret = try_place(arena, at, need, fd, MAP_FIXED_NOREPLACE);
	return ret;
}

/* Room in the program's own text that no arena has; what is free elsewhere goes first. */
static struct room { unsigned long start, end; } *rooms;
static size_t nr_rooms;

int tramp_room_add(void *start, size_t len)
{
	unsigned long page = sysconf(_SC_PAGESIZE), from = ((unsigned long)start + page - 1) / page * page;
	unsigned long end = (unsigned long)start + len;
	struct room *more;
	int cancel, err;

	if (from + ARENA_SIZE > end)
		return tramp_fail(-EINVAL, "%zu bytes at %p hold no %lu KiB of whole pages", len, start,
				  ARENA_SIZE >> 10);
	err = tramp_lock(&cancel);
	if (err)
		return err;
	more = realloc(rooms, (nr_rooms + 1) * sizeof(*more));
	if (more) {
		rooms = more;
		rooms[nr_rooms++] = (struct room){ from, end };
	} else {
		err = no_memory();
	}
	tramp_unlock(cancel);
	return err;
}

static int try_rooms(struct tramp_arena *arena, const struct need *need, int fd)
{
	int ret = 0;

	for (struct room *r = rooms; r < rooms + nr_rooms && !ret; r++) {
		if (r->end - r->start < ARENA_SIZE)
			continue;
		ret = try_place(arena, r->start, need, fd, MAP_FIXED);
		if (ret > 0)
			r->start += ARENA_SIZE;
	}
	return ret;
}

/* Below first, since heaps grow upwards. */
static int look(struct tramp_arena *arena, struct places *p, const struct need *need, int fd)
{
	int ret = find_places(p, need->site);

	if (!ret)
		ret = try_outwards(arena, p->below, -(long)(ARENA_SIZE + 2 * GUARD), need, fd);
	return ret ? ret : try_outwards(arena, p->above, ARENA_SIZE + 2 * GUARD, need, fd);
}

static bool any_in_reach(const struct places *p, const struct need *need)
{
	return (p->below && need->site - p->below < arch_reach) ||
	       (p->above && p->above - need->site < arch_reach);
}

/*
 * Other threads map and unmap meanwhile: malloc() alone takes 128 MiB for a moment, as
 * much as some ports' branches reach, for each new thread.
 */
#define LOOKS 16

static int place(struct tramp_arena *arena, const struct need *need, int fd)
{
	const struct timespec moment = { .tv_nsec = 1000000 };
	struct places p;
	int ret = look(arena, &p, need, fd);

	for (int i = 1; i < LOOKS && !ret && any_in_reach(&p, need); i++) {
		nanosleep(&moment, NULL);
		ret = look(arena, &p, need, fd);
	}
	if (!ret)
		ret = try_rooms(arena, need, fd);
	return ret ? ret : no_room(need->site, &p);
}

static struct tramp_arena *arena_map(const struct need *need, int fd, int *err)
{
	struct tramp_arena *arena = calloc(1, sizeof(*arena));
	void *rw;

	if (!arena) {
		*err = no_memory();
		return NULL;
	}
	rw = map_rw(NULL, fd);
	if (rw == MAP_FAILED) {
		*err = tramp_fail(-errno, "memory for trampolines: %s", strerror(errno));
	} else {
		arena->rw = rw;
		*err = place(arena, need, fd);
		if (*err > 0)
			return arena;
		munmap(rw, ARENA_SIZE);
	}
	free(arena);
	return NULL;
}

static int arena_fd(void)
{
	int fd = memfd_create("tramplab", MFD_CLOEXEC);

	if (fd >= 0 && ftruncate(fd, ARENA_SIZE)) {
		close(fd);
		fd = -1;
	}
	return fd < 0 ? tramp_fail(-errno, "memfd for trampolines: %s", strerror(errno)) : fd;
}

/*
 * A child shares the mappings, and the parent may go on to change them at once:
 * copies are made before the fork, which the child maps at the same addresses.
 */
void tramp_image_before_fork(void)
{
	for (struct tramp_arena *a = arenas; a; a = a->next) {
		a->copy_fd = arena_fd();
		if (a->copy_fd >= 0 && pwrite(a->copy_fd, a->rw, ARENA_SIZE, 0) != ARENA_SIZE) {
			close(a->copy_fd);
			a->copy_fd = -1;
		}
		/* A program that has no descriptor left still has memory. */
		a->copy = a->copy_fd < 0 ? map_rw(NULL, -1) : MAP_FAILED;
		if (a->copy != MAP_FAILED)
			memcpy(a->copy, a->rw, ARENA_SIZE);
	}
}

void tramp_image_after_fork(void)
{
	for (struct tramp_arena *a = arenas; a; a = a->next) {
		if (a->copy_fd >= 0)
			close(a->copy_fd);
		if (a->copy != MAP_FAILED)
			munmap(a->copy, ARENA_SIZE);
	}
}

static bool read_copy(const struct tramp_arena *a)
{
	if (a->copy_fd >= 0)
		return pread(a->copy_fd, a->rw, ARENA_SIZE, 0) == ARENA_SIZE;
	memcpy(a->rw, a->copy, ARENA_SIZE);
	return true;
}

static bool map_file(const struct tramp_arena *a)
{
	return a->copy_fd >= 0 && map_rw(a->rw, a->copy_fd) != MAP_FAILED &&
	       map_at(a->rx, a->copy_fd, MAP_FIXED) != MAP_FAILED;
}

static bool map_memory(const struct tramp_arena *a)
{
	return (a->copy_fd >= 0 || a->copy != MAP_FAILED) && map_rw(a->rw, -1) != MAP_FAILED &&
	       read_copy(a) && map_again(a->rw, (void *)a->rx);
}

static bool map_copy(const struct tramp_arena *a)
{
	return (!tramp_image_anonymous && map_file(a)) || map_memory(a);
}

void tramp_image_forked(void)
{
	for (struct tramp_arena *a = arenas; a; a = a->next) {
		if (!map_copy(a)) {
			tramp_warn("fork: no memory for trampolines of the child's own; it runs its parent's, and cannot change what it traces");
			ftrace_disabled = true;
		}
	}
	tramp_image_after_fork();
}

static struct tramp_arena *arena_new(const struct need *need, int *err)
{
	struct tramp_arena *arena;
	int fd = tramp_image_anonymous ? -1 : arena_fd();

	if (fd < 0 && !tramp_image_anonymous) {
		*err = fd;
		return NULL;
	}
	arena = arena_map(need, fd, err);
	if (fd >= 0)
		close(fd);
	if (!arena)
		return NULL;
	arena->next = arenas;
	store_release(&arenas, arena);
	return arena;
}

static size_t units(size_t bytes)
{
	return (bytes + UNIT - 1) / UNIT;
}

/* Whatever lies in it. */
static bool reaches_all(const struct tramp_arena *arena, const struct need *need)
{
	return reaches(need->site, arena->rx + need->entry) &&
	       reaches(need->site, arena->rx + ARENA_SIZE - need->units * UNIT + need->entry);
}

static struct tramp_arena *arena_with_room(const struct need *need, bool all, size_t *unit)
{
	for (struct tramp_arena *arena = arenas; arena; arena = arena->next) {
		if (all && !reaches_all(arena, need))
			continue;
		*unit = arena_find(arena, need);
		if (*unit < UNITS)
			return arena;
	}
	return NULL;
}

/*
 * One that is partly in reach is the last resort: of sites in a row at the limit,
 * each would need a copy of its own in there.
 */
static struct tramp_arena *arena_get(const struct need *need, size_t *unit, int *err)
{
	struct tramp_arena *arena = arena_with_room(need, true, unit);

	if (!arena && (arena = arena_new(need, err)))
		*unit = arena_find(arena, need);
	return arena ? arena : arena_with_room(need, false, unit);
}

size_t tramp_image_room(const struct tramp_image *image)
{
	return units(image->code.cap) * UNIT;
}

struct tramp_range tramp_image_range(const struct tramp_image *image)
{
	return (struct tramp_range){ image->code.pc, image->code.pc + units(image->code.cap) * UNIT };
}

void tramp_image_free(struct tramp_image *image)
{
	size_t first = (image->code.pc - image->arena->rx) / UNIT;

	free(image->code.cfi);
	/* A thread that comes here by mistake must not find the old code. */
	memset(image->code.w, arch_trap_byte, tramp_image_room(image));
	arch_text_flush(image->code.pc, tramp_image_room(image));
	memset(image->arena->used + first, 0, units(image->code.cap));
	free(image);
}

void tramp_maker_emit(const struct tramp_maker *maker, struct tramp_code *code)
{
	if (maker->emit_set)
		maker->emit_set(code, maker->ops, maker->nr, maker->class);
	else
		maker->emit(code, maker->nr ? maker->ops[0] : NULL, maker->class);
}

size_t tramp_maker_size(const struct tramp_maker *maker)
{
	return arch_image_size(maker->class, maker->emit_set ? maker->nr : 1);
}

bool tramp_image_fits(const struct tramp_maker *maker)
{
	return tramp_maker_size(maker) <= ARENA_SIZE;
}

bool tramp_site_reaches(unsigned long site, const struct tramp_image *image)
{
	return reaches(site, image->code.entry);
}

/* Room for @maker's code that @site can call, nothing written yet. */
static struct tramp_image *image_alloc(unsigned long site, const struct tramp_maker *maker, int *err)
{
	struct tramp_image *image = calloc(1, sizeof(*image) + maker->nr * sizeof(*image->set));
	uint8_t *cfi = malloc(CFI_MAX);
	size_t size = tramp_maker_size(maker), unit;
	struct need need = { .site = site, .units = units(size), .entry = entry_offset(maker->class) };

	if (!image || !cfi) {
		*err = no_memory();
		free(image);
		free(cfi);
		return NULL;
	}
	image->arena = arena_get(&need, &unit, err);
	if (!image->arena) {
		free(image);
		free(cfi);
		return NULL;
	}
	memset(image->arena->used + unit, true, need.units);
	image->code = (struct tramp_code){
		.w = image->arena->rw + unit * UNIT, .pc = image->arena->rx + unit * UNIT, .cap = size,
		.cfi_cap = CFI_MAX, .cfi = cfi,
	};
	for (unsigned int i = 0; i < maker->nr; i++)
		image->set[i] = maker->ops[i];
	image->maker = *maker;
	image->maker.ops = image->set;
	image->ops = maker->emit && maker->nr ? maker->ops[0] : NULL;
	return image;
}

struct tramp_image *tramp_image_new(unsigned long site, const struct tramp_maker *maker, int *err)
{
	struct tramp_image *image = image_alloc(site, maker, err);

	if (!image)
		return NULL;
	tramp_maker_emit(&image->maker, &image->code);
	if (image->code.err) {
		*err = tramp_fail(image->code.err, "entry code for class %s: %s",
				  tramp_class_names[maker->class], strerror(-image->code.err));
		tramp_image_free(image);
		return NULL;
	}
	if (tramp_image_hook)
		tramp_image_hook(&image->code);
	arch_text_flush(image->code.pc, image->code.len);
	*err = tramp_unwind_add(image);
	if (!*err)
		return image;
	tramp_image_free(image);
	return NULL;
}

size_t tramp_image_mapped(void)
{
	size_t bytes = 0;

	for (struct tramp_arena *a = arenas; a; a = a->next)
		bytes += ARENA_SIZE;
	return bytes;
}
