/* SPDX-License-Identifier: MIT */
/* The main() of a program that tries one strategy after the other; the first argument is a wildcard over them. */
#ifndef TRAMPLAB_PROGRAMS_EACH_H
#define TRAMPLAB_PROGRAMS_EACH_H

#include <fnmatch.h>
#include <stdio.h>
#include <tramp.h>

/**
 * each_strategy - run() for each strategy that is asked for; prints builds.sh's verdict
 * @run: returns how much of it was wrong; has said what
 * Return: the exit status; none that was asked for is a failure.
 */
static inline int each_strategy(int argc, char **argv, int (*run)(const char *strategy))
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

#endif
