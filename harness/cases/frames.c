/* SPDX-License-Identifier: MIT */
/* Partial and full frames beside each other: who sees pt_regs, and when. */
#include "../case.h"

#define SAVE_REGS FTRACE_OPS_FL_SAVE_REGS

/* data[0]: pt_regs was there; data[1]: how often it was not. */
static void look_for_regs(struct probe *p, struct ftrace_regs *fregs)
{
	p->data[0] = !!ftrace_get_regs(fregs);
	p->data[1] += !p->data[0];
}

static struct probe *looking(unsigned long flags, const void *func)
{
	struct probe *p = probe_flags(flags);

	p->then = look_for_regs;
	probe_register(p, func);
	return p;
}

/* Does @p see pt_regs at tracee_a? */
static bool sees_regs(struct probe *p)
{
	unsigned long before = p->calls;

	tracee_a(1);
	EXPECT_EQ(p->calls, before + 1);
	return p->data[0];
}

CASE(class_decides_pt_regs, "S88 S92 S103", "an ops alone sees pt_regs iff its class is a full frame")
{
	struct probe *p = looking(case_flags(), tracee_a);

	EXPECT_EQ(sees_regs(p), case_full());
	probe_on(tracee_b);
	EXPECT_EQ(sees_regs(p), case_full());
	probe_on(tracee_a);
	EXPECT_EQ(sees_regs(p), case_full());
}

CASE(regs_beside_plain, "S60 S61 S89 BUG-39", "a SAVE_REGS ops gives pt_regs to all of its site, until it leaves", .needs = CASE_NEEDS_FREGS)
{
	struct probe *plain = looking(0, tracee_a), *regs;

	EXPECT_EQ(sees_regs(plain), false);
	regs = looking(SAVE_REGS, tracee_a);
	EXPECT_EQ(sees_regs(plain), true);
	EXPECT_EQ(regs->data[0], true);
	EXPECT_EQ(probe_stop(regs), 0);
	EXPECT_EQ(sees_regs(plain), false);
}

CASE(regs_dropped_among_three, "S61 S60", "with two plain ops left on the site, pt_regs goes when the SAVE_REGS ops does", .needs = CASE_NEEDS_FREGS)
{
	struct probe *one = looking(0, tracee_a), *two = looking(0, tracee_a);
	struct probe *regs = looking(SAVE_REGS, tracee_a);

	EXPECT_EQ(sees_regs(one) && sees_regs(two), true);
	EXPECT_EQ(probe_stop(regs), 0);
	EXPECT_EQ(sees_regs(one), false);
	EXPECT_EQ(sees_regs(two), false);
}

CASE(regs_dropped_by_filter, "S62", "the same when it leaves by a filter change", .needs = CASE_NEEDS_FREGS)
{
	struct probe *one = looking(0, tracee_a), *two = looking(0, tracee_a);
	struct probe *regs = looking(SAVE_REGS, tracee_a);

	EXPECT_EQ(sees_regs(one), true);
	EXPECT_EQ(ftrace_set_filter_ip(&regs->ops, fn_ip(tracee_b), 0, 1), 0);
	EXPECT_EQ(sees_regs(one), false);
	EXPECT_EQ(two->data[0], false);
	EXPECT_EQ(regs->calls, 1);
}

CASE(regs_elsewhere, "S59 S60", "a SAVE_REGS ops on another function gives nothing here", .needs = CASE_NEEDS_FREGS)
{
	struct probe *plain = looking(0, tracee_a), *regs = looking(SAVE_REGS, tracee_b);

	EXPECT_EQ(probe_add(plain, tracee_b), 0);
	EXPECT_EQ(sees_regs(plain), false);
	tracee_b(1);
	EXPECT_EQ(plain->data[0], true);
	EXPECT_EQ(regs->data[0], true);
	EXPECT_EQ(sees_regs(plain), false);
}

CASE(save_regs_never_sees_null, "S90", "a SAVE_REGS ops has pt_regs at every call, whatever comes and goes beside it", .needs = CASE_NEEDS_FREGS)
{
	struct probe *regs = looking(SAVE_REGS, tracee_a), *plain = probe_flags(0);

	for (int i = 0; i < 20; i++) {
		probe_register(plain, tracee_a);
		tracee_a(1);
		EXPECT_EQ(probe_stop(regs), 0);
		tracee_a(1);
		EXPECT_EQ(probe_start(regs), 0);
		tracee_a(1);
		EXPECT_EQ(probe_stop(plain), 0);
		tracee_a(1);
	}
	EXPECT_EQ(regs->calls, 60);
	EXPECT_EQ(regs->data[1], 0);
}

CASE(if_supported_alone_is_partial, "S22", "SAVE_REGS_IF_SUPPORTED without SAVE_REGS gives no pt_regs")
{
	struct probe *p = looking(FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED, tracee_a);

	EXPECT_EQ(sees_regs(p), false);
}

CASE(if_supported_does_not_fail, "S9 S23 S158", "SAVE_REGS alone is -EINVAL where there are no registers; with IF_SUPPORTED it registers")
{
	const unsigned long both = SAVE_REGS | FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED;
	bool supported = case_class != TRAMP_CLASS_NOREGS;
	struct probe *only = probe_flags(SAVE_REGS), *p;

	EXPECT_EQ(probe_add(only, tracee_a), 0);
	EXPECT_EQ(probe_start(only), supported ? 0 : -EINVAL);
	if (supported)
		EXPECT_EQ(probe_stop(only), 0);
	p = looking(both, tracee_a);
	EXPECT_EQ(sees_regs(p), supported);
}
