/* SPDX-License-Identifier: MIT */
/*
 * A child must not find text half written or a lock held by a thread that it
 * does not have: fork() waits for the transaction, and the child starts afresh.
 */
#include <errno.h>
#include "core.h"

static void before(void)
{
	pthread_mutex_lock(&ftrace_lock);
	tramp_image_before_fork();
}

static void in_parent(void)
{
	tramp_image_after_fork();
	pthread_mutex_unlock(&ftrace_lock);
}

static void in_child(void)
{
	pthread_mutex_unlock(&ftrace_lock);
	tramp_proc_forked();
	tramp_grace_forked();
	tramp_image_forked();
	tramp_tools_forked();
}

int tramp_fork_init(void)
{
	return pthread_atfork(before, in_parent, in_child) ? tramp_fail(-ENOMEM, "pthread_atfork") : 0;
}
