/* SPDX-License-Identifier: MIT */
/* What cases in cases/user/ share: threads that call, gates, the process's own maps. */
#ifndef TRAMPLAB_USER_H
#define TRAMPLAB_USER_H

#include <pthread.h>
#include "case.h"

/* Where a thread stops until the case lets it go on; async-signal-safe. */
struct gate { unsigned int arrived, open; };
void gate_pass(struct gate *g);				/* arrive and wait */
void gate_await(struct gate *g, unsigned int nr);	/* until @nr have arrived */
void gate_open(struct gate *g);

/* A thread that calls @fn(1) until it is stopped. */
struct caller {
	pthread_t	thread;
	unsigned long	(*fn)(unsigned long x);
	unsigned long	want;		/* what it returns */
	unsigned long	calls, wrong;	/* settled when caller_stop() has returned */
	unsigned int	stop, runs;
};
/* Returns when the thread runs: what follows meets it. */
void caller_start(struct caller *c, unsigned long (*fn)(unsigned long x), unsigned long want);
void caller_stop(struct caller *c);
/* Returns when @c has made @nr more calls; the first may have begun before. */
void caller_progress(struct caller *c, unsigned long nr);

/* @n, or more with make check FULL=1: how often a stress case repeats. */
unsigned int rounds(unsigned int n);

/*
 * Go on after @done rounds?  @least of them, as rounds() has it; in make torture
 * until this case's share of TIME= is over.
 */
bool more(unsigned long done, unsigned long least);
/* And until @seen, which is how threads happen to meet; a hundred times @least is the end of it. */
bool more_until(bool seen, unsigned long done, unsigned long least);

/* What is random is random by this: make check SEED= makes it happen again. */
unsigned long case_seed(void);

/*
 * @nr more of @what ("calls", "instructions a signal came at"), in the plural, that
 * the case went through without a fault: for the sum of the run and the report's
 * page.  What is counted was checked.  No comma in @what.
 */
void case_survived(unsigned long nr, const char *what);

/* A thread that unregisters @p and then is done; @err is what came of it, settled when it is joined. */
struct stopper { struct probe *p; pthread_t thread; int err; unsigned int done; };
void stopper_start(struct stopper *s, struct probe *p);
bool stopper_done(const struct stopper *s);

/* What a thread does: one call, whose result is put into *@result, an unsigned long, or NULL. */
void *thread_calls_a(void *result);
void *thread_calls_b(void *result);

/* A callback that stays until the gate is opened. */
extern struct gate inside_gate;
void stay_inside(struct probe *p, struct ftrace_regs *fregs);

pthread_t spawn(void *(*fn)(void *arg), void *arg);
void join(pthread_t thread);
void nap_ms(unsigned int ms);

/* Mappings that are writable and executable at one address; no libc, so that callbacks may ask. */
unsigned int maps_wx(void);

/* Write @n bytes of text as no program should: /proc/self/mem. */
void text_write(unsigned long addr, const void *bytes, unsigned long n);

/* A copy of the program's text, allocated; is the text like it, byte for byte? */
char *text_copy(void);
bool text_equals(const char *copy);
/* As it was before the case. */
bool text_is_restored(void);

/* The word beside @func's site, NULL: it has none. */
unsigned long *site_word(const void *func);

/* Does a sanitizer look on?  Asked of the linker: cases themselves are built without (S101). */
extern void __asan_init(void) __attribute__((weak));
extern void __tsan_init(void) __attribute__((weak));
#define case_asan() (&__asan_init != NULL)
#define case_tsan() (&__tsan_init != NULL)

/*
 * waitpid(): the status of a child.  QEMU's user mode keeps locks of its own over the
 * fork() of a program with threads, and its child hangs at times.  A guest that hangs
 * is ended by SIGALRM after some idle seconds; a child that is deaf to it is
 * CHILD_LOST, and it is as if there had been none.  child_status_init() is for that: a
 * signal without a handler in the guest would end QEMU, whoever hangs.
 */
#define CHILD_LOST	(-1)
void child_status_init(void);
int child_status(pid_t pid);

/* Runs @fn in a child process: its exit status, or -1 - the signal that killed it. */
int in_fork(int (*fn)(void *arg), void *arg);

/* The full name of a library that the build made beside this program. */
const char *solib_path(const char *name);

#endif
