/* SPDX-License-Identifier: MIT */
/*
 * A program whose allocator has sites, too, and a tracer of everything: the core
 * allocates while it changes the allocator's text.
 */
#include <stdio.h>
#include <ftrace.h>
#include <tramp.h>
#include "each.h"
#include "heap.h"

static unsigned long mallocs, hits[2];

void *malloc(size_t size)
{
	mallocs++;
	return heap_take(size);
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
	return each_strategy(argc, argv, run);
}
