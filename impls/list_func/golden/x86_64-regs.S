/* SPDX-License-Identifier: MIT */
#include "harness/arch/x86_64/golden_frames.h"

	golden	list_func, regs
	enter_regs
	call_list	FRAME_REGS
	leave_regs
	end_golden entry=98b
