/* SPDX-License-Identifier: MIT */
/*
 * Functions that the compiler packs: the file is built for size, unaligned, and half
 * of it is cold.  Where a site's word then comes to lie is chance (BUG-11).
 */
#include "tracee.h"

/* Each a little longer than the one before. */
#define PACKED(name, attr, n)						\
TRACEE attr unsigned long name(unsigned long x)				\
{									\
	__asm__ (".rept " #n "\n\tnop\n\t.endr" : "+r" (x));		\
	return x + (n);							\
}

#define COLD __attribute__((cold))

PACKED(packed_1, , 1)
PACKED(packed_2, , 2)
PACKED(packed_3, , 3)
PACKED(packed_4, , 4)
PACKED(packed_5, , 5)
PACKED(packed_6, , 6)
PACKED(cold_1, COLD, 1)
PACKED(cold_2, COLD, 2)
PACKED(cold_3, COLD, 3)
PACKED(cold_4, COLD, 4)
PACKED(cold_5, COLD, 5)
PACKED(cold_6, COLD, 6)

unsigned long (*const tracee_packed[TRACEE_PACKED])(unsigned long x) = {
	packed_1, packed_2, packed_3, packed_4, packed_5, packed_6,
	cold_1, cold_2, cold_3, cold_4, cold_5, cold_6,
};
