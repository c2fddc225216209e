/* SPDX-License-Identifier: MIT */
/*
 * Facts of this kernel as data: a name and a value a line, no verdict.  What
 * depends on where things were loaded is left out, so that two kernels, or two
 * versions of one, compare with diff.
 */
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include "../case.h"
#include "kernel.h"

#define obs(name, fmt, ...) say("obs\t" name "\t" fmt, ##__VA_ARGS__)

#define PARTIAL 0
#define FULL FTRACE_OPS_FL_SAVE_REGS
#define RECURSION FTRACE_OPS_FL_RECURSION
#define RCU FTRACE_OPS_FL_RCU
#define IPMODIFY FTRACE_OPS_FL_IPMODIFY

static const struct { const char *name; unsigned long flags; } kinds[] = {
	{ "none", 0 }, { "RECURSION", RECURSION }, { "RCU", RCU }, { "SAVE_REGS", FULL },
	{ "SAVE_REGS_IF_SUPPORTED", FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED },
	{ "both SAVE_REGS", FULL | FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED },
};

static struct probe *on(unsigned long flags, const void *func, int *err)
{
	struct probe *p = probe_flags(flags);

	*err = probe_add(p, func) ?: probe_start(p);
	return p;
}

/* --- what a callback sees --- */

static int preempt_outside;

static void look(struct probe *p, struct ftrace_regs *fregs)
{
	p->data[0] = preempt_count() - preempt_outside;
	p->data[1] = irqs_disabled();
	p->data[2] = !!ftrace_get_regs(fregs);
	p->data[3] = ftrace_regs_get_instruction_pointer(fregs) - p->ip;
}

static void view(const char *name, struct probe *p)
{
	preempt_outside = preempt_count();
	p->then = look;
	tracee_a(1);
	say("obs\t%s: preempt_count, irqs off, pt_regs, saved ip - ip\t%ld %ld %ld %ld", name,
	    (long)p->data[0], (long)p->data[1], (long)p->data[2], (long)p->data[3]);
}

static void views(void)
{
	struct probe *p, *q;
	char name[80];
	int err;

	for (int i = 0; i < ARRAY_SIZE(kinds); i++) {
		p = on(kinds[i].flags, tracee_a, &err);
		say("obs\t%s: register, flags then, trampoline\t%d %#lx %d", kinds[i].name, err,
		    p->ops.flags, !!p->ops.trampoline);
		if (err)
			continue;
		view(kinds[i].name, p);
		q = on(0, tracee_a, &err);
		snprintf(name, sizeof(name), "%s beside none", kinds[i].name);
		view(name, p);
		probe_stop(q);
		probe_stop(p);
		say("obs\t%s: flags after unregister, trampoline\t%#lx %d", kinds[i].name,
		    p->ops.flags, !!p->ops.trampoline);
	}
	p = on(0, tracee_a, &err);
	tracee_a(1);
	obs("ip - function", "%ld", (long)(p->ip - (unsigned long)tracee_a));
	q = on(0, tracee_a, &err);
	tracee_a(1);
	obs("two ops: same ip, parent_ip, fregs", "%d %d %d", p->ip == q->ip,
	    p->parent_ip == q->parent_ip, p->fregs == q->fregs);
	probes_cleanup();
}

static void read_arguments(struct probe *p, struct ftrace_regs *fregs)
{
	for (int i = 0; i < PROBE_DATA; i++)
		p->data[i] = ftrace_regs_get_argument(fregs, i);
}

static void arguments(void)
{
	int err;
	struct probe *p = on(0, tracee_args9, &err);

	p->then = read_arguments;
	tracee_args9(11, 22, 33, 44, 55, 66, 77, 88, 99);
	obs("ftrace_regs_get_argument 0 to 7 of 11 22 33 ...", "%lu %lu %lu %lu %lu %lu %lu %lu",
	    p->data[0], p->data[1], p->data[2], p->data[3], p->data[4], p->data[5], p->data[6],
	    p->data[7]);
	probes_cleanup();
}

static void order(void)
{
	struct probe *b;
	int err;

	on(0, tracee_a, &err)->tag = 'A';
	(b = on(0, tracee_a, &err))->tag = 'B';
	on(0, tracee_a, &err)->tag = 'C';
	tracee_a(1);
	obs("order of A B C", "%s", case_order());
	case_order_reset();
	probe_stop(b);
	probe_start(b);
	tracee_a(1);
	obs("order after B left and came back", "%s", case_order());
	case_order_reset();
	probes_cleanup();
}

/* --- what survives a callback that overwrites what it may (S99, S100) --- */

static void clobber(struct probe *p, struct ftrace_regs *fregs)
{
	case_clobber();
}

#ifdef CONFIG_X86_64
#define SCRATCH "r10 r11"

