/* SPDX-License-Identifier: MIT */
/*
 * x86-64: changing live text.  Other processors may run the bytes while they
 * change, so each place goes through a breakpoint (Intel SDM vol. 3, 9.1.3 asks
 * for a synchronising step between a modification and its execution):
 *
 *	0  .. .. .. .. ..	sync	written as it is, so that later writes cannot fail
 *	1  cc .. .. .. ..	sync	every thread traps from now on (06 under a debugger)
 *	   words		wait	for threads that may read one; then write them
 *	2  cc n1 n2 n3 n4	sync	the tail, which nobody executes
 *	3  n0 n1 n2 n3 n4	sync	the new instruction
 *
 * A thread that traps in between does not wait: the handler does for it what
 * the new instruction would do, or, until the site's word is written, what reads
 * no word.
 *
 * Words.  The kernel copies what is written to /proc/self/mem with rep movsb
 * where that is fast, which no manual calls one store, so a word must not change
 * under a reader:
 *
 *   a thread that made the site's call before step 1 is between the entry's
 *   start and its load, until the wait has seen it elsewhere;
 *   one that traps after step 1 finds words_written false and goes @meanwhile;
 *   one that is late in the handler with a batch of before could still be sent
 *   to an entry: the wait covers the handler's text, too, but for its first
 *   instruction, before which no batch has been looked at;
 *   one that read false may go @meanwhile at any later time: what is called
 *   there looks at no word, and is right before, while and after the change.
 *
 * words_written is cleared before the batch is published and set when all words
 * are written, so whoever finds this batch and true there reads the new word.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>
#include "core/arch.h"
#include "core/core.h"
#include "x86.h"

const unsigned long arch_red_zone = 128;

static const struct tramp_batch *current_batch;	/* being written; read by the handler */
static unsigned long batches;			/* how many have been published there */
static bool words_written;			/* of that batch, or it has none */
static unsigned int users;			/* arch_poke_begin() calls not ended */
static struct x86_breakpoint breakpoint;	/* of the batches from now on */
/* Whose signals they are otherwise: act[now], so that the other may be written. */
static struct program { struct sigaction act[2]; unsigned int now; } program[_NSIG];

