/* SPDX-License-Identifier: MIT */
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include "sandbox.h"

#define LOAD(field)		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define IF(op, k, yes, no)	BPF_JUMP(BPF_JMP | op | BPF_K, k, yes, no)
#define RETURN(what)		BPF_STMT(BPF_RET | BPF_K, what)
#define ANSWER(error)		RETURN(error ? SECCOMP_RET_ERRNO | (error) : SECCOMP_RET_KILL_PROCESS)

static bool install(struct sock_filter *filter, unsigned short nr)
{
	struct sock_fprog prog = { nr, filter };

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog);
}
#define INSTALL(filter)		install(filter, sizeof(filter) / sizeof(*(filter)))

bool refuse_call(int nr, int error)
{
	struct sock_filter filter[] = {
		LOAD(nr),
		IF(BPF_JEQ, nr, 1, 0),
		RETURN(SECCOMP_RET_ALLOW),
		ANSWER(error),
	};

	return INSTALL(filter);
}

/* The third argument of both is prot. */
bool refuse_exec(int mmap_nr, int mprotect_nr, int error)
{
	struct sock_filter filter[] = {
		LOAD(nr),
		IF(BPF_JEQ, mmap_nr, 2, 0),
		IF(BPF_JEQ, mprotect_nr, 1, 0),
		RETURN(SECCOMP_RET_ALLOW),
		LOAD(args[2]),
		IF(BPF_JSET, PROT_EXEC, 1, 0),
		RETURN(SECCOMP_RET_ALLOW),
		ANSWER(error),
	};

	return INSTALL(filter);
}

bool allow_next_to_nothing(void)
{
	struct sock_filter filter[] = {
		LOAD(nr),
		IF(BPF_JEQ, SYS_read, 4, 0),
		IF(BPF_JEQ, SYS_write, 3, 0),
		IF(BPF_JEQ, SYS_exit, 2, 0),
		IF(BPF_JEQ, SYS_rt_sigreturn, 1, 0),
		RETURN(SECCOMP_RET_KILL_PROCESS),
		RETURN(SECCOMP_RET_ALLOW),
	};

	return INSTALL(filter);
}
