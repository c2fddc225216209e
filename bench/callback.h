/* SPDX-License-Identifier: MIT */
#ifndef TRAMPLAB_BENCH_CALLBACK_H
#define TRAMPLAB_BENCH_CALLBACK_H

#include <ftrace.h>

#define BENCH_CALLBACKS 8
extern ftrace_func_t const bench_callbacks[BENCH_CALLBACKS];

long bench_plain(long x);

#define BENCH_ARGS 6
struct bench_seen {
	unsigned long	calls;
	unsigned long	ip, parent_ip;
	unsigned long	arg[BENCH_ARGS];
	bool		has_regs;
};
extern struct bench_seen bench_seen;

void bench_callback_check(unsigned long ip, unsigned long parent_ip,
			  struct ftrace_ops *op, struct ftrace_regs *fregs);

/* Count in the thread that calls: nothing is shared. */
extern __thread unsigned long bench_hits, bench_other_hits;
void bench_callback_hit(unsigned long ip, unsigned long parent_ip,
			struct ftrace_ops *op, struct ftrace_regs *fregs);
void bench_callback_other(unsigned long ip, unsigned long parent_ip,
			  struct ftrace_ops *op, struct ftrace_regs *fregs);

/* Port: overwrite every register that a C function may (bench/arch/ARCH/). */
void bench_clobber(void);

#endif
