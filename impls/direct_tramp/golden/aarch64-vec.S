/* SPDX-License-Identifier: MIT */
#include "harness/arch/aarch64/golden_frames.h"

/* fregs: a full pt_regs, 528 above the vector registers, which is 4. */
#define FREGS	532

	golden	direct_tramp, vec
	enter_vec
	slot_ops FREGS
	leave_vec
	slot_words ftrace_ops_list_func
	end_golden slot=.Lslot, slot_far=.Lfar, slot_ops=.Lops
