/* SPDX-License-Identifier: MIT */
#include "harness/arch/x86_64/golden_frames.h"

	golden	direct_tramp, args
	enter_args
	slot_ops	FRAME_ARGS
	leave_args
	slot_words
	end_golden slot=1b, slot_far=3b, slot_ops=4b
