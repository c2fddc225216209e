/* SPDX-License-Identifier: MIT */
/*
 * x86-64: a thread is stopped behind each instruction of a traced call in turn,
 * by the trap flag, and the ops change while it stands there.  What a stress
 * loop meets once in a thousand runs is met here in every one.
 */
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unwind.h>
#include "../../../../user.h"
#include <shim.h>

#define TF	0x100
#define STAY_MS	3	/* long enough for a change to come to where it waits for this thread */

static struct {
	unsigned long	stop_behind, steps;
	bool		stopped, quit;
	sem_t		go, there, back;
} at;

static void on_step(int sig, siginfo_t *info, void *context)
{
	greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;

	(void)sig;
	if (info->si_code != TRAP_TRACE || at.steps++ < at.stop_behind)
		return;
	regs[REG_EFL] &= ~(greg_t)TF;
	at.stopped = true;
	sem_post(&at.there);
	nap_ms(STAY_MS);
}

static void *step_thread(void *arg)
{
	(void)arg;
	for (;;) {
		sem_wait(&at.go);
		if (at.quit)
			return NULL;
		shim_step(tracee_a);
		if (!at.stopped)
			sem_post(&at.there);
		sem_post(&at.back);
	}
}

/* Calls @change with the thread behind instruction 0, 1, ... of its call, @restore when it is through. */
static void behind_every_instruction(void (*change)(void), void (*restore)(void))
{
	struct sigaction act = { .sa_sigaction = on_step, .sa_flags = SA_SIGINFO | SA_NODEFER };
	pthread_t t;

	sem_init(&at.go, 0, 0);
	sem_init(&at.there, 0, 0);
	sem_init(&at.back, 0, 0);
	sigaction(SIGTRAP, &act, NULL);
	t = spawn(step_thread, NULL);
	for (at.stop_behind = 0; !case_failed(); at.stop_behind++) {
		at.steps = 0;
		at.stopped = false;
		sem_post(&at.go);
		sem_wait(&at.there);
		if (at.stopped)
			change();
		sem_wait(&at.back);
		if (!at.stopped)
			break;
		restore();
	}
	at.quit = true;
	sem_post(&at.go);
	join(t);
	if (case_failed())
		case_printf("the thread stood behind instruction %lu", at.stop_behind);
	/* The call, the callback, and the function's own two or three. */
	EXPECT(at.stop_behind > 20, "a traced call took %lu instructions", at.stop_behind);
}

/* --- an ops that stays is called once, whoever comes --- */

static struct probe *stays, *comes;
static unsigned long calls;

static void come(void)
{
	EXPECT_EQ(probe_start(comes), 0);
}

static void go_again(void)
{
	EXPECT_EQ(probe_stop(comes), 0);
	EXPECT_EQ(stays->calls, ++calls);
}

CASE(second_ops_comes_at_any_instruction, "S58 S83 S132", "a second ops registers while a thread stands behind any instruction of its call: the first is called once", .timeout = 60)
{
	stays = probe_on(tracee_a);
	comes = probe_new();
	EXPECT_EQ(probe_add(comes, tracee_a), 0);
	behind_every_instruction(come, go_again);
}

static void expect_regs(struct probe *p, struct ftrace_regs *fregs)
{
	p->data[0] += !ftrace_get_regs(fregs);
}

static void go_with_regs(void)
{
	go_again();
	EXPECT_EQ(comes->data[0], 0);
}

CASE(save_regs_comes_at_any_instruction, "S60 S90", "an ops with SAVE_REGS registers while a thread stands in a partial entry: it is skipped rather than called without", .timeout = 60, .needs = CASE_NEEDS_FREGS)
{
	stays = probe_flags(0);
	probe_register(stays, tracee_a);
	comes = probe_flags(FTRACE_OPS_FL_SAVE_REGS);
	comes->then = expect_regs;
	EXPECT_EQ(probe_add(comes, tracee_a), 0);
	behind_every_instruction(come, go_with_regs);
}

