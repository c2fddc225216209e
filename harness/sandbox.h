/* SPDX-License-Identifier: MIT */
/* What a program may have been forbidden: seccomp filters, for this thread and those that it starts. */
#ifndef TRAMPLAB_SANDBOX_H
#define TRAMPLAB_SANDBOX_H

#include <stdbool.h>

/* From now on the call @nr is @error, or with 0 death.  False: this system has no filters. */
bool refuse_call(int nr, int error);
/* The same for mmap() and mprotect() with PROT_EXEC; -1: not that one. */
bool refuse_exec(int mmap_nr, int mprotect_nr, int error);
/* Any other call than read, write, exit and sigreturn kills the process. */
bool allow_next_to_nothing(void);

#endif
