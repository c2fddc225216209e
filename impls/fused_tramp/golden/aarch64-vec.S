/* SPDX-License-Identifier: MIT */
#include "harness/arch/aarch64/golden_frames.h"

/* fregs: a full pt_regs, 528 above the vector registers, which is 4. */
#define FREGS	532

/* From x29: ip and parent_ip, for the callbacks after the first. */
#define NOTE	16

	golden	fused_tramp, vec
	enter_vec
	own_ops	FREGS
	leave_vec
	own_words
	end_golden

	golden	fused_tramp, vec, nr=2
	enter_vec
	set_guard FREGS
	set_first NOTE
	set_later NOTE, FREGS, 82f
	set_unguard
	leave_vec
	set_held FREGS, 784, 768
	leave_vec
	set_words2
	end_golden

	golden	fused_tramp, vec, nr=3
	enter_vec
	set_guard FREGS
	set_first NOTE
	set_later NOTE, FREGS, 82f
	set_later NOTE, FREGS, 83f
	set_unguard
	leave_vec
	set_held FREGS, 784, 768
	leave_vec
	set_words3
	end_golden
