/* SPDX-License-Identifier: MIT */
#include "harness/arch/aarch64/golden_frames.h"

/* fregs: the compact frame, which is 1. */
#define FREGS	1

	golden	direct_tramp, args
	enter_args
	slot_ops FREGS
	leave_args
	slot_words ftrace_ops_list_func
	end_golden slot=.Lslot, slot_far=.Lfar, slot_ops=.Lops
