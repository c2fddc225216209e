/* SPDX-License-Identifier: MIT */
/*
 * The bench's own contract: what a scenario may use, and how it registers.
 * docs/measuring.md is the method; engine.c is where it is carried out.
 */
#ifndef TRAMPLAB_BENCH_H
#define TRAMPLAB_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <ftrace.h>
#include <tramp.h>

/* --- regimes: the loops of loops.c --- */

enum {
	BENCH_TIGHT, BENCH_CHAIN, BENCH_SERIAL, BENCH_DEEP8, BENCH_NR_REGIMES,
	/* Not of one function, but of many in turn: scenario many_functions. */
	BENCH_IN_TURN = BENCH_NR_REGIMES, BENCH_SHUFFLED, BENCH_NR_LOOPS
};

enum bench_pool_id { BENCH_POOL_LEAF, BENCH_POOL_DEEP, BENCH_POOL_IRRELEVANT,
		     BENCH_POOL_CHECK, BENCH_POOL_TURN, BENCH_NR_POOLS };

struct bench_regime {
	const char		*name;
	void			(*loop)(unsigned long n);
	unsigned int		calls;		/* traced calls of one turn; 0: the point's functions */
	enum bench_pool_id	pool;		/* whose ops are on its sites */
};
extern const struct bench_regime bench_regimes[BENCH_NR_LOOPS];

/* @n calls of one function, as a regime's loop makes them. */
void bench_call(long (*fn)(long), unsigned long n);

/* Calls of a function without a site: see engine.c. */
void bench_canary(unsigned long n);

/* --- references: hand-written entries, registered by bench/arch/ARCH/floor.S --- */

struct bench_ref {
	const char	*name;		/* the strategy column of its rows */
	unsigned long	entry;		/* calls bench_callbacks[0] */
	unsigned long	entry_check;	/* the same code, calling bench_callback_check */
};
/* By name; NULL: the port has no such reference. */
const struct bench_ref *bench_ref(const char *name);
const struct bench_ref *bench_ref_next(const struct bench_ref *ref);

/* --- variants --- */

struct bench_config;
struct bench_point;

/*
 * A regime of the scenario's own, in which something goes on beside the loop: it
 * registers what it needs in @begin and takes it away in @end, next to each sample.
 */
struct bench_beside {
	const char	*name;
	void		(*loop)(unsigned long n);	/* one traced call a turn */
	/* 0, or -errno with tramp_why() or a message */
	int		(*begin)(const struct bench_config *c, const struct bench_point *p);
	int		(*end)(const struct bench_config *c, const struct bench_point *p);
};

/* One figure: a regime with so many ops on the traced function and elsewhere. */
struct bench_point {
	unsigned int	regime;
	const struct bench_beside *beside;	/* in place of @regime, or NULL */
	unsigned int	relevant;
	unsigned int	irrelevant;
	unsigned int	functions;	/* called in turn; 0 for regimes of one function */

	/* the engine's */
	unsigned int	id;		/* of its lines in the raw data */
	unsigned int	n;		/* turns of the short half of a sample; with @beside, the scenario's */
};

/*
 * What is armed as one: a strategy with a register class, a reference, or
 * (both NULL) nothing.  Its points are measured one after another while it is.
 */
struct bench_config {
	const char		*strategy;	/* for a reference: NULL */
	enum tramp_class	class;
	const struct bench_ref	*ref;
	const char		*label;		/* strategy column, where the name would not do */
	unsigned long		redirect;	/* what the sites call instead, once all ops are registered */
	struct bench_point	*point;
	unsigned int		nr;
};

const char *bench_config_name(const struct bench_config *c);
const char *bench_config_class(const struct bench_config *c);

/* What an ops asks for to get @class. */
unsigned long bench_class_flags(enum tramp_class class);

/* 0 or -errno: choose the strategy and frame; or point the sites at the reference. */
int bench_arm(const struct bench_config *c);
void bench_disarm(const struct bench_config *c);
/* Have exactly the point's ops registered. */
int bench_set_point(const struct bench_config *c, const struct bench_point *p);

