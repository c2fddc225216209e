/* SPDX-License-Identifier: MIT */
#include "harness/arch/aarch64/golden_frames.h"

/* fregs: a full pt_regs, which is 3. */
#define FREGS	3

	golden	list_func, regs
	enter_regs
	list_call FREGS
	leave_regs
	end_golden
