/* SPDX-License-Identifier: MIT */
#include "harness/arch/x86_64/golden_frames.h"

	golden	call_ops, args-reserved
	enter_reserved
	word_ops	FRAME_RESERVED
	leave_reserved
	end_golden word_read=97b
