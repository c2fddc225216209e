/* SPDX-License-Identifier: MIT */
/* What weak.c's function loses to. */
int contested(int x);

__attribute__((noinline)) int contested(int x)
{
	__asm__ volatile ("" : "+r" (x));
	return x + 3;
}
