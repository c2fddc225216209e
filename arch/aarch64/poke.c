/* SPDX-License-Identifier: MIT */
/*
 * AArch64: changing live text.  BL and NOP may be replaced by each other while
 * other processors run them: each executes the old or the new one (Arm ARM,
 * B2.2.5, "Concurrent modification and execution of instructions").  So a place
 * changes by one aligned store of four bytes:
 *
 *	0	sync		what was generated is what every thread would run;
 *				all is written as it is, so that later writes cannot fail
 *	1	words		wait for threads that may read one, and then by an entry that
 *				the site called before: of another class, say; one aligned
 *				store each
 *	2	instructions	one aligned store each; each cleaned to where fetches see it
 *	3	sync		every thread runs the new ones
 *
 * The stores are the kernel's: a write to /proc/self/mem is its memcpy(), whose
 * every store is aligned where both ends are 16-aligned (core/text.c sees to it).
 */
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include "core/arch.h"
#include "core/core.h"
#include "a64.h"

/* AAPCS64 has none. */
const unsigned long arch_red_zone = 0;

const unsigned long arch_store_size = 8;

int arch_poke_begin(void)
{
	return 0;
}

void arch_poke_end(void)
{
}

/*
 * From the data cache to where fetches see it, then out of the instruction caches,
 * by line and with the barriers that Arm ARM B2.7.4.2 has between: both caches are
 * physically tagged in their effect, so the address that code runs at names it.
 */
void arch_text_flush(unsigned long addr, size_t len)
{
	__builtin___clear_cache((char *)addr, (char *)addr + len);
}

int arch_poke(const struct tramp_batch *batch)
{
	int err;

	if (!batch->nr)
		return 0;
	/* What fails (a seccomp filter came meanwhile) must fail before a thread can run what is new. */
	err = tramp_text_sync();
	if (!err)
		err = tramp_text_try(batch);
	if (err)
		return err;
	if (batch->words) {
		tramp_wait_word_readers();
		tramp_text_must(tramp_text_write_words(batch), "word");
	}
	tramp_text_must(tramp_text_write_pokes(batch->poke, batch->nr, 0, A64_SIZE, NULL), "branch");
	tramp_text_must(tramp_text_sync(), "sync");
	return 0;
}

/*
 * A leaf's return address is in x30 alone: a callback that ends in a call of one
 * (a tail call) has left no trace on the stack.
 */
const bool arch_return_on_stack = false;
const unsigned long arch_trap_handler = 0;
unsigned long arch_ucontext_return(const void *uc)
{
	return ((const ucontext_t *)uc)->uc_mcontext.regs[30];
}

/* Pointer authentication (paciasp) signs in the bits above a program's addresses. */
const unsigned long arch_code_mask = (1UL << 48) - 1;

void arch_ucontext(const void *uc, unsigned long *pc, unsigned long *sp)
{
	const mcontext_t *m = &((const ucontext_t *)uc)->uc_mcontext;

	*pc = m->pc;
	*sp = m->sp;
}
