/* SPDX-License-Identifier: MIT */
#include "../../case.h"
#include "pattern.h"

const char *const pattern_names[] = SHIM_NAMES;

void pattern_fill(struct shim_regs *in, unsigned long flags)
{
	for (int i = 0; i < SHIM_NR_GPRS; i++)
		in->r[i] = 0x9e3779b97f4a7c15UL * (i + 1);
	in->r[SHIM_flags] = FLAGS_FIXED | flags;
}

void pattern_expect(const char *where, const struct shim_regs *got,
		    const struct shim_regs *want, unsigned long flags)
{
	for (int i = 0; i < SHIM_NR; i++) {
		unsigned long mask = i == SHIM_flags ? flags : ~0UL;

		EXPECT((got->r[i] & mask) == (want->r[i] & mask),
		       "%s %s is %#lx, want %#lx", pattern_names[i], where,
		       got->r[i] & mask, want->r[i] & mask);
	}
}
