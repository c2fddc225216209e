/* SPDX-License-Identifier: MIT */
/* Unwinding from a callback through the entry code. */
#include <unwind.h>
#include "../../user.h"

#define FRAMES 32

static unsigned long frames[FRAMES];
static unsigned int nr_frames;

static _Unwind_Reason_Code note_frame(struct _Unwind_Context *context, void *arg)
{
	(void)arg;
	if (nr_frames < FRAMES)
		frames[nr_frames++] = _Unwind_GetIP(context);
	return _URC_NO_REASON;
}

static void unwind(struct probe *p, struct ftrace_regs *fregs)
{
	(void)p, (void)fregs;
	nr_frames = 0;
	_Unwind_Backtrace(note_frame, NULL);
}

static int index_of(unsigned long addr)
{
	for (unsigned int i = 0; i < nr_frames; i++) {
		if (frames[i] == addr)
			return i;
	}
	return -1;
}

static __attribute__((noinline)) unsigned long call_deep(int n)
{
	unsigned long x = n ? call_deep(n - 1) : tracee_a(1);

	__asm__ ("" : "+r" (x));
	return x;
}

static void expect_unwind(const struct probe *p, const char *when)
{
	int function, caller;

	call_deep(3);
	function = index_of(fn_ip(tracee_a) + CASE_SITE_SIZE);
	caller = index_of(p->parent_ip);
	EXPECT(function > 0, "%s: the traced function is not among %u frames", when, nr_frames);
	EXPECT(caller == function + 1, "%s: the caller is frame %d, the function frame %d",
	       when, caller, function);
	EXPECT(nr_frames > (unsigned int)caller + 4, "%s: %u frames, the walk ends at the caller",
	       when, nr_frames);
}

CASE(unwinds_through_the_entry, "S146 BUG-46", "a walk from the callback finds the function, its caller and main, alone, guarded and shared")
{
	struct probe *p = probe_on(tracee_a), *q;

	p->then = unwind;
	expect_unwind(p, "alone");
	EXPECT_EQ(probe_stop(p), 0);

	q = probe_flags(case_flags() | FTRACE_OPS_FL_RECURSION);
	q->then = unwind;
	probe_register(q, tracee_a);
	expect_unwind(q, "guarded");
	EXPECT_EQ(probe_start(p), 0);
	q->then = NULL;
	expect_unwind(p, "shared");
}
