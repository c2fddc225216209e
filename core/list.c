/* SPDX-License-Identifier: MIT */
/*
 * The callback path in C: the list function and the function that guards a lone
 * callback.  Built with general registers only; no call into libc.
 */
#include "core.h"

#define __hot_tls __thread __attribute__((tls_model("initial-exec")))
__hot_tls struct tramp_path tramp_path;
static __hot_tls struct tramp_guard user_guard;	/* ftrace_test_recursion_trylock() (S123) */
static __hot_tls bool not_watching;

int function_trace_stop;

/* The level taken, or NULL. */
static inline __attribute__((always_inline)) unsigned char *guard_enter(struct tramp_guard *guard)
{
	unsigned char *level = !guard->inside ? &guard->inside : !guard->nested ? &guard->nested : NULL;

	if (level)
		*level = TRAMP_INSIDE;
	/* The callback's stores stay inside, also for a signal handler on this thread. */
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return level;
}

static inline __attribute__((always_inline)) void guard_leave(unsigned char *level)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	*level = 0;
}

int ftrace_test_recursion_trylock(unsigned long ip, unsigned long parent_ip)
{
	unsigned char *level = guard_enter(&user_guard);

	(void)ip;
	(void)parent_ip;
	return level ? level - (unsigned char *)&user_guard : -1;
}

void ftrace_test_recursion_unlock(int bit)
{
	guard_leave((unsigned char *)&user_guard + bit);
}

void tramp_rcu_watching(bool watching)
{
	not_watching = !watching;
}

static void missed(struct ftrace_ops *op)
{
	__atomic_fetch_add(&op->tramp_missed, 1, __ATOMIC_RELAXED);
}

unsigned long tramp_missed(const struct ftrace_ops *ops)
{
	return READ_ONCE(ops->tramp_missed);
}

#define for_each_ops(op) \
	for (op = load_acquire(&ftrace_ops_list); op; op = load_acquire(&op->next))

/* The third level: nobody is called, everybody it was for counts it. */
static __attribute__((noinline, cold)) void list_missed(unsigned long ip)
{
	struct ftrace_ops *op;

	for_each_ops(op)
		if (!(op->flags & FTRACE_OPS_FL_STUB) && ftrace_ops_test(load_acquire(&op->func_hash), ip))
			missed(op);
}

/* Rare flags; true: do not call. */
static __attribute__((noinline)) bool list_skip(struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	if (op->flags & FTRACE_OPS_FL_STUB)
		return true;
	/* Registered just now, reached by a frame from before: it must not see NULL (S90). */
	if ((op->flags & FTRACE_OPS_FL_SAVE_REGS) && fregs && !__fregs_full(fregs))
		return true;
	if ((op->flags & FTRACE_OPS_FL_RCU) && not_watching) {
		missed(op);
		return true;
	}
	return false;
}

static inline __attribute__((always_inline))
void list_walk(unsigned long ip, unsigned long parent_ip, struct ftrace_regs *fregs, bool strict)
{
	const unsigned long rare = FTRACE_OPS_FL_STUB | FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_RCU;
	unsigned char *level = guard_enter(&tramp_path.guard);
	struct ftrace_regs *hidden = (struct ftrace_regs *)((unsigned long)fregs | FREGS_STRICT);
	struct ftrace_ops *op;

	if (__builtin_expect(!level, 0)) {
		list_missed(ip);
		return;
	}
	for_each_ops(op) {
		if (!ftrace_ops_test(load_acquire(&op->func_hash), ip))
			continue;
		if ((op->flags & rare) && list_skip(op, fregs))
			continue;
		op->func(ip, parent_ip, op,
			 strict && !(op->flags & FTRACE_OPS_FL_SAVE_REGS) ? hidden : fregs);
	}
	guard_leave(level);
}

void ftrace_ops_list_func(unsigned long ip, unsigned long parent_ip,
			  struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	(void)op;
	list_walk(ip, parent_ip, fregs, false);
}

void ftrace_ops_list_func_strict(unsigned long ip, unsigned long parent_ip,
				 struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	(void)op;
	list_walk(ip, parent_ip, fregs, true);
}

/* An entry that passes ip and parent_ip alone: the rest is NULL, never whatever was there (S85). */
void ftrace_ops_list_func_noregs(unsigned long ip, unsigned long parent_ip)
{
	if (READ_ONCE(function_trace_stop))
		return;
	list_walk(ip, parent_ip, NULL, false);
}

void ftrace_ops_rcu_func(unsigned long ip, unsigned long parent_ip,
			 struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	if (not_watching)
		missed(op);
	else
		op->func(ip, parent_ip, op, fregs);
}

void ftrace_ops_assist_func(unsigned long ip, unsigned long parent_ip,
			    struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	unsigned char *level = guard_enter(&tramp_path.guard);

	if (!level) {
		missed(op);
		return;
	}
	if (op->flags & FTRACE_OPS_FL_RCU)
		ftrace_ops_rcu_func(ip, parent_ip, op, fregs);
	else
		op->func(ip, parent_ip, op, fregs);
	guard_leave(level);
}

/* --- the words beside sites --- */

static void nop_func(unsigned long ip, unsigned long parent_ip,
		     struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	(void)ip, (void)parent_ip, (void)op, (void)fregs;
}

const struct ftrace_ops ftrace_list_ops = {
	.func = ftrace_ops_list_func, .flags = FTRACE_OPS_FL_STUB,
};
const struct ftrace_ops ftrace_list_ops_strict = {
	.func = ftrace_ops_list_func_strict, .flags = FTRACE_OPS_FL_STUB,
};
const struct ftrace_ops ftrace_nop_ops = {
	.func = nop_func, .flags = FTRACE_OPS_FL_STUB,
};

const struct ftrace_ops *tramp_list_ops(void)
{
	return tramp_strict ? &ftrace_list_ops_strict : &ftrace_list_ops;
}
