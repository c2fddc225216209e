/* SPDX-License-Identifier: MIT */
/* What the traced function receives and returns; integers, since these files have no other. */
#include "../case.h"

/* The entry must bring all of it through with a callback that uses many registers. */
static void busy(struct probe *p, struct ftrace_regs *fregs)
{
	unsigned long v[PROBE_DATA];

	(void)fregs;
	for (int i = 0; i < PROBE_DATA; i++)
		v[i] = ~p->data[i] * (i + 3);
	for (int i = 0; i < PROBE_DATA; i++)
		p->data[i] ^= v[(i + 3) % PROBE_DATA];
	case_clobber();
}

static void busy_on(const void *func, int nr)
{
	while (nr--)
		probe_on(func)->then = busy;
}

/* Once alone on its site, once shared. */
#define FOR_ALONE_AND_SHARED(func)					\
	for (int round_ = 0; round_ < 2; round_++)			\
		for (int once_ = (busy_on(func, 1), 1); once_; once_ = 0)

CASE(register_arguments_kept, "S96 BUG-31", "six integer arguments arrive in their places")
{
	FOR_ALONE_AND_SHARED(tracee_args6)
		EXPECT_EQ(tracee_args6(1, 20, 300, 4000, 50000, 600000),
			  1 + 60 + 1500 + 28000 + 550000 + 7800000);
}

