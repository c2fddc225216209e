/* SPDX-License-Identifier: MIT */
/* Runs single cases for the programs that test the harness, by child.c. */
#ifndef TRAMPLAB_TESTER_RUN_H
#define TRAMPLAB_TESTER_RUN_H

#include "harness/check.h"

enum run_result { RUN_PASSED, RUN_FAILED, RUN_SKIPPED };

/*
 * In a process of its own; one that crashes or hangs has failed.  @said: what it
 * said before its verdict, or the reason of a skip.
 */
enum run_result run_case(const struct harness_case *c, const char *strategy, enum tramp_class class,
			 char *said, size_t size);

/* All cases whose name or file's name matches one of the @nr @patterns; NULL at the end. */
const struct harness_case **run_select(const char *const *patterns, unsigned int nr);

#endif
