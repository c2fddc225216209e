/* SPDX-License-Identifier: MIT */
/*
 * What docs/semantics.md and docs/contract.md promise, as a small machine of its
 * own: it includes nothing of tramplab and knows of no strategy.  A call of the
 * API is five bytes, so that a generator, a shrinker and a fuzzer all speak of
 * the same thing.
 */
#ifndef TRAMPLAB_MODEL_H
#define TRAMPLAB_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- the small world --- */

#define MODEL_OPS	5		/* A to E */

enum model_site {			/* as a bit in masks: 1U << site */
	TRACEE_A, TRACEE_B, TRACEE_C, TRACEE_D,
	GLOBBY_AA, GLOBBY_AB, GLOBBY_BA, GLOBBY_BA_AB,
	ELSEWHERE,			/* each other site of the program */
	SOLIB_A, SOLIB_B,		/* of a library that comes and goes */
	SOLIB_ELSEWHERE,
	MODEL_SITES
};
#define MODEL_CALLED(site)	((site) != ELSEWHERE && (site) != SOLIB_ELSEWHERE)
#define SOLIB_SITES	(1U << SOLIB_A | 1U << SOLIB_B | 1U << SOLIB_ELSEWHERE)
#define PROGRAM_SITES	((1U << SOLIB_A) - 1)

/* --- calls --- */

enum call_kind {
	REST,		/* everything is taken back; what it leaves must be what was there at the start */
	REGISTER, UNREGISTER,
	FLAGS,		/* a.flags: MODEL_* below; of an ops at rest */
	RENEW,		/* its memory is used for another ops */
	FILTER_IP,	/* a: an address; b: REMOVE, RESET */
	FILTER_IPS,	/* a: a mask of the first eight sites; b: these, and BAD, TWICE */
	FILTER,		/* a: a pattern; b: RESET */
	NOTRACE,
	FREE_FILTER,
	ENABLED, WATCHING, STRICT, STOP,	/* a: on or off */
	FRAME,		/* a: a class */
	USE,		/* a: a strategy that exists, or not */
	LIBRARY,	/* a: comes or goes */
	CALL_KINDS
};
enum { REMOVE = 1, RESET = 2, BAD = 4, TWICE = 8 };

/* .inside: from a callback, the first of the first site that has one; without one it is not made. */
struct call { uint8_t kind, who, a, b, inside; };
#define CALL_BYTES 5

/* The user's flags of an ops, as a bit in .a and, from the ninth on, in .b. */
enum {
	MODEL_SAVE_REGS = 1 << 0, MODEL_SAVE_VEC = 1 << 1, MODEL_IF_SUPPORTED = 1 << 2,
	MODEL_RECURSION = 1 << 3, MODEL_RCU = 1 << 4, MODEL_IPMODIFY = 1 << 5,
	MODEL_STUB = 1 << 6, MODEL_PERMANENT = 1 << 7,
	MODEL_DELETED = 1 << 8, MODEL_NO_FUNC = 1 << 9,
	MODEL_NEEDS_ARG = 1 << 10,	/* .tramp_needs: the register of an argument */
	MODEL_NEEDS_KEPT = 1 << 11,	/* one that only a full frame holds */
	MODEL_FLAGS = 12
};

enum model_class { NOREGS, ARGS, ARGS_RESERVED, REGS, VEC, MODEL_CLASSES };

/* .a of FILTER_IP: which address, and which way to say it. */
enum { AT_NULL = MODEL_SITES, AT_STACK, AT_UNTRACED, AT_BEHIND, MODEL_ADDRESSES };
enum { BY_FUNC, BY_SITE, BY_SECOND_BYTE, BY_LAST_BYTE };
#define ADDRESS_OF(a)	((a) % 16)
#define ADDRESS_BY(a)	((a) / 16 % 4)

/* .a of FILTER and NOTRACE. */
struct model_pattern { const char *text; uint32_t sites; };
#define MODEL_PATTERNS	18
/* NULL: no pattern.  "#b": the index of TRACEE_B (S46). */
extern const struct model_pattern model_patterns[MODEL_PATTERNS];

/* Any bytes as a call that can be made. */
struct call call_of(const uint8_t bytes[CALL_BYTES]);
void call_bytes(const struct call *c, uint8_t bytes[CALL_BYTES]);
/* One that is random by *@state; @base: flags that most ops shall have. */
struct call call_random(uint64_t *state, unsigned int base);
uint64_t model_random(uint64_t *state);
#define CALL_TEXT 160
void call_print(const struct call *c, char text[CALL_TEXT]);
/* False: no such line. */
bool call_parse(const char *text, struct call *c);

/* --- the model --- */

struct model_ops {
	bool		registered;
	unsigned int	flags;		/* MODEL_* */
	uint32_t	filter, notrace;	/* sites; BLANK holds the place of those that have gone */
	unsigned long	since;		/* which registration */
	unsigned long	missed;
};
#define BLANK	(1U << 31)

struct model {
	struct model_ops ops[MODEL_OPS];
	bool		enabled, watching, strict, stop, library;
	bool		library_was;	/* since the last time that nobody was registered */
	enum model_class frame, start_frame;
	bool		has_noregs;	/* the frame exists here */
	unsigned long	registrations;
	/* Left by changes that did not wait, until one that does. */
	unsigned int	retired_sets;
	bool		retired_hashes;
};

void model_init(struct model *m, enum model_class frame, bool has_noregs);
/* Makes @c and returns what it returns. */
int model_step(struct model *m, const struct call *c);

/* What one call of a site does. */
struct model_hit {
	unsigned int	nr_ops;
	bool		live;
	unsigned int	nr;		/* callbacks, in this order */
	uint8_t		who[MODEL_OPS];
	bool		maybe;		/* of the one, nobody promises whether it is called (S27) */
	enum model_class class;		/* what the entry saves */
	bool		fregs;
	bool		full[MODEL_OPS];	/* ftrace_get_regs() of each */
	bool		redirected;	/* it resumes elsewhere */
	uint32_t	misses;		/* ops whose miss is counted */
};
struct model_hit model_call(const struct model *m, enum model_site site);
/* The site whose callback makes a call .inside; MODEL_SITES: there is none. */
enum model_site model_inside(const struct model *m);
bool model_any_registered(const struct model *m);
/* At most as many pieces of generated code, and of them for sets. */
unsigned int model_sets_max(const struct model *m);
unsigned int model_images_max(const struct model *m);
/* Of registered ops, or retired. */
bool model_has_hashes(const struct model *m);

#endif
