/* SPDX-License-Identifier: MIT */
/*
 * Exceptions past traced functions, and out of a callback (BUG-55): the program
 * sees them as if nothing were traced, counts are exact, and nothing is left
 * behind.  The argument is a wildcard over the strategies.
 */
#include <cstdio>
#include <ftrace.h>
#include <tramp.h>
#include "each.h"

/* volatile: by the traced functions' bodies it could not change. */
static volatile unsigned long calls;
static bool out_of_the_callback;

struct thrown { int value; };

__attribute__((noipa, patchable_function_entry(0)))
static void throw_it(int value)
{
	throw thrown{ value };
}

__attribute__((target("general-regs-only"), patchable_function_entry(0)))
static void count(unsigned long, unsigned long, struct ftrace_ops *, struct ftrace_regs *)
{
	calls = calls + 1;
	if (out_of_the_callback)
		throw_it(-1);
}

/* A frame that has something to do on the way. */
struct cleanup {
	int *nr;
	~cleanup() { ++*nr; }
};

__attribute__((noinline)) int deep(int depth, int *cleaned)
{
	cleanup c{ cleaned };

	if (depth)
		return deep(depth - 1, cleaned) + 1;
	throw_it(7);
	return 0;
}

__attribute__((noinline)) int again(int depth, int *cleaned)
{
	try {
		return deep(depth, cleaned);
	} catch (thrown &t) {
		t.value++;
		throw;
	}
}

/* Has no landing pad: where there is one, C++ lets no exception come from a site (docs/contract.md). */
__attribute__((noinline)) int deep_plain(int depth, int *cleaned)
{
	throw_it(5 + depth);
	return *cleaned;
}

static int caught(int (*fn)(int, int *), int depth, int *cleaned)
{
	try {
		fn(depth, cleaned);
	} catch (thrown &t) {
		return t.value;
	}
	return 0;
}

static bool run(const char *strategy, unsigned long flags, bool shared)
{
	struct ftrace_ops ops[2] = {};
	unsigned long nr = 1 + shared, want = 0;
	int cleaned = 0, wrong = 0, err = tramp_use(strategy);
	static char pattern_deep[] = "*deep*", pattern_again[] = "*again*";

	calls = 0;
	for (unsigned int i = 0; i < nr && !err; i++) {
		ops[i].func = count;
		ops[i].flags = flags;
		err = ftrace_set_filter(&ops[i], (unsigned char *)pattern_deep, sizeof(pattern_deep) - 1, 1);
		err = err ? err : ftrace_set_filter(&ops[i], (unsigned char *)pattern_again, sizeof(pattern_again) - 1, 0);
		err = err ? err : register_ftrace_function(&ops[i]);
	}
	for (int depth = 1; depth <= 50 && !err; depth++) {
		wrong += caught(deep, depth, &cleaned) != 7;
		wrong += caught(again, depth, &cleaned) != 8;
		want += nr * (2 * (depth + 1) + 1);
	}
	wrong += cleaned != (int)(want / nr - 50);
	/* Once: where there is a guard, it stays taken. */
	if (!err && !shared && !flags) {
		out_of_the_callback = true;
		wrong += caught(deep_plain, 1, &cleaned) != -1;
		out_of_the_callback = false;
		wrong += caught(deep_plain, 1, &cleaned) != 6;
		want += 2;
	}
	for (unsigned int i = 0; i < nr; i++) {
		err = err ? err : unregister_ftrace_function(&ops[i]);
		ftrace_free_filter(&ops[i]);
	}
	wrong += caught(again, 3, &cleaned) != 8;
	if (!err && !wrong && calls == want)
		return true;
	std::printf("%s, %lu ops: %d (%s), %d results wrong, called %lu times, want %lu\n", strategy, nr, err,
		    tramp_why(), wrong, calls, want);
	return false;
}

static int run_all(const char *strategy)
{
	const unsigned long regs = FTRACE_OPS_FL_SAVE_REGS;

	return !run(strategy, 0, false) + !run(strategy, 0, true) + !run(strategy, regs, false) + !run(strategy, regs, true);
}

int main(int argc, char **argv)
{
	return each_strategy(argc, argv, run_all);
}
