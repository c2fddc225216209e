/* SPDX-License-Identifier: MIT */
#include "harness/arch/x86_64/golden_frames.h"

	golden	direct_tramp, vec, sse
	enter_sse
	slot_ops	FRAME_VEC
	leave_sse
	slot_words
	end_golden entry=98b, slot=1b, slot_far=3b, slot_ops=4b

	golden	direct_tramp, vec, avx
	enter_avx
	slot_ops	FRAME_VEC
	leave_avx
	slot_words
	end_golden entry=98b, slot=1b, slot_far=3b, slot_ops=4b

	golden	direct_tramp, vec, avx512
	enter_avx512
	slot_ops	FRAME_VEC
	leave_avx512
	slot_words
	end_golden entry=98b, slot=1b, slot_far=3b, slot_ops=4b
