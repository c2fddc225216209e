/* SPDX-License-Identifier: MIT */
#include "harness/arch/aarch64/golden_frames.h"

/* fregs: a full pt_regs, which is 3. */
#define FREGS	3

	golden	direct_tramp, regs
	enter_regs
	slot_ops FREGS
	leave_regs
	slot_words ftrace_ops_list_func
	end_golden slot=.Lslot, slot_far=.Lfar, slot_ops=.Lops
