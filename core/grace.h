/* SPDX-License-Identifier: MIT */
/* What grace.c, stack.c and threads.c share: threads, and where they are. */
#ifndef TRAMPLAB_GRACE_H
#define TRAMPLAB_GRACE_H

#include "core.h"

/* UNKNOWN: the stack is in no mapping that we know, or went away while it was read. */
enum tramp_where { WHERE_OUTSIDE, WHERE_INSIDE, WHERE_UNKNOWN };

/* --- stack.c: is a thread inside? --- */
struct tramp_view {
	const struct tramp_range *ranges;
	size_t			nr;
	bool			entry;		/* the port's entry text, too */
	bool			trapping;	/* but not where the handler of traps starts */
	struct tramp_range	*stack;		/* what a stack may lie in, by address */
	size_t			nr_stacks, max_stacks;
	size_t			more;		/* there is no room for */
	bool			reread;		/* after a stack was in none of them */
	unsigned long		want;		/* this one is kept in any case */
	int			err;		/* why they are not known */
	int			mem;		/* where other threads' stacks are read; -1: they are asked */
	char			*copy;
	struct tramp_range	room[64];
};
void tramp_view_open(struct tramp_view *v);
void tramp_view_close(struct tramp_view *v);
/* What there is now, at least that of @sp: without memory not all are kept. */
void tramp_view_reread(struct tramp_view *v, unsigned long sp);
/* Another thread, which sleeps.  WHERE_UNKNOWN: *sp is what is not known. */
enum tramp_where tramp_view_asleep(const struct tramp_view *v, unsigned long pc, unsigned long *sp);
/* This thread; what is above its caller's frame. */
enum tramp_where tramp_view_self(struct tramp_view *v);
/*
 * This thread, in a signal handler.  @exact: what seems inside shall unwind.
 * @slept: it did before the signal came, so not within the unwinder.
 */
enum tramp_where tramp_view_interrupted(const struct tramp_view *v, const void *context, bool exact, bool slept,
					unsigned long *unknown);
void tramp_view_init(void);
void tramp_view_forked(void);
/* Around fork(): nobody unwinds meanwhile. */
void tramp_view_before_fork(void);
void tramp_view_after_fork(void);

/* --- threads.c: what /proc tells of threads --- */
/* Those of the program, without this one.  0 or -errno with tramp_why() set. */
int tramp_threads_others(struct tramp_threads *t);
/* The same; warns, and tries until it has them. */
void tramp_threads_surely(struct tramp_threads *t);
/* While this thread is the program's only one: all others are not the program's, and are left alone. */
void tramp_threads_know_foreign(void);
/* 1: it sleeps, at *pc and *sp; 0: it runs, or is not described; -ESRCH: it has gone. */
int tramp_thread_asleep(pid_t tid, unsigned long *pc, unsigned long *sp);
/* Does /proc tell where a sleeping thread is? */
bool tramp_threads_described(void);
/* 1 or 0; -errno: that cannot be told. */
int tramp_thread_blocks(pid_t tid, int sig);
/* The main thread stays as a zombie when it has ended before the others. */
bool tramp_thread_dead(pid_t tid);
void tramp_thread_name(pid_t tid, char name[16]);

#endif
