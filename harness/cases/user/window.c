/* SPDX-License-Identifier: MIT */
#include <string.h>
#include "core/core.h"
#include "harness/step/self.h"
#include "pattern.h"
#include "stand.h"
#include "window.h"

const char *const way_names[NR_WAYS] = {
	"one ops", "two ops", "a guarded ops", "a redirected call", "an ops that looks at pt_regs",
	"an ops that changes flags", "a call with the direction flag set", "a call inside a callback",
};

bool way_exists(enum way way)
{
	switch (way) {
	case WAY_REDIRECT:
		return case_class != TRAMP_CLASS_NOREGS;
	case WAY_LOOK:
	case WAY_FLAGS:
		return case_full();
	case WAY_STRING:
		return case_full() && (FLAGS_KEPT & ~FLAGS_STATUS);
	default:
		return true;
	}
}

struct window window;
__thread bool window_handling;
static unsigned long site, redirected_to;
static unsigned int flags_reg;

static void flip_flags(struct ftrace_regs *fregs)
{
	unsigned long flags;

	if (!tramp_regs_read(fregs, flags_reg, &flags))
		tramp_regs_write(fregs, flags_reg, flags ^ WAY_FLIPS);
}

/* A handler may hit the same ops at any instruction: all is told by arguments. */
static void special(unsigned long ip, struct ftrace_regs *fregs)
{
	if (ip != site)
		return;
	if (window.way == WAY_REDIRECT && redirected_to)
		ftrace_regs_set_instruction_pointer(fregs, redirected_to);
	else if (window.way == WAY_REDIRECT)
		ftrace_override_function_with_return(fregs);
	if (window.way == WAY_LOOK)
		ftrace_get_regs(fregs);
	if (window.way == WAY_FLAGS)
		flip_flags(fregs);
}

static void hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct probe *p = (struct probe *)op;

	(void)parent_ip;
	/* Told of another site, it is no hit of this one. */
	__atomic_fetch_add(&p->data[window_handling ? 1 : ip == site ? 0 : 2], 1, __ATOMIC_RELAXED);
	if (p == window.p[0])
		special(ip, fregs);
	case_clobber();
	if (case_class == TRAMP_CLASS_VEC)
		vec_clobber();
}

/* --- a call from inside a callback --- */

static struct { void (*call)(void *arg); void *arg; } inner;

static void hit_outer(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	(void)ip, (void)parent_ip, (void)fregs;
	window_own((struct probe *)op)++;
	if (op == &window.outer[0]->ops)
		inner.call(inner.arg);
}

void window_call(void (*call)(void *arg), void *arg)
{
	if (window.way != WAY_HELD) {
		call(arg);
		return;
	}
	inner.call = call;
	inner.arg = arg;
	EXPECT_EQ(tracee_d(1), 5);
}

/* --- open and close --- */

static struct probe *all[4];

static struct probe *fresh(unsigned int i, unsigned long flags, ftrace_func_t func)
{
	if (!all[i])
		all[i] = probe_new();
	probe_init(all[i], case_flags() | flags);
	all[i]->ops.func = func;
	return all[i];
}

static void start(struct probe *p, const void *func, const void *also)
{
	EXPECT_EQ(probe_add(p, func), 0);
	if (also)
		EXPECT_EQ(probe_add(p, also), 0);
	EXPECT_EQ(probe_start(p), 0);
}

void window_open(enum way way, const void *func, const void *to)
{
	unsigned long flags = way == WAY_ASSIST ? FTRACE_OPS_FL_RECURSION :
			      way == WAY_REDIRECT ? FTRACE_OPS_FL_IPMODIFY : 0;

	window = (struct window){ .way = way, .func = func, .nr = way == WAY_TWO || way == WAY_HELD ? 2 : 1 };
	site = fn_ip(func);
	flags_reg = tramp_reg_number(CASE_REG_FLAGS);
	redirected_to = (unsigned long)to;
	for (unsigned int i = 0; i < window.nr; i++) {
		window.p[i] = fresh(i, flags, hit);
		start(window.p[i], func, tracee_b);
	}
	for (unsigned int i = 0; i < 2 && way == WAY_HELD; i++) {
		window.outer[i] = fresh(2 + i, 0, hit_outer);
		start(window.outer[i], tracee_d, NULL);
	}
}

