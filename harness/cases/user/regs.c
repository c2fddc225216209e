/* SPDX-License-Identifier: MIT */
/* Every register, through the entry and back, and in the frame. */
#include "../../case.h"
#include "pattern.h"

static const unsigned short regs_offset[SHIM_NR] = SHIM_OFFSETS;

/* Calls the traced shim and compares everything, @flags as far as they are promised. */
static void expect_survival(unsigned long flags)
{
	struct shim_regs in;

	pattern_fill(&in, flags);
	shim_call(shim_tracee, &in);
	flags = case_full() ? FLAGS_KEPT : 0;
	pattern_expect("in the function", &shim_body, &in, flags);
	pattern_expect("after the return", &shim_after, &in, flags);
}

static void clobber(struct probe *p, struct ftrace_regs *fregs)
{
	(void)p, (void)fregs;
	case_clobber();
}

static void clobber_and_look(struct probe *p, struct ftrace_regs *fregs)
{
	p->data[0] = !!ftrace_get_regs(fregs);
	case_clobber();
}

static void expect_both(void)
{
	expect_survival(FLAGS_STATUS);
	expect_survival(0);
}

CASE(every_register_survives, "S96 S100 BUG-27 BUG-31 BUG-33", "all general registers, also those that an ABI's calls may destroy, reach the function and its caller; status flags in a full frame")
{
	probe_on(shim_tracee)->then = clobber;
	case_each_way(shim_tracee, expect_both);
}

CASE(every_register_survives_a_look, "S88 S99", "the same when the callback asks for pt_regs and leaves it as it is")
{
	struct probe *p = probe_on(shim_tracee);

	p->then = clobber_and_look;
	case_each_way(shim_tracee, expect_both);
	EXPECT_EQ(p->data[0], case_full());
}

static void expect_each_flag(void)
{
	for (unsigned long flags = 1; flags <= FLAGS_KEPT; flags <<= 1) {
		if (flags & FLAGS_KEPT)
			expect_survival(flags);
		if (flags & FLAGS_KEPT)
			expect_survival(FLAGS_KEPT & ~flags);
	}
}

CASE(every_flag_survives, "S100 BUG-29", "each status flag by itself, and the others that a program sets", .needs = CASE_NEEDS_FULL)
{
	struct probe *p = probe_on(shim_tracee);

	p->then = clobber;
	case_each_way(shim_tracee, expect_each_flag);
	p->then = clobber_and_look;
	expect_each_flag();
}

/* --- the full frame --- */

static unsigned long *regs_field(struct pt_regs *regs, int i)
{
	return (unsigned long *)((char *)regs + regs_offset[i]);
}

static struct pt_regs seen;

static void copy_regs(struct probe *p, struct ftrace_regs *fregs)
{
	struct pt_regs *regs = ftrace_get_regs(fregs);

	p->data[0] = !!regs;
	if (regs)
		seen = *regs;
}

static void expect_seen(const struct shim_regs *in)
{
	struct shim_regs got;

	for (int i = 0; i < SHIM_NR; i++)
		got.r[i] = *regs_field(&seen, i);
	pattern_expect("in pt_regs", &got, in, FLAGS_KEPT | FLAGS_FIXED);
	EXPECT_EQ(case_pc(&seen), fn_ip(shim_tracee) + CASE_SITE_SIZE);
}

CASE(full_frame_is_exact, "S92 S94 S95 BUG-39 BUG-40", "every register in pt_regs, alone and on a shared site", .needs = CASE_NEEDS_FULL)
{
	struct probe *p = probe_on(shim_tracee);
	struct shim_regs in;

	p->then = copy_regs;
	for (int shared = 0; shared < 2; shared++) {
		pattern_fill(&in, FLAGS_STATUS * shared);
		shim_call(shim_tracee, &in);
		REQUIRE_EQ(p->data[0], 1);
		expect_seen(&in);
		case_pc(&seen) = 0;
		pattern_fill(&in, FLAGS_KEPT & ~FLAGS_STATUS);
		shim_call(shim_tracee, &in);
		expect_seen(&in);
		probe_on(shim_tracee)->then = clobber;
	}
}

/* data[1]: the register to write, data[2]: its value. */
static void write_reg(struct probe *p, struct ftrace_regs *fregs)
{
	struct pt_regs *regs = ftrace_get_regs(fregs);

	if (regs)
		*regs_field(regs, p->data[1]) = p->data[2];
	case_clobber();
}

static struct probe *writer;

/* Writes @value to register @i in the callback; only that one may change. */
static void expect_written(int i, unsigned long value, unsigned long flags)
{
	struct shim_regs in;

	pattern_fill(&in, 0);
	writer->data[1] = i;
	writer->data[2] = value;
	shim_call(shim_tracee, &in);
	if (i != SHIM_sp)
		in.r[i] = value;
	pattern_expect("in the function", &shim_body, &in, flags);
	pattern_expect("after the return", &shim_after, &in, flags);
}

