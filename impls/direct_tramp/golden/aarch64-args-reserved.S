/* SPDX-License-Identifier: MIT */
#include "harness/arch/aarch64/golden_frames.h"

/* fregs: a pt_regs that is stored in part, which is 2. */
#define FREGS	2

	golden	direct_tramp, args-reserved
	enter_reserved
	slot_ops FREGS
	leave_reserved
	slot_words ftrace_ops_list_func
	end_golden slot=.Lslot, slot_far=.Lfar, slot_ops=.Lops
