/* SPDX-License-Identifier: MIT */
/* fork() cannot be refused: a child that gets no trampolines of its own says so, and traces on. */
#include <sys/wait.h>
#include <unistd.h>
#include "core/core.h"
#include "../../faults/state.h"
#include "../../user.h"

static struct probe *inherited, *later;

enum { WRONG = 1, RIGHT, DISABLED };

/* From parent to child: others have taken the place of the parent's; back: the child is ready for that. */
static int go[2], ready[2];

static int child(void)
{
	unsigned long before = inherited->calls;
	char byte;
	int err;

	close(ready[0]);

	if (tracee_a(1) != 2 || inherited->calls != before + 1)
		return WRONG;
	err = probe_start(later);
	if (err)
		return err == -ENODEV ? DISABLED : WRONG;
	if (tracee_b(1) != 3 || !later->calls || probe_stop(later))
		return WRONG;
	if (write(ready[1], "", 1) != 1 || read(go[0], &byte, 1) != 1)
		return WRONG;
	return tracee_a(1) == 2 && inherited->calls == before + 2 && !probe_stop(inherited) &&
	       tracee_a(1) == 2 && inherited->calls == before + 2 ? RIGHT : WRONG;
}

static bool attempt(const struct fault *fault, unsigned long n)
{
	unsigned long failed;
	int status = 0;
	char byte;
	struct state was;
	pid_t pid;

	probe_register(inherited, tracee_a);
	EXPECT(!pipe(go) && !pipe(ready), "no pipes");
	state_take(&was, &inherited, 1);
	faults_arm(fault, n);
	pid = fork();
	failed = faults_disarm();
	if (!pid)
		_exit(child() + 8 * !!failed);
	state_expect(&was, &inherited, 1, "fork");
	close(ready[1]);
	/* One that has none of its own runs ours, and has ended by then. */
	EXPECT(read(ready[0], &byte, 1) >= 0, "nothing from the child");
	EXPECT_EQ(probe_stop(inherited), 0);
	probe_register(later, tracee_c);
	EXPECT_EQ(tracee_c(1), 4);
	EXPECT_EQ(write(go[1], "", 1), 1);
	EXPECT_EQ(waitpid(pid, &status, 0), pid);
	EXPECT(WIFEXITED(status), "the child is killed by signal %d", WTERMSIG(status));
	EXPECT(WEXITSTATUS(status) % 8 == RIGHT || (WEXITSTATUS(status) == DISABLED + 8),
	       "the child ends with %d, want %d, or where something failed %d", WEXITSTATUS(status), RIGHT, DISABLED + 8);
	/* Where one way of copying failed, the other was taken; an emulator maps no memory twice. */
	if (failed && !fault->lasting && !tramp_emulated())
		EXPECT_EQ(WEXITSTATUS(status) % 8, RIGHT);
	EXPECT_EQ(probe_stop(later), 0);
	close(go[0]);
	close(go[1]);
	close(ready[0]);
	/* In the child alone, or before. */
	return (failed || WEXITSTATUS(status) >= 8) && !case_failed();
}

CASE(failed_copies_for_a_child, "S128 BUG-04", "each allocation, mapping, write, ... under fork() fails in turn: the child has trampolines of its own, or says that it can change nothing; the parent never notices",
     .needs = CASE_TORTURE, .timeout = 60)
{
	inherited = probe_new();
	later = probe_new();
	EXPECT_EQ(probe_add(later, tracee_b), 0);
	faults_each("fork", attempt);
}
