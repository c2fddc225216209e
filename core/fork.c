/* SPDX-License-Identifier: MIT */
/*
 * A child must not find text half written or a lock held by a thread that it
 * does not have: fork() waits for the transaction, and the child starts afresh.
 */
#include <errno.h>
#include "grace.h"

static int cancel;		/* from before the lock, under it */
static bool locked;

/* A callback that a change runs into may fork: the child is in that change, too. */
static void before(void)
{
	int state, err = tramp_lock(&state);

	locked = !err;
	if (locked)
		cancel = state;
	tramp_image_before_fork();
	tramp_view_before_fork();
}

static void unlock(void)
{
	if (!locked)
		return;
	locked = false;
	tramp_unlock(cancel);
}

static void in_parent(void)
{
	tramp_view_after_fork();
	tramp_image_after_fork();
	unlock();
}

static void in_child(void)
{
	unlock();
	tramp_proc_forked();
	tramp_grace_forked();
	tramp_image_forked();
	tramp_tools_forked();
}

int tramp_fork_init(void)
{
	return pthread_atfork(before, in_parent, in_child) ? tramp_fail(-ENOMEM, "pthread_atfork") : 0;
}
