/* SPDX-License-Identifier: MIT */
/*
 * Trampoline memory.  An arena is a memfd that is mapped twice: r-x within
 * branch reach of the code that calls it, and rw- anywhere.  No address is ever
 * both writable and executable.  Images are allocated in units of a cache line.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "core.h"

#define ARENA_SIZE	(64UL * 1024)
#define UNIT		64UL
#define UNITS		(ARENA_SIZE / UNIT)
/* Room that a neighbour (the heap, a stack guard) may want to grow into. */
#define GUARD		(16UL * 4096)
/* Unwind rules: some three bytes for each push and pop. */
#define CFI_MAX		512UL

struct tramp_arena {
	struct tramp_arena	*next;
	uint8_t			*rw;
	unsigned long		rx;
	int			copy_fd;	/* between before_fork and after */
	bool			used[UNITS];
};

/* Never unmapped, so that the trap handler may walk them without a lock. */
static struct tramp_arena *arenas;
struct tramp_image *tramp_images;
void (*tramp_image_hook)(struct tramp_code *code);

void *tramp_image_alias(unsigned long addr)
{
	for (struct tramp_arena *a = load_acquire(&arenas); a; a = a->next)
		if (addr - a->rx < ARENA_SIZE)
			return a->rw + (addr - a->rx);
	return NULL;
}

static bool reaches(unsigned long a, unsigned long b)
{
	return (a > b ? a - b : b - a) < arch_reach - ARENA_SIZE;
}

/* The free range nearest to @near; below it first, since heaps grow upwards. */
static unsigned long find_gap(unsigned long near)
{
	unsigned long start, end, last = 65536, below = 0, above = 0;
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[512];

	if (!maps)
		return 0;
	while (fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx", &start, &end) != 2)
			continue;
		if (start > last && start - last >= ARENA_SIZE + 2 * GUARD) {
			if (start <= near)
				below = start - GUARD - ARENA_SIZE;
			else if (!above)
				above = last + GUARD;
		}
		last = end;
	}
	fclose(maps);
	if (below && reaches(below, near))
		return below;
	return above && reaches(above, near) ? above : 0;
}

static struct tramp_arena *arena_map(unsigned long near, int fd, int *err)
{
	struct tramp_arena *arena = calloc(1, sizeof(*arena));
	unsigned long gap = find_gap(near);
	void *rx = MAP_FAILED, *rw = MAP_FAILED;

	*err = -ENOMEM;
	if (!arena || !gap) {
		if (arena)
			tramp_fail(-ENOMEM, "no room for a trampoline within branch reach of %#lx", near);
		goto fail;
	}
	rw = mmap(NULL, ARENA_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (rw != MAP_FAILED)
		rx = mmap((void *)gap, ARENA_SIZE, PROT_READ | PROT_EXEC,
			  MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0);
	if (rx == MAP_FAILED || (unsigned long)rx != gap) {	/* before 4.17 the flag is only a hint */
		*err = tramp_fail(rx == MAP_FAILED ? -errno : -ENOMEM,
				  "executable memory near %#lx: %s", near, strerror(errno));
		goto fail;
	}
	arena->rw = rw;
	arena->rx = gap;
	return arena;
fail:
	if (rx != MAP_FAILED)
		munmap(rx, ARENA_SIZE);
	if (rw != MAP_FAILED)
		munmap(rw, ARENA_SIZE);
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
	}
}

void tramp_image_after_fork(void)
{
	for (struct tramp_arena *a = arenas; a; a = a->next)
		if (a->copy_fd >= 0)
			close(a->copy_fd);
}

static bool map_copy(const struct tramp_arena *a)
{
	return a->copy_fd >= 0 &&
	       mmap(a->rw, ARENA_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
		    a->copy_fd, 0) != MAP_FAILED &&
	       mmap((void *)a->rx, ARENA_SIZE, PROT_READ | PROT_EXEC, MAP_SHARED | MAP_FIXED,
		    a->copy_fd, 0) != MAP_FAILED;
}

void tramp_image_forked(void)
{
	for (struct tramp_arena *a = arenas; a; a = a->next) {
		if (!map_copy(a)) {
			tramp_warn("fork: no memory for trampolines of the child's own; it cannot change what it traces");
			ftrace_disabled = true;
		}
	}
	tramp_image_after_fork();
}

static struct tramp_arena *arena_new(unsigned long near, int *err)
{
	struct tramp_arena *arena;
	int fd = arena_fd();

