/* SPDX-License-Identifier: MIT */
/*
 * The strategy contract.  A strategy answers one question: given the ops
 * attached to this site, what shall the site call?  It includes this file and
 * arch.h, and nothing else of ours; it contains no register name and no asm.
 * docs/contract.md shows one traced call; docs/add-a-strategy.md is a recipe.
 */
#ifndef TRAMPLAB_STRATEGY_H
#define TRAMPLAB_STRATEGY_H

#include <ftrace.h>
#include <tramp.h>
#include "arch.h"

struct tramp_site;
struct tramp_image;

/* What one site calls.  All zero: a nop. */
struct tramp_target {
	unsigned long		call;	/* the address that the site calls */
	unsigned long		word;	/* for the word beside the site, if it has one; 0: it names nobody */
	struct tramp_image	*image;	/* the generated code that @call enters; a reference is held */
};

struct tramp_strategy {
	/* required: folder, file, command-line word and result key, one string */
	const char	*name;
	/* required: one line for listings */
	const char	*summary;
	/* required, may be 0: TRAMP_HAS_*; what the port or the frame lacks makes every case a skip that names it */
	unsigned int	needs;
	/* optional: documented differences, by S number */
	const char	*differs;

	/* optional: @ops is about to be registered; no site calls it yet.  0 or -errno. */
	int (*add)(struct ftrace_ops *ops);
	/* optional: no site refers to @ops, no thread is inside its callback */
	void (*del)(struct ftrace_ops *ops);

	/*
	 * required: fill @target for @site, which @nr >= 1 ops want, newest
	 * registration first (the order they are called in).  May generate code;
	 * never writes text.  On -errno @target is left zero.
	 */
	int (*resolve)(struct tramp_site *site, struct ftrace_ops *const *ops,
		       unsigned int nr, struct tramp_target *target);

	/*
	 * optional: what the call slots of shared entries (arch_emit_call_slot)
	 * shall call while @only is the one ops registered; with @only NULL there
	 * are none or several.  0 means the list function.  The core re-points the
	 * slots so that function and ops always match (S84).
	 */
	unsigned long (*callee)(const struct ftrace_ops *only);
};

/* The last line of NAME.c: registers the strategy. */
#define TRAMP_STRATEGY(x)						\
	static const struct tramp_strategy *const __tramp_strategy_##x	\
	__attribute__((used, retain, section("tramp_strategies"))) = &(x)

/* --- what the core offers to strategies --- */

/* The largest register class among @ops: what an entry that they share must save. */
enum tramp_class tramp_ops_class(struct ftrace_ops *const *ops, unsigned int nr);

/*
 * Point @target at the image that @emit writes for (@ops, @class) within reach
 * of @site, generating it unless it exists.  @ops NULL: an entry shared by all.
 * 0 or -errno, @target then zero.
 */
typedef void (*tramp_emit_t)(struct tramp_code *code, struct ftrace_ops *ops,
			     enum tramp_class class);
int tramp_target_image(struct tramp_site *site, tramp_emit_t emit, struct ftrace_ops *ops,
		       enum tramp_class class, struct tramp_target *target);

/*
 * The same for an ordered set of ops: one image for all sites that have that set,
 * given up when none has it any more.  A set too large for trampoline memory gets
 * the entry that calls the list function, which means the same.
 */
typedef void (*tramp_emit_set_t)(struct tramp_code *code, struct ftrace_ops *const *ops,
				 unsigned int nr, enum tramp_class class);
int tramp_target_set(struct tramp_site *site, tramp_emit_set_t emit, struct ftrace_ops *const *ops,
		     unsigned int nr, enum tramp_class class, struct tramp_target *target);

/* Point @target at the shared entry that calls the list function: any ops, any number. */
int tramp_target_list(struct tramp_site *site, struct ftrace_ops *const *ops,
		      unsigned int nr, struct tramp_target *target);

/* Emit a call of the list function of @class, which finds the ops itself; in a call slot. */
void tramp_emit_call_list(struct tramp_code *code, enum tramp_class class);
void tramp_emit_call_list_slot(struct tramp_code *code, enum tramp_class class);

/*
 * Has @site a word beside it, for @target->word?  Not every site has, also where
 * the port has TRAMP_HAS_SITE_WORD: such a one calls an entry that reads none.
 */
bool tramp_site_has_word(const struct tramp_site *site);

/* The ops whose func is the list function: for the word of a site whose ops cannot be called directly. */
const struct ftrace_ops *tramp_list_ops(void);

/*
 * What a path made for @ops alone must call: its func, or the function that
 * guards it first when it has RECURSION or RCU (S65).
 */
unsigned long ftrace_ops_get_func(const struct ftrace_ops *ops);
/* The same where the path has taken the guard: its func, or the function that asks for RCU first. */
unsigned long ftrace_ops_get_guarded_func(const struct ftrace_ops *ops);
/* Strict mode: must @ops not find the full registers that a neighbour asked for (S87)? */
bool tramp_hides_regs(const struct ftrace_ops *ops);

#endif
