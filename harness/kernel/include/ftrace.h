/* SPDX-License-Identifier: MIT */
/*
 * <ftrace.h> inside a kernel: the kernel's own, and what it does not give to
 * modules or did not have yet.  Linux 6.2 brought ftrace_regs_ accessors for
 * the partial frame, 6.13 hid the frame behind arch_ftrace_regs().
 */
#ifndef TRAMPLAB_KERNEL_FTRACE_H
#define TRAMPLAB_KERNEL_FTRACE_H

#include <linux/ftrace.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <linux/trace_recursion.h>
#include <linux/version.h>

/* Not exported: found by name. */
unsigned long kernel_location(unsigned long ip);
void kernel_kill(void);
#define ftrace_location(ip)	kernel_location(ip)
#define ftrace_kill()		kernel_kill()

/* A variable that no module sees: its sysctl. */
int kernel_enabled(void);
#define ftrace_enabled		kernel_enabled()

#ifndef arch_ftrace_regs
#define arch_ftrace_regs(fregs)	(fregs)
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define ftrace_regs_get_instruction_pointer(f)	instruction_pointer(&(f)->regs)
#define ftrace_regs_set_instruction_pointer(f, ip) instruction_pointer_set(&(f)->regs, ip)
#define ftrace_regs_get_argument(f, n)		regs_get_kernel_argument(&(f)->regs, n)
#define ftrace_regs_get_stack_pointer(f)	kernel_stack_pointer(&(f)->regs)
#define ftrace_regs_get_return_value(f)		regs_return_value(&(f)->regs)
#define ftrace_regs_set_return_value(f, v)	regs_set_return_value(&(f)->regs, v)
#define ftrace_regs_get_frame_pointer(f)	frame_pointer(&(f)->regs)
#define ftrace_regs_has_args(f)			((f) != NULL)
#endif

/* No kernel has it: callbacks there write to the frame itself. */
#ifdef CONFIG_X86_64
static inline void ftrace_regs_set_argument(struct ftrace_regs *fregs, unsigned int n,
					    unsigned long value)
{
	struct pt_regs *regs = &arch_ftrace_regs(fregs)->regs;
	unsigned long *arg[] = { &regs->di, &regs->si, &regs->dx, &regs->cx, &regs->r8, &regs->r9 };

	if (n < ARRAY_SIZE(arg))
		*arg[n] = value;
}

/* The kernel's is there only with error injection configured. */
void kernel_just_return(void);
#undef ftrace_override_function_with_return
#define ftrace_override_function_with_return(f) \
	ftrace_regs_set_instruction_pointer(f, (unsigned long)kernel_just_return)
#endif

#ifdef CONFIG_ARM64
static inline void ftrace_regs_set_argument(struct ftrace_regs *fregs, unsigned int n,
					    unsigned long value)
{
	if (n >= 8)
		return;
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_ARGS
	arch_ftrace_regs(fregs)->regs[n] = value;
#else
	fregs->regs.regs[n] = value;
#endif
}

#ifndef CONFIG_DYNAMIC_FTRACE_WITH_ARGS
#define ftrace_override_function_with_return(f) \
	ftrace_regs_set_instruction_pointer(f, (f)->regs.regs[30])
#endif
#endif

#endif
