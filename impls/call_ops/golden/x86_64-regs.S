/* SPDX-License-Identifier: MIT */
#include "harness/arch/x86_64/golden_frames.h"

	golden	call_ops, regs
	enter_regs
	word_ops	FRAME_REGS
	leave_regs
	end_golden entry=98b, word_read=97b
