/* SPDX-License-Identifier: MIT */
/*
 * Gates: what instruction counts have to be, as KTAP (BUG-61).  A time decides no test;
 * these are exact, need no PMU and no quiet machine.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <unistd.h>
#include "bench/bench.h"
#include "bench/insns.h"
#include "core/arch.h"
#include "step_arch.h"

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

static const unsigned int relevants[] = { 1, 2, 10, 100 };
static const unsigned int irrelevants[] = { 0, 1, 2, 10, 100 };

static unsigned int number, passed, failed, skipped;

__attribute__((format(printf, 3, 4)))
static void result(bool ok, const char *name, const char *fmt, ...)
{
	va_list ap;

	*(ok ? &passed : &failed) += 1;
	printf("%s %u %s", ok ? "ok" : "not ok", ++number, name);
	va_start(ap, fmt);
	printf(" # ");
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

static void skip(const char *name, const char *why)
{
	skipped++;
	printf("ok %u %s # SKIP %s\n", ++number, name, why);
}

static bool exists(const char *strategy)
{
	const char *name;
	unsigned int i;

	for (i = 0; (name = tramp_strategy_name(i)); i++)
		if (!strcmp(name, strategy))
			return true;
	return false;
}

/* Instructions of one call, or -errno after a message. */
static long step(const struct bench_config *c, unsigned int relevant, unsigned int irrelevant,
		 unsigned long *stack)
{
	struct bench_point p = { .relevant = relevant, .irrelevant = irrelevant };
	struct step_run run = { 0 };
	int err = bench_step(c, &p, &run);
	long nr = err ? err : (long)run.nr;

	if (err)
		printf("# %s %s, %u relevant, %u irrelevant ops: %s\n", bench_config_name(c),
		       bench_config_class(c), relevant, irrelevant, strerror(-err));
	if (stack)
		*stack = run.stack;
	step_free(&run);
	return nr;
}

static long untraced;

/* --- gates --- */

/*
 * Those that call a lone ops' func and no list: that costs the floor and little
 * more, and tracers elsewhere cost nothing at all.
 */
static const char *const direct[] = { "dyn_tramp", "call_ops", "fused_tramp" };

static void gate_one(const char *strategy)
{
	const struct bench_config c = { .strategy = strategy, .class = TRAMP_CLASS_ARGS };
	const char *why;
	char name[80];
	long nr;

	snprintf(name, sizeof(name), "%s_args_one_ops_within_%d", strategy, STEP_ONE_OPS);
	if (!bench_has(c.strategy, c.class, &why)) {
		skip(name, why);
		return;
	}
	nr = step(&c, 1, 0, NULL);
	result(nr > 0 && nr <= untraced + STEP_ONE_OPS, name, "%ld over untraced, want <= %d",
	       nr - untraced, STEP_ONE_OPS);
}

static void gate_elsewhere(const char *strategy)
{
	struct bench_config c = { .strategy = strategy };
	char name[80];
	const char *why;
	unsigned int i;
	long alone, nr;

	for (c.class = 0; c.class < TRAMP_NR_CLASSES; c.class++) {
		snprintf(name, sizeof(name), "%s_%s_independent_of_irrelevant_ops", strategy,
			 tramp_class_names[c.class]);
		if (!bench_has(c.strategy, c.class, &why)) {
			skip(name, why);
			continue;
		}
		alone = step(&c, 1, 0, NULL);
		for (i = 0, nr = alone; i < LEN(irrelevants) && nr == alone; i++)
			nr = step(&c, 1, irrelevants[i], NULL);
		result(alone > 0 && nr == alone, name, "%ld instructions, %ld with %u irrelevant ops",
		       alone, nr, irrelevants[i - 1]);
	}
}

static void gate_direct(void)
{
	for (unsigned int i = 0; i < LEN(direct); i++) {
		gate_one(direct[i]);
		gate_elsewhere(direct[i]);
	}
}

/*
 * Sets: the callback's own return is one of the twelve; each further ops costs
 * what the third did, and ops elsewhere nothing.
 */
#define SET_STEP 12
static const unsigned int set_sizes[] = { 1, 2, 3, 4, 8, 64 };
static const unsigned int set_elsewhere[] = { 0, 16, 256 };

static void gate_sets_of(const struct bench_config *c)
{
	long nr[LEN(set_sizes)], got;
	unsigned int r, i, bad = 0;
	char name[80];

	for (r = 0; r < LEN(set_sizes); r++) {
		unsigned int size = set_sizes[r];

		nr[r] = step(c, size, 0, NULL);
		for (i = 0; i < LEN(set_elsewhere); i++) {
			got = i ? step(c, size, set_elsewhere[i], NULL) : nr[r];
			if (got > 0 && got == nr[r] && got <= nr[0] + SET_STEP * (size - 1) &&
			    (size < 4 || got == nr[2] + (nr[2] - nr[1]) * (size - 3)))
				continue;
			bad++;
			printf("# R=%u I=%u: %ld instructions, one ops %ld, two %ld, three %ld\n", size,
			       set_elsewhere[i], got, nr[0], nr[1], nr[2]);
		}
	}
	snprintf(name, sizeof(name), "%s_%s_each_ops_within_%d", c->strategy, bench_config_class(c), SET_STEP);
	result(!bad, name, "one ops %ld, two %ld, three %ld, 64 %ld; %u of %zu cells are not", nr[0], nr[1],
	       nr[2], nr[LEN(set_sizes) - 1], bad, LEN(set_sizes) * LEN(set_elsewhere));
}

