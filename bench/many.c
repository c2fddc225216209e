/* SPDX-License-Identifier: MIT */
/*
 * Ten thousand functions with sites.  Each stores its number: the compiler
 * would fold functions that are equal.
 */
#include "tracee.h"

static int sink;

#define TEN(f, n) f(n##0) f(n##1) f(n##2) f(n##3) f(n##4) f(n##5) f(n##6) f(n##7) f(n##8) f(n##9)
#define TEN2(f, n) TEN(f, n##0) TEN(f, n##1) TEN(f, n##2) TEN(f, n##3) TEN(f, n##4) \
		   TEN(f, n##5) TEN(f, n##6) TEN(f, n##7) TEN(f, n##8) TEN(f, n##9)
#define TEN3(f, n) TEN2(f, n##0) TEN2(f, n##1) TEN2(f, n##2) TEN2(f, n##3) TEN2(f, n##4) \
		   TEN2(f, n##5) TEN2(f, n##6) TEN2(f, n##7) TEN2(f, n##8) TEN2(f, n##9)
/* The leading 1 keeps the numbers from being octal: 10000 to 19999. */
#define ALL(f) TEN3(f, 10) TEN3(f, 11) TEN3(f, 12) TEN3(f, 13) TEN3(f, 14) \
	       TEN3(f, 15) TEN3(f, 16) TEN3(f, 17) TEN3(f, 18) TEN3(f, 19)

#define DEFINE(n) static __attribute__((noinline)) void many_##n(void) { *(volatile int *)&sink = n; }
#define NAME(n) many_##n,

ALL(DEFINE)

void (*const tracee_many[TRACEE_MANY])(void) = { ALL(NAME) };
