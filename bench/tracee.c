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
