/* SPDX-License-Identifier: MIT */
#include "harness/arch/aarch64/golden_frames.h"

/* fregs: a pt_regs that is stored in part, which is 2. */
#define FREGS	2

/* From x29: ip and parent_ip, for the callbacks after the first. */
#define NOTE	16

	golden	fused_tramp, args-reserved
	enter_reserved
	own_ops	FREGS
	leave_reserved
	own_words
	end_golden

	golden	fused_tramp, args-reserved, nr=2
	enter_reserved
	set_guard FREGS
	set_first NOTE
	set_later NOTE, FREGS, 82f
	set_unguard
	leave_reserved
	set_held FREGS, 256, 240
	leave_reserved
	set_words2
	end_golden

	golden	fused_tramp, args-reserved, nr=3
	enter_reserved
	set_guard FREGS
	set_first NOTE
	set_later NOTE, FREGS, 82f
	set_later NOTE, FREGS, 83f
	set_unguard
	leave_reserved
	set_held FREGS, 256, 240
	leave_reserved
	set_words3
	end_golden
