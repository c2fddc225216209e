/* SPDX-License-Identifier: MIT */
/* Cases that only an entry with an instruction missing has failed so far (make mutants). */
#include "../../../case.h"
#include "../shim.h"

#define FLAGS_NT	0x4000UL	/* beside OF in its byte; a program may set it */

static void clobber(struct probe *p, struct ftrace_regs *fregs)
{
	(void)p, (void)fregs;
	case_clobber();
}

static void expect_no_spill(void)
{
	struct shim_regs in = { .r = { [SHIM_flags] = FLAGS_FIXED | FLAGS_NT } };

	for (int i = 0; i < 2; i++) {
		shim_call(shim_tracee, &in);
		EXPECT_EQ(shim_body.r[SHIM_flags] & FLAGS_STATUS, 0);
		EXPECT_EQ(shim_after.r[SHIM_flags] & FLAGS_STATUS, 0);
	}
}

CASE(odd_flags_do_not_spill, "S100 BUG-29", "the nested-task flag, set by the program, changes no status flag", .needs = CASE_NEEDS_FULL)
{
	probe_on(shim_tracee)->then = clobber;
	case_each_way(shim_tracee, expect_no_spill);
}

static struct pt_regs seen;

static void copy_raw(struct probe *p, struct ftrace_regs *fregs)
{
	(void)p;
	seen = *(struct pt_regs *)__fregs_slot(fregs, 0);
}

/* Nothing below the stack pointer is 0 by chance. */
static void __attribute__((noinline)) soil_stack(void)
{
	unsigned long below[256];

	for (int i = 0; i < 256; i++)
		below[i] = ~0UL;
	__asm__ volatile ("" : : "r" (below) : "memory");
}

/* What no accessor gives, and a tool that knows the kernel's layout looks at. */
static void expect_kernel_s(void)
{
	struct shim_regs in = { .r = { [SHIM_flags] = FLAGS_FIXED } };

	soil_stack();
	shim_call(shim_tracee, &in);
	EXPECT_EQ(seen.ip, fn_ip(shim_tracee) + CASE_SITE_SIZE);
	EXPECT_EQ(seen.sp, in.r[SHIM_sp]);
	EXPECT_EQ(seen.cs, 0);
	EXPECT_EQ(seen.orig_ax, 0);
}

CASE(reserved_frame_is_the_kernel_s, "S91", "in a reserved frame ip and sp are valid, cs and orig_ax are 0", .needs = CASE_NEEDS_PARTIAL | CASE_NEEDS_FREGS)
{
	if (case_class != TRAMP_CLASS_ARGS_RESERVED)
		SKIP("class %s reserves no pt_regs", tramp_class_names[case_class]);
	probe_on(shim_tracee)->then = copy_raw;
	case_each_way(shim_tracee, expect_kernel_s);
}

/* Calls @func(1) with ZF set, as nothing but a test of the guard may leave it. */
static void call_with_zf(unsigned long (*func)(unsigned long x))
{
	__asm__ volatile ("mov %%rsp, %%rbx\n\t"
			  "lea -128(%%rsp), %%rsp\n\t"
			  "and $-16, %%rsp\n\t"
			  "mov $1, %%edi\n\t"
			  "xor %%eax, %%eax\n\t"
			  "call *%0\n\t"
			  "mov %%rbx, %%rsp"
			  : : "r" (func)
			  : "rbx", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc");
}

static unsigned int depth;

static void call_itself(struct probe *p, struct ftrace_regs *fregs)
{
	(void)p, (void)fregs;
	if (++depth < 6)
		call_with_zf(tracee_a);
	depth--;
}

CASE(guard_is_looked_at, "S120 S122", "two ops on a function, called again from inside with the flags of a free guard: one level more, then a miss")
{
	struct probe *p = probe_on(tracee_a), *q = probe_on(tracee_a);

	p->then = call_itself;
	call_with_zf(tracee_a);
	EXPECT_EQ(p->calls, 2);
	EXPECT_EQ(q->calls, 2);
	EXPECT_EQ(tramp_missed(&q->ops), 1);
}
