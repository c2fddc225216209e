/* SPDX-License-Identifier: MIT */
#include "harness/arch/x86_64/golden_frames.h"

	golden	list_func, args
	enter_args
	call_list	FRAME_ARGS
	leave_args
	end_golden
