/* SPDX-License-Identifier: MIT */
/*
 * A debugger has SIGTRAP for itself.  gdb stops at an int3 that it has not written,
 * and then lets the thread go on behind that byte, in the middle of an instruction;
 * told to pass the signal, it passes those of its own breakpoints, too.  So under a
 * debugger places that change hold another byte, 06: no instruction in 64-bit mode
 * (SDM vol. 2, A.3), so that it raises SIGILL, which debuggers pass.
 *
 * No manual promises for either byte that a thread meets the old instruction or the
 * new one; for int3 Intel has said so, for others there is practice (DTrace on
 * Solaris writes a lone lock prefix).  Therefore only on request, by the "gdb" of
 * tramp_tools(); without it a debugger that keeps SIGTRAP is found out, and refused.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "core/arch.h"
#include "core/core.h"
#include "x86.h"

#define X86_ILLEGAL 0x06

/* Where a user's debugger stops: the name is the message. */
void tramp_debugger_must_pass_SIGTRAP(void);
__asm__(".text\n"
	".globl tramp_debugger_must_pass_SIGTRAP\n"
	".type tramp_debugger_must_pass_SIGTRAP, @function\n"
	"tramp_debugger_must_pass_SIGTRAP:\n"
	".cfi_startproc\n"
	"int3\n"
	"ret\n"
	".cfi_endproc\n"
	".size tramp_debugger_must_pass_SIGTRAP, . - tramp_debugger_must_pass_SIGTRAP\n");

static volatile bool heard;	/* under ftrace_lock */

bool x86_debugger_asked(unsigned long addr)
{
	bool ours = addr == (unsigned long)tramp_debugger_must_pass_SIGTRAP;

	heard |= ours;
	return ours;
}

static bool passes_sigtrap(void)
{
	sigset_t trap, old;

	sigemptyset(&trap);
	sigaddset(&trap, SIGTRAP);
	pthread_sigmask(SIG_UNBLOCK, &trap, &old);
	heard = false;
	tramp_debugger_must_pass_SIGTRAP();
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return heard;
}

/* "TracerPid:" and the like; 0: not there. */
static long number_behind(const char *status, const char *key)
{
	const char *line = strstr(status, key);

	return line ? strtol(line + strlen(key), NULL, 10) : 0;
}

int x86_choose_breakpoint(struct x86_breakpoint *breakpoint)
{
	char status[4096];
	int n = tramp_task_read(syscall(SYS_gettid), "status", status, sizeof(status));
	long tracer;

	status[n > 0 ? n : 0] = 0;
	tracer = number_behind(status, "\nTracerPid:");
	*breakpoint = (struct x86_breakpoint){ X86_INT3, SIGTRAP, tracer };
	if (tracer && tramp_gdb_asked)
		*breakpoint = (struct x86_breakpoint){ X86_ILLEGAL, SIGILL, true };
	else if (tracer && number_behind(status, "\nThreads:") > 1 && !passes_sigtrap())
		return tramp_fail(-EBUSY, "a debugger, process %ld, keeps SIGTRAP from this program, which threads raise while text changes; to trace under gdb, set TRAMP_TOOLS=gdb",
				  tracer);
	return 0;
}
