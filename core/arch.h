/* SPDX-License-Identifier: MIT */
/*
 * The port contract.  A port is one folder, arch/ARCH/: it writes entry code,
 * encodes sites, changes live text and reads its tick counter.  No port
 * contains a strategy's name.  docs/contract.md gives one traced call in
 * pseudo-code, which every port refers to; docs/add-a-port.md is a recipe.
 */
#ifndef TRAMPLAB_ARCH_H
#define TRAMPLAB_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ftrace.h>
#include <tramp.h>

#define __no_sanitize __attribute__((no_sanitize("address", "undefined", "thread")))
/*
 * What a wait's signal handler runs: it may have interrupted ThreadSanitizer's own code,
 * which is not reentrant, in a thread which that does not know yet.
 */
#define __in_handler __attribute__((no_sanitize("thread")))

/* What a port (or the chosen frame) has; a strategy names what it needs. */
enum {
	TRAMP_HAS_OPS_ARG	= 1 << 0,	/* the entry passes ops and registers (every class but noregs) */
	TRAMP_HAS_CALL_SLOT	= 1 << 1,	/* a call inside generated code can be re-pointed live */
	TRAMP_HAS_SITE_WORD	= 1 << 2,	/* an aligned word beside each site */
};
#define TRAMP_NR_HAS 3

extern const char arch_name[];		/* the folder's name */
unsigned int arch_has(void);		/* TRAMP_HAS_* */

/* --- code --- */

/*
 * A piece of code being written.  The address written to and the address it
 * will run at differ: tests and W^X both rest on that.  @err sticks, so that a
 * strategy writes its lines without checks and the core asks once.
 */
struct tramp_code {
	uint8_t		*w;		/* where bytes are written; w[0] runs at pc */
	uintptr_t	pc;
	size_t		len;
	size_t		cap;
	int		err;		/* first -errno: -ENOSPC, -ERANGE, -EOPNOTSUPP */

	enum tramp_class class;		/* set by arch_emit_enter */
	uintptr_t	entry;		/* what a site calls; set by arch_emit_enter */
	uintptr_t	slot;		/* the re-pointable call's address, 0: none */
	uintptr_t	slot_ops;	/* the word that holds the slot's ops, 0: none */
	uintptr_t	slot_far;	/* the word of the port's veneer for callees out of reach, 0: none */
	uintptr_t	word_read;	/* behind the load of the site's word, 0: none */
	size_t		held;		/* the guard's branch, until its target is known; 0: none */
	size_t		data;		/* words lie behind the code, from here; 0: none */
	unsigned int	constants;	/* gathered by the port at the end of the buffer, until leave; cap is less by them */

	/* Unwind rules of what was written, as DWARF call frame instructions; empty: none. */
	uint8_t		*cfi;
	size_t		cfi_len, cfi_cap;
	size_t		cfi_at;		/* the rules are valid up to here, as an offset of len */
};

/* Append @n bytes of @p. */
void tramp_code_put(struct tramp_code *code, const void *p, size_t n);

/*
 * Append [@start, @end), which the port has linked as read-only data, and the
 * unwind rules that its assembler gave it.
 */
void tramp_code_put_part(struct tramp_code *code, const void *start, const void *end);

/*
 * The unwind rules of here hold again, later: for code behind an entry's leave
 * that is reached from before it.  In pairs.
 */
void tramp_code_remember_rules(struct tramp_code *code);
void tramp_code_restore_rules(struct tramp_code *code);

/* The initial rules, at an entry's first instruction: a CIE with absolute addresses ("zR" or "zRS", 0). */
extern const uint8_t arch_cie[];
/* As long; for gdb, which shows a frame with exact resume address as a signal's, without its name. */
extern const uint8_t *const arch_gdb_cie;
extern const size_t arch_cie_size;

/*
 * The steps of one traced call, in this order: enter, args, ops (one of three),
 * call (one of three), leave.
 */
void arch_emit_enter(struct tramp_code *code, enum tramp_class class);	/* save, build the frame */
void arch_emit_args(struct tramp_code *code);				/* ip, parent_ip and (not noregs) fregs */
void arch_emit_ops(struct tramp_code *code, const struct ftrace_ops *ops);	/* the ops argument, a constant */
void arch_emit_ops_slot(struct tramp_code *code);			/* the ops argument, loaded from code->slot_ops */
void arch_emit_ops_word(struct tramp_code *code);			/* the ops argument, loaded from the site's word */
void arch_emit_call(struct tramp_code *code, uintptr_t func);		/* near or far by itself */
void arch_emit_call_ops(struct tramp_code *code);			/* func of the ops argument: both from one load (S138) */
void arch_emit_call_slot(struct tramp_code *code, uintptr_t func);	/* re-pointable; sets code->slot */
void arch_emit_leave(struct tramp_code *code);				/* restore, return where the frame says */

/*
 * Several callbacks in turn, guarded as the list guards them: enter, guard, then
 * args_of_set, ops, call for each; unguard, leave; then held, and the way
 * (args, call, leave) for a thread that is inside already.
 *
 * guard: tramp_path's guard.inside must be 0, and is something else from then on;
 * else on to held.  unguard makes it 0.
 * Of args_of_set the @first notes ip and parent_ip, since a callback owns its
 * argument registers, may redirect the frame's ip and may hook the return address,
 * and later ones must see the same (S81): in tramp_path, which is the guard
 * holder's alone, or in the frame.  @hide: with FREGS_STRICT, for an ops that must
 * not find a neighbour's pt_regs (S87).
 * unguard is where the unwind rules are remembered, held where they hold again.
 */
