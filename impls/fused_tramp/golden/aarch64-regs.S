/* SPDX-License-Identifier: MIT */
#include "harness/arch/aarch64/golden_frames.h"

/* fregs: a full pt_regs, which is 3. */
#define FREGS	3

/* From x29: ip and parent_ip, for the callbacks after the first. */
#define NOTE	16

	golden	fused_tramp, regs
	enter_regs
	own_ops	FREGS
	leave_regs
	own_words
	end_golden

	golden	fused_tramp, regs, nr=2
	enter_regs
	set_guard FREGS
	set_first NOTE
	set_later NOTE, FREGS, 82f
	set_unguard
	leave_regs
	set_held FREGS, 256, 240
	leave_regs
	set_words2
	end_golden

	golden	fused_tramp, regs, nr=3
	enter_regs
	set_guard FREGS
	set_first NOTE
	set_later NOTE, FREGS, 82f
	set_later NOTE, FREGS, 83f
	set_unguard
	leave_regs
	set_held FREGS, 256, 240
	leave_regs
	set_words3
	end_golden