	if (fd < 0) {
		*err = fd;
		return NULL;
	}
	arena = arena_map(near, fd, err);
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

/* First unit of @n free ones, or UNITS. */
static size_t arena_find(const struct tramp_arena *arena, size_t n)
{
	size_t run = 0;

	for (size_t i = 0; i < UNITS; i++) {
		run = arena->used[i] ? 0 : run + 1;
		if (run == n)
			return i + 1 - n;
	}
	return UNITS;
}

static struct tramp_arena *arena_get(unsigned long near, size_t n, size_t *unit, int *err)
{
	struct tramp_arena *arena;

	for (arena = arenas; arena; arena = arena->next) {
		if (!reaches(arena->rx, near))
			continue;
		*unit = arena_find(arena, n);
		if (*unit < UNITS)
			return arena;
	}
	*unit = 0;
	return arena_new(near, err);
}

static void image_free(struct tramp_image *image)
{
	free(image->code.cfi);
	size_t first = (image->code.pc - image->arena->rx) / UNIT;

	/* A thread that comes here by mistake must not find the old code. */
	memset(image->code.w, 0xcc, units(image->code.cap) * UNIT);
	memset(image->arena->used + first, 0, units(image->code.cap));
	free(image);
}

static struct tramp_image *image_new(unsigned long near, tramp_emit_t emit,
				     struct ftrace_ops *ops, enum tramp_class class, int *err)
{
	struct tramp_image *image = calloc(1, sizeof(*image));
	size_t size = arch_image_size(class, 1), unit;
	struct tramp_arena *arena;

	*err = -ENOMEM;
	if (!image)
		return NULL;
	arena = arena_get(near, units(size), &unit, err);
	if (!arena) {
		free(image);
		return NULL;
	}
	memset(arena->used + unit, true, units(size));
	*image = (struct tramp_image){
		.ops = ops, .emit = emit, .class = class, .arena = arena,
		.code = { .w = arena->rw + unit * UNIT, .pc = arena->rx + unit * UNIT, .cap = size },
	};
	image->code.cfi_cap = CFI_MAX;
	image->code.cfi = malloc(CFI_MAX);	/* NULL: the code is written, without rules */
	emit(&image->code, ops, class);
	if (image->code.err) {
		*err = tramp_fail(image->code.err, "entry code for class %s: %s",
				  tramp_class_names[class], strerror(-image->code.err));
		image_free(image);
		return NULL;
	}
	if (tramp_image_hook)
		tramp_image_hook(&image->code);
	*err = 0;
	return image;
}

static void image_publish(struct tramp_image *image)
{
	image->next = tramp_images;
	tramp_images = image;
	tramp_unwind_add(image);
	if (!image->ops)
		return;
	image->ops->trampoline = image->code.entry;
	image->ops->trampoline_size = image->code.len;
	image->ops->flags |= FTRACE_OPS_FL_ALLOC_TRAMP;
}

static struct tramp_image *image_find(unsigned long near, tramp_emit_t emit,
				      const struct ftrace_ops *ops, enum tramp_class class)
{
	struct tramp_image **p, *image;

	for (p = &tramp_images; (image = *p); p = &image->next)
		if (image->ops == ops && image->emit == emit && image->class == class &&
		    reaches(image->code.pc, near))
			break;
	if (image) {		/* to the front: sites in a row mostly want the same */
		*p = image->next;
		image->next = tramp_images;
		tramp_images = image;
	}
	return image;
}

struct tramp_image *tramp_image_get(unsigned long near, tramp_emit_t emit,
				    struct ftrace_ops *ops, enum tramp_class class, int *err)
{
	struct tramp_image *image = image_find(near, emit, ops, class);

	*err = 0;
	if (!image) {
		image = image_new(near, emit, ops, class, err);
		if (image)
			image_publish(image);
	}
	return image;
}

bool tramp_image_retired(const struct tramp_image *image, const struct ftrace_ops *gone)
{
	return image->ops ? image->ops == gone : !ftrace_ops_list;
}

void tramp_image_reap(const struct ftrace_ops *gone)
{
	struct tramp_image **p = &tramp_images, *image;

	while ((image = *p)) {
		if (image->refs || !tramp_image_retired(image, gone)) {
			p = &image->next;
			continue;
		}
		*p = image->next;
		tramp_unwind_del(image);
		image_free(image);
	}
}

void tramp_image_usage(struct tramp_memory *usage)
{
	for (struct tramp_image *i = tramp_images; i; i = i->next) {
		usage->images++;
		usage->code_bytes += i->code.len;
	}
	for (struct tramp_arena *a = arenas; a; a = a->next)
		usage->mapped_bytes += ARENA_SIZE;
}