CASE(stack_arguments_kept, "S96 BUG-32", "7, 9 and 20 arguments: those on the stack arrive too")
{
	FOR_ALONE_AND_SHARED(tracee_args7)
		EXPECT_EQ(tracee_args7(1, 2, 3, 4, 5, 6, 7), 1 + 6 + 15 + 28 + 55 + 78 + 119);
	FOR_ALONE_AND_SHARED(tracee_args9)
		EXPECT_EQ(tracee_args9(1, 2, 3, 4, 5, 6, 7, 8, 9),
			  1 + 6 + 15 + 28 + 55 + 78 + 119 + 152 + 207);
	/* 1, 0, 0, ... then 19 steps of * 3 */
	FOR_ALONE_AND_SHARED(tracee_args20) {
		EXPECT_EQ(tracee_args20(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
			  1162261467);
		EXPECT_EQ(tracee_args20(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 6, 7),
			  5 * 9 + 6 * 3 + 7);
	}
}

CASE(narrow_arguments_kept, "S96", "char, short, int and bool arguments of both signs")
{
	FOR_ALONE_AND_SHARED(tracee_narrow)
		EXPECT_EQ(tracee_narrow(-1, 255, -300, 65535, -70000, 1, -7, -8),
			  -1 + 765 - 1500 + 458745 - 770000 + 13 - 119 - 152);
}

CASE(return_value_kept, "S96", "what the function returns reaches its caller")
{
	FOR_ALONE_AND_SHARED(tracee_a)
		EXPECT_EQ(tracee_a(0x123456789abcdefUL), 0x123456789abcdf0UL);
}

CASE(structs_by_value_kept, "BUG-32", "a struct in two registers, one in memory, and their return")
{
	FOR_ALONE_AND_SHARED(tracee_pair) {
		struct pair r = tracee_pair((struct pair){ 100, 200 }, 3);

		EXPECT_EQ(r.a, 203);
		EXPECT_EQ(r.b, 97);
	}
	FOR_ALONE_AND_SHARED(tracee_bulk) {
		struct bulk s = { { 1, 2, 3, 4, 5 } }, r = tracee_bulk(s, 100);

		for (int i = 0; i < 5; i++)
			EXPECT_EQ(r.v[i], 3 * (i + 1) + 100 + i);
		EXPECT_EQ(s.v[4], 5);
	}
}

CASE(aligned_structs_kept, "BUG-32", "structs by value with 16 and 32 bytes alignment stay aligned")
{
	struct bulk16 s = { { 2, 0, 0, 3 } };
	struct bulk32 t = { { 4, 0, 0, 5 } };

	FOR_ALONE_AND_SHARED(tracee_aligned)
		EXPECT_EQ(tracee_aligned(1, s, t), 1 + 6 + 15 + 28 + 55);
}

CASE(int128_kept, "BUG-32", "__int128 arguments and result")
{
	__int128 a = (__int128)0x1122334455667788L << 64 | 0x99aabbccddeeff00UL;
	__int128 b = -a / 7;

	FOR_ALONE_AND_SHARED(tracee_int128) {
		__int128 r = tracee_int128(a, -5, b), want = a * 3 + b * 5 - 5;

		EXPECT_EQ((unsigned long)r, (unsigned long)want);
		EXPECT_EQ((unsigned long)(r >> 64), (unsigned long)(want >> 64));
	}
}

CASE(static_chain_kept, "BUG-27", "a nested function still finds its frame")
{
#ifdef __clang__
	SKIP("clang has no nested functions; every_register_survives covers the register");
#else
	/* The nested function's site has no address to name: trace them all. */
	struct probe *p = probe_new();

	EXPECT_EQ(probe_filter(p, "nested*", 0), 0);
	EXPECT_EQ(probe_start(p), 0);
	p->then = busy;
	EXPECT_EQ(tracee_static_chain(100), 108);
	EXPECT_EQ(p->calls, 2);
#endif
}

/* --- the accessors --- */

static void read_arguments(struct probe *p, struct ftrace_regs *fregs)
{
	for (int i = 0; i < PROBE_DATA; i++)
		p->data[i] = ftrace_regs_get_argument(fregs, i);
}

CASE(callback_reads_arguments, "S102 BUG-39", "ftrace_regs_get_argument() gives each one, past the registers from the stack", .needs = CASE_NEEDS_FREGS)
{
	FOR_ALONE_AND_SHARED(tracee_args9) {
		struct probe *p = probe_on(tracee_args9);

		p->then = read_arguments;
		tracee_args9(11, 22, 33, 44, 55, 66, 77, 88, 99);
		for (int i = 0; i < PROBE_DATA; i++) {
			bool held = i < CASE_REG_ARGS || CASE_STACK_ARGS;

			EXPECT_EQ(p->data[i], held ? 11 * (i + 1) : 0);
		}
		EXPECT_EQ(probe_stop(p), 0);
	}
}

static void double_arguments(struct probe *p, struct ftrace_regs *fregs)
{
	(void)p;
	for (int i = 0; i < CASE_REG_ARGS; i++)
		ftrace_regs_set_argument(fregs, i, 2 * ftrace_regs_get_argument(fregs, i));
}

CASE(written_arguments_arrive, "S97", "ftrace_regs_set_argument() changes what the function gets", .needs = CASE_NEEDS_FREGS)
{
	struct probe *p = probe_on(tracee_args6);

	p->then = double_arguments;
	EXPECT_EQ(tracee_args6(1, 1, 1, 1, 1, 1), 80);
	EXPECT_EQ(tracee_args6(1, 20, 300, 4000, 50000, 600000),
		  2 * (1 + 60 + 1500 + 28000 + 550000 + 7800000));
}

CASE(later_callback_sees_written_argument, "S97 S81", "what one callback wrote the next one reads", .needs = CASE_NEEDS_FREGS)
{
	struct probe *reads = probe_on(tracee_args6), *writes = probe_on(tracee_args6);

	reads->then = read_arguments;
	writes->then = double_arguments;
	tracee_args6(1, 2, 3, 4, 5, 6);
	for (int i = 0; i < 6; i++)
		EXPECT_EQ(reads->data[i], 2 * (i + 1));
}

static void write_return_value(struct probe *p, struct ftrace_regs *fregs)
{
	p->data[0] = ftrace_regs_has_args(fregs);
	ftrace_regs_set_return_value(fregs, 4711);
	p->data[1] = ftrace_regs_get_return_value(fregs);
}

CASE(return_value_reads_back, "S103 S112", "set_return_value is read back; the function runs, with a new argument where that is the same register; has_args is true", .needs = CASE_NEEDS_FREGS)
{
	struct probe *p = probe_on(tracee_a);

	p->then = write_return_value;
	EXPECT_EQ(tracee_a(1), CASE_RESULT_IS_ARG0 ? 4712 : 2);
	EXPECT_EQ(p->data[0], 1);
	EXPECT_EQ(p->data[1], 4711);
}
