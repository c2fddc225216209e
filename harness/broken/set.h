/* SPDX-License-Identifier: MIT */
/* For strategies that are wrong on a site of several ops; a lone one they serve right. */
#ifndef TRAMPLAB_BROKEN_SET_H
#define TRAMPLAB_BROKEN_SET_H

#include "broken.h"

enum {
	NO_GUARD	= 1 << 0,
	KEEPS_GUARD	= 1 << 1,
	HELD_GOES_HOME	= 1 << 2,	/* who is inside already is not even counted */
	OLDEST_FIRST	= 1 << 3,
	FORGETS_OLDEST	= 1 << 4,
	IP_FROM_FRAME	= 1 << 5,	/* for each callback anew */
	SHOWS_REGS	= 1 << 6,	/* strict mode or not */
	ASKS_NO_RCU	= 1 << 7,
	CALLS_STUBS	= 1 << 8,
	OPS_OF_NEWEST	= 1 << 9,
};

static inline void emit_member(struct tramp_code *code, const struct ftrace_ops *ops,
			       const struct ftrace_ops *newest, bool first, unsigned int wrong)
{
	if (wrong & IP_FROM_FRAME)
		arch_emit_args(code);
	else
		arch_emit_args_of_set(code, first, !(wrong & SHOWS_REGS) && tramp_hides_regs(ops));
	arch_emit_ops(code, wrong & OPS_OF_NEWEST ? newest : ops);
	arch_emit_call(code, wrong & ASKS_NO_RCU ? (uintptr_t)ops->func : ftrace_ops_get_guarded_func(ops));
}

/* A set's code, right but for @wrong. */
static inline void emit_set_but(struct tramp_code *code, struct ftrace_ops *const *ops,
				unsigned int nr, enum tramp_class class, unsigned int wrong)
{
	bool first = true;

	arch_emit_enter(code, class);
	if (!(wrong & NO_GUARD))
		arch_emit_guard(code);
	for (unsigned int i = 0; i < nr - !!(wrong & FORGETS_OLDEST); i++) {
		const struct ftrace_ops *op = ops[wrong & OLDEST_FIRST ? nr - 1 - i : i];

		if ((op->flags & FTRACE_OPS_FL_STUB) && !(wrong & CALLS_STUBS))
			continue;
		emit_member(code, op, ops[0], first, wrong);
		first = false;
	}
	if (!(wrong & (NO_GUARD | KEEPS_GUARD)))
		arch_emit_unguard(code);
	else
		tramp_code_remember_rules(code);
	arch_emit_leave(code);
	if (wrong & NO_GUARD)
		return;
	arch_emit_held(code);
	if (!(wrong & HELD_GOES_HOME)) {
		arch_emit_args(code);
		tramp_emit_call_list(code, class);
	}
	arch_emit_leave(code);
}

static inline int broken_resolve_set(struct tramp_site *site, struct ftrace_ops *const *ops,
				     unsigned int nr, struct tramp_target *target, tramp_emit_set_t emit)
{
	enum tramp_class class = tramp_ops_class(ops, nr);

	if (nr == 1)
		return tramp_target_image(site, emit_right, ops[0], class, target);
	return tramp_target_set(site, emit, ops, nr, class, target);
}

#define BROKEN_SET(x, caught, passed, wrong)				\
static void emit_set(struct tramp_code *code, struct ftrace_ops *const *ops, unsigned int nr, \
		     enum tramp_class class)				\
{									\
	emit_set_but(code, ops, nr, class, wrong);			\
}									\
static int resolve(struct tramp_site *site, struct ftrace_ops *const *ops, unsigned int nr, \
		   struct tramp_target *target)				\
{									\
	return broken_resolve_set(site, ops, nr, target, emit_set);	\
}									\
BROKEN(x, caught, passed)

#endif
