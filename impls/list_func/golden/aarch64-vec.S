/* SPDX-License-Identifier: MIT */
#include "harness/arch/aarch64/golden_frames.h"

/* fregs: a full pt_regs, 528 above the vector registers, which is 4. */
#define FREGS	532

	golden	list_func, vec
	enter_vec
	list_call FREGS
	leave_vec
	end_golden
