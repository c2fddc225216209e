/* SPDX-License-Identifier: MIT */
#include "harness/arch/x86_64/golden_frames.h"

	golden	direct_tramp, regs
	enter_regs
	slot_ops	FRAME_REGS
	leave_regs
	slot_words
	end_golden entry=98b, slot=1b, slot_far=3b, slot_ops=4b
