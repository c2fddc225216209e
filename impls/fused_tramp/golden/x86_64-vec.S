/* SPDX-License-Identifier: MIT */
#include "harness/arch/x86_64/golden_frames.h"

	golden	fused_tramp, vec, sse
	enter_sse
	own_ops	FRAME_VEC
	leave_sse
	end_golden entry=98b

	golden	fused_tramp, vec, sse, nr=2
	enter_sse
	set_guard
	set_first FRAME_VEC, golden_ops
	set_later %rbp, 4, golden_ops2
	set_unguard
	leave_sse
	set_held FRAME_VEC
	leave_sse
	end_golden entry=98b

	golden	fused_tramp, vec, sse, nr=3
	enter_sse
	set_guard
	set_first FRAME_VEC, golden_ops
	set_later %rbp, 4, golden_ops2
	set_later %rbp, 4, golden_ops3
	set_unguard
	leave_sse
	set_held FRAME_VEC
	leave_sse
	end_golden entry=98b

	golden	fused_tramp, vec, avx
	enter_avx
	own_ops	FRAME_VEC
	leave_avx
	end_golden entry=98b

	golden	fused_tramp, vec, avx, nr=2
	enter_avx
	set_guard
	set_first FRAME_VEC, golden_ops
	set_later %rbp, 4, golden_ops2
	set_unguard
	leave_avx
	set_held FRAME_VEC
	leave_avx
	end_golden entry=98b

	golden	fused_tramp, vec, avx, nr=3
	enter_avx
	set_guard
	set_first FRAME_VEC, golden_ops
	set_later %rbp, 4, golden_ops2
	set_later %rbp, 4, golden_ops3
	set_unguard
	leave_avx
	set_held FRAME_VEC
	leave_avx
	end_golden entry=98b

	golden	fused_tramp, vec, avx512
	enter_avx512
	own_ops	FRAME_VEC
	leave_avx512
	end_golden entry=98b

	golden	fused_tramp, vec, avx512, nr=2
	enter_avx512
	set_guard
	set_first FRAME_VEC, golden_ops
	set_later %rbp, 4, golden_ops2
	set_unguard
	leave_avx512
	set_held FRAME_VEC
	leave_avx512
	end_golden entry=98b

	golden	fused_tramp, vec, avx512, nr=3
	enter_avx512
	set_guard
	set_first FRAME_VEC, golden_ops
	set_later %rbp, 4, golden_ops2
	set_later %rbp, 4, golden_ops3
	set_unguard
	leave_avx512
	set_held FRAME_VEC
	leave_avx512
	end_golden entry=98b
