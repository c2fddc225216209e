/* SPDX-License-Identifier: MIT */
#include "harness/arch/x86_64/golden_frames.h"

	golden	fused_tramp, args-reserved
	enter_reserved
	own_ops	FRAME_RESERVED
	leave_reserved
	end_golden

	golden	fused_tramp, args-reserved, nr=2
	enter_reserved
	set_guard
	set_first FRAME_RESERVED, golden_ops
	set_later %rsp, 2, golden_ops2
	set_unguard
	leave_reserved
	set_held FRAME_RESERVED
	leave_reserved
	end_golden

	golden	fused_tramp, args-reserved, nr=3
	enter_reserved
	set_guard
	set_first FRAME_RESERVED, golden_ops
	set_later %rsp, 2, golden_ops2
	set_later %rsp, 2, golden_ops3
	set_unguard
	leave_reserved
	set_held FRAME_RESERVED
	leave_reserved
	end_golden
