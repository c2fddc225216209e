/* SPDX-License-Identifier: MIT */
#include "harness/arch/x86_64/golden_frames.h"

	golden	dyn_tramp, args
	enter_args
	own_ops	FRAME_ARGS
	leave_args
	end_golden
