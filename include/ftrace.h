/* SPDX-License-Identifier: MIT */
/*
 * ftrace's callback API, in user space.
 *
 * Names, argument orders, flag values and error codes are the Linux kernel's
 * (include/linux/ftrace.h, Documentation/trace/ftrace-uses.rst), so that one
 * conformance case builds here and in a kernel module.  What differs on
 * purpose is listed in docs/semantics.md.  What user space adds is in tramp.h.
 */
#ifndef TRAMPLAB_FTRACE_H
#define TRAMPLAB_FTRACE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ftrace_ops;
struct ftrace_regs;
struct pt_regs;

/*
 * A tracer's callback.
 *
 * @ip:        address of the site's patchable call instruction (S75, S76): the
 *             function, or the function + 4 behind an endbr64.
 * @parent_ip: where the traced function will return to (S79).
 * @op:        the ops that this call is for; never NULL, never a neighbour (S83).
 * @fregs:     the saved registers.  Opaque: use the accessors below.  NULL only
 *             where the entry cannot pass them (class noregs, S85).
 *
 * Runs on the traced thread, with that thread's locks held: it must not wait
 * for anything the traced program may hold.  Unless the register class is vec,
 * it must be built with general registers only (S101).
 */
typedef void (*ftrace_func_t)(unsigned long ip, unsigned long parent_ip,
			      struct ftrace_ops *op, struct ftrace_regs *fregs);

/*
 * Values as in the kernel.  "User" flags are set before registration and are
 * not changed afterwards (S21); the others are the core's.
 */
enum {
	FTRACE_OPS_FL_ENABLED			= 1UL << 0,	/* core: registered (S3) */
	FTRACE_OPS_FL_DYNAMIC			= 1UL << 1,	/* core: may be freed after unregister (S24) */
	FTRACE_OPS_FL_SAVE_REGS			= 1UL << 2,	/* user: the full pt_regs */
	FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED	= 1UL << 3,	/* user: do not fail without them (S22, S23) */
	FTRACE_OPS_FL_RECURSION			= 1UL << 4,	/* user: guard my callback (S25) */
	FTRACE_OPS_FL_STUB			= 1UL << 5,	/* user: counts at the site, is not called (S27) */
	FTRACE_OPS_FL_INITIALIZED		= 1UL << 6,	/* core: first API call was seen (S1) */
	FTRACE_OPS_FL_DELETED			= 1UL << 7,	/* user: must not be registered (S5) */
	FTRACE_OPS_FL_ADDING			= 1UL << 8,	/* core, inside the call only (S31) */
	FTRACE_OPS_FL_REMOVING			= 1UL << 9,	/* core, inside the call only */
	FTRACE_OPS_FL_MODIFYING			= 1UL << 10,	/* core, inside the call only */
	FTRACE_OPS_FL_ALLOC_TRAMP		= 1UL << 11,	/* core: .trampoline is generated code (S29) */
	FTRACE_OPS_FL_IPMODIFY			= 1UL << 12,	/* user: may redirect; one a site (S106) */
	FTRACE_OPS_FL_RCU			= 1UL << 14,	/* user: only where RCU watches (S26) */
	FTRACE_OPS_FL_PERMANENT			= 1UL << 16,	/* user: ftrace cannot be disabled (S28) */
};

struct ftrace_hash;

/* Both hashes of an ops; replaced as a whole, never changed in place. */
struct ftrace_ops_hash {
	struct ftrace_hash	*filter_hash;	/* NULL: every site (S35) */
	struct ftrace_hash	*notrace_hash;	/* NULL: no site; wins over filter (S36) */
	struct ftrace_ops_hash	*retired;	/* core: the next one that has been replaced */
	unsigned long		left;		/* core: the moment of that */
};

struct ftrace_ops {
	ftrace_func_t		func;		/* required */
	struct ftrace_ops	*next;		/* core: the ops list, newest first (S126) */
	unsigned long		flags;
#ifdef __cplusplus
	void			*private_data;	/* a keyword there */
#else
	void			*private;	/* the tracer's own */
#endif

	struct ftrace_ops_hash	*func_hash;	/* core */
	unsigned long		trampoline;	/* core: generated code of this ops, or 0 (S29, S30) */
	unsigned long		trampoline_size;

	/* User space adds (tramp.h). */
	unsigned long		tramp_needs;	/* registers that must be saved: TRAMP_REG_* mask */
	unsigned long		tramp_missed;	/* core: see tramp_missed() */
};

