/* SPDX-License-Identifier: MIT */
/* Programs that may not do what they like: no new executable memory, no system calls. */
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "../../user.h"

/* mmap() and mprotect() with PROT_EXEC become EPERM; the third argument of both is prot. */
static int refuse_exec(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1 /* EPERM */),
	};
	struct sock_fprog prog = { sizeof(filter) / sizeof(filter[0]), filter };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog);
}

CASE(refused_memory_is_an_error, "BUG-20 S70", "executable memory is refused: -EPERM or -EACCES, a reason, nothing changed; or it is not needed and all works")
{
	struct probe *p = probe_new();
	int err;

	EXPECT_EQ(probe_add(p, tracee_a), 0);
	if (refuse_exec())
		SKIP("this system has no seccomp filters");
	err = probe_start(p);
	EXPECT(err == 0 || err == -EPERM || err == -EACCES, "register is %d", err);
	if (err)
		EXPECT(*tramp_why(), "tramp_why() is empty");
	EXPECT_EQ(!(p->ops.flags & FTRACE_OPS_FL_ENABLED), !!err);
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(p->calls, !err);
}

static int refuse_membarrier(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1 /* EPERM */),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { sizeof(filter) / sizeof(filter[0]), filter };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog);
}

CASE(no_membarrier_changes_nothing, "S133 S13", "membarrier is refused from now on: no live text is changed, in either direction",
     .needs = CASE_LEAVES_DIRT)
{
	struct probe *on = probe_on(tracee_a), *late = probe_new();

	EXPECT_EQ(probe_add(late, tracee_b), 0);
	if (refuse_membarrier())
		SKIP("this system has no seccomp filters");
	EXPECT_EQ(probe_start(late), -EPERM);
	EXPECT(*tramp_why(), "tramp_why() is empty");
	EXPECT_EQ(!(late->ops.flags & FTRACE_OPS_FL_ENABLED), 1);
	EXPECT_EQ(tracee_b(1), 3);
	EXPECT_EQ(late->calls, 0);
	EXPECT_EQ(unregister_ftrace_function(&on->ops), -EPERM);
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(on->calls, 1);
}

static unsigned long results;

static void *call_in_strict_mode(void *arg)
{
	(void)arg;
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
		return (void *)1;
	/* From here on all but read, write, exit and sigreturn is SIGKILL. */
	results += tracee_a(1);
	results += tracee_a(1);
	results += tracee_args9(1, 2, 3, 4, 5, 6, 7, 8, 9);
	syscall(SYS_exit, 0);
	return NULL;
}

CASE(no_system_call_on_the_hot_path, "BUG-21", "a fresh thread in strict seccomp calls traced functions: the first call and later ones, alone and shared")
{
	struct probe *p = probe_on(tracee_a), *q = probe_flags(case_flags() | FTRACE_OPS_FL_RECURSION);
	pthread_t t;

	probe_register(q, tracee_args9);
	probe_on(tracee_args9);
	t = spawn(call_in_strict_mode, NULL);
	join(t);
	if (!results)
		SKIP("this system has no strict seccomp");
	EXPECT_EQ(results, 2 + 2 + 1 + 6 + 15 + 28 + 55 + 78 + 119 + 152 + 207);
	EXPECT_EQ(p->calls, 2);
	EXPECT_EQ(q->calls, 1);
}
