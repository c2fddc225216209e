/* SPDX-License-Identifier: MIT */
/* The process forks at an instruction of a traced call: by the thread that is in it, and by another one. */
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <shim.h>
#include "harness/step/self.h"
#include "stand.h"
#include "window.h"

/* --- what is the parent's --- */

static struct inside code;
static char *text, *bytes[INSIDE_IMAGES];

static void note_parent(void)
{
	text = text_copy();
	inside_begin(&code);
	for (unsigned int i = 0; i < code.nr; i++) {
		size_t len = code.image[i].end - code.image[i].start;

		bytes[i] = memcpy(malloc(len), (const void *)code.image[i].start, len);
	}
}

static void forget_parent(void)
{
	free(text);
	for (unsigned int i = 0; i < code.nr; i++)
		free(bytes[i]);
}

static void expect_parent_untouched(void)
{
	EXPECT(text_equals(text), "the child's changes are in the parent's text");
	for (unsigned int i = 0; i < code.nr; i++)
		EXPECT(!memcmp(bytes[i], (const void *)code.image[i].start, code.image[i].end - code.image[i].start),
		       "the child's changes are in the parent's generated code");
}

/* --- the child --- */

static void expect_traced(void)
{
	unsigned long before[2];

	for (unsigned int i = 0; i < window.nr; i++)
		before[i] = window_others(window.p[i]);
	EXPECT_EQ(tracee_b(1), 3);
	for (unsigned int i = 0; i < window.nr; i++)
		EXPECT_EQ(window_others(window.p[i]), before[i] + 1);
}

/* Traces on, changes its ops twice, and is as the program was before. */
static void __attribute__((noreturn)) child(void)
{
	enum way way = window.way;

	expect_traced();
	window_close();
	EXPECT(text_is_restored(), "the child has unregistered all, and its text is not as it was");
	EXPECT_EQ(tracee_b(1), 3);
	window_open(way, shim_tracee, NULL);
	expect_traced();
	window_close();
	EXPECT(text_is_restored(), "the child has unregistered all again, and its text is not as it was");
	_exit(case_failed());
}

static unsigned long nr_forks;

static void expect_child(pid_t pid)
{
	int status;

	if (!EXPECT(pid > 0, "no child"))
		return;
	status = child_status(pid);
	if (status == CHILD_LOST)
		return;
	EXPECT(!status, "the child ended with status %#x", status);
	expect_parent_untouched();
	nr_forks++;
}

/* --- who forks --- */

static bool here, in_child;	/* the thread that steps does */
static sem_t fork_now, forked;
static bool quit;

static void wait_for(sem_t *sem)
{
	while (sem_wait(sem))
		;
}

/* The child has not the thread that stands in the call. */
static void *fork_thread(void *arg)
{
	pid_t pid;

	(void)arg;
	for (;;) {
		wait_for(&fork_now);
		if (quit)
			return NULL;
		pid = fork();
		if (!pid)
			child();
		expect_child(pid);
		sem_post(&forked);
	}
}

static unsigned long steps, first, step;

static bool fork_somewhere(unsigned long pc, unsigned long sp)
{
	pid_t pid;

	(void)pc, (void)sp;
	if (case_failed() || steps++ % step != first)
		return !case_failed();
	if (!here) {
		sem_post(&fork_now);
		wait_for(&forked);
		return true;
	}
	pid = fork();
	in_child = !pid;
	if (pid)
		expect_child(pid);
	return !in_child;
}

static void call_way(void *arg)
{
	window_call(window_call_pattern, arg);
}

#define ONE_OF 251

static void fork_on(enum way way, unsigned long round)
{
	window_open(way, shim_tracee, NULL);
	window_fill();
	step = window_step(ONE_OF, call_way);
	first = window_first(round, step);
	/* Each of them by both, in twice as many rounds as steps. */
	here = (way + round + round / step) % 2;
	steps = 0;
	note_parent();
	EXPECT_EQ(self_step((unsigned long)shim_tracee, call_way, NULL, fork_somewhere), 0);
	window_expect_intact();
	for (unsigned int i = 0; i < window.nr; i++)
		EXPECT_EQ(window_own(window.p[i]), 1);
	if (in_child)
		child();
	for (unsigned int i = 0; i < window.nr; i++)
		EXPECT_EQ(window_others(window.p[i]), 0);
	window_close();
	forget_parent();
	if (case_failed())
		case_printf("%s, instruction %lu", way_names[way], steps);
}

CASE(fork_at_any_instruction, "S3 S127 S130", "on every way, the process forks, by the thread that is in the call or by another one: the child finishes what it has of the call with its registers, traces on, unregisters and registers; nothing of the parent's changes", .timeout = 60, .needs = CASE_TORTURE)
{
	pthread_t t;

	if (case_tsan())
		SKIP("ThreadSanitizer is no place to fork in");
	sem_init(&fork_now, 0, 0);
	sem_init(&forked, 0, 0);
	t = spawn(fork_thread, NULL);
	for (unsigned long n = 0; more_until(nr_forks, n, 1); n++)
		for (enum way way = 0; way < NR_WAYS && !case_failed(); way++)
			if (window_turn(way, n))
				fork_on(way, n);
	quit = true;
	sem_post(&fork_now);
	join(t);
	EXPECT(nr_forks, "no child");
	case_survived(nr_forks, "instructions a process forked at");
}
