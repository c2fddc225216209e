/* SPDX-License-Identifier: MIT */
/*
 * Every state of every patch.  While ops come and go, the core stops behind each
 * store, each as small as a copy may make it, and each sync.  At every stop another thread
 * calls the sites, and is judged exactly: an ops of both the old and the new set
 * is called once, one of neither never, one that comes or goes at most once.
 */
#ifndef TRAMPLAB_STATES_H
#define TRAMPLAB_STATES_H

#include "../../user.h"

/* The ops, each with a function of its own. */
enum { PLAIN, OTHER, GUARDED, REGS, VEC, REDIRECTS, NR_STATES_OPS };
#define OPS(k)		(1U << (k))
#define ALL_OPS		(OPS(NR_STATES_OPS) - 1)

/* A site: @filter, now, next and what else is a set of ops has a bit for each. */
struct stated {
	unsigned long	(*fn)(unsigned long x);
	unsigned long	result;		/* of fn(1), not redirected */
	unsigned long	ip, word;
	unsigned int	filter;		/* whose filters name it */
	unsigned int	now, next;	/* who is called, before and after the change that is being made */
};

#define STATES_SITES 4096
extern struct stated states_site[STATES_SITES];
extern unsigned int states_nr_sites;
extern struct probe *states_ops[NR_STATES_OPS];

/* Where it is the patch that counts, and not what the entry saves. */
#define ONE_CLASS_ONLY()						\
	if (case_class != TRAMP_CLASS_ARGS)				\
		SKIP("the same in class args is enough")

/* First and last. */
void states_begin(void);
void states_end(void);
/* From now on stores get there one by one, upwards (1) or downwards (-1); 0: together, but for steps. */
void states_tear(int order);

/* In order of address; @filter: the ops whose filters name it at first. */
void states_add_site(unsigned long (*fn)(unsigned long x), unsigned long ip, unsigned int filter);
void states_add_tracee(unsigned long (*fn)(unsigned long x), unsigned int filter);

/* Each of these is one change; all of its states are called in. */
void states_register(unsigned int k);
void states_unregister(unsigned int k);
/* The sites that the next changes of filters are about: @nr from @from on, each @step-th. */
void states_choose(unsigned int from, unsigned int nr, unsigned int step);
/* They join @k's filter, leave it, are all that is in it from now on. */
void states_join(unsigned int k);
void states_leave(unsigned int k);
void states_replace(unsigned int k);
void states_switch(bool on);

/* Is @k registered? */
bool states_on(unsigned int k);
/* No stops from now on: more threads call all the time, while changes take their course. */
void states_run_free(void);
/* Each callback calls site 1, and that call is judged, too. */
extern bool states_nest;
/* One judged call; safe in each state. */
void states_call(const struct stated *s);
/* Optional: asked in each state before the other thread calls, and when the change is made but counts as none yet. */
extern void (*states_at)(const char *behind);
extern void (*states_over)(void);

/* Who is called at site @at. */
unsigned int states_members(unsigned int at);
/* By @toggle, which takes an ops from site @at or brings it there: to @set, one ops after the other. */
void states_go_to(unsigned int at, unsigned int set, void (*toggle)(unsigned int k));
/* Each single step between two sets out of @pool, both ways. */
void states_every_step(unsigned int at, unsigned int pool, void (*toggle)(unsigned int k));
/* A random number below @n, by case_seed(). */
unsigned int states_random(unsigned int n);

#endif
