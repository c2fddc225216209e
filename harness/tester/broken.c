/* SPDX-License-Identifier: MIT */
/*
 * Every strategy of broken/ must be caught by the case that it names, and pass
 * another one.  That case must be one that a right strategy passes.
 *
 *	broken CHECK		CHECK: the runner, linked with the broken strategies
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "harness/broken/broken.h"
#include "tap.h"

/* Right, and of the same making as most of the broken ones. */
#define RIGHT	"dyn_tramp"

extern const struct broken __start_harness_broken[], __stop_harness_broken[];

static const char *check, *emulator;

struct outcome {
	unsigned int	passed, failed, skipped;
	bool		understood;
	char		where[160];	/* classes that failed */
};

/* "# failed: CASE: STRATEGY/CLASS STRATEGY/CLASS ..." */
static void note_failures(struct outcome *o, const char *line)
{
	const char *class = line;

	while ((class = strchr(class, '/'))) {
		size_t len = strlen(o->where);

		class++;
		snprintf(o->where + len, sizeof(o->where) - len, " %.*s",
			 (int)strcspn(class, " \n"), class);
	}
}

static struct outcome run(const char *strategy, const char *name)
{
	struct outcome o = { 0 };
	char line[512];
	FILE *f;

	snprintf(line, sizeof(line), "%s '%s' --impl '%s' --case '%s' --timeout 5", emulator, check, strategy, name);
	fflush(stdout);
	f = popen(line, "r");
	if (!f) {
		perror(check);
		exit(2);
	}
	while (fgets(line, sizeof(line), f)) {
		if (!strncmp(line, "# failed: ", 10))
			note_failures(&o, line);
		if (sscanf(line, "%u passed, %u failed, %u skipped", &o.passed, &o.failed, &o.skipped) == 3)
			o.understood = true;
	}
	pclose(f);
	return o;
}

static bool understood(const struct outcome *o, const char *strategy, const char *name)
{
	if (!o->understood)
		tap_note("%s --impl %s --case %s gives no closing line", check, strategy, name);
	return o->understood;
}

static void test(const struct broken *b)
{
	struct outcome caught = run(b->name, b->caught_by), passes = run(b->name, b->passes);
	bool ok = understood(&caught, b->name, b->caught_by) &&
		  understood(&passes, b->name, b->passes);

	if (ok && !caught.failed)
		tap_note("%s is not noticed: %u passed, %u skipped", b->caught_by, caught.passed, caught.skipped);
	if (ok && !passes.passed)
		tap_note("%s fails, too, so it is not that one thing which is wrong", b->passes);
	if (ok && caught.failed && passes.passed)
		tap_ok("%s caught by %s in%s", b->name, b->caught_by, caught.where);
	else
		tap_not_ok("%s caught by %s", b->name, b->caught_by);
}

/* Is @b the first that names its case? */
static bool first_of_case(const struct broken *b)
{
	for (const struct broken *a = __start_harness_broken; a < b; a++)
		if (!strcmp(a->caught_by, b->caught_by))
			return false;
	return true;
}

static void test_right(const struct broken *b)
{
	struct outcome o = run(RIGHT, b->caught_by);
	bool ok = understood(&o, RIGHT, b->caught_by) && !o.failed && o.passed;

	if (!ok)
		tap_note("%u passed, %u failed in%s: what it catches means nothing", o.passed, o.failed, o.where);
	(ok ? tap_ok : tap_not_ok)("%s passes %s", RIGHT, b->caught_by);
}

int main(int argc, char **argv)
{
	const struct broken *b, *start = __start_harness_broken, *stop = __stop_harness_broken;
	unsigned int cases = 0;

	if (argc != 2) {
		fprintf(stderr, "usage: broken CHECK\n");
		return 2;
	}
	check = argv[1];
	emulator = getenv("EMULATOR") ?: "";	/* from emulator.sh */
	for (b = start; b < stop; b++)
		cases += first_of_case(b);
	tap_plan(stop - start + cases);
	for (b = start; b < stop; b++)
		test(b);
	for (b = start; b < stop; b++)
		if (first_of_case(b))
			test_right(b);
	return tap_done();
}
