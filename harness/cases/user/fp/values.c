/* SPDX-License-Identifier: MIT */
/*
 * Floating-point and vector values through the entry.  Built with vector
 * registers, so the callback is probe_hit(), which has none; in class vec it
 * overwrites all of them.
 */
#include "../../../user.h"
#include "../../../tracee_fp.h"
#include <shim.h>

static void junk_vectors(struct probe *p, struct ftrace_regs *fregs)
{
	(void)p, (void)fregs;
	vec_clobber();
}

static void trace(const void *func)
{
	probe_on(func)->then = case_class == TRAMP_CLASS_VEC ? junk_vectors : NULL;
}

/* @check once untraced, so that a wrong expectation shows as such; alone; shared. */
#define THREE_TIMES(func, check) do {					\
	check;								\
	trace(func);							\
	check;								\
	trace(func);							\
	check;								\
} while (0)

#define EXPECT_FP(got, want)						\
	EXPECT((got) == (want), "%s is %g, want %g", #got, (double)(got), (double)(want))

CASE(doubles_kept, "S101 BUG-25", "8 double arguments in vector registers, and more on the stack beside integers and floats")
{
	THREE_TIMES(fp_args8, EXPECT_FP(fp_args8(1, 2, 3, 4, 5, 6, 7, 8.5),
					1 + 6 + 15 + 28 + 55 + 78 + 119 + 161.5));
	THREE_TIMES(fp_args10, EXPECT_FP(fp_args10(100, 1, 2, 3.5f, 4, 200, 5, 6.5f, 7, 8, 9, 10),
					 300 + 1 + 6 + 17.5 + 28 + 55 + 84.5 + 119 + 152 + 207 + 290));
}

CASE(variadic_kept, "S96 BUG-31", "variadic calls with 0, 1, 8 and 9 doubles among integers: rax says how many")
{
	THREE_TIMES(fp_variadic, {
		EXPECT_FP(fp_variadic(""), 0);
		EXPECT_FP(fp_variadic("iii", 1, 2, 3), 18);
		EXPECT_FP(fp_variadic("d", 0.5), 0.5);
		EXPECT_FP(fp_variadic("idi", 1, 0.5, 3), 13.5);
		EXPECT_FP(fp_variadic("dddddddd", 1., 0., 0., 0., 0., 0., 0., 2.), 2189);
		EXPECT_FP(fp_variadic("ddddddddd", 1., 0., 0., 0., 0., 0., 0., 0., 2.), 6563);
		EXPECT_FP(fp_variadic("iiiiiiiii", 1, 0, 0, 0, 0, 0, 0, 0, 2), 6563);
	});
}

CASE(long_double_and_complex_kept, "BUG-25", "long double on the stack and back in x87, complex in two registers")
{
	THREE_TIMES(fp_long_double, EXPECT_FP(fp_long_double(1.5L, 2, 3.25L), 4.5L + 10 + 22.75L));
	THREE_TIMES(fp_complex, {
		_Complex double r = fp_complex(1 + 2.0i, 3 - 1.0i);

		EXPECT_FP(__real__ r, 18);
		EXPECT_FP(__imag__ r, 1);
	});
}

CASE(mixed_struct_kept, "BUG-25 BUG-32", "a struct that comes and goes in one vector and one general register")
{
	THREE_TIMES(fp_mixed, {
		struct mixed r = fp_mixed((struct mixed){ 1.5, 41 }, 2);

		EXPECT_FP(r.d, 3.5);
		EXPECT_EQ(r.l, 42);
	});
}

static unsigned char vectors_in[VEC_BYTES], vectors_out[VEC_BYTES];

static void expect_vectors(void)
{
	unsigned long size = vec_bytes(), differ = 0, first = 0;

	for (unsigned long i = 0; i < size; i++)
		vectors_in[i] = i * 7 + i / 64 + 1;
	vec_fit(vectors_in);
	vec_call(shim_tracee, vectors_in, vectors_out);
	for (unsigned long i = size; i-- > 0; ) {
		if (vectors_in[i] != vectors_out[i]) {
			differ++;
			first = i;
		}
	}
	EXPECT(!differ, "%lu of %lu bytes differ, the first is byte %lu of register %lu",
	       differ, size, first % vec_width(), first / vec_width());
}

CASE(vector_registers_survive, "S101 BUG-25", "every vector register that the processor has, masks too, with a callback that overwrites all in class vec and uses none elsewhere")
{
	THREE_TIMES(shim_tracee, expect_vectors());
}

static void call_inside(struct probe *p, struct ftrace_regs *fregs)
{
	(void)p, (void)fregs;
	expect_vectors();
}

CASE(vector_registers_survive_inside, "S101 S122 BUG-25", "the same for a call from inside a callback of a site that two ops share")
{
	struct probe *outer = probe_on(tracee_a);

	probe_on(tracee_a);
	outer->then = call_inside;
	THREE_TIMES(shim_tracee, EXPECT_EQ(tracee_a(1), 2));
	EXPECT_EQ(outer->calls, 3);
}

static unsigned long wrong_doubles;

/* Returns 1, so that a caller can watch it. */
static unsigned long call_doubles(unsigned long x)
{
	__atomic_fetch_add(&wrong_doubles, fp_args8(1, 2, 3, 4, 5, 6, 7, 8.5) != 463.5, __ATOMIC_RELAXED);
	return x;
}

CASE(vectors_under_load, "S101 S132 BUG-25", "doubles stay right in a thread that calls while ops come and go", .timeout = 60)
{
	struct probe *toggles = probe_new();
	struct caller c;

	trace(fp_args8);
	toggles->then = case_class == TRAMP_CLASS_VEC ? junk_vectors : NULL;
	caller_start(&c, call_doubles, 1);
	for (unsigned int i = 0; i < rounds(20); i++) {
		probe_register(toggles, fp_args8);
		caller_progress(&c, 2);
		EXPECT_EQ(probe_stop(toggles), 0);
	}
	caller_stop(&c);
	EXPECT_EQ(wrong_doubles, 0);
	EXPECT(toggles->calls >= 20, "the other was called %lu times, want 20 at least", toggles->calls);
}
