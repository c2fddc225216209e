/* SPDX-License-Identifier: MIT */
#include "harness/arch/x86_64/golden_frames.h"

	golden	list_func, args-reserved
	enter_reserved
	call_list	FRAME_RESERVED
	leave_reserved
	end_golden
