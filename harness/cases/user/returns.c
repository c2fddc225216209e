/* SPDX-License-Identifier: MIT */
/*
 * A shadow stack in software: at each instruction of a traced call, is a return
 * about to be made to where the last open call came from?  A processor that keeps
 * one itself ends the program otherwise (x86-64's CET, arm64's GCS).
 */
#include <string.h>
#include "harness/step/self.h"
#include "window.h"

#define DEPTH 64

static struct {
	unsigned long	at[DEPTH];
	unsigned int	depth;			/* calls that are open; the first is the function's own */
	unsigned long	calls, returns, strays;
	unsigned long	last;			/* the instruction before */
} shadow;

static void follow(unsigned long pc, unsigned long sp)
{
	if (case_is_call(shadow.last)) {
		if (shadow.depth < DEPTH)
			shadow.at[shadow.depth] = case_return_of(shadow.last, sp);
		shadow.depth++;
		shadow.calls++;
	}
	if (case_is_return(shadow.last)) {
		shadow.returns++;
		if (shadow.depth > 1 && shadow.depth <= DEPTH && shadow.at[shadow.depth - 1] == pc)
			shadow.depth--;
		else
			shadow.strays++;
	}
}

static bool on_step(unsigned long pc, unsigned long sp)
{
	if (shadow.last)
		follow(pc, sp);
	else
		shadow.depth = 1;
	shadow.last = pc;
	return true;
}

static void call_a(void *arg)
{
	(void)arg;
	tracee_a(1);
}

static void call_way(void *arg)
{
	window_call(call_a, arg);
}

static unsigned long walk(enum way way)
{
	/* Entry code resumes by a return to wherever the frame's ip says: here not behind the site. */
	unsigned int strays = way == WAY_REDIRECT;

	memset(&shadow, 0, sizeof(shadow));
	window_open(way, tracee_a, untraced);
	EXPECT_EQ(self_step((unsigned long)tracee_a, call_way, NULL, on_step), 0);
	window_close();
	EXPECT(shadow.calls > 1, "%lu calls were seen", shadow.calls);
	EXPECT_EQ(shadow.strays, strays);
	EXPECT_EQ(shadow.depth, 1 + strays);
	EXPECT(case_is_return(shadow.last), "the last instruction is no return");
	if (case_failed())
		case_printf("%s", way_names[way]);
	return shadow.returns;
}

CASE(returns_match_calls, "BUG-38", "at each instruction of a traced call, a return goes to where the innermost open call came from, but for the one that resumes a redirected call")
{
	unsigned long nr = 0;

	for (enum way way = 0; way < NR_WAYS; way++)
		if (way_exists(way))
			nr += walk(way);
	case_survived(nr, "returns matched with their calls");
}
