/* SPDX-License-Identifier: MIT */
/* A signal comes at each instruction of a traced call, and its handler calls traced functions. */
#include <signal.h>
#include <shim.h>
#include "harness/step/self.h"
#include "window.h"

static void call_way(void *arg)
{
	window_call(window_call_pattern, arg);
}

/* --- the handler: the same site, one of the same set, two others --- */

static struct { struct probe *alone, *pair[2]; bool there; } others;
static unsigned long came, wrong;

static void call_all(int sig)
{
	struct shim_regs body = shim_body;

	(void)sig;
	window_handling = true;
	shim_tracee();
	wrong += tracee_b(1) != 3;
	wrong += others.there && (tracee_c(1) != 4 || tracee_a(1) != 2);
	window_handling = false;
	shim_body = body;
}

static bool call_in_handler(unsigned long pc, unsigned long sp)
{
	(void)pc, (void)sp;
	came++;
	call_all(SIGTRAP);
	return true;
}

/* One more signal, whose handler has a stack of its own. */
static bool call_elsewhere(unsigned long pc, unsigned long sp)
{
	(void)pc, (void)sp;
	came++;
	raise(SIGUSR1);
	return true;
}

static void hit_other(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	(void)ip, (void)parent_ip, (void)fregs;
	((struct probe *)op)->calls++;
	case_clobber();
}

static struct probe *other_on(const void *func)
{
	struct probe *p = probe_new();

	p->ops.func = hit_other;
	probe_register(p, func);
	return p;
}

/* @sites of @p's were called in each handler. */
static void expect_counted(const struct probe *p, unsigned long hits, unsigned int sites)
{
	unsigned long missed = tramp_missed(&p->ops);

	EXPECT(hits + missed == sites * came, "%lu hits in handlers and %lu missed, want %lu together",
	       hits, missed, sites * came);
	/* Two levels are for everybody (S120); only inside a callback that holds one is there a third. */
	if (window.way != WAY_HELD)
		EXPECT_EQ(missed, 0);
}

static void expect_all_counted(void)
{
	for (unsigned int i = 0; i < window.nr; i++) {
		EXPECT_EQ(window_own(window.p[i]), 1);
		expect_counted(window.p[i], window_handled(window.p[i]), 2);
		if (window.way == WAY_HELD)
			EXPECT(tramp_missed(&window.p[i]->ops), "nobody was missed inside two callbacks");
	}
	if (window.way == WAY_HELD) {
		EXPECT_EQ(window_own(window.outer[0]), 1);
		EXPECT_EQ(window_own(window.outer[1]), 1);
	}
	if (!others.there)
		return;
	expect_counted(others.alone, others.alone->calls, 1);
	for (int i = 0; i < 2; i++)
		expect_counted(others.pair[i], others.pair[i]->calls, 1);
}

static void forget_others(void)
{
	struct probe *p[] = { others.alone, others.pair[0], others.pair[1] };

	for (unsigned int i = 0; i < 3 && others.there; i++)
		p[i]->calls = p[i]->ops.tramp_missed = 0;
}

static unsigned long walk(enum way way, bool (*stop)(unsigned long pc, unsigned long sp))
{
	came = 0;
	forget_others();
	window_open(way, shim_tracee, NULL);
	window_fill();
	EXPECT_EQ(self_step((unsigned long)shim_tracee, call_way, NULL, stop), 0);
	EXPECT_EQ(wrong, 0);
	window_expect_intact();
	expect_all_counted();
	window_close();
	if (case_failed())
		case_printf("%s, %lu instructions", way_names[way], came);
	return came;
}

static unsigned long walk_all(bool (*stop)(unsigned long pc, unsigned long sp))
{
	unsigned long nr = 0;

	for (enum way way = 0; way < NR_WAYS && !case_failed(); way++)
		if (way_exists(way))
			nr += walk(way, stop);
	return nr;
}

static void prepare_alternate_stack(void)
{
	static char stack[65536];
	struct sigaction act = { .sa_handler = call_all, .sa_flags = SA_ONSTACK };
	stack_t ss = { .ss_sp = stack, .ss_size = sizeof(stack) };

	EXPECT_EQ(sigaltstack(&ss, NULL), 0);
	EXPECT_EQ(sigaction(SIGUSR1, &act, NULL), 0);
}

CASE(signal_at_every_instruction, "S81 S96 S100 S119 S120 S122 BUG-27", "on every way through entry code, a handler calls the same site, one of the same set and two of others at each instruction: every hit is called or counted as missed, every register keeps its value", .timeout = 60, .needs = CASE_TORTURE)
{
	unsigned long n, nr = 0;

	prepare_alternate_stack();
	for (n = 0; more(n, 1); n++) {
		/* One ops alone in the program is another way than one of many. */
		nr += walk_all(call_in_handler);
		if (!n) {
			others.alone = other_on(tracee_c);
			others.pair[0] = other_on(tracee_a);
			others.pair[1] = other_on(tracee_a);
		}
		others.there = true;
		nr += walk_all(n % 2 ? call_in_handler : call_elsewhere);
	}
	EXPECT(nr > 200, "%lu instructions", nr);
	case_survived(nr, "instructions a signal came at");
}
