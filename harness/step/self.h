/* SPDX-License-Identifier: MIT */
/*
 * Stepping without a tracer: the thread that makes a call stops itself before
 * each instruction of it.  For tests that want a thread to stand at each of them
 * in turn, and for counting where there is no ptrace (an emulator).
 *
 * On x86-64 by the trap flag.  On arm64, which keeps its own from programs, by a
 * breakpoint at the instruction that comes next: no other thread may run that
 * code meanwhile, and there is none in the text while @stop runs.
 */
#ifndef TRAMPLAB_SELF_H
#define TRAMPLAB_SELF_H

#include <stdbool.h>

/*
 * Runs @call; from its first call of @func until that has returned, @stop is
 * asked before each instruction, from a SIGTRAP handler: false for no more stops.
 * One thread at a time.  0, or -errno: text cannot be written.
 */
int self_step(unsigned long func, void (*call)(void *arg), void *arg,
	      bool (*stop)(unsigned long pc, unsigned long sp));

#endif
