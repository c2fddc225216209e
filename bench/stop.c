/* SPDX-License-Identifier: MIT */
/*
 * The stop switch the older way: architectures whose entry code did not look
 * at it called a helper, and that called the list function (2009 to 2013).
 * Measured against the test inside the list function, by scenario noregs_stop.
 */
#include "core/core.h"
#include "stop.h"

/* The list function that does not test the switch, with the NULLs of class noregs. */
static void list_untested(unsigned long ip, unsigned long parent_ip)
{
	ftrace_ops_list_func(ip, parent_ip, NULL, NULL);
}

/* As then: the tracer could be replaced by storing a pointer. */
void (*bench_trace_function)(unsigned long ip, unsigned long parent_ip) = list_untested;

void bench_stop_helper(unsigned long ip, unsigned long parent_ip)
{
	if (READ_ONCE(function_trace_stop))
		return;
	bench_trace_function(ip, parent_ip);
}
