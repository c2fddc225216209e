/* SPDX-License-Identifier: MIT */
#include "harness/arch/aarch64/golden_frames.h"

/* fregs: the compact frame, which is 1. */
#define FREGS	1

	golden	list_func, args
	enter_args
	list_call FREGS
	leave_args
	end_golden
