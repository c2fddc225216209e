/* SPDX-License-Identifier: MIT */
/* tramplab beside its model: every call is made to both. */
#ifndef TRAMPLAB_WORLD_H
#define TRAMPLAB_WORLD_H

#include "model.h"

/* The strategy under test and its partial frame are in use, nobody is registered. */
void world_init(const char *strategy, enum model_class frame);
/*
 * Make @c and look at everything: 0, or a line of what differs.  The library is
 * @solib; without one it neither comes nor goes.
 */
const char *world_step(const struct call *c);
void world_solib(const char *path);
/* Callbacks that were checked until now. */
unsigned long world_callbacks(void);

#endif
