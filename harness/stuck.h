/* SPDX-License-Identifier: MIT */
#ifndef TRAMPLAB_STUCK_H
#define TRAMPLAB_STUCK_H

#include <sys/types.h>

/*
 * Where the processes of a group are that has run out of time: a line for each
 * thread, or for several beside each other at one place, with its state, its
 * system call and what its stack may return to, as FILE+OFFSET for addr2line.  They must be forked from this process and not have
 * executed another program, or the places are numbers.  To @fd; best effort.
 */
void stuck_say(int fd, pid_t group);

#endif
