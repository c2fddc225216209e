/* SPDX-License-Identifier: MIT */
/* Traced functions with floating point, for user space. */
#include <stdarg.h>
#include "tracee_fp.h"

TRACEE double fp_args8(double a, double b, double c, double d, double e, double f, double g, double h)
{
	return a + 3 * b + 5 * c + 7 * d + 11 * e + 13 * f + 17 * g + 19 * h;
}

TRACEE double fp_args10(int i, double a, double b, float c, double d, long j, double e, float f,
			double g, double h, double k, double l)
{
	return i + j + a + 3 * b + 5 * c + 7 * d + 11 * e + 13 * f + 17 * g + 19 * h + 23 * k + 29 * l;
}

TRACEE long double fp_long_double(long double a, double b, long double c)
{
	return a * 3 + b * 5 + c * 7;
}

TRACEE _Complex double fp_complex(_Complex double a, _Complex double b)
{
	return a * 3 + b * 5;
}

TRACEE struct mixed fp_mixed(struct mixed m, double x)
{
	return (struct mixed){ m.d + x, m.l + 1 };
}

/* The callee stores the vector arguments only if al says that there are any. */
TRACEE double fp_variadic(const char *kinds, ...)
{
	double sum = 0;
	va_list ap;

	va_start(ap, kinds);
	for (; *kinds; kinds++)
		sum = sum * 3 + (*kinds == 'd' ? va_arg(ap, double) : va_arg(ap, int));
	va_end(ap);
	return sum;
}
