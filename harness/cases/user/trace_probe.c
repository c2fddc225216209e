/* SPDX-License-Identifier: MIT */
/* The probe client: what it fetches, what it is refused, and what it says then. */
#include <stdio.h>
#include <string.h>
#include "../../probe/trace_probe.h"
#include "../../user.h"
#include <shim.h>

static const char *const names[] = SHIM_NAMES;
static struct trace_probe tp;

/* Parse and register; an error of either. */
static int start(const char *line, unsigned long flags)
{
	int err = trace_probe_parse(&tp, line, flags);

	return err ? err : trace_probe_register(&tp);
}

static void stop(void)
{
	EXPECT_EQ(trace_probe_unregister(&tp), 0);
}

static void expect_why(const char *what)
{
	EXPECT(strstr(tp.why, what), "\"%s\" has no \"%s\"", tp.why, what);
}

/* --- registers --- */

static void expect_fetched(int i)
{
	struct shim_regs in = { 0 };

	for (int r = 0; r < SHIM_NR_GPRS; r++)
		in.r[r] = 0xa3b5c7d9e1f30517UL * (r + 1);
	shim_call(shim_tracee, &in);
	stop();
	EXPECT_EQ(tp.hits, 1);
	EXPECT_EQ(tp.lost, 0);
	EXPECT(tp.value[0] == in.r[i], "%%%s is %#lx, want %#lx", names[i], tp.value[0], in.r[i]);
}

static void expect_refused(int err, const char *name)
{
	char wanted[40];

	snprintf(wanted, sizeof(wanted), "register %s is needed", name);
	EXPECT_EQ(err, -EOPNOTSUPP);
	expect_why(wanted);
	expect_why(tramp_site_regs(tp.ip, FTRACE_OPS_FL_SAVE_REGS) ?
		   "FTRACE_OPS_FL_SAVE_REGS would" : "tramp_use_frame(TRAMP_CLASS_ARGS)");
	EXPECT_EQ(tp.ops.flags & FTRACE_OPS_FL_ENABLED, 0);
}

/* Fetched if the class promises it, else refused, and fetched with SAVE_REGS. */
static void try_register(int i)
{
	unsigned long bit = 1UL << tramp_reg_number(names[i]);
	unsigned long full = case_flags() | FTRACE_OPS_FL_SAVE_REGS;
	char line[40];
	int err;

	snprintf(line, sizeof(line), "p:shim_tracee %%%s", names[i]);
	err = start(line, case_flags());
	if (tramp_site_regs(tp.ip, case_flags()) & bit) {
		EXPECT_EQ(err, 0);
		expect_fetched(i);
		return;
	}
	expect_refused(err, names[i]);
	if (!(tramp_site_regs(tp.ip, full) & bit))
		return;
	EXPECT_EQ(start(line, full), 0);
	expect_fetched(i);
}

CASE(probe_fetches_registers_or_is_refused, "S59 S60 S91 S92 S93 BUG-39", "each %REG is what the caller had, or the line is refused and says which register and what would save it; with SAVE_REGS the same line works")
{
	for (int shared = 0; shared < 2; shared++) {
		for (int i = 0; i < SHIM_NR_GPRS; i++)
			try_register(i);
		try_register(SHIM_sp);
		probe_on(shim_tracee);
	}
}

CASE(neighbour_lends_no_register, "S60 S61 BUG-39", "a probe is refused a register that only a neighbour's frame has, and keeps its own while the neighbour comes and goes", .needs = CASE_NEEDS_PARTIAL | CASE_NEEDS_FREGS)
{
	unsigned long missing = tramp_site_regs(fn_ip(tracee_a), FTRACE_OPS_FL_SAVE_REGS) &
				~tramp_site_regs(fn_ip(tracee_a), 0);
	struct probe *full = probe_flags(FTRACE_OPS_FL_SAVE_REGS);
	char line[40];

	probe_register(full, tracee_a);
	snprintf(line, sizeof(line), "p:tracee_a %%%s", tramp_reg_name(__builtin_ctzl(missing)));
	EXPECT_EQ(start(line, 0), -EOPNOTSUPP);
	EXPECT_EQ(start("p:tracee_a $arg1", 0), 0);
	for (unsigned long i = 1; i <= 6; i++) {
		tracee_a(1000 * i);
		EXPECT_EQ(tp.hits, i);
		EXPECT_EQ(tp.value[0], 1000 * i);
		EXPECT_EQ(i % 2 ? probe_stop(full) : probe_start(full), 0);
	}
	EXPECT_EQ(tp.lost, 0);
	stop();
}

CASE(broken_promise_is_counted, "BUG-39", "a register that is fetched without having been asked for is not made up", .needs = CASE_NEEDS_PARTIAL | CASE_NEEDS_FREGS)
{
	unsigned long missing = tramp_site_regs(fn_ip(tracee_a), FTRACE_OPS_FL_SAVE_REGS) &
				~tramp_site_regs(fn_ip(tracee_a), 0);
	char line[40];

	snprintf(line, sizeof(line), "p:tracee_a %%%s $arg1", tramp_reg_name(__builtin_ctzl(missing)));
	EXPECT_EQ(trace_probe_parse(&tp, line, 0), 0);
	tp.ops.tramp_needs = 0;
	EXPECT_EQ(trace_probe_register(&tp), 0);
	tracee_a(77);
	stop();
	EXPECT_EQ(tp.lost, 1);
	EXPECT_EQ(tp.value[0], 0);
	EXPECT_EQ(tp.value[1], 77);
}

/* --- arguments and the stack --- */