/*
 * Start calling @ops->func at every site that its filter selects.
 * All or nothing: 0, or a negative errno and nothing changed:
 * -EBUSY       registered already (S4); another IPMODIFY ops is on one of the
 *              sites (S106); PERMANENT while ftrace is disabled (S11); a thread
 *              blocks SIGTRAP, so that live text cannot be changed
 * -EINVAL      DELETED (S5); no func (S8); IPMODIFY without a filter (S107);
 *              SAVE_REGS where the entry has none (S9); a site's text is not
 *              what the core wrote (S136)
 * -EOPNOTSUPP  the strategy, port or class cannot save what .tramp_needs names
 * -ENODEV      ftrace_kill() was called (S10); no strategy was chosen
 * -ENOMEM      memory, or no room for a trampoline within branch reach
 * -EPERM, -EACCES  executable memory is refused here
 * -EDEADLK     by a callback that another call of this API, by the same thread,
 *              has run into: so say all calls that return errors
 *
 * No call of this API is a cancellation point.
 */
int register_ftrace_function(struct ftrace_ops *ops);

/*
 * After 0 the callback does not run and never will, and @ops and its
 * trampoline may be freed (S127).  Waits for threads that are inside.
 * -EBUSY    not registered (S6)
 * -EDEADLK  called from inside a callback, of whatever ops (S131)
 * -ENODEV   ftrace is dead (S10)
 */
int unregister_ftrace_function(struct ftrace_ops *ops);

/*
 * Choose sites by name.  @buf: a name or glob ("abc", "abc*", "*abc", "*abc*",
 * "a?c", S45), "!name" to remove; NULL with @reset to empty.  @len: strlen.
 * -EINVAL when nothing matches; the old filter then stands, even with @reset
 * (S40).  An empty filter means every site (S2, S37).  Takes effect at once on
 * a registered ops (S48), then with register_ftrace_function()'s errors too.
 */
int ftrace_set_filter(struct ftrace_ops *ops, unsigned char *buf, int len, int reset);
int ftrace_set_notrace(struct ftrace_ops *ops, unsigned char *buf, int len, int reset);

/*
 * Choose sites by address: the site, any byte of it, or the function (S42).
 * -EINVAL: no site there.  -ENOENT: @remove of one that is not in (S43).
 * ftrace_set_filter_ips: all @cnt or none (S44).
 */
int ftrace_set_filter_ip(struct ftrace_ops *ops, unsigned long ip, int remove, int reset);
int ftrace_set_filter_ips(struct ftrace_ops *ops, unsigned long *ips, unsigned int cnt,
			  int remove, int reset);

/* Free both hashes of an ops that is not registered; warns otherwise (S17). */
void ftrace_free_filter(struct ftrace_ops *ops);

/* The site of @ip in the sense of ftrace_set_filter_ip(), or 0. */
unsigned long ftrace_location(unsigned long ip);

/* Read only; the kernel's sysctl is tramp_set_enabled() (tramp.h). */
extern int ftrace_enabled;

/*
 * Something is badly wrong: no further change is made.  Live sites keep
 * calling (S141); every later call returns -ENODEV (S10).
 */
void ftrace_kill(void);

/*
 * The callback's own recursion lock: a bit to hand to _unlock, or -1 when this
 * thread is in here for the third time (S120, S123).
 */
int ftrace_test_recursion_trylock(unsigned long ip, unsigned long parent_ip);
void ftrace_test_recursion_unlock(int bit);

/*
 * A stop switch from 2009 to 2014, long gone from the kernel (S140): non-zero
 * silences the callbacks of class noregs, and of no other.
 */
extern int function_trace_stop;

/*
 * Accessors of the saved registers, defined by the port as inline functions:
 *
 *   struct pt_regs *ftrace_get_regs(struct ftrace_regs *)
 *	the full set, or NULL (also for NULL); writes take effect (S88, S99)
 *   unsigned long ftrace_regs_get_instruction_pointer(fregs)   resume address (S94)
 *   void ftrace_regs_set_instruction_pointer(fregs, ip)        resume there (S109)
 *   unsigned long ftrace_regs_get_argument(fregs, n)           0-based (S102)
 *   void ftrace_regs_set_argument(fregs, n, value)             register arguments only (S97)
 *   unsigned long ftrace_regs_get_stack_pointer(fregs)         at function entry (S95)
 *   unsigned long ftrace_regs_get_return_value(fregs)
 *   void ftrace_regs_set_return_value(fregs, value)
 *   void ftrace_override_function_with_return(fregs)           skip the body (S112)
 *   unsigned long ftrace_regs_get_frame_pointer(fregs)
 *   bool ftrace_regs_has_args(fregs)                           S103
 *   int ftrace_regs_query_register_offset(const char *name)    into pt_regs, or -EINVAL (S104)
 *   struct pt_regs *ftrace_partial_regs(fregs, struct pt_regs *buf)
 *	what is saved, copied into @buf, the rest zero; no side effect (S105)
 *
 * All but ftrace_get_regs() need a non-NULL fregs.
 */
#include <asm/ftrace.h>

#ifdef __cplusplus
}
#endif
#endif
