/* SPDX-License-Identifier: MIT */
/* A pattern in every register, to be found again. */
#ifndef TRAMPLAB_PATTERN_H
#define TRAMPLAB_PATTERN_H

#include <shim.h>

extern const char *const pattern_names[];	/* of the shim's registers */

/* No two alike, no small ones, upper halves in use. */
void pattern_fill(struct shim_regs *in, unsigned long flags);
/* @flags: those that count.  @where goes into what a failure says. */
void pattern_expect(const char *where, const struct shim_regs *got,
		    const struct shim_regs *want, unsigned long flags);

#endif