struct probe *window_ops(unsigned int i)
{
	return i < window.nr ? window.p[i] : i < window.nr + 2 ? window.outer[i - window.nr] : NULL;
}

static void stop(struct probe *p)
{
	if (p->ops.flags & FTRACE_OPS_FL_ENABLED)
		EXPECT_EQ(probe_stop(p), 0);
	ftrace_free_filter(&p->ops);
}

void window_close(void)
{
	struct probe *p;

	for (unsigned int i = 0; (p = window_ops(i)); i++)
		stop(p);
	window = (struct window){ 0 };
}

void window_poison(struct probe *p)
{
	stop(p);
	memset(&p->ops, CASE_TRAP_BYTE, sizeof(p->ops));
}

static unsigned long nr_steps;
static struct inside at;

static bool count_step(unsigned long pc, unsigned long sp)
{
	inside_entry(&at, pc, sp);
	nr_steps += !at.left;
	return !at.left;
}

unsigned long window_step(unsigned long n, void (*call)(void *arg))
{
	struct probe *p;

	nr_steps = 0;
	inside_begin(&at);
	EXPECT_EQ(self_step((unsigned long)window.func, call, NULL, count_step), 0);
	for (unsigned int i = 0; (p = window_ops(i)); i++)
		memset(p->data, 0, sizeof(p->data));
	n = tramp_emulated() ? 2 * n : n;
	return n < nr_steps ? n : nr_steps;
}

/* Neighbours in any of these are not to be neighbours. */
static unsigned long hash_of(enum way way)
{
	unsigned long hash = case_seed() * 31 + case_class * 7 + way;

	for (const char *c = case_strategy; *c; c++)
		hash = hash * 31 + *c;
	return hash * FTRACE_HASH_MULT >> 32;
}

unsigned long window_first(unsigned long round, unsigned long step)
{
	return (round + hash_of(window.way)) % step;
}

bool window_turn(enum way way, unsigned long round)
{
	return way_exists(way) && (round || (way + hash_of(0)) % 2);
}

/* --- a pattern in every register --- */

static struct shim_regs in;
static unsigned char vec_in[VEC_BYTES], vec_out[VEC_BYTES];

static void call_shim(void)
{
	shim_call(shim_tracee, &in);
}

void window_fill(void)
{
	pattern_fill(&in, window.way == WAY_STRING ? FLAGS_KEPT & ~FLAGS_STATUS : FLAGS_STATUS);
	for (unsigned int i = 0; i < VEC_BYTES; i++)
		vec_in[i] = 7 * i + 1;
	vec_fit(vec_in);
	memset(&shim_body, 0, sizeof(shim_body));
	memset(vec_out, 0, sizeof(vec_out));
}

void window_call_pattern(void *arg)
{
	(void)arg;
	vec_call(call_shim, vec_in, vec_out);
}

/* Not what else of the flags is writable: x86-64's ID comes back from no signal handler. */
void window_expect_intact(void)
{
	unsigned long kept = case_full() ? FLAGS_KEPT : 0;

	if (window.way == WAY_FLAGS)
		in.r[SHIM_flags] ^= WAY_FLIPS;
	if (window.way == WAY_REDIRECT)
		EXPECT(!shim_body.r[SHIM_sp], "the body of a redirected call has run");
	else
		pattern_expect("in the function", &shim_body, &in, kept);
	pattern_expect("after the return", &shim_after, &in, kept);
	EXPECT(!memcmp(vec_out, vec_in, vec_bytes()), "a vector register has changed");
}
