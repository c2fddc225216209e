/* SPDX-License-Identifier: MIT */
#include "harness/arch/aarch64/golden_frames.h"

	golden	list_func, noregs
	enter_args
	first_args
	bl	ftrace_ops_list_func_noregs
	leave_args
	end_golden
