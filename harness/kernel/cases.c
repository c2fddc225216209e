/* SPDX-License-Identifier: MIT */
/*
 * The runner: every case once for each register class that this kernel has,
 * KTAP on the console.  Here all cases share one kernel, so whatever one leaves
 * behind is its own failure.
 */
#include <linux/glob.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include "../case.h"
#include "kernel.h"

static char *only = "*";
module_param_named(case, only, charp, 0444);
MODULE_PARM_DESC(case, "which cases, as a glob");

static int kills;
module_param(kills, int, 0444);
MODULE_PARM_DESC(kills, "run those that a kernel may not survive, and only those");

static int slow = 1;
module_param(slow, int, 0444);
MODULE_PARM_DESC(slow, "0: leave out cases that take minutes without KVM");

const char *case_strategy = "kernel";
enum tramp_class case_class;

static const struct harness_case **cases;
static unsigned int nr_cases;
static unsigned int nr_failures, nr_lines;
static char skip_reason[200];

#define LINES_MAX 20	/* a loop of failures says nothing new after that */

/* --- case.h --- */

void case_printf(const char *fmt, ...)
{
	struct va_format vf = { .fmt = fmt };
	va_list ap;

	if (nr_lines++ >= LINES_MAX)
		return;
	va_start(ap, fmt);
	vf.va = &ap;
	say("  # %pV", &vf);
	va_end(ap);
}

static const char *basename(const char *path)
{
	return kbasename(path);
}

void case_fail(const char *file, int line, const char *fmt, ...)
{
	struct va_format vf = { .fmt = fmt };
	va_list ap;

	nr_failures++;
	va_start(ap, fmt);
	vf.va = &ap;
	case_printf("%s:%d: %pV", basename(file), line, &vf);
	va_end(ap);
}

void case_skip(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(skip_reason, sizeof(skip_reason), fmt, ap);
	va_end(ap);
}

bool case_failed(void)
{
	return nr_failures;
}

void *case_alloc(unsigned long size)
{
	return kzalloc(size, GFP_KERNEL);
}

void case_free(void *p)
{
	kfree(p);
}

/*
 * S121: direct where a site may have a trampoline (x86-64) or an ops word
 * (CALL_OPS) of its own; elsewhere a module's ops takes the list (S24, S63).
 */
enum case_guard case_guarded(unsigned int nr_ops)
{
#if defined(CONFIG_X86_64) || defined(CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS)
	return CASE_UNGUARDED;
#else
	return CASE_GUARDED;
#endif
}