static unsigned int kept(void)
{
	unsigned long r10, r11, want = 0x1234567;

	asm volatile ("mov %2, %%r10; lea 1(%2), %%r11; mov $1, %%edi; call tracee_a;"
		      "mov %%r10, %0; mov %%r11, %1"
		      : "=&b" (r10), "=&r" (r11) : "r" (want)
		      : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc");
	return (r10 == want) | (r11 == want + 1) << 1;
}
#else
#define SCRATCH "x9 to x15"

static unsigned int kept(void)
{
	unsigned long v[7];
	unsigned int mask = 0;

	asm volatile ("mov x19, %0; mov x9, #109; mov x10, #110; mov x11, #111; mov x12, #112;"
		      "mov x13, #113; mov x14, #114; mov x15, #115; mov x0, #1; bl tracee_a;"
		      "stp x9, x10, [x19]; stp x11, x12, [x19, #16]; stp x13, x14, [x19, #32];"
		      "str x15, [x19, #48]"
		      : : "r" (v) : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10",
		      "x11", "x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x30",
		      "memory", "cc");
	for (int i = 0; i < 7; i++)
		mask |= (v[i] == 109 + i) << i;
	return mask;
}
#endif

static void registers(void)
{
	static const struct { const char *name; unsigned long flags; } frames[] = {
		{ "partial", PARTIAL }, { "full", FULL },
	};
	struct probe *p;
	int err;

	obs("no ops: kept of " SCRATCH ", as bits", "%#x", kept());
	for (int i = 0; i < ARRAY_SIZE(frames); i++) {
		p = on(frames[i].flags, tracee_a, &err);
		p->then = clobber;
		if (!err)
			say("obs\t%s frame: kept of " SCRATCH ", as bits\t%#x", frames[i].name, kept());
		if (!err)
			probe_stop(p);
	}
	probes_cleanup();
}

/* --- recursion --- */

static unsigned int depth;

static void call_again(struct probe *p, struct ftrace_regs *fregs)
{
	if (depth >= 6)
		return;
	depth++;
	tracee_a(1);
	depth--;
}

static void call_under_lock(struct probe *p, struct ftrace_regs *fregs)
{
	int bit = ftrace_test_recursion_trylock(p->ip, p->parent_ip);

	p->data[bit < 0]++;
	if (bit < 0)
		return;
	call_again(p, fregs);
	ftrace_test_recursion_unlock(bit);
}

static void recursion(void)
{
	struct probe *p;
	int err;

	for (int i = 0; i < 3; i++) {
		p = on(kinds[i].flags, tracee_a, &err);
		p->then = call_again;
		tracee_a(1);
		say("obs\t%s: callbacks of one that calls its own function, at most 7\t%lu",
		    kinds[i].name, p->calls);
		probe_stop(p);
	}
	p = on(0, tracee_a, &err);
	p->then = call_again;
	on(0, tracee_a, &err);
	tracee_a(1);
	obs("none beside none: callbacks of one that calls its own function", "%lu", p->calls);
	probes_cleanup();
	p = on(0, tracee_a, &err);
	p->then = call_under_lock;
	tracee_a(1);
	obs("none: locks won and lost", "%lu %lu", p->data[0], p->data[1]);
	probes_cleanup();
}

/* --- errors --- */

static void errors(void)
{
	struct probe *p, *q;
	unsigned long data = 0;
	int err;

	p = on(0, tracee_a, &err);
	obs("register twice", "%d", probe_start(p));
	probe_stop(p);
	obs("unregister twice", "%d", probe_stop(p));
	obs("set_filter_ip, data", "%d", ftrace_set_filter_ip(&p->ops, (unsigned long)&data, 0, 0));
	obs("set_filter_ip, a function without a site", "%d", probe_add(p, untraced));
	obs("set_filter_ip, remove what is not in", "%d",
	    ftrace_set_filter_ip(&p->ops, fn_ip(tracee_b), 1, 0));
	obs("set_filter, no match", "%d", probe_filter(p, "no_such_function", 0));
	obs("set_filter, no match, reset", "%d", probe_filter(p, "no_such_function", 1));

	p = on(FTRACE_OPS_FL_DELETED, tracee_a, &err);
	obs("register DELETED", "%d", err);
	p = on(IPMODIFY, tracee_a, &err);
	obs("register IPMODIFY", "%d", err);
	q = on(IPMODIFY, tracee_a, &err);
	obs("register a second IPMODIFY", "%d", err);
	obs("set_notrace of an IPMODIFY", "%d", probe_notrace(p, "tracee_b", 0));
	obs("empty the filter of an IPMODIFY", "%d", probe_filter(p, NULL, 1));
	probe_stop(p);
	probe_filter(q, NULL, 1);
	obs("register IPMODIFY with an empty filter", "%d", probe_start(q));

	p = on(FTRACE_OPS_FL_PERMANENT, tracee_a, &err);
	obs("ftrace_enabled = 0 with a PERMANENT ops", "%d", case_set_enabled(0));
	probe_stop(p);
	obs("ftrace_enabled = 0 without", "%d", case_set_enabled(0));
	obs("register PERMANENT while disabled", "%d", probe_start(p));
	q = on(0, tracee_b, &err);
	obs("register while disabled", "%d", err);
	case_set_enabled(1);
	probes_cleanup();
}

/* Which addresses from the function on set_filter_ip() takes, a digit a byte. */
static void accepted(void)
{
	struct probe *p = probe_flags(0);
	char digits[17] = "";

	for (int i = 0; i < 16; i++)
		digits[i] = '0' + !ftrace_set_filter_ip(&p->ops, (unsigned long)tracee_a + i, 0, 1);
	obs("set_filter_ip takes function + 0 to 15", "%s", digits);
	probes_cleanup();
}

#define CONFIG_OBS(name) obs("CONFIG_" #name, "%d", IS_ENABLED(CONFIG_##name))

int run_observe(void)
{
	CONFIG_OBS(DYNAMIC_FTRACE_WITH_REGS);
	CONFIG_OBS(DYNAMIC_FTRACE_WITH_ARGS);
	CONFIG_OBS(DYNAMIC_FTRACE_WITH_CALL_OPS);
	CONFIG_OBS(DYNAMIC_FTRACE_WITH_DIRECT_CALLS);
	CONFIG_OBS(FTRACE_RECORD_RECURSION);
	CONFIG_OBS(PREEMPTION);
	CONFIG_OBS(X86_KERNEL_IBT);
	views();
	arguments();
	order();
	registers();
	recursion();
	errors();
	accepted();
	return 0;
}
