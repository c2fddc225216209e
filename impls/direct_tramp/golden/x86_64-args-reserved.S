/* SPDX-License-Identifier: MIT */
#include "harness/arch/x86_64/golden_frames.h"

	golden	direct_tramp, args-reserved
	enter_reserved
	slot_ops	FRAME_RESERVED
	leave_reserved
	slot_words
	end_golden slot=1b, slot_far=3b, slot_ops=4b
