/* SPDX-License-Identifier: MIT */
/* A traced library: it has sites of its own, and a callback. */
#include <ftrace.h>

unsigned long solib_hit_calls;
unsigned long solib_constructed;

__attribute__((noinline)) unsigned long solib_a(unsigned long x)
{
	__asm__ ("" : "+r" (x));
	return x + 101;
}

__attribute__((noinline)) unsigned long solib_b(unsigned long x)
{
	__asm__ ("" : "+r" (x));
	return x + 102;
}

/* Runs when the library's sites are known, before dlopen() returns. */
__attribute__((constructor)) static void construct(void)
{
	solib_constructed = solib_a(1);
}

__attribute__((patchable_function_entry(0)))
void solib_hit(unsigned long ip, unsigned long parent_ip,
	       struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	(void)ip, (void)parent_ip, (void)op, (void)fregs;
	solib_hit_calls++;
}
