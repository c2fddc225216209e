/* SPDX-License-Identifier: MIT */
#include "harness/arch/x86_64/golden_frames.h"

	golden	call_ops, vec, sse
	enter_sse
	word_ops	FRAME_VEC
	leave_sse
	end_golden entry=98b, word_read=97b

	golden	call_ops, vec, avx
	enter_avx
	word_ops	FRAME_VEC
	leave_avx
	end_golden entry=98b, word_read=97b

	golden	call_ops, vec, avx512
	enter_avx512
	word_ops	FRAME_VEC
	leave_avx512
	end_golden entry=98b, word_read=97b
