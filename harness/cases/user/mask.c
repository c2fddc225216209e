/* SPDX-License-Identifier: MIT */
/* The register set as a mask: what a frame holds, what a site will save, what an ops needs. */
#include <string.h>
#include "../../user.h"
#include <shim.h>

static const char *const names[] = SHIM_NAMES;

static unsigned long bit(const char *name)
{
	return 1UL << tramp_reg_number(name);
}

CASE(register_names_and_numbers, "S104", "names and numbers map onto each other; unknown ones are refused")
{
	unsigned int nr = 0;

	while (tramp_reg_name(nr)) {
		EXPECT_EQ(tramp_reg_number(tramp_reg_name(nr)), nr);
		nr++;
	}
	EXPECT(nr >= SHIM_NR, "%u registers have names, want %d at least", nr, SHIM_NR);
	EXPECT_EQ(tramp_reg_number("no_such_register"), -EINVAL);
	EXPECT(!tramp_reg_name(~0U), "register ~0 has a name");
}

static struct { unsigned long saved, value[SHIM_NR]; int err[SHIM_NR], err_none; } frame;

static void read_all(struct probe *p, struct ftrace_regs *fregs)
{
	unsigned long value;

	(void)p;
	frame.saved = tramp_regs_saved(fregs);
	for (int i = 0; i < SHIM_NR; i++)
		frame.err[i] = tramp_regs_read(fregs, tramp_reg_number(names[i]), &frame.value[i]);
	frame.err_none = tramp_regs_read(fregs, ~0U, &value);
}

static void fill(struct shim_regs *in)
{
	for (int i = 0; i < SHIM_NR_GPRS; i++)
		in->r[i] = 0xc3a5c85c97cb3127UL * (i + 1);
	in->r[SHIM_flags] = FLAGS_FIXED | FLAGS_STATUS;
}

static void expect_frame(const struct shim_regs *in)
{
	for (int i = 0; i < SHIM_NR; i++) {
		unsigned long mask = i == SHIM_flags ? FLAGS_STATUS | FLAGS_FIXED : ~0UL;
		bool held = frame.saved & bit(names[i]);

		EXPECT(frame.err[i] == (held ? 0 : -ENODATA), "reading %s is %d, want %d",
		       names[i], frame.err[i], held ? 0 : -ENODATA);
		if (held)
			EXPECT((frame.value[i] & mask) == (in->r[i] & mask),
			       "%s is %#lx, want %#lx", names[i], frame.value[i] & mask,
			       in->r[i] & mask);
	}
	EXPECT_EQ(frame.err_none, -EINVAL);
}

static void expect_what_it_says(void)
{
	static const char *const partial[] = CASE_REGS_PARTIAL;
	unsigned long args = 0;
	struct shim_regs in;

	for (unsigned int i = 0; i < sizeof(partial) / sizeof(*partial); i++)
		args |= bit(partial[i]);
	fill(&in);
	shim_call(shim_tracee, &in);
	expect_frame(&in);
	EXPECT_EQ(frame.saved & args, args);
	EXPECT_EQ(!!(frame.saved & bit(CASE_REG_KEPT)), case_full());
	EXPECT_EQ(!!(frame.saved & bit(CASE_REG_FLAGS)), case_full());
}

CASE(frame_holds_what_it_says, "S91 S92 S93 BUG-39", "each register of the mask reads what the caller had, each other is -ENODATA", .needs = CASE_NEEDS_FREGS)
{
	probe_on(shim_tracee)->then = read_all;
	case_each_way(shim_tracee, expect_what_it_says);
	EXPECT_EQ(tramp_regs_saved(NULL), 0);
}

static int write_err[SHIM_NR];

/* data[0]: which, or ~0 for each in its turn to its complement. */
static void write_all(struct probe *p, struct ftrace_regs *fregs)
{
	unsigned long value;

	(void)p;
	for (int i = 0; i < SHIM_NR_GPRS; i++) {
		unsigned int reg = tramp_reg_number(names[i]);

		write_err[i] = tramp_regs_read(fregs, reg, &value);
		if (!write_err[i])
			write_err[i] = tramp_regs_write(fregs, reg, ~value);
	}
	write_err[SHIM_sp] = tramp_regs_write(fregs, tramp_reg_number("sp"), 0);
}

static void expect_writes(void)
{
	struct shim_regs in;

	fill(&in);
	shim_call(shim_tracee, &in);
	for (int i = 0; i < SHIM_NR_GPRS; i++) {
		unsigned long want = write_err[i] ? in.r[i] : ~in.r[i];

		EXPECT(shim_body.r[i] == want, "%s in the function is %#lx, want %#lx",
		       names[i], shim_body.r[i], want);
		EXPECT(write_err[i] == 0 || write_err[i] == -ENODATA, "writing %s is %d",
		       names[i], write_err[i]);
	}
	EXPECT_EQ(write_err[SHIM_ARG0], 0);
	EXPECT_EQ(write_err[SHIM_KEPT], case_full() ? 0 : -ENODATA);
	EXPECT_EQ(write_err[SHIM_sp], -EINVAL);
	EXPECT_EQ(shim_body.r[SHIM_sp], in.r[SHIM_sp]);
}

