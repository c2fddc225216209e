/* SPDX-License-Identifier: MIT */
/* What portable cases must know of this architecture. */
#ifndef TRAMPLAB_CASE_ARCH_H
#define TRAMPLAB_CASE_ARCH_H

#define CASE_SITE_SIZE		5	/* bytes of a site; it resumes behind them (S94) */
#define CASE_REG_ARGS		6	/* arguments in registers */
#define CASE_STACK_ARG		1	/* the first word of the stack with an argument; the return address before it */
#define CASE_STACK_ARGS		1	/* ftrace_regs_get_argument() reads the stack too (S102) */
#define CASE_SITE_LEAD		4	/* an endbr64 before the site (S76) */
/* Does @sp fit a function whose return address is @parent_ip (S95)? */
#define case_sp_fits(sp, parent_ip)	(*(unsigned long *)(sp) == (parent_ip))

#endif
