/* SPDX-License-Identifier: MIT */
#include <case_arch.h>
#include "tracee.h"

/* Opaque to the compiler of this file, too. */
#define HIDE(x)	__asm__ ("" : "+r" (x))

#define TRACEE_ADDS(name, n)						\
TRACEE unsigned long name(unsigned long x)				\
{									\
	HIDE(x);							\
	return x + (n);							\
}

TRACEE_ADDS(tracee_a, 1)
TRACEE_ADDS(tracee_b, 2)
TRACEE_ADDS(tracee_c, 3)
TRACEE_ADDS(tracee_d, 4)
TRACEE_ADDS(globby_aa, 11)
TRACEE_ADDS(globby_ab, 12)
TRACEE_ADDS(globby_ba, 13)
TRACEE_ADDS(globby_ba_ab, 14)

UNTRACED unsigned long untraced(unsigned long x)
{
	HIDE(x);
	return x + 5;
}

TRACEE unsigned long tracee_args6(unsigned long a, unsigned long b, unsigned long c,
				  unsigned long d, unsigned long e, unsigned long f)
{
	return a + 3 * b + 5 * c + 7 * d + 11 * e + 13 * f;
}

TRACEE unsigned long tracee_args7(unsigned long a, unsigned long b, unsigned long c,
				  unsigned long d, unsigned long e, unsigned long f,
				  unsigned long g)
{
	return a + 3 * b + 5 * c + 7 * d + 11 * e + 13 * f + 17 * g;
}

TRACEE unsigned long tracee_args9(unsigned long a, unsigned long b, unsigned long c,
				  unsigned long d, unsigned long e, unsigned long f,
				  unsigned long g, unsigned long h, unsigned long i)
{
	return a + 3 * b + 5 * c + 7 * d + 11 * e + 13 * f + 17 * g + 19 * h + 23 * i;
}

TRACEE unsigned long tracee_args20(unsigned long a, unsigned long b, unsigned long c,
				   unsigned long d, unsigned long e, unsigned long f,
				   unsigned long g, unsigned long h, unsigned long i,
				   unsigned long j, unsigned long k, unsigned long l,
				   unsigned long m, unsigned long n, unsigned long o,
				   unsigned long p, unsigned long q, unsigned long r,
				   unsigned long s, unsigned long t)
{
	unsigned long v[] = { a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t };
	unsigned long sum = 0;

	for (unsigned int x = 0; x < 20; x++)
		sum = sum * 3 + v[x];
	return sum;
}

TRACEE long tracee_narrow(signed char a, unsigned char b, short c, unsigned short d, int e,
			  _Bool f, signed char g, short h)
{
	return a + 3 * b + 5 * c + 7 * d + 11L * e + 13 * f + 17 * g + 19 * h;
}

TRACEE struct pair tracee_pair(struct pair p, unsigned long x)
{
	return (struct pair){ p.b + x, p.a - x };
}

TRACEE struct bulk tracee_bulk(struct bulk s, unsigned long x)
{
	for (unsigned int i = 0; i < 5; i++)
		s.v[i] = s.v[i] * 3 + x + i;
	return s;
}

TRACEE unsigned long tracee_aligned(unsigned long x, struct bulk16 s, struct bulk32 t)
{
	unsigned long at_s = (unsigned long)&s, at_t = (unsigned long)&t;

	/* A shifted stack would show here: the caller placed them aligned. */
	HIDE(at_s);
	HIDE(at_t);
	if (at_s % 16 || at_t % CASE_STRUCT_ALIGN)
		return 0;
	return x + 3 * s.v[0] + 5 * s.v[3] + 7 * t.v[0] + 11 * t.v[3];
}

TRACEE __int128 tracee_int128(__int128 a, int x, __int128 b)
{
	return a * 3 + b * 5 + x;
}

#ifndef __clang__
/* The nested function finds x through the static chain register. */
TRACEE unsigned long tracee_static_chain(unsigned long x)
{
	TRACEE unsigned long nested(unsigned long y)
	{
		x += y;
		return x;
	}

	nested(3);
	return nested(5);
}
#endif

TRACEE unsigned long tracee_return_address(void)
{
	return (unsigned long)__builtin_return_address(0);
}

UNTRACED unsigned long untraced_tail_call(unsigned long *mine)
{
	*mine = (unsigned long)__builtin_return_address(0);
	return tracee_return_address();
}

TRACEE unsigned long tracee_recursive(unsigned int depth)
{
	unsigned long n = 1;

	if (depth > 1)
		n += tracee_recursive(depth - 1);
	HIDE(n);	/* not a tail call */
	return n;
}

TRACEE unsigned long tracee_calls(unsigned long (*fn)(void *arg), void *arg)
{
	unsigned long x = fn(arg);

	HIDE(x);
	return x + 1;
}
