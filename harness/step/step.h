/* SPDX-License-Identifier: MIT */
/*
 * Single-step one call of a function: how many instructions, which, and how
 * much stack.  Needs no PMU, and the answer is the same on every run.
 *
 * The stepping is done by the caller of step_call(), with ptrace, on a forked
 * child: what is counted runs undisturbed by what counts it.  Where there is no
 * ptrace (an emulator, a sandbox) the child steps itself: self.h.
 */
#ifndef TRAMPLAB_STEP_H
#define TRAMPLAB_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define STEP_INSN_MAX 15	/* the longest instruction of any port, in bytes */

struct step_insn {
	unsigned long	pc;
	unsigned long	sp;		/* before it ran */
	uint8_t		bytes[STEP_INSN_MAX + 1];	/* for listings only */
};

struct step_run {
	struct step_insn	*insn;	/* from the function's first to its return */
	size_t			nr, cap;
	bool			want_bytes;	/* the caller's: read them, which takes time */
	unsigned long		stack;	/* deepest stack pointer, in bytes below the caller's */
};

/*
 * In a child of its own: run @setup (may be NULL; at full speed; 0 or -errno),
 * then @call, which has to call @func; step that call.  0, or -errno:
 * what @setup returned, -ESRCH when @func was never reached, -EFAULT when the
 * child died.
 */
int step_call(struct step_run *run, unsigned long func, int (*setup)(void *arg),
	      void (*call)(void *arg), void *arg);
void step_free(struct step_run *run);

/* One line an instruction, with symbols (link with -rdynamic); 0 or -errno. */
int step_list(const struct step_run *run, FILE *out);

#endif
