/* SPDX-License-Identifier: MIT */
#include "harness/arch/aarch64/golden_frames.h"

/* fregs: a pt_regs that is stored in part, which is 2. */
#define FREGS	2

	golden	dyn_tramp, args-reserved
	enter_reserved
	own_ops	FREGS
	leave_reserved
	own_words
	end_golden
