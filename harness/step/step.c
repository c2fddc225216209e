/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <elf.h>
#include "step.h"
#include "step_arch.h"

/* Far more than any traced call; a call that does not come back ends here. */
#define STEPS_MAX 5000000UL

struct stepper {
	pid_t		pid;
	struct step_run	*run;
	struct step_regs regs;
	unsigned long	pc, sp;		/* of these */
};

static int regs_get(struct stepper *s)
{
	struct iovec iov = { &s->regs, sizeof(s->regs) };

	if (ptrace(PTRACE_GETREGSET, s->pid, (void *)NT_PRSTATUS, &iov))
		return -errno;
	s->pc = step_regs_pc(&s->regs);
	s->sp = step_regs_sp(&s->regs);
	return 0;
}

/* One instruction further; -EFAULT when there is no further. */
static int advance(struct stepper *s)
{
	int status;

	if (ptrace(PTRACE_SINGLESTEP, s->pid, NULL, NULL))
		return -errno;
	if (waitpid(s->pid, &status, 0) < 0)
		return -errno;
	if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP)
		return -EFAULT;
	return regs_get(s);
}

static int record(struct stepper *s)
{
	struct step_run *run = s->run;
	struct step_insn *insn;
	struct iovec to, from;

	if (run->nr == run->cap) {
		run->cap = run->cap ? 2 * run->cap : 256;
		insn = realloc(run->insn, run->cap * sizeof(*insn));
		if (!insn)
			return -ENOMEM;
		run->insn = insn;
	}
	insn = &run->insn[run->nr++];
	*insn = (struct step_insn) { .pc = s->pc, .sp = s->sp };
	if (!run->want_bytes)
		return 0;
	/* As the child has them: its sites are not ours.  May be cut short by a page's end. */
	to = (struct iovec) { insn->bytes, STEP_INSN_MAX };
	from = (struct iovec) { (void *)s->pc, STEP_INSN_MAX };
	while (process_vm_readv(s->pid, &to, 1, &from, 1, 0) < 0 && from.iov_len > 1)
		to.iov_len = --from.iov_len;
	return 0;
}

/* From the function's first instruction until it is back where it was called. */
static int step_through(struct stepper *s, unsigned long func)
{
	unsigned long n, low, ret, caller_sp;
	int err = 0;

	for (n = 0; n < STEPS_MAX && s->pc != func && !err; n++)
		err = advance(s);
	if (err || s->pc != func)
		return err == -EFAULT || !err ? -ESRCH : err;

	low = s->sp;
	ret = step_return_address(s->pid, &s->regs);
	caller_sp = step_caller_sp(s->sp);
	for (n = 0; n < STEPS_MAX && (s->pc != ret || s->sp != caller_sp) && !err; n++) {
		low = s->sp < low ? s->sp : low;
		err = record(s);
		err = err ? err : advance(s);
	}
	s->run->stack = caller_sp - low;
	return err || n < STEPS_MAX ? err : -EOVERFLOW;
}

static void child(int (*setup)(void *), void (*call)(void *), void *arg)
{
	int err = setup ? setup(arg) : 0;

	/* 1..125: the errno; the parent tells these from a signal. */
	if (err)
		_exit(-err > 0 && -err < 126 ? -err : EINVAL);
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(EPERM);
	raise(SIGSTOP);
	call(arg);
	_exit(0);
}

int step_call(struct step_run *run, unsigned long func, int (*setup)(void *),
	      void (*call)(void *), void *arg)
{
	struct stepper s = { .run = run };
	int status, err;

	run->nr = 0;
	run->stack = 0;
	fflush(NULL);
	s.pid = fork();
	if (s.pid < 0)
		return -errno;
	if (!s.pid)
		child(setup, call, arg);

	if (waitpid(s.pid, &status, 0) < 0)
		return -errno;
	if (WIFEXITED(status))
		return WEXITSTATUS(status) ? -WEXITSTATUS(status) : -ESRCH;
	if (!WIFSTOPPED(status))
		return -EFAULT;
	err = regs_get(&s);
	err = err ? err : step_through(&s, func);
	kill(s.pid, SIGKILL);
	waitpid(s.pid, &status, 0);
	return err;
}

void step_free(struct step_run *run)
{
	free(run->insn);
	memset(run, 0, sizeof(*run));
}
