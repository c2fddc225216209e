/* SPDX-License-Identifier: MIT */
/*
 * A program whose allocator has sites, too, and a tracer of everything: the core
 * allocates while it changes the allocator's text.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <ftrace.h>
#include <tramp.h>

#define HEAP (64UL << 20)
#define ROUND(size) (((size) + 15) & ~(size_t)15)

static char heap[HEAP] __attribute__((aligned(16)));
static size_t used;
static unsigned long mallocs, hits[2];

/* The size is kept before the block; nothing is given back. */
void *malloc(size_t size)
{
	size_t at = __atomic_fetch_add(&used, ROUND(size) + 16, __ATOMIC_RELAXED);

	if (size > HEAP / 2 || at > HEAP / 2) {
		errno = ENOMEM;
		return NULL;
	}
	mallocs++;
	memcpy(heap + at, &size, sizeof(size));
	return heap + at + 16;
}

void *calloc(size_t nr, size_t size)
{
	return malloc(nr * size);	/* never used before */
}

void *realloc(void *old, size_t size)
{
	void *new = malloc(size);
	size_t had = 0;

	if (new && old) {
		memcpy(&had, (char *)old - 16, sizeof(had));
		memcpy(new, old, had < size ? had : size);
	}
	return new;
}

void free(void *p)
{
	(void)p;
}

__attribute__((target("general-regs-only"), patchable_function_entry(0)))
static void hit(unsigned long ip, unsigned long parent_ip,
		struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	(void)ip, (void)parent_ip, (void)fregs;
	++*(unsigned long *)op->private;
}

static int run(const char *strategy)
{
	struct ftrace_ops ops[2] = {
		{ .func = hit, .private = &hits[0] }, { .func = hit, .private = &hits[1] },
	};
	unsigned long before = mallocs;
	int err = tramp_use(strategy);

	hits[0] = hits[1] = 0;
	for (int i = 0; i < 2 && !err; i++)
		err = register_ftrace_function(&ops[i]);
	for (int i = 0; i < 2 && !err; i++)
		err = unregister_ftrace_function(&ops[i]);
	printf("%s: %d, %lu allocations; called %lu and %lu times\n", strategy, err, mallocs - before,
	       hits[0], hits[1]);
	return err || !hits[0] || !hits[1];
}

int main(int argc, char **argv)
{
	int failed = 0, ran = 0;
	const char *name;

	for (unsigned int i = 0; (name = tramp_strategy_name(i)); i++) {
		if (argc > 1 && fnmatch(argv[1], name, 0))
			continue;
		failed += run(name);
		ran++;
	}
	printf("%s\n", failed || !ran ? "bad" : "good");
	return failed || !ran;
}
