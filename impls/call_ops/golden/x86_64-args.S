/* SPDX-License-Identifier: MIT */
#include "harness/arch/x86_64/golden_frames.h"

	golden	call_ops, args
	enter_args
	word_ops	FRAME_ARGS
	leave_args
	end_golden word_read=97b
