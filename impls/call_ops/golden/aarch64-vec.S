/* SPDX-License-Identifier: MIT */
#include "harness/arch/aarch64/golden_frames.h"

/* fregs: a full pt_regs, 528 above the vector registers, which is 4. */
#define FREGS	532

	golden	call_ops, vec
	enter_vec
	word_ops FREGS
	leave_vec
	end_golden word_read=.Lread