void case_clobber(void)
{
#ifdef CONFIG_X86_64
	asm volatile ("mov $0x5a5a5a5a, %%eax; mov %%eax, %%ecx; mov %%eax, %%edx; mov %%eax, %%esi;"
		      "mov %%eax, %%edi; mov %%rax, %%r8; mov %%rax, %%r9; mov %%rax, %%r10;"
		      "mov %%rax, %%r11; add %%eax, %%eax"
		      : : : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc");
#else
	asm volatile ("mov x0, #0x5a5a; mov x1, x0; mov x2, x0; mov x3, x0; mov x4, x0;"
		      "mov x5, x0; mov x6, x0; mov x7, x0; mov x8, x0; mov x9, x0; mov x10, x0;"
		      "mov x11, x0; mov x12, x0; mov x13, x0; mov x14, x0; mov x15, x0;"
		      "mov x16, x0; mov x17, x0; adds x0, x0, x0"
		      : : : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10",
		      "x11", "x12", "x13", "x14", "x15", "x16", "x17", "cc");
#endif
}

#ifdef CONFIG_X86_64
/* Where an overridden function goes: a return as this kernel makes them. */
void kernel_just_return(void)
{
}
#endif

/* --- one case --- */

/* Why it cannot run here, or NULL. */
static const char *unfit(const struct harness_case *c)
{
#ifndef CONFIG_DYNAMIC_FTRACE_WITH_REGS
	if (case_full())
		return "this kernel saves no full registers: SAVE_REGS is -EINVAL (S9)";
#endif
	if ((c->needs & CASE_NEEDS_FULL) && !case_full())
		return "needs a full pt_regs";
	if ((c->needs & CASE_NEEDS_PARTIAL) && case_full())
		return "needs a partial frame";
	if (c->needs & CASE_NEEDS_VEC)
		return "no kernel entry saves vector registers (S101)";
	if ((c->needs & CASE_SLOW) && !slow)
		return "takes minutes without KVM; FULL=1 runs it";
	if ((c->needs & CASE_KILLS_KERNEL) && !kills)
		return "a kernel may not survive it; FULL=1 runs it in a guest of its own";
	return NULL;
}

static void run_case(const struct harness_case *c, unsigned int number)
{
	const char *why = unfit(c);

	nr_failures = nr_lines = 0;
	skip_reason[0] = '\0';
	if (why) {
		say("  ok %u %s # SKIP %s", number, c->name, why);
		return;
	}
	/* So that a log that ends here says where. */
	say("  # runs: %s", c->name);
	c->run();
	if (!(c->needs & CASE_LEAVES_DIRT)) {
		probes_cleanup();
		text_expect_restored();
		if (kernel_enabled() != 1) {
			case_fail(__FILE__, __LINE__, "ftrace was left disabled");
			case_set_enabled(1);
		}
	}
	case_order_reset();
	if (nr_failures)
		say("  # %s: %s; %s:%d", c->ids, c->about, basename(c->file), c->line);
	if (skip_reason[0] && !nr_failures)
		say("  ok %u %s # SKIP %s", number, c->name, skip_reason);
	else
		say("  %sok %u %s", nr_failures ? "not " : "", number, c->name);
	cond_resched();
}

/* --- all of them --- */

static int compare(const void *pa, const void *pb)
{
	const struct harness_case *a = *(const struct harness_case *const *)pa;
	const struct harness_case *b = *(const struct harness_case *const *)pb;
	int d = strcmp(a->file, b->file);

	return d ? d : a->line - b->line;
}

static bool wanted(const struct harness_case *c)
{
	return glob_match(only, c->name) && (!kills || (c->needs & CASE_KILLS_KERNEL));
}

static int collect(void)
{
	const struct harness_case *const *c;

	cases = kcalloc(&last_case - &first_case, sizeof(*cases), GFP_KERNEL);
	if (!cases)
		return -ENOMEM;
	for (c = &first_case + 1; c < &last_case; c++) {
		if (wanted(*c))
			cases[nr_cases++] = *c;
	}
	sort(cases, nr_cases, sizeof(*cases), compare, NULL);
	return nr_cases ? 0 : -ENOENT;
}

static const struct { enum tramp_class class; const char *name; } classes[] = {
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS
	{ TRAMP_CLASS_ARGS_RESERVED, "args-reserved" },	/* a pt_regs that is stored in part */
#else
	{ TRAMP_CLASS_ARGS, "args" },
#endif
	{ TRAMP_CLASS_REGS, "regs" },
};

int run_cases(void)
{
	/* What kills has no second class behind it. */
	unsigned int groups = kills ? 1 : ARRAY_SIZE(classes);
	int err = collect() ?: text_remember();

	if (err)
		return err;
	say("KTAP version 1");
	say("1..%u", groups);
	for (unsigned int g = 0; g < groups; g++) {
		case_class = classes[g].class;
		say("  KTAP version 1");
		say("  # Subtest: %s/%s", kernel_tag, classes[g].name);
		say("  1..%u", nr_cases);
		for (unsigned int i = 0; i < nr_cases; i++)
			run_case(cases[i], i + 1);
		say("ok %u %s/%s", g + 1, kernel_tag, classes[g].name);
	}
	text_forget();
	kfree(cases);
	return 0;
}
