/* SPDX-License-Identifier: MIT */
#ifndef TRAMPLAB_BENCH_TRACEE_H
#define TRAMPLAB_BENCH_TRACEE_H

#define TRACEE_DEEP 8

long tracee(long x);					/* x + 1 */
long tracee_args(long a, long b, long c, long d, long e, long f);
long tracee_deep1(long x);				/* x + 8, through eight sites */
extern long (*const tracee_deep[TRACEE_DEEP])(long);

/* The same function again and again, for threads that are to share nothing. */
#define TRACEE_OWN 100
extern long (*const tracee_own[TRACEE_OWN])(long);

/* Ten thousand empty functions, for filters elsewhere and for patching (many.c). */
#define TRACEE_MANY 10000
extern void (*const tracee_many[TRACEE_MANY])(void);

#endif