static inline __attribute__((always_inline))
const struct tramp_poke *find_poke(const struct tramp_batch *batch, unsigned long addr)
{
	size_t lo = 0, hi = batch ? batch->nr : 0;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (batch->poke[mid].addr < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return batch && lo < batch->nr && batch->poke[lo].addr == addr ? &batch->poke[lo] : NULL;
}

/*
 * What the new instruction would have done.  In an order in which whoever walks the
 * stack, from any instruction here, finds the caller: an entry that stands at the old
 * stack pointer has the traced function's return address for its own.
 */
static inline __attribute__((always_inline))
void emulate(const struct tramp_poke *poke, volatile greg_t *regs)
{
	unsigned long next = poke->addr + X86_CALL_SIZE;
	unsigned long target = load_acquire(&words_written) ? poke->target : poke->meanwhile;

	if (!target) {
		regs[REG_RIP] = next;
		return;
	}
	*(volatile unsigned long *)(regs[REG_RSP] - sizeof(next)) = next;
	regs[REG_RIP] = target;
	regs[REG_RSP] -= sizeof(next);
}

/* A trap that was ours, but whose breakpoint is gone by the time we look: run it again. */
static inline __attribute__((always_inline)) bool was_ours(unsigned long addr)
{
	return (tramp_is_site(addr) || tramp_image_alias(addr)) &&
	       *(volatile uint8_t *)addr != breakpoint.byte;
}

/*
 * Does for the thread what the new instruction would do.  One that is late looks
 * between two batches, finds none, and then the breakpoint of the second: another
 * thread's change, since its own waits for it.  So what was found is the truth only
 * if no batch has come meanwhile.
 */
static inline __attribute__((always_inline)) bool take_trap(unsigned long addr, greg_t *regs)
{
	const struct tramp_poke *poke;
	unsigned long nr;

	do {
		nr = load_acquire(&batches);
		poke = find_poke(load_acquire(&current_batch), addr);
		if (poke) {
			emulate(poke, regs);
			return true;
		}
		tramp_state("trap", addr, 0);
		if (was_ours(addr)) {
			regs[REG_RIP] = addr;
			return true;
		}
	} while (load_acquire(&batches) != nr);
	return false;
}

static bool is_function(const struct sigaction *act)
{
	return act->sa_handler != SIG_DFL && act->sa_handler != SIG_IGN;
}

/* As the kernel would have called it, but that breakpoints stay allowed: the handler may call sites. */
static void call_handler(const struct sigaction *act, int sig, siginfo_t *info, void *context)
{
	sigset_t mask = act->sa_mask;

	sigdelset(&mask, SIGTRAP);
	sigdelset(&mask, SIGILL);
	pthread_sigmask(SIG_BLOCK, &mask, NULL);	/* until sigreturn */
	if (act->sa_flags & SA_SIGINFO)
		act->sa_sigaction(sig, info, context);
	else
		act->sa_handler(sig);
}

/* All of it but the handler stays: that one goes by the first signal, where it was set for one (SA_RESETHAND). */
static __in_handler struct sigaction act_of(const struct sigaction *from)
{
	return (struct sigaction){
		.sa_handler = READ_ONCE(from->sa_handler), .sa_flags = from->sa_flags, .sa_mask = from->sa_mask,
	};
}

/* A wait is between it and the remember() that writes here again, which ThreadSanitizer does not see. */
static __in_handler void pass_on(int sig, siginfo_t *info, void *context)
{
	struct program *p = &program[sig];
	struct sigaction *to = &p->act[load_acquire(&p->now)], act = act_of(to);

	if (is_function(&act) && (act.sa_flags & SA_RESETHAND))
		act.sa_handler = __atomic_exchange_n(&to->sa_handler, SIG_DFL, __ATOMIC_RELAXED);
	if (is_function(&act)) {
		call_handler(&act, sig, info, context);
	} else if (act.sa_handler == SIG_DFL || info->si_code > 0) {
		/* The kernel does not let a program ignore a fault of its own. */
		signal(sig, SIG_DFL);
		pthread_kill(pthread_self(), sig);
	}
}

static void __tramp_entry __no_sanitize on_trap(int sig, siginfo_t *info, void *context)
{
	greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;
	unsigned long addr = regs[REG_RIP] - (sig == SIGTRAP);	/* int3 is a trap, the other a fault */
	int saved_errno = errno;

	/* int3 reports SI_KERNEL; a signal that somebody sent, or a single step, is not ours. */
	if (sig == SIGTRAP ? info->si_code == SI_KERNEL : info->si_code > 0) {
		if (take_trap(addr, regs) || x86_debugger_asked(addr))
			return;
	}
	pass_on(sig, info, context);
	errno = saved_errno;
}

/* The kernel kills a process that traps while the signal is blocked; give handlers time to end. */
static int check_blocked(int sig)
{
	int tid = tramp_wait_unblocked(sig, 1000);

	return tid <= 0 ? tid : tramp_fail(-EBUSY, "thread %d blocks SIG%s, which changing live text needs", tid,
					   sigabbrev_np(sig));
}

static bool is_ours(const struct sigaction *act)
{
	return act->sa_sigaction == on_trap;
}

static bool same(const struct sigaction *a, const struct sigaction *b)
{
	return a->sa_sigaction == b->sa_sigaction && a->sa_flags == b->sa_flags &&
	       !memcmp(&a->sa_mask, &b->sa_mask, sizeof(a->sa_mask));
}

static void remember(int sig, const struct sigaction *act)
{
	struct program *p = &program[sig];

	p->act[!p->now] = *act;
	store_release(&p->now, !p->now);
}

/*
 * Our handler in the program's place, if it is not there: the program may have set
 * another meanwhile.  That one is known before ours can be called, which the answer
 * of the call that displaces it comes too late for; it runs on the stack that it
 * asked for.
 */
static int displace(int sig)
{
	struct sigaction old, act = { .sa_sigaction = on_trap };
	int err = sigaction(sig, NULL, &old);

	if (!err && is_ours(&old))
		return 0;
	if (!err) {
		remember(sig, &old);
		act.sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER |
			       (is_function(&old) ? old.sa_flags & SA_ONSTACK : SA_ONSTACK);
		err = sigaction(sig, &act, &old);
	}
	if (err)
		return tramp_fail(-errno, "SIG%s: %s", sigabbrev_np(sig), strerror(errno));
	/* Not the same again: that would go where a thread may read what was remembered before. */
	if (!is_ours(&old) && !same(&old, &program[sig].act[program[sig].now]))
		remember(sig, &old);
	return 0;
}

static int take_signal(int sig)
{
	int err = check_blocked(sig);

	return err ? err : displace(sig);
}

/*
 * The program's handler is displaced only while text changes, and it may have set its
 * own meanwhile.  A thread that a tracer has stopped with the signal in hand is beyond
 * any wait: then the handler stays, and passes on what is not ours.
 */
static void give_back(int sig)
{
	const struct program *p = &program[sig];
	struct sigaction now, act = act_of(&p->act[p->now]);

	if (!breakpoint.traced && !sigaction(sig, NULL, &now) && is_ours(&now))
		sigaction(sig, &act, NULL);
}

int arch_poke_begin(void)
{
	int err = take_signal(SIGTRAP);

	users++;
	if (!err)
		err = x86_choose_breakpoint(&breakpoint);
	if (!err && breakpoint.signal != SIGTRAP)
		err = take_signal(breakpoint.signal);
	if (err)
		arch_poke_end();
	return err;
}

void arch_poke_end(void)
{
	if (--users)
		return;
	give_back(SIGTRAP);
	give_back(SIGILL);
}

static void write_words(const struct tramp_batch *batch)
{
	tramp_wait_word_readers();
	tramp_text_must(tramp_text_write_words(batch), "word");
	store_release(&words_written, true);
	tramp_state("words", 0, 0);
}

int arch_poke(const struct tramp_batch *batch)
{
	int err;

	if (!batch->nr)
		return 0;
	/* What fails (a seccomp filter came meanwhile) must fail before a thread can trap. */
	err = displace(breakpoint.signal);
	if (!err)
		err = tramp_text_sync();
	if (!err)
		err = tramp_text_try(batch);
	if (err)
		return err;
	store_release(&words_written, !batch->words);
	store_release(&current_batch, batch);
	store_release(&batches, batches + 1);
	tramp_text_must(tramp_text_write_pokes(batch->poke, batch->nr, 0, 1, &breakpoint.byte), "breakpoint");
	tramp_text_must(tramp_text_sync(), "sync");
	if (batch->words)
		write_words(batch);
	tramp_text_must(tramp_text_write_pokes(batch->poke, batch->nr, 1, X86_CALL_SIZE, NULL), "tail");
	tramp_text_must(tramp_text_sync(), "sync");
	tramp_text_must(tramp_text_write_pokes(batch->poke, batch->nr, 0, 1, NULL), "head");
	tramp_text_must(tramp_text_sync(), "sync");
	store_release(&current_batch, NULL);
	return 0;
}

/* rep movsb: see above, Words. */
const unsigned long arch_store_size = 1;

/* Fetches see all stores (SDM vol. 3, 12.6); cores that have fetched ahead need the sync. */
void arch_text_flush(unsigned long addr, size_t len)
{
	(void)addr;
	(void)len;
}

const bool arch_return_on_stack = true;
const unsigned long arch_trap_handler = (unsigned long)on_trap;
unsigned long arch_ucontext_return(const void *uc)
{
	(void)uc;
	return 0;
}

const unsigned long arch_code_mask = ~0UL;

void arch_ucontext(const void *uc, unsigned long *pc, unsigned long *sp)
{
	const greg_t *regs = ((const ucontext_t *)uc)->uc_mcontext.gregs;

	*pc = regs[REG_RIP];
	*sp = regs[REG_RSP];
}
