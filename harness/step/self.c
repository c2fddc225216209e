/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>
#include "core/core.h"
#include "self.h"
#include "self_arch.h"

static struct {
	unsigned long	func;
	unsigned long	ret, caller_sp;		/* where it is back; 0 before it is called */
	bool		(*stop)(unsigned long pc, unsigned long sp);
	bool		over;			/* @stop wants no more: flags that entry code saved may set the trap flag again */
	int		err;
} step;

/* The whole call, or as much of it as is wanted. */
static bool goes_on(const ucontext_t *uc)
{
	unsigned long pc, sp;

	if (step.over)
		return false;
	arch_ucontext(uc, &pc, &sp);
	if (!step.ret && pc != step.func)
		return true;
	if (!step.ret) {
		step.ret = self_return_address(uc);
		step.caller_sp = self_caller_sp(sp);
	}
	if (pc == step.ret && sp == step.caller_sp)
		return false;
	step.over = !step.stop(pc, sp);
	return !step.over;
}

static void on_trap(int sig, siginfo_t *info, void *context)
{
	int saved_errno = errno;

	(void)sig, (void)info;
	self_arrived(context);
	if (goes_on(context))
		step.err = self_next(context);
	else
		self_free(context);
	errno = saved_errno;
}

int self_step(unsigned long func, void (*call)(void *arg), void *arg,
	      bool (*stop)(unsigned long pc, unsigned long sp))
{
	struct sigaction act = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_NODEFER };

	step.func = func;
	step.ret = 0;
	step.over = false;
	step.stop = stop;
	step.err = sigaction(SIGTRAP, &act, NULL) ? -errno : self_start(func);
	if (step.err)
		return step.err;
	call(arg);
	self_end();
	/* The handler stays: live patching may have displaced it just now, for other threads. */
	return step.err;
}
