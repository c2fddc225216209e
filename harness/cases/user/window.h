/* SPDX-License-Identifier: MIT */
/*
 * Every way from a site through entry code, and where in it a thread stands that
 * stops at each instruction (harness/step/self.h).
 */
#ifndef TRAMPLAB_WINDOW_H
#define TRAMPLAB_WINDOW_H

#include "../../user.h"

enum way {
	WAY_ONE,	/* one ops */
	WAY_TWO,	/* two: the list, or code for the set */
	WAY_ASSIST,	/* one that asks for the guard */
	WAY_REDIRECT,	/* one that sends the call elsewhere */
	WAY_LOOK,	/* one that asks for pt_regs and leaves it as it is */
	WAY_FLAGS,	/* one that changes flags there, such as no short way back sets, too */
	WAY_STRING,	/* the caller has set the direction flag */
	WAY_HELD,	/* two, called from inside a callback that holds the guard */
	NR_WAYS
};
extern const char *const way_names[NR_WAYS];
/* In the class under test, on this port. */
bool way_exists(enum way way);
/* What WAY_FLAGS turns over. */
#define WAY_FLIPS	(FLAGS_STATUS | (FLAGS_WRITABLE & ~FLAGS_KEPT))

/*
 * One way at a time.  Its ops are on @func and, but for what makes the way
 * special, on tracee_b as well: both sites have one set.  @to: where WAY_REDIRECT
 * goes; NULL: back to the caller at once.
 */
struct window {
	enum way	way;
	const void	*func;
	struct probe	*p[2];		/* the older first */
	unsigned int	nr;
	struct probe	*outer[2];	/* WAY_HELD: on tracee_d, whose callback makes the call */
};
extern struct window window;
void window_open(enum way way, const void *func, const void *to);
/* Its ops, in the order of registration; NULL past the last. */
struct probe *window_ops(unsigned int i);
/* @call, as the way has it. */
void window_call(void (*call)(void *arg), void *arg);
/*
 * For window_call(): shim_tracee with a pattern in every register.  Filled before,
 * since this takes more steps than the call.  Behind it: the function and its
 * caller have found the pattern, and the flags where the class keeps them.
 */
void window_fill(void);
void window_call_pattern(void *arg);
void window_expect_intact(void);
/* Unregisters what is registered. */
void window_close(void);
/* Unregisters @p, and leaves nothing of it that may be used. */
void window_poison(struct probe *p);
/*
 * Where everything takes its time: one of @n instructions of @call, or of some more
 * under an emulator, and one at least.  The first is another one for each strategy,
 * register class, way and @round: in as many rounds as steps, all of them.
 */
unsigned long window_step(unsigned long n, void (*call)(void *arg));
unsigned long window_first(unsigned long round, unsigned long step);
/* Does @way exist, and is it its turn?  In the first round of each strategy half of them, in all others all. */
bool window_turn(enum way way, unsigned long round);

/* Hits of @p: the call's own, those that came while window_handling, and those of other sites. */
#define window_own(p)		((p)->data[0])
#define window_handled(p)	((p)->data[1])
#define window_others(p)	((p)->data[2])
extern __thread bool window_handling;

#endif
