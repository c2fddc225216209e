/* SPDX-License-Identifier: MIT */
/*
 * x86-64: the tick counter, and the ruler that turns ticks into core cycles.
 */
#ifndef TRAMPLAB_ARCH_TICKS_H
#define TRAMPLAB_ARCH_TICKS_H

#include <stdint.h>

#define ARCH_TICKS_NAME "rdtsc"

/*
 * Nothing that was started before may still be running when the counter is
 * read (the first lfence), and nothing that is measured may start before it
 * was (the second).
 */
static inline uint64_t arch_ticks_start(void)
{
	uint32_t lo, hi;

	__asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a" (lo), "=d" (hi) : : "memory");
	return (uint64_t)hi << 32 | lo;
}

/*
 * rdtscp waits for what is measured by itself; the lfence keeps what follows
 * from starting before the counter was read.  Not cpuid: it traps in a guest.
 */
static inline uint64_t arch_ticks_stop(void)
{
	uint32_t lo, hi, aux;

	__asm__ volatile("rdtscp\n\tlfence" : "=a" (lo), "=d" (hi), "=c" (aux) : : "memory");
	return (uint64_t)hi << 32 | lo;
}

/* Finish everything before anything that follows: the regime "serial". */
static inline void arch_serialize(void)
{
	__asm__ volatile("lfence" : : : "memory");
}

#define ARCH_RULER_BLOCK 64	/* core cycles of one block */

/*
 * @blocks times 64 additions, each waiting for the one before: one core cycle
 * each whatever the clock does.  Register to register, since recent cores fold
 * chains of "add $imm" when they rename.  Looped, since 4096 in a row would
 * push what is measured out of the instruction cache.
 */
static inline void arch_ruler(unsigned int blocks)
{
	uint64_t sum = 1, one = 1;

	__asm__ volatile(".p2align 6\n"
			 "1:\t.rept 64\n\tadd %2, %0\n\t.endr\n\t"
			 "dec %1\n\tjnz 1b"
			 : "+r" (sum), "+r" (blocks) : "r" (one) : "cc");
}

#endif
