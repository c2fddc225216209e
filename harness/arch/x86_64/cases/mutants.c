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

CASE(odd_flags_do_not_spill, "S100 BUG-29", "the nested-task flag, set by the program, changes no status flag", .needs = CASE_NEEDS_FULL)
{
	struct shim_regs in = { .r = { [SHIM_flags] = FLAGS_FIXED | FLAGS_NT } };

	probe_on(shim_tracee)->then = clobber;
	for (int i = 0; i < 2; i++) {
		shim_call(shim_tracee, &in);
		EXPECT_EQ(shim_body.r[SHIM_flags] & FLAGS_STATUS, 0);
		EXPECT_EQ(shim_after.r[SHIM_flags] & FLAGS_STATUS, 0);
	}
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
CASE(reserved_frame_is_the_kernel_s, "S91", "in a reserved frame ip and sp are valid, cs and orig_ax are 0", .needs = CASE_NEEDS_PARTIAL | CASE_NEEDS_FREGS)
{
	struct shim_regs in = { .r = { 0 } };

	if (case_class != TRAMP_CLASS_ARGS_RESERVED)
		SKIP("class %s reserves no pt_regs", tramp_class_names[case_class]);
	in.r[SHIM_flags] = FLAGS_FIXED;
	probe_on(shim_tracee)->then = copy_raw;
	soil_stack();
	shim_call(shim_tracee, &in);
	EXPECT_EQ(seen.ip, fn_ip(shim_tracee) + CASE_SITE_SIZE);
	EXPECT_EQ(seen.sp, in.r[SHIM_sp]);
	EXPECT_EQ(seen.cs, 0);
	EXPECT_EQ(seen.orig_ax, 0);
}
