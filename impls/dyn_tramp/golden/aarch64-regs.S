/* SPDX-License-Identifier: MIT */
#include "harness/arch/aarch64/golden_frames.h"

/* fregs: a full pt_regs, which is 3. */
#define FREGS	3

	golden	dyn_tramp, regs
	enter_regs
	own_ops	FREGS
	leave_regs
	own_words
	end_golden
