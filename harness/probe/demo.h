/* SPDX-License-Identifier: MIT */
/* Functions to put probes on, and calls of them with arguments that are easy to tell. */
#ifndef TRAMPLAB_DEMO_H
#define TRAMPLAB_DEMO_H

unsigned long add(unsigned long a, unsigned long b);
unsigned long sum9(unsigned long a, unsigned long b, unsigned long c, unsigned long d,
		   unsigned long e, unsigned long f, unsigned long g, unsigned long h,
		   unsigned long i);

#endif
