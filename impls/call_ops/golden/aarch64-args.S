/* SPDX-License-Identifier: MIT */
#include "harness/arch/aarch64/golden_frames.h"

/* fregs: the compact frame, which is 1. */
#define FREGS	1

	golden	call_ops, args
	enter_args
	word_ops FREGS
	leave_args
	end_golden word_read=.Lread
