/* SPDX-License-Identifier: MIT */
/*
 * AArch64: the tick counter, and the ruler that turns ticks into core cycles.
 */
#ifndef TRAMPLAB_ARCH_TICKS_H
#define TRAMPLAB_ARCH_TICKS_H

#include <stdint.h>

#define ARCH_TICKS_NAME "cntvct_el0"

/*
 * The counter may be read ahead of what stands before it (Arm ARM, D12.1.2): the
 * first isb keeps it behind what is measured or came earlier, the second keeps
 * what follows from starting before.
 */
static inline uint64_t arch_ticks_start(void)
{
	uint64_t ticks;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r" (ticks) : : "memory");
	return ticks;
}

static inline uint64_t arch_ticks_stop(void)
{
	return arch_ticks_start();
}

/* Finish everything before anything that follows: the regime "serial". */
static inline void arch_serialize(void)
{
	__asm__ volatile("isb" : : : "memory");
}

#define ARCH_RULER_BLOCK 64	/* core cycles of one block */

/* @blocks times 64 additions, each waiting for the one before: one core cycle each. */
static inline void arch_ruler(unsigned int blocks)
{
	uint64_t sum = 1, one = 1, left = blocks;

	__asm__ volatile(".p2align 6\n"
			 "1:\t.rept 64\n\tadd %0, %0, %2\n\t.endr\n\t"
			 "subs %1, %1, #1\n\tb.ne 1b"
			 : "+r" (sum), "+r" (left) : "r" (one) : "cc");
}

#endif
