/* SPDX-License-Identifier: MIT */
#include "harness/arch/aarch64/golden_frames.h"

/* fregs: a full pt_regs, 528 above the vector registers, which is 4. */
#define FREGS	532

	golden	dyn_tramp, vec
	enter_vec
	own_ops	FREGS
	leave_vec
	own_words
	end_golden
