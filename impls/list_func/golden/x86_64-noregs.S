/* SPDX-License-Identifier: MIT */
#include "harness/arch/x86_64/golden_frames.h"

	golden	list_func, noregs
	enter_args
	ip_parent %rsp, 80, 88
	call	ftrace_ops_list_func_noregs
	leave_args
	end_golden
