/* SPDX-License-Identifier: MIT */
#ifndef TRAMPLAB_BENCH_STOP_H
#define TRAMPLAB_BENCH_STOP_H

void bench_stop_helper(unsigned long ip, unsigned long parent_ip);
extern void (*bench_trace_function)(unsigned long ip, unsigned long parent_ip);

/* Port: entries of class noregs that call either (bench/arch/ARCH/). */
extern const char bench_noregs_list[], bench_noregs_helper[];

#endif
