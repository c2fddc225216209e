/* SPDX-License-Identifier: MIT */
#include "harness/arch/x86_64/golden_frames.h"

	golden	dyn_tramp, args-reserved
	enter_reserved
	own_ops	FRAME_RESERVED
	leave_reserved
	end_golden
