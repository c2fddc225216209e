/* SPDX-License-Identifier: MIT */
/*
 * The functions that cases trace.  Built with sites, each a real call for any
 * caller: what the compiler knows of a body must not leak around the site.
 */
#ifndef TRAMPLAB_TRACEE_H
#define TRAMPLAB_TRACEE_H

#ifdef __has_attribute
#if __has_attribute(noipa)
#define TRACEE __attribute__((__noipa__, __noinline__))
#endif
#endif
#ifndef TRACEE
#define TRACEE __attribute__((__noinline__))
#endif
/* In a file built with sites: this one has none. */
#ifdef __KERNEL__
#include <linux/ftrace.h>	/* arm64 makes a macro of __builtin_return_address() and needs this for it */
#define UNTRACED noinline notrace
#else
#define UNTRACED __attribute__((noinline, patchable_function_entry(0)))
#endif

unsigned long tracee_a(unsigned long x);	/* x + 1 */
unsigned long tracee_b(unsigned long x);	/* x + 2 */
unsigned long tracee_c(unsigned long x);	/* x + 3 */
unsigned long tracee_d(unsigned long x);	/* x + 4 */
unsigned long untraced(unsigned long x);	/* x + 5, no site */

/* Names for patterns.  Nothing else begins with globby. */
unsigned long globby_aa(unsigned long x);
unsigned long globby_ab(unsigned long x);
unsigned long globby_ba(unsigned long x);
unsigned long globby_ba_ab(unsigned long x);

/* Each argument with a weight of its own, so that a swap shows. */
unsigned long tracee_args6(unsigned long a, unsigned long b, unsigned long c,
			   unsigned long d, unsigned long e, unsigned long f);
unsigned long tracee_args7(unsigned long a, unsigned long b, unsigned long c, unsigned long d,
			   unsigned long e, unsigned long f, unsigned long g);
unsigned long tracee_args9(unsigned long a, unsigned long b, unsigned long c, unsigned long d,
			   unsigned long e, unsigned long f, unsigned long g, unsigned long h,
			   unsigned long i);
unsigned long tracee_args20(unsigned long a, unsigned long b, unsigned long c, unsigned long d,
			    unsigned long e, unsigned long f, unsigned long g, unsigned long h,
			    unsigned long i, unsigned long j, unsigned long k, unsigned long l,
			    unsigned long m, unsigned long n, unsigned long o, unsigned long p,
			    unsigned long q, unsigned long r, unsigned long s, unsigned long t);
/* Narrow types: the upper parts of their registers are nobody's. */
long tracee_narrow(signed char a, unsigned char b, short c, unsigned short d, int e, _Bool f,
		   signed char g, short h);

struct pair { unsigned long a, b; };			/* two registers */
struct bulk { unsigned long v[5]; };			/* memory */
struct bulk16 { unsigned long v[4]; } __attribute__((aligned(16)));
struct bulk32 { unsigned long v[4]; } __attribute__((aligned(32)));

struct pair tracee_pair(struct pair p, unsigned long x);
struct bulk tracee_bulk(struct bulk s, unsigned long x);	/* returned through memory too */
/* @x shifts what follows, so that the alignment makes a hole. */
unsigned long tracee_aligned(unsigned long x, struct bulk16 s, struct bulk32 t);
__int128 tracee_int128(__int128 a, int x, __int128 b);
#ifndef __clang__
unsigned long tracee_static_chain(unsigned long x);	/* x + 8, by way of a nested function */
#endif

/* --- who called --- */
unsigned long tracee_return_address(void);
/* Tail-calls tracee_return_address(); its own return address goes to *@mine. */
unsigned long untraced_tail_call(unsigned long *mine);
unsigned long tracee_recursive(unsigned int depth);	/* calls itself; returns depth */

/* --- solib/many.c --- */
#define MANY_FUNCTIONS 10000
typedef unsigned long many_t(unsigned long x);	/* x + 1 */
extern many_t *const many[MANY_FUNCTIONS];

/* --- tracee_packed.c: built for size, and cold --- */
#define TRACEE_PACKED 12
extern unsigned long (*const tracee_packed[TRACEE_PACKED])(unsigned long x);	/* x + 1 to x + 6, twice */

/* --- control flow --- */
unsigned long tracee_calls(unsigned long (*fn)(void *arg), void *arg);	/* fn(arg) + 1 */

#endif
