/* SPDX-License-Identifier: MIT */
/*
 * ftrace_lock.  Whoever holds it must come back and give it up: what the core asks of libc
 * are cancellation points, and a thread that ended there would leave text half written.
 * So no call of the API is one.
 */
#include <errno.h>
#include "core.h"

static pthread_mutex_t ftrace_lock = PTHREAD_MUTEX_INITIALIZER;
/* From before it is taken until it is given up, so that a signal handler in between is refused, too. */
static __thread bool mine;

void tramp_lock_again(void)
{
	mine = true;
	pthread_mutex_lock(&ftrace_lock);
}

void tramp_lock_drop(void)
{
	pthread_mutex_unlock(&ftrace_lock);
	mine = false;
}

int tramp_lock(int *cancel)
{
	if (mine)
		return tramp_fail(-EDEADLK, "called from a callback or a signal handler that a call of this API, by the same thread, has run into");
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, cancel);
	tramp_lock_again();
	return 0;
}

void tramp_unlock(int cancel)
{
	tramp_lock_drop();
	pthread_setcancelstate(cancel, NULL);
}
