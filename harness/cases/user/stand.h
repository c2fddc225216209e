/* SPDX-License-Identifier: MIT */
/*
 * A thread stops before each instruction of a traced call in turn, and something
 * happens while it stands there.  What a stress loop meets once in a thousand runs
 * is met here in every one.
 */
#ifndef TRAMPLAB_STAND_H
#define TRAMPLAB_STAND_H

#include "core/core.h"
#include "../../user.h"

#define STAY_MS	3	/* long enough for a change to come to where it waits for this thread */

struct stand {
	const void	*func;			/* traced */
	void		(*call)(void *arg);	/* calls it */
	void		(*change)(void);	/* on the case's own thread, while the other stands */
	void		(*restore)(void);	/* when the call has returned */
	/* optional: on the thread, when it has come, and before it goes on */
	void		(*look)(unsigned long pc, bool goes);
	unsigned long	first, step;		/* which instructions: 0 and 0 for all */
};
/* Until the call is over, or has left entry code if @step. The number of instructions stood at. */
unsigned long stand_at_every(const struct stand *s);
/* Does it stand inside entry code, or in what that has called? */
bool stand_inside(void);

/*
 * Is a thread inside entry code, or in what that has called?  Begun before the
 * call, then told of each of its stops.
 */
#define INSIDE_IMAGES 64
struct inside {
	struct tramp_range	image[INSIDE_IMAGES];
	unsigned int		nr;
	unsigned long		sp;
	bool			in, left;
};
void inside_begin(struct inside *i);
bool inside_entry(struct inside *i, unsigned long pc, unsigned long sp);
/* Is @pc in generated code itself? */
bool inside_image(const struct inside *i, unsigned long pc);

#endif
