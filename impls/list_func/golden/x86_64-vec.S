/* SPDX-License-Identifier: MIT */
#include "harness/arch/x86_64/golden_frames.h"

	golden	list_func, vec, sse
	enter_sse
	call_list	FRAME_VEC
	leave_sse
	end_golden entry=98b

	golden	list_func, vec, avx
	enter_avx
	call_list	FRAME_VEC
	leave_avx
	end_golden entry=98b

	golden	list_func, vec, avx512
	enter_avx512
	call_list	FRAME_VEC
	leave_avx512
	end_golden entry=98b