void arch_emit_guard(struct tramp_code *code);
void arch_emit_args_of_set(struct tramp_code *code, bool first, bool hide);
void arch_emit_unguard(struct tramp_code *code);
void arch_emit_held(struct tramp_code *code);

/* Bytes that hold the longest image of one enter..leave with @nr ops and calls; @nr > 1: of a guarded set. */
size_t arch_image_size(enum tramp_class class, unsigned int nr);

/* Stack bytes that a frame of @class takes, alignment included, the site's own push not. */
size_t arch_frame_size(enum tramp_class class);

/* The registers that a frame of @class holds: TRAMP_REG_* bits. */
unsigned long arch_class_regs(enum tramp_class class);

/* --- sites and live text --- */

#define ARCH_POKE_MAX 8

/*
 * One place in live text that is to change.  @target is what a thread that
 * meets the place half way shall call (0: nothing, go on).
 */
struct tramp_poke {
	unsigned long	addr;
	unsigned long	target;
	unsigned long	meanwhile;	/* the same, while words change; equal to @target where none does */
	unsigned long	word_addr;	/* the site's word, 0: it stays */
	unsigned long	word;
	uint8_t		old[ARCH_POKE_MAX];	/* may equal new: only the word changes */
	uint8_t		new[ARCH_POKE_MAX];
};

extern const unsigned int arch_site_size;	/* bytes of a site's instruction */

/*
 * @rec: a record of __patchable_function_entries.  Gives the site's address, and
 * that of its word: room that the compiler left before the function, naturally
 * aligned, where arch_emit_ops_word() looks; 0 where there is no such room (BUG-11).
 * -EINVAL when its bytes are nothing that the compiler emits there.
 */
int arch_site_locate(unsigned long rec, unsigned long *ip, unsigned long *word);

/*
 * Compiled -> disabled: true when the site is not yet the port's own; then @bytes,
 * arch_prepare_size of them, go to @addr.  Done before other threads run the module.
 */
bool arch_site_prepare(unsigned long ip, unsigned long *addr, uint8_t bytes[ARCH_POKE_MAX]);
extern const unsigned int arch_prepare_size;

/* The bytes of a site at @ip that calls @target (0: nop).  -ERANGE: out of reach. */
int arch_site_encode(unsigned long ip, unsigned long target, uint8_t bytes[ARCH_POKE_MAX]);

/*
 * The bytes that make the call slot of @code call @func.  A callee out of reach
 * goes through the image's veneer, whose word (at @code's w view) this writes:
 * no thread may be in the window before the slot, or use the veneer, by then.
 */
void arch_slot_encode(const struct tramp_code *code, unsigned long func,
		      uint8_t bytes[ARCH_POKE_MAX]);

/* No copy of the kernel's or of ours into text, as core/text.c makes it, divides so many aligned bytes. */
extern const unsigned long arch_store_size;

extern const uint8_t arch_trap_byte;	/* repeated, an instruction that traps */

/* How far a site's call reaches at most, in bytes; arch_site_encode() is exact. */
extern const unsigned long arch_reach;

/* Places to change together, sorted by address. */
struct tramp_batch {
	size_t			nr;
	bool			words;	/* some have one */
	struct tramp_poke	poke[];
};

/*
 * Change live text while threads run it; the caller has verified the old bytes.
 * Between arch_poke_begin() and arch_poke_end(), which nest; a grace period
 * stands before _end, and @batch stays valid until then.  Never half done:
 * -errno means that nothing was written.
 */
/*
 * Words: each is one aligned store (tramp_text_write_words()), before a site's
 * new call can be made and while its old one still can: nobody calls a stale ops
 * (S137).  Those that came before are waited for (tramp_wait_word_readers()): the
 * entry that they are in may be that of a lower class.  A port whose kernel does not
 * promise that a write to text is one store lets no thread read a word while it
 * changes: those that come go @meanwhile.
 */
int arch_poke_begin(void);
int arch_poke(const struct tramp_batch *batch);
void arch_poke_end(void);

/*
 * [@addr, @addr + @len) has been written, maybe through another mapping: what runs
 * at @addr is what fetches see from now on.  The core calls it for all code that it
 * writes, before tramp_text_sync().  Empty where caches are coherent.
 */
void arch_text_flush(unsigned long addr, size_t len);

/* The thread pointer: what the offset of a static thread-local variable counts from. */
__in_handler unsigned long arch_thread_pointer(void);

/*
 * Once, before the first site is handled.  0 or -errno with tramp_why() set.
 */
int arch_init(void);

/* Text in which a thread counts as inside whatever is retired (a trap handler); a port may have none. */
extern const char arch_entry_start[] __asm__("__start_tramp_entry_text") __attribute__((weak));
extern const char arch_entry_end[] __asm__("__stop_tramp_entry_text") __attribute__((weak));
#define __tramp_entry __attribute__((section("tramp_entry_text")))

/* pc and sp of an interrupted thread, from a signal handler's context. */
__in_handler void arch_ucontext(const void *uc, unsigned long *pc, unsigned long *sp);

/*
 * Where the interrupted function returns to as long as a register may be all that
 * says so, in a leaf or before it is saved; 0 where a call always leaves it on the
 * stack (arch_return_on_stack).
 */
__in_handler unsigned long arch_ucontext_return(const void *uc);
extern const bool arch_return_on_stack;
/*
 * Where the kernel calls the handler of traps, or 0: a thread that stands there has not
 * looked at any batch.
 */
extern const unsigned long arch_trap_handler;
/* The bits of a return address; the others may sign it. */
extern const unsigned long arch_code_mask;

/* Bytes below the stack pointer that a function may use. */
extern const unsigned long arch_red_zone;

#endif
