/* SPDX-License-Identifier: MIT */
/*
 * What tramplab adds to ftrace's API: the choice of a strategy and of the
 * partial frame, the register set as a mask, counted misses, strict mode.
 */
#ifndef TRAMPLAB_TRAMP_H
#define TRAMPLAB_TRAMP_H

#include <ftrace.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Register classes: what an entry saves.  An ops with SAVE_REGS gets regs, one
 * with TRAMP_OPS_FL_SAVE_VEC gets vec, any other the partial frame that
 * tramp_use_frame() chose.  At a site that several ops share, all get the
 * largest class of them (S60).
 */
enum tramp_class {
	TRAMP_CLASS_NOREGS	= 0,	/* ip and parent_ip alone, as in 2012 (S85) */
	TRAMP_CLASS_ARGS	= 1,	/* partial, compact: a layout of its own */
	TRAMP_CLASS_ARGS_RESERVED = 2,	/* partial, in a pt_regs that is stored in part */
	TRAMP_CLASS_REGS	= 3,	/* the full pt_regs, status flags too */
	TRAMP_CLASS_VEC		= 4,	/* regs, and the vector registers around the callback */
	TRAMP_NR_CLASSES
};
extern const char *const tramp_class_names[TRAMP_NR_CLASSES];	/* "noregs", "args", "args-reserved", ... */

/* User flag, implies SAVE_REGS: the callback may use vector registers. */
#define TRAMP_OPS_FL_SAVE_VEC	(1UL << 24)

/*
 * Choose the strategy by its name, while no ops is registered.
 * -ENOENT unknown, -EBUSY an ops is registered, -EOPNOTSUPP the port or the
 * chosen frame lacks what the strategy needs (tramp_why() says what).
 */
int tramp_use(const char *strategy);

/*
 * Choose what an ops without SAVE_REGS gets: NOREGS, ARGS (default) or
 * ARGS_RESERVED.  Same errors; -EINVAL for other classes.
 */
int tramp_use_frame(enum tramp_class partial);

/* The reason of this thread's last failed tramp_ or ftrace call, one line, or "". */
const char *tramp_why(void);

/* Strategies by index, for listings; NULL past the last. */
const char *tramp_strategy_name(unsigned index);
const char *tramp_strategy_summary(unsigned index);

/*
 * Strict mode: callbacks that did not ask for registers find
 * ftrace_get_regs() NULL even where a neighbour's full frame exists, so that
 * one that forgets to check crashes in a test (S87).  While no ops is
 * registered; -EBUSY otherwise.
 */
int tramp_set_strict(bool strict);

/* kernel.ftrace_enabled: 0 or -EBUSY (S28, S140).  0 turns every site to a nop. */
int tramp_set_enabled(int enabled);

/* The registers that the frame holds, as TRAMP_REG_* bits; 0 for NULL. */
unsigned long tramp_regs_saved(const struct ftrace_regs *fregs);

/*
 * The registers that the site at @ip promises to an ops with @flags: what it
 * saves for that ops alone; 0 when there is no such site.  A neighbour that asks
 * for more brings more (S60), and takes it along when it leaves: no promise.
 */
unsigned long tramp_site_regs(unsigned long ip, unsigned long flags);

/*
 * Read or write one saved register by TRAMP_REG number (not mask): 0, or
 * -ENODATA when this frame does not hold it, -EINVAL no such register.  The
 * one path for partial and full frames.  Writing sp has no effect (S98): -EINVAL.
 */
int tramp_regs_read(struct ftrace_regs *fregs, unsigned int reg, unsigned long *value);
int tramp_regs_write(struct ftrace_regs *fregs, unsigned int reg, unsigned long value);

/* TRAMP_REG number of "di", "r10", "flags", ...; -EINVAL unknown. */
int tramp_reg_number(const char *name);
const char *tramp_reg_name(unsigned int reg);	/* NULL past the last */

/*
 * The register that ftrace_regs_get_argument(fregs, @n) needs: that of the
 * argument, or sp where it reads the stack; -EINVAL where it has no such
 * argument (S102).
 */
int tramp_arg_reg(unsigned int n);

/* Calls of @ops that a recursion or RCU guard swallowed. */
unsigned long tramp_missed(const struct ftrace_ops *ops);

/* This thread is (not) in a context where RCU watches (S26); true at start. */
void tramp_rcu_watching(bool watching);

/* Sites, in address order within each module; for listings and benchmarks. */
struct tramp_site_info {
	unsigned long	ip;	/* S75 */
	unsigned long	func;	/* the function's symbol, or 0 */
	const char	*name;	/* NULL where the module has no symbols */
	unsigned long	call;	/* what the site calls now, 0 for a nop */
	unsigned long	word;	/* address of the word beside it, 0: none, so that word strategies use the list */
	unsigned int	nr_ops;	/* ops attached */
};
size_t tramp_nr_sites(void);
/* Calls @fn for each until it returns non-zero; returns that, or 0. */
int tramp_for_each_site(int (*fn)(const struct tramp_site_info *, void *arg), void *arg);

struct tramp_memory {
	size_t	images;		/* live pieces of generated code */
	size_t	sets;		/* of these, made for a set of several ops */
	size_t	unused_sets;	/* of these, that no site has: until nobody is seen inside */
	size_t	code_bytes;	/* bytes of generated code in them */
	size_t	room_bytes;	/* of executable memory that they take */
	size_t	mapped_bytes;	/* executable memory mapped for them */
	size_t	site_bytes;	/* bookkeeping per known site */
	size_t	hash_bytes;	/* filter hashes */
};
void tramp_memory_usage(struct tramp_memory *usage);

/*
 * Tell tools of the code that is generated, what there is and what will be: a list
 * with commas of "gdb" (a debugger sees names and frames), "perf-map"
 * (/tmp/perf-PID.map), "jitdump" or "jitdump=DIRECTORY" (jit-PID.dump in there, by
 * default where the program runs, for perf inject --jit).  All or none: 0 or
 * -errno.  For good, and for children as well.  The environment variable TRAMP_TOOLS
 * says the same before anything is registered; what is wrong with it fails that
 * registration.  docs/tools.md
 */
int tramp_tools(const char *list);

/*
 * Room for trampolines within the program's own text, where that is larger than
 * branches reach: 64 KiB or more, in whole pages, of executable memory that
 * nothing runs.  It is taken where no free addresses are in reach, and never
 * given back: not for a library that is unloaded.  0 or -errno.
 */
int tramp_room_add(void *start, size_t len);

/*
 * A module's site table: [start, stop) of its __patchable_function_entries.
 * Link core/module.c into every executable or library that has sites; it calls
 * these from a constructor and a destructor.  Returns 0 or -errno.
 */
int tramp_module_add(const unsigned long *start, const unsigned long *stop);
void tramp_module_del(const unsigned long *start);

/*
 * The same for executable text that no loaded object holds, such as a JIT
 * compiler's.  It must be as a compiler leaves it, or as this leaves it where it
 * fails.  Its sites have no names.  Text, table and @name, which messages use, stay
 * until tramp_module_del().
 */
int tramp_module_add_text(const unsigned long *start, const unsigned long *stop,
			  const void *text, size_t len, const char *name);

#ifdef __cplusplus
}
#endif
#endif