CASE(probe_fetches_arguments, "S102 BUG-39", "$argN is the function's Nth argument, or says that it is on the stack", .needs = CASE_NEEDS_FREGS)
{
	char line[40];

	for (int n = 1; n <= 9; n++) {
		snprintf(line, sizeof(line), "p:tracee_args9 $arg%d", n);
		if (tramp_arg_reg(n - 1) < 0) {
			EXPECT(n > CASE_REG_ARGS, "argument %d has no register", n);
			EXPECT_EQ(start(line, case_flags()), -EINVAL);
			expect_why("$stackN does");
			continue;
		}
		REQUIRE_EQ(start(line, case_flags()), 0);
		tracee_args9(11, 22, 33, 44, 55, 66, 77, 88, 99);
		stop();
		EXPECT_EQ(tp.value[0], 11 * n);
		EXPECT_EQ(tp.lost, 0);
	}
}

CASE(probe_fetches_the_stack, "S95", "$stack is sp at the function's entry, $stackN its Nth word, where the arguments beyond the registers are", .needs = CASE_NEEDS_FREGS)
{
	struct probe *p = probe_on(tracee_args20);
	char line[80];

	snprintf(line, sizeof(line), "p:tracee_args20 $stack sp=%%sp a=$stack%d b=$stack%d c=$stack0",
		 CASE_STACK_ARG, CASE_STACK_ARG + 5);
	REQUIRE_EQ(start(line, case_flags()), 0);
	tracee_args20(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20);
	stop();
	EXPECT_EQ(tp.value[0], tp.value[1]);
	EXPECT_EQ(tp.value[2], CASE_REG_ARGS + 1);
	EXPECT_EQ(tp.value[3], CASE_REG_ARGS + 6);
	EXPECT_EQ(tp.value[4], CASE_STACK_ARG ? (long)p->parent_ip : CASE_REG_ARGS + 1);
}

/* --- lines --- */

static const struct {
	const char *line;
	int err;
	const char *why;
} bad_lines[] = {
	{ "", -EINVAL, "an empty line" },
	{ " \t\n", -EINVAL, "an empty line" },
	{ "tracee_a $arg1", -EINVAL, "begins with p:FUNC" },
	{ "p:", -EINVAL, "no function's name" },
	{ "p: tracee_a", -EINVAL, "no function's name" },
	{ "p:tracee_* $arg1", -EINVAL, "no function's name" },
	{ "p:no_such_function $arg1", -ENOENT, "no function no_such_function" },
	{ "p:untraced $arg1", -ENOENT, "no function untraced" },
	{ "p:tracee_a %", -EINVAL, "no such register; there is" },
	{ "p:tracee_a %nosuch", -EINVAL, "%nosuch: no such register; there is" },
	{ "p:tracee_a arg1", -EINVAL, "no fetch" },
	{ "p:tracee_a $", -EINVAL, "no fetch" },
	{ "p:tracee_a a=", -EINVAL, "no fetch" },
	{ "p:tracee_a $arg", -EINVAL, "from 1 to 63" },
	{ "p:tracee_a $arg0", -EINVAL, "from 1 to 63" },
	{ "p:tracee_a $arg64", -EINVAL, "from 1 to 63" },
	{ "p:tracee_a $arg1x", -EINVAL, "from 1 to 63" },
	{ "p:tracee_a $arg+1", -EINVAL, "from 1 to 63" },
	{ "p:tracee_a $arg99999999999999999999999", -EINVAL, "from 1 to 63" },
	{ "p:tracee_a $arg18446744073709551617", -EINVAL, "from 1 to 63" },
	{ "p:tracee_a $stack-1", -EINVAL, "from 0 to 63" },
	{ "p:tracee_a $stack64", -EINVAL, "from 0 to 63" },
	{ "p:tracee_a $stack4294967296", -EINVAL, "from 0 to 63" },
	{ "p:tracee_a a=$arg1 a=$stack", -EINVAL, "two are called a" },
	{ "p:tracee_a $arg1 $arg1", -EINVAL, "two are called $arg1" },
	{ "p:tracee_a =$arg1", -EINVAL, "no name" },
	{ "p:tracee_a 1a=$arg1", -EINVAL, "no name" },
	{ "p:tracee_a a-b=$arg1", -EINVAL, "no name" },
	{ "p:tracee_a $arg1 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa=$arg1",
	  -EINVAL, "too long" },
	{ "p:tracee_a a=$arg1 b=$arg1 c=$arg1 d=$arg1 e=$arg1 f=$arg1 g=$arg1 h=$arg1 i=$arg1 "
	  "j=$arg1 k=$arg1 l=$arg1 m=$arg1 n=$arg1 o=$arg1 p=$arg1 q=$arg1", -EINVAL,
	  "more than 16" },
};

CASE(bad_probe_line_changes_nothing, "S40", "a line that makes no sense is refused with a message that says why, and nothing is traced")
{
	for (unsigned int i = 0; i < sizeof(bad_lines) / sizeof(bad_lines[0]); i++) {
		EXPECT(start(bad_lines[i].line, case_flags()) == bad_lines[i].err,
		       "\"%s\" is not %d", bad_lines[i].line, bad_lines[i].err);
		expect_why(bad_lines[i].why);
		tracee_a(1);
		EXPECT_EQ(tp.hits, 0);
		EXPECT(!tp.ops.func_hash, "\"%s\" has set a filter", bad_lines[i].line);
	}
}

CASE(probe_without_fetches_counts, "S85", "a line without fetches needs no register and works in every class")
{
	EXPECT_EQ(start("  p:tracee_a\t", case_flags()), 0);
	EXPECT_EQ(tp.ops.tramp_needs, 0);
	tracee_a(1);
	tracee_a(1);
	EXPECT_EQ(trace_probe_register(&tp), -EBUSY);
	stop();
	tracee_a(1);
	EXPECT_EQ(tp.hits, 2);
}
