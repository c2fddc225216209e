/* SPDX-License-Identifier: MIT */
#include "harness/arch/aarch64/golden_frames.h"

/* fregs: the compact frame, which is 1. */
#define FREGS	1

	golden	dyn_tramp, args
	enter_args
	own_ops	FREGS
	leave_args
	own_words
	end_golden