static void go(void)
{
	EXPECT_EQ(probe_stop(comes), 0);
}

static void come_again(void)
{
	EXPECT_EQ(probe_start(comes), 0);
	EXPECT_EQ(stays->calls, ++calls);
}

CASE(second_ops_goes_at_any_instruction, "S58 S83 S132", "the same when one of two unregisters: the other is called once", .timeout = 60)
{
	stays = probe_on(tracee_a);
	comes = probe_on(tracee_a);
	behind_every_instruction(go, come_again);
}

/* --- function and ops --- */

static struct probe *one, *two;
static unsigned long wrong;

static void hit_one(unsigned long ip, unsigned long parent_ip,
		    struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	(void)ip, (void)parent_ip, (void)fregs;
	wrong += op != &one->ops;
}

static void hit_two(unsigned long ip, unsigned long parent_ip,
		    struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	(void)ip, (void)parent_ip, (void)fregs;
	wrong += op != &two->ops;
}

static void replace_one(void)
{
	EXPECT_EQ(probe_start(two), 0);
	EXPECT_EQ(probe_stop(one), 0);
}

static void replace_two(void)
{
	EXPECT_EQ(wrong, 0);
	EXPECT_EQ(probe_start(one), 0);
	EXPECT_EQ(probe_stop(two), 0);
}

CASE(function_fits_ops_at_any_instruction, "S83 S84 S139", "one ops replaces the other while a thread stands behind any instruction of its call: no function gets the other's ops", .timeout = 60)
{
	one = probe_new();
	two = probe_new();
	one->ops.func = hit_one;
	two->ops.func = hit_two;
	EXPECT_EQ(probe_add(two, tracee_a), 0);
	probe_register(one, tracee_a);
	behind_every_instruction(replace_one, replace_two);
}

/* --- a handler that is traced itself --- */

static struct { unsigned long ip, parent_ip; } hit[8];
static unsigned int depth;

/*
 * On a site with two ops the newer one notes what the older one has to be told.
 * Handlers come and go at any instruction of this, too.
 */
static void hit_newer(unsigned long ip, unsigned long parent_ip,
		      struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	unsigned int mine = __atomic_fetch_add(&depth, 1, __ATOMIC_SEQ_CST);

	(void)op, (void)fregs;
	hit[mine].ip = ip;
	hit[mine].parent_ip = parent_ip;
	__atomic_fetch_add(&two->calls, 1, __ATOMIC_RELAXED);
}

static void hit_older(unsigned long ip, unsigned long parent_ip,
		      struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	unsigned int mine = depth - 1;

	(void)op, (void)fregs;
	wrong += hit[mine].ip != ip || hit[mine].parent_ip != parent_ip;
	__atomic_fetch_sub(&depth, 1, __ATOMIC_SEQ_CST);
	__atomic_fetch_add(&one->calls, 1, __ATOMIC_RELAXED);
}

static unsigned long handled;

static void call_traced(int sig, siginfo_t *info, void *context)
{
	(void)sig, (void)context;
	if (info->si_code != TRAP_TRACE)
		return;
	handled++;
	wrong += tracee_b(1) != 3;
}

CASE(handler_calls_at_any_instruction, "S81 S119 S122", "a handler interrupts a call of a shared site behind every instruction, and calls one: nobody misses a hit, all of one hit are told the same")
{
	struct sigaction act = { .sa_sigaction = call_traced, .sa_flags = SA_SIGINFO }, old;

	one = probe_new();
	two = probe_new();
	one->ops.func = hit_older;
	two->ops.func = hit_newer;
	probe_register(one, tracee_a);
	probe_register(two, tracee_a);
	EXPECT_EQ(probe_add(one, tracee_b), 0);
	EXPECT_EQ(probe_add(two, tracee_b), 0);
	sigaction(SIGTRAP, &act, &old);
	for (int i = 0; i < 3; i++)
		shim_step(tracee_a);
	sigaction(SIGTRAP, &old, NULL);
	EXPECT(handled > 3 * 40, "%lu instructions", handled);
	EXPECT_EQ(wrong, 0);
	EXPECT_EQ(depth, 0);
	EXPECT_EQ(one->calls, handled + 3);
	EXPECT_EQ(two->calls, handled + 3);
	EXPECT_EQ(tramp_missed(&one->ops) + tramp_missed(&two->ops), 0);
}