static void expect_written_each_way(void (*check)(void))
{
	writer = probe_on(shim_tracee);
	writer->then = write_reg;
	case_each_way(shim_tracee, check);
}

static void expect_registers(void)
{
	for (int i = 0; i < SHIM_NR_GPRS; i++)
		expect_written(i, 0xfeedfacecafe0000UL + i, FLAGS_KEPT);
}

CASE(written_registers_arrive, "S97 S99", "a write to any general register in pt_regs reaches the function", .needs = CASE_NEEDS_FULL)
{
	expect_written_each_way(expect_registers);
}

static void expect_flags(void)
{
	for (unsigned long flag = 1; flag <= FLAGS_WRITABLE; flag <<= 1) {
		if (flag & FLAGS_WRITABLE)
			expect_written(SHIM_flags, FLAGS_FIXED | flag, FLAGS_WRITABLE);
	}
	expect_written(SHIM_flags, FLAGS_FIXED | FLAGS_STATUS, FLAGS_WRITABLE);
}

CASE(written_flags_arrive, "S99 BUG-29", "flags written in pt_regs are in force, each by itself", .needs = CASE_NEEDS_FULL)
{
	expect_written_each_way(expect_flags);
}

static void expect_no_sp(void)
{
	expect_written(SHIM_sp, 0x1000, FLAGS_KEPT);
}

CASE(written_sp_is_ignored, "S98", "a write to sp in pt_regs changes nothing", .needs = CASE_NEEDS_FULL)
{
	expect_written_each_way(expect_no_sp);
}

CASE(register_offsets, "S104", "ftrace_regs_query_register_offset() knows every name of pt_regs and no other")
{
	static const struct { const char *name; int offset; } more[] = SHIM_MORE;

	for (int i = 0; i < SHIM_NR; i++)
		EXPECT(ftrace_regs_query_register_offset(pattern_names[i]) == regs_offset[i],
		       "the offset of %s is %d, want %d", pattern_names[i],
		       ftrace_regs_query_register_offset(pattern_names[i]), regs_offset[i]);
	for (unsigned int i = 0; i < sizeof(more) / sizeof(*more); i++)
		EXPECT(ftrace_regs_query_register_offset(more[i].name) == more[i].offset,
		       "the offset of %s is %d, want %d", more[i].name,
		       ftrace_regs_query_register_offset(more[i].name), more[i].offset);
	EXPECT_EQ(ftrace_regs_query_register_offset(SHIM_UNKNOWN), -EINVAL);
	EXPECT_EQ(ftrace_regs_query_register_offset(""), -EINVAL);
}

/* --- the partial frame, through its accessors --- */

static struct pt_regs kept;

static void copy_partial(struct probe *p, struct ftrace_regs *fregs)
{
	p->data[0] = (unsigned long)ftrace_partial_regs(fregs, &seen);
	p->data[1] = !!ftrace_get_regs(fregs);
	p->data[2] = ftrace_regs_get_return_value(fregs);
	p->data[3] = ftrace_regs_get_frame_pointer(fregs);
	p->data[4] = ftrace_regs_get_stack_pointer(fregs);
	kept = seen;
	*regs_field(&seen, SHIM_ARG0) = 0;	/* a copy: no effect */
}

CASE(partial_regs_are_a_copy, "S91 S105", "ftrace_partial_regs() fills the buffer, and neither it nor a write there has a side effect", .needs = CASE_NEEDS_FREGS)
{
	struct probe *later = probe_on(shim_tracee), *first = probe_on(shim_tracee);
	struct shim_regs in;

	later->then = copy_partial;
	first->then = copy_partial;
	pattern_fill(&in, 0);
	shim_call(shim_tracee, &in);
	pattern_expect("in the function", &shim_body, &in, 0);
	EXPECT_EQ(first->data[0], (unsigned long)&seen);
	EXPECT_EQ(later->data[1], case_full());
	EXPECT_EQ(*regs_field(&kept, SHIM_ARG1), in.r[SHIM_ARG1]);
	EXPECT_EQ(*regs_field(&kept, SHIM_ARG4), in.r[SHIM_ARG4]);
	EXPECT_EQ(*regs_field(&kept, SHIM_sp), in.r[SHIM_sp]);
	EXPECT_EQ(case_pc(&kept), fn_ip(shim_tracee) + CASE_SITE_SIZE);
	EXPECT_EQ(*regs_field(&kept, SHIM_KEPT), case_full() ? in.r[SHIM_KEPT] : 0);
}

CASE(accessors_read_the_frame, "S91 S95 S102", "return value, frame pointer and sp read what the registers held", .needs = CASE_NEEDS_FREGS)
{
	struct probe *p = probe_on(shim_tracee);
	struct shim_regs in;

	p->then = copy_partial;
	pattern_fill(&in, 0);
	shim_call(shim_tracee, &in);
	EXPECT_EQ(p->data[2], in.r[SHIM_RESULT]);
	EXPECT_EQ(p->data[3], in.r[SHIM_FRAME]);
	EXPECT_EQ(p->data[4], in.r[SHIM_sp]);
}
