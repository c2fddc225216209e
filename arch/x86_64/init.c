/* SPDX-License-Identifier: MIT */
/* x86-64: what the entry code takes for granted. */
#include <cpuid.h>
#include <errno.h>
#include "core/arch.h"
#include "core/core.h"

int arch_init(void)
{
	unsigned int a, b, c, d;

	/* regs leaves by sahf, which the first 64-bit processors lack (SDM vol. 2, SAHF). */
	if (!__get_cpuid(0x80000001, &a, &b, &c, &d) || !(c & bit_LAHF_LM))
		return tramp_fail(-EOPNOTSUPP, "this processor has no sahf in 64-bit mode");
	return 0;
}

/* psABI, thread-local storage, variant II: the first word at %fs is its own address. */
unsigned long arch_thread_pointer(void)
{
	unsigned long tp;

	__asm__("mov %%fs:0, %0" : "=r" (tp));
	return tp;
}
