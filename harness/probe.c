/* SPDX-License-Identifier: MIT */
/*
 * Probes, and what of case.h is the same in user space and in the kernel.  The
 * callback looks at nothing that it was not asked to look at: with some ports
 * asking for pt_regs changes the path by which the entry leaves.
 */
#include "case.h"

#define PROBES 600
#define ORDER_MAX 64

static struct probe probes[PROBES];
static unsigned int nr_probes;
static char order[ORDER_MAX + 1];
static unsigned int nr_order;

void probe_hit(unsigned long ip, unsigned long parent_ip,
	       struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct probe *p = (struct probe *)op;

	p->ip = ip;
	p->parent_ip = parent_ip;
	p->fregs = fregs;
	__atomic_fetch_add(&p->calls, 1, __ATOMIC_RELAXED);
	if (p->tag && nr_order < ORDER_MAX)
		order[nr_order++] = p->tag;
	if (p->then)
		p->then(p, fregs);
}

void probe_init(struct probe *p, unsigned long flags)
{
	*p = (struct probe){ .ops = { .func = probe_hit, .flags = flags } };
}

struct probe *probe_flags(unsigned long flags)
{
	static struct probe spare;
	struct probe *p = nr_probes < PROBES ? &probes[nr_probes++] : &spare;

	if (p == &spare)
		case_fail(__FILE__, __LINE__, "more than %d probes", PROBES);
	probe_init(p, flags);
	return p;
}

int probe_add(struct probe *p, const void *func)
{
	return ftrace_set_filter_ip(&p->ops, (unsigned long)func, 0, 0);
}

int probe_start(struct probe *p)
{
	return register_ftrace_function(&p->ops);
}

int probe_stop(struct probe *p)
{
	return unregister_ftrace_function(&p->ops);
}

void probe_register(struct probe *p, const void *func)
{
	int err = ftrace_set_filter_ip(&p->ops, (unsigned long)func, 0, 1);

	if (!err)
		err = probe_start(p);
	if (err)
		case_fail(__FILE__, __LINE__, "set_filter_ip and register: %d, want 0", err);
}

struct probe *probe_on(const void *func)
{
	struct probe *p = probe_new();

	probe_register(p, func);
	return p;
}

/* A copy: the kernel's parser cuts the caller's pattern in place. */
static int set_names(int (*set)(struct ftrace_ops *, unsigned char *, int, int),
		     struct probe *p, const char *pattern, int reset)
{
	unsigned char copy[64];
	int len = 0;

	if (!pattern)
		return set(&p->ops, NULL, 0, reset);
	while (pattern[len] && len < (int)sizeof(copy) - 1) {
		copy[len] = pattern[len];
		len++;
	}
	copy[len] = '\0';
	return set(&p->ops, copy, len, reset);
}

int probe_filter(struct probe *p, const char *pattern, int reset)
{
	return set_names(ftrace_set_filter, p, pattern, reset);
}

int probe_notrace(struct probe *p, const char *pattern, int reset)
{
	return set_names(ftrace_set_notrace, p, pattern, reset);
}

static void (*inside)(void);

static void run_inside(struct probe *p, struct ftrace_regs *fregs)
{
	(void)p, (void)fregs;
	inside();
}

void case_each_way(const void *func, void (*check)(void))
{
	struct probe *outer;

	check();
	probe_on(func);
	check();
	outer = probe_on(tracee_d);
	outer->then = run_inside;
	inside = check;
	EXPECT_EQ(tracee_d(1), 5);
	EXPECT_EQ(outer->calls, 1);
	outer->calls = 0;
	/* Shared, so that it holds the guard in every strategy. */
	probe_on(tracee_d);
	EXPECT_EQ(tracee_d(1), 5);
	EXPECT_EQ(outer->calls, 1);
	outer->then = NULL;
}

const char *case_order(void)
{
	order[nr_order] = '\0';
	return order;
}

void case_order_reset(void)
{
	nr_order = 0;
}

void probes_cleanup(void)
{
	int err;

	while (nr_probes) {
		struct probe *p = &probes[--nr_probes];

		p->then = NULL;
		if (p->ops.flags & FTRACE_OPS_FL_ENABLED) {
			err = probe_stop(p);
			if (err)
				case_fail(__FILE__, __LINE__,
					  "unregister behind the case: %d, want 0", err);
		}
		if (p->ops.flags & FTRACE_OPS_FL_INITIALIZED)
			ftrace_free_filter(&p->ops);
	}
}

unsigned long case_flags(void)
{
	switch (case_class) {
	case TRAMP_CLASS_REGS:
		return FTRACE_OPS_FL_SAVE_REGS;
	case TRAMP_CLASS_VEC:
		return FTRACE_OPS_FL_SAVE_REGS | TRAMP_OPS_FL_SAVE_VEC;
	default:
		return 0;
	}
}

bool case_full(void)
{
	return case_class == TRAMP_CLASS_REGS || case_class == TRAMP_CLASS_VEC;
}

/* --- expectations --- */

/* Counts read best in decimal, addresses and flags in hexadecimal. */
static bool is_small(long v)
{
	return v > -65536 && v < 65536;
}

bool case_expect_eq(const char *file, int line, const char *what, long got, long want)
{
	if (got == want)
		return true;
	if (is_small(got) && is_small(want))
		case_fail(file, line, "%s is %ld, want %ld", what, got, want);
	else
		case_fail(file, line, "%s is %#lx, want %#lx", what, (unsigned long)got,
			  (unsigned long)want);
	return false;
}

static bool same(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

bool case_expect_str(const char *file, int line, const char *what,
		     const char *got, const char *want)
{
	if (same(got, want))
		return true;
	case_fail(file, line, "%s is \"%s\", want \"%s\"", what, got, want);
	return false;
}
