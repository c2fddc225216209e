/* SPDX-License-Identifier: MIT */
#include "harness/arch/x86_64/golden_frames.h"

	golden	dyn_tramp, regs
	enter_regs
	own_ops	FRAME_REGS
	leave_regs
	end_golden entry=98b
