/* SPDX-License-Identifier: MIT */
/*
 * The traced functions.  In a file of their own, built with the port's
 * SITE_CFLAGS, so that no caller knows what they clobber.  One cache line
 * each: their addresses then do not decide how a sample comes out.
 */
#include "tracee.h"

#define SITE __attribute__((noinline, aligned(64)))

SITE long tracee(long x)
{
	return x + 1;
}

SITE long tracee_args(long a, long b, long c, long d, long e, long f)
{
	return a + 2 * b + 4 * c + 8 * d + 16 * e + 32 * f;
}

/* Eight nested callers; the additions keep the calls from becoming jumps. */
SITE long tracee_deep8(long x) { return x + 1; }
SITE long tracee_deep7(long x) { return tracee_deep8(x) + 1; }
SITE long tracee_deep6(long x) { return tracee_deep7(x) + 1; }
SITE long tracee_deep5(long x) { return tracee_deep6(x) + 1; }
SITE long tracee_deep4(long x) { return tracee_deep5(x) + 1; }
SITE long tracee_deep3(long x) { return tracee_deep4(x) + 1; }
SITE long tracee_deep2(long x) { return tracee_deep3(x) + 1; }
SITE long tracee_deep1(long x) { return tracee_deep2(x) + 1; }

long (*const tracee_deep[TRACEE_DEEP])(long) = {
	tracee_deep1, tracee_deep2, tracee_deep3, tracee_deep4,
	tracee_deep5, tracee_deep6, tracee_deep7, tracee_deep8,
};

/* The number keeps the compiler from folding them; each fits into one byte. */
#define TEN(f, n) f(n##0) f(n##1) f(n##2) f(n##3) f(n##4) f(n##5) f(n##6) f(n##7) f(n##8) f(n##9)
#define HUNDRED(f) TEN(f, 1) TEN(f, 2) TEN(f, 3) TEN(f, 4) TEN(f, 5) \
		   TEN(f, 6) TEN(f, 7) TEN(f, 8) TEN(f, 9) TEN(f, 10)
#define DEFINE(n) SITE static long tracee_own_##n(long x) { return x + n; }
#define NAME(n) tracee_own_##n,

HUNDRED(DEFINE)

long (*const tracee_own[TRACEE_OWN])(long) = { HUNDRED(NAME) };
