/* SPDX-License-Identifier: MIT */
#include "harness/arch/x86_64/golden_frames.h"

	golden	dyn_tramp, vec, sse
	enter_sse
	own_ops	FRAME_VEC
	leave_sse
	end_golden entry=98b

	golden	dyn_tramp, vec, avx
	enter_avx
	own_ops	FRAME_VEC
	leave_avx
	end_golden entry=98b

	golden	dyn_tramp, vec, avx512
	enter_avx512
	own_ops	FRAME_VEC
	leave_avx512
	end_golden entry=98b
