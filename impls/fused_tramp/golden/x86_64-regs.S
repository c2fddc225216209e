/* SPDX-License-Identifier: MIT */
#include "harness/arch/x86_64/golden_frames.h"

	golden	fused_tramp, regs
	enter_regs
	own_ops	FRAME_REGS
	leave_regs
	end_golden entry=98b

	golden	fused_tramp, regs, nr=2
	enter_regs
	set_guard
	set_first FRAME_REGS, golden_ops
	set_later %rsp, 3, golden_ops2
	set_unguard
	leave_regs
	set_held FRAME_REGS
	leave_regs
	end_golden entry=98b

	golden	fused_tramp, regs, nr=3
	enter_regs
	set_guard
	set_first FRAME_REGS, golden_ops
	set_later %rsp, 3, golden_ops2
	set_later %rsp, 3, golden_ops3
	set_unguard
	leave_regs
	set_held FRAME_REGS
	leave_regs
	end_golden entry=98b
