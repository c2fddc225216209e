/* SPDX-License-Identifier: MIT */
/* Sequences of calls in processes of their own, and the shortest that fails. */
#ifndef TRAMPLAB_RUN_MODEL_H
#define TRAMPLAB_RUN_MODEL_H

#include <stdio.h>
#include "model.h"

struct model_setup {
	const char	*strategy;
	enum model_class class;		/* the frame, and what most ops ask for */
	const char	*solib;		/* NULL: no library comes */
};

struct model_calls { struct call *call; size_t nr, cap; };
void calls_add(struct model_calls *s, struct call c);
/* @nr calls by @seed. */
struct model_calls calls_random(const struct model_setup *setup, unsigned long seed, size_t nr);
/* Every order in which four ops can join one site and leave it; *@orders: how many. */
struct model_calls calls_orders(const struct model_setup *setup, unsigned int mix, size_t *orders);
/* Of flags; those from the second number on have thousands of orders. */
#define MODEL_MIXES		7
#define MODEL_MIXES_SHORT	4
/* False: a line is no call; says which on stderr. */
bool calls_read(FILE *f, struct model_calls *s);

struct model_verdict {
	size_t		steps;		/* that were made, and were right unless @what says otherwise */
	unsigned long	callbacks;
	char		what[500];	/* "": nothing differs */
};

/* Does what tramp_use() does; in the child, too. */
int model_use(const struct model_setup *setup);
/* Makes them in a process of its own, which may die or hang. */
void calls_run(const struct model_setup *setup, const struct model_calls *s, struct model_verdict *v);
/*
 * The same; where it fails, prints the shortest sequence found that does, and
 * how to run it again.  True: it does not fail.
 */
bool calls_check(const struct model_setup *setup, struct model_calls *s, struct model_verdict *v, FILE *out);

#endif
