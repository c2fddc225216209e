/* SPDX-License-Identifier: MIT */
#ifndef TRAMPLAB_TRACEE_FP_H
#define TRAMPLAB_TRACEE_FP_H

#include "tracee.h"

struct mixed { double d; long l; };	/* one vector register, one general */

double fp_args8(double a, double b, double c, double d, double e, double f, double g, double h);
double fp_args10(int i, double a, double b, float c, double d, long j, double e, float f,
		 double g, double h, double k, double l);
long double fp_long_double(long double a, double b, long double c);
_Complex double fp_complex(_Complex double a, _Complex double b);
struct mixed fp_mixed(struct mixed m, double x);
/* One letter an argument: i or d.  Each step: sum * 3 + argument. */
double fp_variadic(const char *kinds, ...);

#endif
