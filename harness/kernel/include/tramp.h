/* SPDX-License-Identifier: MIT */
/*
 * What of <tramp.h> has a meaning inside a kernel: the names of the register
 * classes.  The kernel has a partial frame and, on some, a full one.
 */
#ifndef TRAMPLAB_KERNEL_TRAMP_H
#define TRAMPLAB_KERNEL_TRAMP_H

#include <ftrace.h>

enum tramp_class {
	TRAMP_CLASS_NOREGS,
	TRAMP_CLASS_ARGS,
	TRAMP_CLASS_ARGS_RESERVED,
	TRAMP_CLASS_REGS,
	TRAMP_CLASS_VEC,
	TRAMP_NR_CLASSES
};

#define TRAMP_OPS_FL_SAVE_VEC 0

#endif