/* --- unwinding --- */

/* Not the trap flag's own thread of thought: both ends of what is stepped are handlers' returns. */
static void step_on(int sig, siginfo_t *info, void *context)
{
	(void)info;
	if (sig == SIGUSR1)
		((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] |= TF;
	else
		((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TF;
}

static struct { unsigned long caller, walks, lost, first_lost; bool found; } unwound;

static _Unwind_Reason_Code find_caller(struct _Unwind_Context *context, void *arg)
{
	(void)arg;
	unwound.found |= _Unwind_GetIP(context) == unwound.caller;
	return unwound.found ? _URC_END_OF_STACK : _URC_NO_REASON;
}

static void unwind_step(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	if (info->si_code != TRAP_TRACE)
		return;
	unwound.found = false;
	_Unwind_Backtrace(find_caller, NULL);
	unwound.walks++;
	unwound.lost += !unwound.found;
	if (!unwound.found && !unwound.first_lost)
		unwound.first_lost = ((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
}

static __attribute__((noinline)) void call_stepped(void)
{
	unwound.caller = (unsigned long)__builtin_return_address(0);
	raise(SIGUSR1);
	tracee_a(1);
	raise(SIGUSR2);
}

static void call_b(struct probe *p, struct ftrace_regs *fregs)
{
	(void)p, (void)fregs;
	tracee_b(1);
}

CASE(unwinds_at_any_instruction, "S146 BUG-46", "a walk from behind each instruction of a traced call finds the caller: of one ops, of two, and of a call from inside a callback", .timeout = 60)
{
	struct sigaction on = { .sa_sigaction = step_on, .sa_flags = SA_SIGINFO };
	struct sigaction step = { .sa_sigaction = unwind_step, .sa_flags = SA_SIGINFO }, old;

	sigaction(SIGUSR1, &on, NULL);
	sigaction(SIGUSR2, &on, NULL);
	for (int nr = 1; nr <= 2; nr++) {
		struct probe *p = probe_on(tracee_a);

		EXPECT_EQ(probe_add(p, tracee_b), 0);
		p->then = nr == 1 ? NULL : call_b;
		sigaction(SIGTRAP, &step, &old);
		call_stepped();
		sigaction(SIGTRAP, &old, NULL);
	}
	EXPECT(unwound.walks > 100, "%lu steps", unwound.walks);
	EXPECT(!unwound.lost, "%lu of %lu walks lost the caller, the first one from %#lx",
	       unwound.lost, unwound.walks, unwound.first_lost);
}

/* --- the ops' memory --- */

static struct probe *mapped;

static void map_ops(void)
{
	mapped = mmap(NULL, sizeof(*mapped), PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	REQUIRE(mapped != MAP_FAILED, "mmap failed");
	probe_init(mapped, case_flags());
	probe_register(mapped, tracee_a);
}

static void unmap_ops(void)
{
	EXPECT_EQ(probe_stop(mapped), 0);
	ftrace_free_filter(&mapped->ops);
	munmap(mapped, sizeof(*mapped));
}

CASE(ops_goes_at_any_instruction, "S127 S129 S130 BUG-01", "the only ops unregisters and is unmapped while a thread stands behind any instruction of its call", .timeout = 60)
{
	map_ops();
	behind_every_instruction(unmap_ops, map_ops);
	unmap_ops();
}
