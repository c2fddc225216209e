/* SPDX-License-Identifier: MIT */
#include "harness/arch/aarch64/golden_frames.h"

/* fregs: the compact frame, which is 1. */
#define FREGS	1

/* From x29: ip and parent_ip, for the callbacks after the first. */
#define NOTE	144

	golden	fused_tramp, args
	enter_args
	own_ops	FREGS
	leave_args
	own_words
	end_golden

	golden	fused_tramp, args, nr=2
	enter_args
	set_guard FREGS
	set_first NOTE
	set_later NOTE, FREGS, 82f
	set_unguard
	leave_args
	set_held FREGS, 8, 168
	leave_args
	set_words2
	end_golden

	golden	fused_tramp, args, nr=3
	enter_args
	set_guard FREGS
	set_first NOTE
	set_later NOTE, FREGS, 82f
	set_later NOTE, FREGS, 83f
	set_unguard
	leave_args
	set_held FREGS, 8, 168
	leave_args
	set_words3
	end_golden
