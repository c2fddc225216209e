/* SPDX-License-Identifier: MIT */
/* 10 000 traced functions, many_0000 to many_9999, and a table of them. */
#include "tracee.h"

#define X1(f, n)	f(n##0) f(n##1) f(n##2) f(n##3) f(n##4) f(n##5) f(n##6) f(n##7) f(n##8) f(n##9)
#define X2(f, n)	X1(f, n##0) X1(f, n##1) X1(f, n##2) X1(f, n##3) X1(f, n##4) \
			X1(f, n##5) X1(f, n##6) X1(f, n##7) X1(f, n##8) X1(f, n##9)
#define X3(f, n)	X2(f, n##0) X2(f, n##1) X2(f, n##2) X2(f, n##3) X2(f, n##4) \
			X2(f, n##5) X2(f, n##6) X2(f, n##7) X2(f, n##8) X2(f, n##9)
#define X4(f, n)	X3(f, n##0) X3(f, n##1) X3(f, n##2) X3(f, n##3) X3(f, n##4) \
			X3(f, n##5) X3(f, n##6) X3(f, n##7) X3(f, n##8) X3(f, n##9)

#define DEFINE(name)	static TRACEE unsigned long name(unsigned long x) { return x + 1; }
#define ENTRY(name)	name,

X4(DEFINE, many_)

many_t *const many[MANY_FUNCTIONS] = { X4(ENTRY, many_) };
