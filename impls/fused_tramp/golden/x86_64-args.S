/* SPDX-License-Identifier: MIT */
#include "harness/arch/x86_64/golden_frames.h"

	golden	fused_tramp, args
	enter_args
	own_ops	FRAME_ARGS
	leave_args
	end_golden

	golden	fused_tramp, args, nr=2
	enter_args
	set_guard
	set_first FRAME_ARGS, golden_ops
	set_later %rsp, 1, golden_ops2
	set_unguard
	leave_args
	set_held FRAME_ARGS
	leave_args
	end_golden

	golden	fused_tramp, args, nr=3
	enter_args
	set_guard
	set_first FRAME_ARGS, golden_ops
	set_later %rsp, 1, golden_ops2
	set_later %rsp, 1, golden_ops3
	set_unguard
	leave_args
	set_held FRAME_ARGS
	leave_args
	end_golden
