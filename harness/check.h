/* SPDX-License-Identifier: MIT */
/* Between the runner (check.c) and the process of one case (child.c). */
#ifndef TRAMPLAB_CHECK_H
#define TRAMPLAB_CHECK_H

#include "case.h"

/*
 * What a child writes to its pipe: lines "# ..." for the reader, then one of
 * these, the last for a skip followed by its reason.  A process that dies or
 * stops earlier has not passed, whatever its exit status.
 */
#define VERDICT_OK	"verdict ok"
#define VERDICT_FAIL	"verdict not ok"
#define VERDICT_SKIP	"verdict skip "

/*
 * And lines of what it went through, which the runner adds up:
 *	survived 1234 calls
 */
#define SURVIVED_LINE	"survived "

/* --stress: how many times as long the stress cases run. */
extern unsigned int check_stress;
/* --seed, for all that is random. */
extern unsigned long check_seed;
/* --torture: how long this case may go on; 0: as long as it must. */
extern double check_share;
double check_now(void);

/* Once, before the first child: remembers the program's text. */
void child_prepare(void);
/* In a fresh process: run @c and write the verdict to @fd.  Does not return. */
void child_run(const struct harness_case *c, const char *strategy, enum tramp_class class,
	       int fd) __attribute__((noreturn));

#endif
