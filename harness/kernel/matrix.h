/* SPDX-License-Identifier: MIT */
/* The counter and the counted loops, which no compiler may vary. */
#ifndef TRAMPLAB_KERNEL_MATRIX_H
#define TRAMPLAB_KERNEL_MATRIX_H

void matrix_site(void);		/* where the relevant ops are */
void matrix_elsewhere(void);	/* where the others are */
void matrix_no_site(void);

/*
 * With -icount shift=0 both counters move by one an instruction; with KVM they
 * count cycles.
 */
#ifdef CONFIG_X86_64
#include <asm/msr.h>

static inline void counter_start(void)
{
}

static inline unsigned long counter_read(void)
{
	return rdtsc_ordered();
}

#define LOOP(call)							\
	asm volatile ("1: " call "\n dec %0\n jnz 1b"			\
		      : "+r" (n) : : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", \
		      "memory", "cc")
#define CALL(name) "call " #name
#endif

#ifdef CONFIG_ARM64
#include <asm/sysreg.h>
#include <asm/barrier.h>

/* The cycle counter, 64 bits wide, counting in the kernel too. */
static inline void counter_start(void)
{
	write_sysreg(read_sysreg(pmcr_el0) | 1 << 0 | 1 << 6, pmcr_el0);
	write_sysreg(0, pmccfiltr_el0);
	write_sysreg(1UL << 31, pmcntenset_el0);
	isb();
}

static inline unsigned long counter_read(void)
{
	isb();
	return read_sysreg(pmccntr_el0);
}

#define LOOP(call)							\
	asm volatile ("1: " call "\n subs %0, %0, #1\n b.ne 1b"		\
		      : "+r" (n) : : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", \
		      "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17", "x18", "x30",	\
		      "memory", "cc")
#define CALL(name) "bl " #name
#endif

#endif
