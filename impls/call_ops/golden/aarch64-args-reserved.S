/* SPDX-License-Identifier: MIT */
#include "harness/arch/aarch64/golden_frames.h"

/* fregs: a pt_regs that is stored in part, which is 2. */
#define FREGS	2

	golden	call_ops, args-reserved
	enter_reserved
	word_ops FREGS
	leave_reserved
	end_golden word_read=.Lread