/* Called once a call, arguments kept, count right?  Arms and disarms; prints what is wrong. */
bool bench_check(const struct bench_config *c, const struct bench_point *p);

/* Give up the filters of all ops that are not registered. */
void bench_drop_filters(void);

/* Does this strategy have this class here?  If not, *why says what is missing. */
bool bench_has(const char *strategy, enum tramp_class class, const char **why);

/* Is all that bench_check() looks at the same for both? */
bool bench_same_check(const struct bench_point *a, const struct bench_point *b);

/* Call all sites of the regime's pool at @target; 0 puts back what they called. */
int bench_redirect(enum bench_pool_id pool, unsigned long target);

/* --- scenarios --- */

struct bench_run;

struct bench_scenario {
	const char	*name;		/* required: file, command-line word and result key, one string */
	const char	*summary;	/* required: one line for listings */
	double		seconds;	/* required: time of one process in a default run */
	bool		untimed;	/* optional: has counts or bytes, and under an emulator these alone */
	/* required: 0, or non-zero after a message: the run has failed */
	int		(*run)(struct bench_run *run, const struct bench_scenario *s);
};

/* The last line of NAME.c: registers the scenario. */
#define BENCH(x)							\
	static const struct bench_scenario *const __bench_##x		\
	__attribute__((used, retain, section("bench_scenarios"))) = &(x)

/* Seconds of the monotonic clock. */
double bench_now(void);

/* CPUs that this process had before it was pinned to the last of them. */
unsigned int bench_cpus(void);
/* Pin the calling thread to number @nr of the others; false: there is none, or it may not. */
bool bench_pin_beside(unsigned int nr);

/* What main.c read from the command line. */
struct bench_run {
	FILE		*out;		/* raw data of this process */
	const char	*impl;		/* wildcards, comma between */
	const char	*listings;	/* folder for listings, or NULL */
	unsigned int	order;		/* which link order this is */
	unsigned int	process;
	uint64_t	seed;
	bool		full;
	const char	*class;		/* the only one wanted, or NULL (scenario memory) */
	bool		fixed;		/* bench_in_child()'s */
	double		scale;		/* of the scenarios' time */
	double		done, total;	/* seconds, for the progress line */
	unsigned int	next_id;
	const char	*scenario;
};

/* Does the user want this strategy's rows? */
bool bench_wants(const struct bench_run *run, const char *strategy);

/* Time the configs' points in rounds for about @seconds. 0, or non-zero after a message. */
int bench_rounds(struct bench_run *run, struct bench_config *config, unsigned int nr, double seconds);

/*
 * The scenario again, in a process of its own that is always loaded at the same
 * place, as run->fixed and with @options; its figures go to run->out.
 */
int bench_in_child(struct bench_run *run, const char *options);

/* A figure that is no sample: bytes, instructions, nanoseconds. */
struct bench_key {
	const char	*strategy, *class, *regime;
	unsigned int	relevant, irrelevant, sites;
};
void bench_metric(struct bench_run *run, const struct bench_key *key, const char *metric,
		  double value, const char *note);
/* The same where there is no figure: @note says why. */
void bench_no_metric(struct bench_run *run, const struct bench_key *key, const char *metric,
		     const char *note);

void bench_progress(struct bench_run *run, double seconds_done);
void bench_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* @v: the numbers below @nr in an order of their own; the same from the same *@state everywhere. */
void bench_shuffle(uint64_t *state, unsigned int *v, unsigned int nr);

/* Lists of variants, malloc'ed: all strategies x classes that exist here and that the user wants. */
struct bench_config *bench_all_configs(struct bench_run *run, unsigned int *nr);
/* Class args only. */
struct bench_config *bench_args_configs(struct bench_run *run, unsigned int *nr);
/* untraced, untraced_b and the named references (NULL at the end) appended. */
struct bench_config *bench_add_refs(struct bench_config *c, unsigned int *nr, ...);
struct bench_config *bench_add_config(struct bench_config *c, unsigned int *nr,
				      const struct bench_config *new);
void bench_free_configs(struct bench_config *c);

#endif
