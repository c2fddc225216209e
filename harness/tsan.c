/* SPDX-License-Identifier: MIT */
/* With SAN=thread: what ThreadSanitizer is told, and what goes past it. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
#include "core/grace.h"

extern __typeof__(sigaction) __sigaction;
extern __typeof__(fork) __interceptor_fork;
const char *__tsan_default_options(void), *__tsan_default_suppressions(void);

/* Cases fork with threads, start some in the child, and leave some behind. */
const char *__tsan_default_options(void)
{
	return "die_after_fork=0:report_thread_leaks=0";
}

/*
 * The unwinder reads an image's rules in a wait's handler; that the wait has seen the
 * answer before they are freed is in code that is not instrumented (__in_handler).
 */
const char *__tsan_default_suppressions(void)
{
	return "race:libgcc_s.so\n";
}

/*
 * It would keep a signal until the thread calls libc, with the registers of before: a
 * wait asks a thread that runs where it is now, and cases have handlers at an
 * instruction.  What runs in a handler must not be instrumented, then.
 */
int sigaction(int sig, const struct sigaction *act, struct sigaction *old)
{
	return __sigaction(sig, act, old);
}

static void *nothing(void *arg)
{
	return arg;
}

/*
 * Its own thread, which blocks all signals, starts with the program's first, and behind
 * libc's handlers in fork()'s child: never when a case has threads of its own.
 */
static void __attribute__((constructor)) start_its_thread(void)
{
	pthread_t t;

	if (!pthread_create(&t, NULL, nothing, NULL))
		pthread_join(t, NULL);
	tramp_threads_know_foreign();
}

pid_t fork(void)
{
	pid_t pid = __interceptor_fork();

	if (!pid)
		tramp_threads_know_foreign();
	return pid;
}
