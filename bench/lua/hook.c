/* SPDX-License-Identifier: MIT */
/*
 * Linked into Lua: traces every function of the interpreter from its start,
 * as the environment says.
 *
 * TRAMP_STRATEGY	which; unset: the sites stay off
 * TRAMP_CLASS		noregs, args (default), args-reserved, regs, vec
 * TRAMP_COUNT		set: says at the end how many calls there were
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tramp.h>

static unsigned long calls;

static void count(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		  struct ftrace_regs *fregs)
{
	(void)ip;
	(void)parent_ip;
	(void)op;
	(void)fregs;
	calls++;
}

static struct ftrace_ops ops = { .func = count };

static void say_count(void)
{
	fprintf(stderr, "%lu calls of %zu functions\n", calls, tramp_nr_sites());
}

static int set_class(const char *name)
{
	enum tramp_class class = TRAMP_CLASS_ARGS;

	if (!name)
		return 0;
	for (class = 0; class < TRAMP_NR_CLASSES; class++)
		if (!strcmp(tramp_class_names[class], name))
			break;
	if (class == TRAMP_CLASS_REGS)
		ops.flags |= FTRACE_OPS_FL_SAVE_REGS;
	if (class == TRAMP_CLASS_VEC)
		ops.flags |= FTRACE_OPS_FL_SAVE_REGS | TRAMP_OPS_FL_SAVE_VEC;
	return class <= TRAMP_CLASS_ARGS_RESERVED ? tramp_use_frame(class) : 0;
}

/* After the module's own constructor, which has number 101. */
__attribute__((constructor))
static void start(void)
{
	const char *strategy = getenv("TRAMP_STRATEGY");
	int err;

	if (!strategy)
		return;
	err = tramp_use(strategy);
	err = err ? err : set_class(getenv("TRAMP_CLASS"));
	err = err ? err : register_ftrace_function(&ops);
	if (err) {
		/* Untraced, the time would be a lie. */
		fprintf(stderr, "hook: %s: %s\n", strategy, tramp_why());
		_Exit(3);
	}
	if (getenv("TRAMP_COUNT"))
		atexit(say_count);
}
