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
#include "self.h"
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

static struct step_insn *add_insn(struct step_run *run)
{
	struct step_insn *insn;

	if (run->nr == run->cap) {
		run->cap = run->cap ? 2 * run->cap : 256;
		insn = realloc(run->insn, run->cap * sizeof(*insn));
		if (!insn)
			return NULL;
		run->insn = insn;
	}
	return &run->insn[run->nr++];
}

static int record(struct stepper *s)
{
	struct step_insn *insn = add_insn(s->run);
	struct iovec to, from;

	if (!insn)
		return -ENOMEM;
	*insn = (struct step_insn) { .pc = s->pc, .sp = s->sp };
	if (!s->run->want_bytes)
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

/* --- without ptrace: the child steps itself, and tells --- */

static int tell_fd;
static unsigned long told;
static bool tell_bytes;

static bool tell(unsigned long pc, unsigned long sp)
{
	struct step_insn insn = { .pc = pc, .sp = sp };

	if (tell_bytes)
		memcpy(insn.bytes, (void *)pc, step_insn_size((void *)pc));
	return write(tell_fd, &insn, sizeof(insn)) == sizeof(insn) && ++told < STEPS_MAX;
}

/* Until the child has ended, or stops for ptrace: it closes its end then. */
static int listen_to(struct step_run *run, int fd)
{
	struct step_insn next, *insn;
	unsigned long low = ~0UL;

	while (read(fd, &next, sizeof(next)) == sizeof(next)) {
		insn = add_insn(run);
		if (!insn)
			return -ENOMEM;
		*insn = next;
		low = insn->sp < low ? insn->sp : low;
	}
	if (run->nr)
		run->stack = step_caller_sp(run->insn[0].sp) - low;
	return run->nr < STEPS_MAX ? 0 : -EOVERFLOW;
}

/* 0..125: the errno; the parent tells these from a signal. */
static __attribute__((noreturn)) void exit_with(int err)
{
	_exit(-err >= 0 && -err < 126 ? -err : EINVAL);
}

static void child(unsigned long func, int (*setup)(void *), void (*call)(void *), void *arg)
{
	int err = setup ? setup(arg) : 0;

	if (err)
		exit_with(err);
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		exit_with(self_step(func, call, arg, tell));
	close(tell_fd);
	raise(SIGSTOP);
	call(arg);
	_exit(0);
}

/* What it has told is all there is, or it waits to be stepped. */
static int parent(struct stepper *s, unsigned long func, int fd)
{
	int status, err = listen_to(s->run, fd);

	if (waitpid(s->pid, &status, 0) < 0)
		return -errno;
	if (WIFEXITED(status) && (WEXITSTATUS(status) || err))
		return WEXITSTATUS(status) ? -WEXITSTATUS(status) : err;
	if (WIFEXITED(status))
		return s->run->nr ? 0 : -ESRCH;
	if (!WIFSTOPPED(status))
		return -EFAULT;
	err = err ? err : regs_get(s);
	err = err ? err : step_through(s, func);
	kill(s->pid, SIGKILL);
	waitpid(s->pid, &status, 0);
	return err;
}

int step_call(struct step_run *run, unsigned long func, int (*setup)(void *),
	      void (*call)(void *), void *arg)
{
	struct stepper s = { .run = run };
	int fd[2], err;

	run->nr = 0;
	run->stack = 0;
	fflush(NULL);
	if (pipe(fd))
		return -errno;
	tell_fd = fd[1];
	tell_bytes = run->want_bytes;
	s.pid = fork();
	if (!s.pid)
		child(func, setup, call, arg);
	close(fd[1]);
	err = s.pid < 0 ? -errno : parent(&s, func, fd[0]);
	close(fd[0]);
	return err;
}

void step_free(struct step_run *run)
{
	free(run->insn);
	memset(run, 0, sizeof(*run));
}
