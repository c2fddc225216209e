/* SPDX-License-Identifier: MIT */
/* Cases that only an entry with an instruction missing has failed so far (make mutants). */
#include "../../../case.h"
#include "../shim.h"

static unsigned long records[4];

/* Callbacks keep a frame pointer or not; from the frame's own record on, there must be one. */
static void walk(struct probe *p, struct ftrace_regs *fregs)
{
	unsigned long *record = __builtin_frame_address(0);

	(void)fregs;
	p->data[0] = 0;
	for (int i = 0; i < 16 && record && !p->data[0]; i++, record = (unsigned long *)record[0])
		if (record[1] == p->ip + CASE_SITE_SIZE) {
			records[0] = record[1];
			records[1] = ((unsigned long *)record[0])[1];
			p->data[0] = 1;
		}
}

CASE(frame_records_lead_through, "S146 BUG-46", "a walk along frame pointers finds the function, then its caller")
{
	struct probe *p = probe_on(tracee_a);

	p->then = walk;
	for (int shared = 0; shared < 2; shared++) {
		tracee_a(1);
		EXPECT_EQ(p->data[0], 1);
		EXPECT_EQ(records[1], p->parent_ip);
		probe_on(tracee_a);
	}
}

static struct pt_regs seen;

static void copy_raw(struct probe *p, struct ftrace_regs *fregs)
{
	(void)p;
	seen = *(struct pt_regs *)__fregs_slot(fregs, 0);
}

/* What no accessor gives, and a tool that knows the kernel's layout looks at. */
CASE(reserved_frame_is_the_kernel_s, "S93", "in a reserved frame sp and pc are where pt_regs has them", .needs = CASE_NEEDS_PARTIAL | CASE_NEEDS_FREGS)
{
	struct shim_regs in = { .r = { 0 } };

	if (case_class != TRAMP_CLASS_ARGS_RESERVED)
		SKIP("class %s reserves no pt_regs", tramp_class_names[case_class]);
	probe_on(shim_tracee)->then = copy_raw;
	shim_call(shim_tracee, &in);
	EXPECT_EQ(seen.pc, fn_ip(shim_tracee) + CASE_SITE_SIZE);
	EXPECT_EQ(seen.sp, in.r[SHIM_sp]);
}

static void scribble(struct probe *p, struct ftrace_regs *fregs)
{
	if (tramp_regs_read(fregs, TRAMP_REG_x16, &p->data[0]) ||
	    tramp_regs_read(fregs, TRAMP_REG_x17, &p->data[1]))
		p->data[0] = 0;
	if (p->data[2] && tramp_regs_write(fregs, TRAMP_REG_x17, p->data[2]))
		p->data[1] = 0;
	case_clobber();
}

/* Nothing below the stack pointer holds by chance what an earlier call left there. */
static void __attribute__((noinline)) soil_stack(void)
{
	unsigned long below[512];

	for (int i = 0; i < 512; i++)
		below[i] = ~0UL;
	__asm__ volatile ("" : : "r" (below) : "memory");
}

/* Veneers may use them, so no compiled function misses them; a full frame has them all the same. */
CASE(full_frame_has_x16_and_x17, "S92 S99", "x16 and x17 are in a full frame, come back from it, and take what is written", .needs = CASE_NEEDS_FULL)
{
	const unsigned long in[] = { 0x1616161616161616, 0x1717171717171717 };
	struct probe *p = probe_on(shim_scratch_tracee);
	unsigned long body[2];

	p->then = scribble;
	for (unsigned long written = 0; written < 2; written++) {
		p->data[2] = written ? 0xabcd : 0;
		soil_stack();
		shim_scratch(in, body);
		EXPECT_EQ(p->data[0], in[0]);
		EXPECT_EQ(p->data[1], in[1]);
		EXPECT_EQ(body[0], in[0]);
		EXPECT_EQ(body[1], written ? 0xabcd : in[1]);
	}
}
