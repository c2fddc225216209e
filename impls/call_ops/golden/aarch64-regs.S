/* SPDX-License-Identifier: MIT */
#include "harness/arch/aarch64/golden_frames.h"

/* fregs: a full pt_regs, which is 3. */
#define FREGS	3

	golden	call_ops, regs
	enter_regs
	word_ops FREGS
	leave_regs
	end_golden word_read=.Lread
