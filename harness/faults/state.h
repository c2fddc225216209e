/* SPDX-License-Identifier: MIT */
/* All that a failed call must leave as it was. */
#ifndef TRAMPLAB_FAULTS_STATE_H
#define TRAMPLAB_FAULTS_STATE_H

#include "../case.h"
#include "faults.h"

struct state {
	unsigned long		text;		/* a sum of the program's bytes */
	struct tramp_memory	memory;
	unsigned long		sites;		/* a sum of what tramp_for_each_site() says */
	unsigned long		ops;		/* of the registered ops in their order, and of those given */
	unsigned long		nr_sites;
	unsigned int		enabled;
	unsigned int		fds, mappings;	/* as /proc tells; of the latter, trampolines' */
	struct faults_held	held;
};

/* In a fork()'s child: what it opens anew when it first writes text. */
void state_forked(void);
/* @probes: those of the case, registered or not. */
void state_take(struct state *s, struct probe *const *probes, unsigned int nr);
/*
 * Fails the case where things are not as @was says; of ops nothing is looked at with
 * @nr 0.  Memory that was mapped for trampolines may stay for the next try: false
 * when some was.
 */
bool state_expect(const struct state *was, struct probe *const *probes, unsigned int nr, const char *what);

/* Each class has a share of all that there is to try, since frames differ in little here: is @i in this one's? */
bool faults_share(unsigned long i);

/* For the reader of a failure: which step of @call it was. */
void faults_describe(const char *call, const struct fault *fault, unsigned long n);

/*
 * @attempt with the 1st, 2nd, ... step of @fault's kind failing, until it returns false:
 * none was left.  Describes which it was where the case has failed.
 */
typedef bool (*faults_attempt_t)(const struct fault *fault, unsigned long n);
void faults_in_turn(const char *call, const struct fault *fault, faults_attempt_t attempt);
/* Of each fault in this class's share, as often as more() has it; then faults_report(). */
void faults_each(const char *call, faults_attempt_t attempt);

/* case_survived() of the failures so far. */
void faults_report(void);

#endif