CASE(writes_arrive_or_are_refused, "S97 S98 S99", "a register that can be written arrives in the function, the others are refused", .needs = CASE_NEEDS_FREGS)
{
	probe_on(shim_tracee)->then = write_all;
	case_each_way(shim_tracee, expect_writes);
}

CASE(site_says_what_it_will_save, "S60", "tramp_site_regs() is what the frame holds for an ops alone")
{
	unsigned long ip = fn_ip(shim_tracee), alone = tramp_site_regs(ip, case_flags());
	struct shim_regs in;

	probe_on(shim_tracee)->then = read_all;
	fill(&in);
	shim_call(shim_tracee, &in);
	EXPECT_EQ(frame.saved, alone);
	EXPECT_EQ(tramp_site_regs(ip + 1000000000UL, 0), 0);
}

CASE(neighbour_changes_no_promise, "S60 S61 S89", "a SAVE_REGS ops on the site brings more than tramp_site_regs() promises, and takes it along", .needs = CASE_NEEDS_FREGS)
{
	unsigned long ip = fn_ip(shim_tracee), promised = tramp_site_regs(ip, case_flags());
	struct probe *p = probe_on(shim_tracee), *full = probe_flags(FTRACE_OPS_FL_SAVE_REGS);
	struct shim_regs in;

	p->then = read_all;
	fill(&in);
	probe_register(full, shim_tracee);
	EXPECT_EQ(tramp_site_regs(ip, case_flags()), promised);
	shim_call(shim_tracee, &in);
	expect_frame(&in);
	EXPECT_EQ(frame.saved & promised, promised);
	EXPECT(frame.saved & bit(CASE_REG_KEPT), "%s is not saved beside a SAVE_REGS ops", CASE_REG_KEPT);

	EXPECT_EQ(probe_stop(full), 0);
	shim_call(shim_tracee, &in);
	EXPECT_EQ(frame.saved, promised);
}

static void expect_why(const char *what)
{
	EXPECT(strstr(tramp_why(), what), "tramp_why() \"%s\" has no \"%s\"", tramp_why(), what);
}

CASE(unmet_need_is_refused, "S102 BUG-39", "an ops that names a register its frame lacks is -EOPNOTSUPP, and told which and what would save it")
{
	struct probe *p = probe_new();
	unsigned long lacks = bit(CASE_REG_KEPT);

	p->ops.tramp_needs = bit(CASE_REG_ARG0) | bit(CASE_REG_KEPT);
	if (case_class == TRAMP_CLASS_NOREGS)
		lacks = p->ops.tramp_needs;
	EXPECT_EQ(probe_add(p, tracee_a), 0);
	if (case_full()) {
		EXPECT_EQ(probe_start(p), 0);
	} else {
		EXPECT_EQ(probe_start(p), -EOPNOTSUPP);
		expect_why("register ");
		expect_why(tramp_reg_name(__builtin_ctzl(lacks)));
		expect_why("FTRACE_OPS_FL_SAVE_REGS");
		EXPECT_EQ(p->ops.flags & FTRACE_OPS_FL_ENABLED, 0);
		tracee_a(1);
		EXPECT_EQ(p->calls, 0);
		p->ops.tramp_needs = case_class == TRAMP_CLASS_NOREGS ? 0 : bit(CASE_REG_ARG0);
		EXPECT_EQ(probe_start(p), 0);
	}
	tracee_a(1);
	EXPECT_EQ(p->calls, 1);
}

/* Nothing of @p's is left behind a refusal, its flags included. */
static void expect_refused(struct probe *p, unsigned long needs)
{
	unsigned long flags = p->ops.flags;

	p->ops.tramp_needs = needs;
	EXPECT_EQ(probe_start(p), -EOPNOTSUPP);
	EXPECT_EQ(p->ops.flags, flags);
	tracee_a(1);
	EXPECT_EQ(p->calls, 0);
}

CASE(remedy_fits_the_class, "S9 BUG-39", "a flag is no remedy where the frame saves nothing, and nothing is for a register that does not exist")
{
	const unsigned long ifs = FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED;
	struct probe *p = probe_flags(case_flags() | ifs);

	EXPECT_EQ(probe_add(p, tracee_a), 0);
	expect_refused(p, bit("sp") | 1UL << 63);
	expect_why("no class of port");
	EXPECT(!strstr(tramp_why(), "would"), "a remedy for no register: \"%s\"", tramp_why());
	if (case_class != TRAMP_CLASS_NOREGS)
		return;

	expect_refused(p, bit("sp"));
	expect_why("register sp ");
	expect_why("; tramp_use_frame(TRAMP_CLASS_ARGS) would");
	expect_refused(p, bit("sp") | bit(CASE_REG_KEPT));
	expect_why("tramp_use_frame(TRAMP_CLASS_ARGS) and FTRACE_OPS_FL_SAVE_REGS would");
	p->ops.flags |= FTRACE_OPS_FL_SAVE_REGS;
	expect_refused(p, bit("sp"));
	expect_why("tramp_use_frame");
}
