/* SPDX-License-Identifier: MIT */
#include "demo.h"

#define DEMO __attribute__((noinline))

DEMO unsigned long add(unsigned long a, unsigned long b)
{
	return a + b;
}

DEMO unsigned long sum9(unsigned long a, unsigned long b, unsigned long c, unsigned long d,
			unsigned long e, unsigned long f, unsigned long g, unsigned long h,
			unsigned long i)
{
	return a + b + c + d + e + f + g + h + i;
}