static void gate_sets(void)
{
	struct bench_config c = { .strategy = "fused_tramp" };
	const char *why;
	char name[80];

	for (c.class = 0; c.class < TRAMP_NR_CLASSES; c.class++) {
		if (bench_has(c.strategy, c.class, &why)) {
			gate_sets_of(&c);
			continue;
		}
		snprintf(name, sizeof(name), "%s_%s_each_ops_within_%d", c.strategy, tramp_class_names[c.class],
			 SET_STEP);
		skip(name, why);
	}
}

/* The real kernel's list: 88 + 67 an ops that is for this site + 53 one that is not. */
static void gate_list_func(void)
{
	const char *name = "list_func_args_below_88_67R_53I";
	const struct bench_config c = { .strategy = "list_func", .class = TRAMP_CLASS_ARGS };
	unsigned int r, i, bad = 0, R, I;
	long nr;

	if (!exists(c.strategy)) {
		skip(name, "no strategy list_func");
		return;
	}
	for (r = 0; r < LEN(relevants); r++) {
		for (i = 0; i < LEN(irrelevants); i++) {
			R = relevants[r];
			I = irrelevants[i];
			nr = step(&c, R, I, NULL);
			if (nr > 0 && nr - untraced < 88 + 67L * R + 53L * I)
				continue;
			bad++;
			printf("# R=%u I=%u: %ld over untraced, want < %ld\n", R, I, nr - untraced,
			       88 + 67L * R + 53L * I);
		}
	}
	result(!bad, name, "%u of %zu cells are not", bad, LEN(relevants) * LEN(irrelevants));
}

/* For every strategy and class: the same count twice, from two processes. */
static void gate_repeatable(const struct bench_config *c)
{
	unsigned long stack, stack_again;
	long nr = step(c, 1, 1, &stack), again = step(c, 1, 1, &stack_again);
	char name[80];

	snprintf(name, sizeof(name), "%s_%s_repeatable", c->strategy, bench_config_class(c));
	result(nr > 0 && nr == again && stack == stack_again, name,
	       "%ld and %ld instructions, %lu and %lu stack bytes", nr, again, stack, stack_again);
}

/*
 * Each further ops of the site costs no more than the second: nothing grows
 * with the square.  The slack is for filters that hash to one slot.
 */
static void gate_linear(const struct bench_config *c)
{
	long one = step(c, 1, 0, NULL), two = step(c, 2, 0, NULL), many = step(c, 10, 0, NULL);
	char name[80];

	snprintf(name, sizeof(name), "%s_%s_linear_in_relevant_ops", c->strategy, bench_config_class(c));
	result(one > 0 && two > 0 && many > 0 && many <= two + 8 * (two - one > 80 ? two - one : 80),
	       name, "1: %ld, 2: %ld, 10: %ld instructions", one, two, many);
}

/*
 * The trampoline's stack: what the port says a frame takes, what the site and
 * the call push, and no more than a callback that does nothing needs.
 */
static void gate_stack(const struct bench_config *c)
{
	unsigned long stack, want = arch_frame_size(c->class);
	long nr = step(c, 1, 0, &stack);
	char name[80];

	snprintf(name, sizeof(name), "%s_%s_stack_bytes", c->strategy, bench_config_class(c));
	result(nr > 0 && stack <= want + 256, name, "%lu, the frame is %lu", stack, want);
}

static void each_variant(void (*gate)(const struct bench_config *))
{
	struct bench_run run = { .out = stdout };
	unsigned int nr, i;
	struct bench_config *c = bench_all_configs(&run, &nr);

	for (i = 0; i < nr; i++)
		gate(&c[i]);
	bench_free_configs(c);
}

/* bench/main.c has these; here nobody watches. */
void bench_progress(struct bench_run *run, double seconds_done)
{
	(void)run;
	(void)seconds_done;
}

/* Filters hash by address: load the program at the same place every time. */
static void fix_addresses(char **argv)
{
	int now = personality(0xffffffff);

	if (now < 0 || now & ADDR_NO_RANDOMIZE || personality(now | ADDR_NO_RANDOMIZE) < 0)
		return;
	execv("/proc/self/exe", argv);
}

int main(int argc, char **argv)
{
	const struct bench_config none = { .label = "untraced" };

	(void)argc;
	fix_addresses(argv);
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("KTAP version 1\n");
	untraced = step(&none, 0, 0, NULL);
	result(untraced > 0, "untraced_call_can_be_stepped", "%ld instructions", untraced);
	gate_direct();
	gate_sets();
	gate_list_func();
	each_variant(gate_repeatable);
	each_variant(gate_linear);
	each_variant(gate_stack);
	printf("1..%u\n%u passed, %u failed, %u skipped\n", number, passed, failed, skipped);
	return failed != 0;
}
