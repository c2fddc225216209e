/* SPDX-License-Identifier: MIT */
/*
 * Strategies that are wrong on purpose, one a file, named by what they do wrong.
 * Each names the case that must catch it; a harness that lets one pass is broken
 * itself.  They are linked into check-broken alone: no other list shows them.
 *
 * Here a strategy may write raw bytes (arch/ARCH/broken/), and reach into the core.
 */
#ifndef TRAMPLAB_BROKEN_H
#define TRAMPLAB_BROKEN_H

#include "core/strategy.h"

struct broken {
	const char	*name;
	const char	*caught_by;	/* must fail in one class at least */
	const char	*passes;	/* must pass in one class: it is wrong in one thing, not in all */
};

/* The last line of NAME.c, with resolve() in it; further members of the strategy follow. */
#define BROKEN(x, caught, passed, ...)					\
	static const struct tramp_strategy x = {			\
		.name = #x, .summary = "wrong on purpose, for " caught,	\
		.needs = TRAMP_HAS_OPS_ARG, .resolve = resolve,		\
		##__VA_ARGS__						\
	};								\
	TRAMP_STRATEGY(x);						\
	static const struct broken broken_##x				\
	__attribute__((used, retain, section("harness_broken"), aligned(8))) = { \
		#x, caught, passed					\
	}

/* The same for one whose code for a lone ops is wrong, by emit(). */
#define BROKEN_EMIT(x, caught, passed, ...)				\
static int resolve(struct tramp_site *site, struct ftrace_ops *const *ops, unsigned int nr, \
		   struct tramp_target *target)				\
{									\
	return broken_resolve(site, ops, nr, target, emit);		\
}									\
BROKEN(x, caught, passed, ##__VA_ARGS__)

static inline int broken_resolve(struct tramp_site *site, struct ftrace_ops *const *ops,
				 unsigned int nr, struct tramp_target *target, tramp_emit_t emit)
{
	if (nr > 1)
		return tramp_target_list(site, ops, nr, target);
	return tramp_target_image(site, emit, ops[0], tramp_ops_class(ops, 1), target);
}

/* What is right, for those that differ in a detail. */
static inline void emit_right_call(struct tramp_code *code, struct ftrace_ops *ops)
{
	arch_emit_args(code);
	arch_emit_ops(code, ops);
	arch_emit_call(code, ftrace_ops_get_func(ops));
}

static inline void emit_right(struct tramp_code *code, struct ftrace_ops *ops, enum tramp_class class)
{
	arch_emit_enter(code, class);
	emit_right_call(code, ops);
	arch_emit_leave(code);
}

#endif
