/* SPDX-License-Identifier: MIT */
/*
 * All that a conformance case needs besides ftrace's own API.  The files in
 * cases/ include this and nothing of libc, so that they build into a kernel
 * module too; those in cases/user/ need user space and say so by their place.
 *
 *	CASE(called_once, "S3", "one call of the function is one call of the callback")
 *	{
 *		struct probe *p = probe_on(tracee_a);
 *
 *		tracee_a(1);
 *		EXPECT_EQ(p->calls, 1);
 *	}
 *
 * A case runs in its own process, once for every strategy and register class.
 * It need not clean up: probes are unregistered behind it, and then every byte
 * of the program's text must be what it was (BUG-22).
 */
#ifndef TRAMPLAB_CASE_H
#define TRAMPLAB_CASE_H

#ifdef __KERNEL__
#include <linux/errno.h>
#else
#include <errno.h>
#endif
#include <ftrace.h>
#include <tramp.h>
#include <case_arch.h>
#include "tracee.h"

enum {
	CASE_NEEDS_FREGS	= 1 << 0,	/* registers are passed: not noregs */
	CASE_NEEDS_PARTIAL	= 1 << 1,	/* the class under test is a partial frame */
	CASE_NEEDS_FULL		= 1 << 2,	/* the class under test is the full pt_regs */
	CASE_NEEDS_VEC		= 1 << 3,	/* the callback may use vector registers */
	CASE_LEAVES_DIRT	= 1 << 4,	/* ends with ftrace dead: nothing can be cleaned up */
	CASE_KILLS_KERNEL	= 1 << 5,	/* right here, fatal to a kernel: in a throw-away guest at most */
	CASE_SLOW		= 1 << 6,	/* minutes in an emulated kernel: traces every function, or changes a thousand times */
	CASE_ONE_CLASS		= 1 << 8,	/* the class plays no part: class args alone runs it */
	CASE_TORTURE		= 1 << 7,	/* make torture runs it, too, for as long as there is time: see more() in user.h */
};

struct harness_case {
	const char	*name;		/* a property, in the present tense */
	const char	*ids;		/* the statements it decides: S and BUG numbers */
	const char	*about;		/* one line */
	const char	*file;
	int		line;
	void		(*run)(void);
	unsigned int	needs;		/* CASE_* */
	unsigned int	timeout;	/* seconds; 0: the runner's default */
};

/* Further arguments are designated initialisers: .needs = CASE_NEEDS_FREGS */
#define CASE(name_, ids_, about_, ...)					\
static void case_##name_(void);						\
static const struct harness_case harness_case_##name_ = {		\
	.name = #name_, .ids = ids_, .about = about_,			\
	.file = __FILE__, .line = __LINE__, .run = case_##name_,		\
	##__VA_ARGS__							\
};									\
static const struct harness_case *const harness_case_p_##name_		\
	__attribute__((used, section("harness_cases"))) = &harness_case_##name_; \
static void case_##name_(void)

/* --- verdicts: state facts, "p->calls is 2, want 1" --- */

bool case_expect_eq(const char *file, int line, const char *what, long got, long want);
bool case_expect_str(const char *file, int line, const char *what,
		     const char *got, const char *want);
void case_fail(const char *file, int line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void case_skip(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* A note for the reader of a failure. */
void case_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
bool case_failed(void);

#define EXPECT_EQ(got, want)						\
	case_expect_eq(__FILE__, __LINE__, #got, (long)(got), (long)(want))
#define EXPECT_STR(got, want)						\
	case_expect_str(__FILE__, __LINE__, #got, got, want)
#define EXPECT(cond, ...)						\
	((cond) ? true : (case_fail(__FILE__, __LINE__, __VA_ARGS__), false))

/* The rest of the function makes no sense without it. */
#define REQUIRE_EQ(got, want)	do { if (!EXPECT_EQ(got, want)) return; } while (0)
#define REQUIRE(cond, ...)	do { if (!EXPECT(cond, __VA_ARGS__)) return; } while (0)
#define SKIP(...)		do { case_skip(__VA_ARGS__); return; } while (0)

/* --- the combination under test --- */

extern const char *case_strategy;
extern enum tramp_class case_class;
/* Flags that give an ops the class under test. */
unsigned long case_flags(void);
/* The class under test saves a full pt_regs. */
bool case_full(void);

enum case_guard { CASE_UNGUARDED, CASE_GUARDED, CASE_EITHER };
/*
 * Is a callback without RECURSION guarded, on a site of its own, with @nr_ops
 * registered in all (S121)?  A documented difference between the strategies.
 */
enum case_guard case_guarded(unsigned int nr_ops);

/* kernel.ftrace_enabled */
int case_set_enabled(int enabled);

void *case_alloc(unsigned long size);	/* zeroed */
void case_free(void *p);

/* Overwrites every register that a function may, and the status flags. */
void case_clobber(void);

/* --- probes: ops that count --- */

#define PROBE_DATA 8

struct probe {
	struct ftrace_ops	ops;		/* first: the callback gets from one to the other */
	/* optional: what the callback does after counting */
	void			(*then)(struct probe *p, struct ftrace_regs *fregs);
	char			tag;		/* optional: this probe's letter in case_order() */

	unsigned long		calls;
	unsigned long		ip, parent_ip;	/* of the last call */
	struct ftrace_regs	*fregs;
	unsigned long		data[PROBE_DATA];	/* the case's own, shared with ->then */
};

/* The callback of every probe. */
void probe_hit(unsigned long ip, unsigned long parent_ip,
	       struct ftrace_ops *op, struct ftrace_regs *fregs);

/* Zeroed but for func and flags; unregistered and freed behind the case. */
struct probe *probe_flags(unsigned long flags);
static inline struct probe *probe_new(void)
{
	return probe_flags(case_flags());
}
void probe_init(struct probe *p, unsigned long flags);

/* ftrace_set_filter_ip() by function, added to what the filter has. */
int probe_add(struct probe *p, const void *func);
/* Filter @func alone and register; a failure fails the case. */
void probe_register(struct probe *p, const void *func);
struct probe *probe_on(const void *func);
/* Both names of one thing, so that cases read alike. */
int probe_start(struct probe *p);
int probe_stop(struct probe *p);

int probe_filter(struct probe *p, const char *pattern, int reset);
int probe_notrace(struct probe *p, const char *pattern, int reset);

/*
 * @check as things are, with one more ops on @func, and from inside a callback:
 * each may be another way from the site to the callbacks.
 */
void case_each_way(const void *func, void (*check)(void));

/* The tags of the probes hit since case_order_reset(), as a string. */
const char *case_order(void);
void case_order_reset(void);

/* Unregister all probes, newest first, and free their filters. */
void probes_cleanup(void);

/* Where the callback is called for @func. */
static inline unsigned long fn_ip(const void *func)
{
	return ftrace_location((unsigned long)func);
}

#endif
