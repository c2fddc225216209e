/* SPDX-License-Identifier: MIT */
/* AArch64: writes entry code from the parts of entry.S. */
#include <errno.h>
#include <string.h>
#include "core/arch.h"
#include "core/core.h"
#include "a64.h"

#define PART(name)	extern const uint8_t part_##name[], part_##name##_end[]

PART(first_args);
PART(compact_enter);
PART(compact_args);
PART(compact_leave);
PART(reserved_enter);
PART(reserved_leave);
PART(regs_enter);
PART(regs_args);
PART(regs_leave);
PART(vec_enter);
PART(vec_args);
PART(vec_leave);

/*
 * DWARF for the Arm 64-bit architecture, 4.1: sp is 31.  At an entry's first
 * instruction the site has moved its function's own return address (x30's
 * column) to x9, and x30 says where it resumes: the return address of this
 * frame, in a column of its own.  S: that address is exact, as a signal's is;
 * gcc's unwind rules for the traced function begin there, not before.
 */
const uint8_t arch_cie[] = {
	1, 'z', 'R', 'S', 0,		/* version, augmentation */
	1, 0x78, 96,			/* code alignment 1, data alignment -8, return address */
	1, 0,				/* augmentation data: addresses are absolute */
	0x0c, 31, 0,			/* DW_CFA_def_cfa sp, 0 */
	0x09, 30, 9,			/* DW_CFA_register x30, x9 */
	0x09, 96, 30,			/* DW_CFA_register resume, x30 */
	0, 0, 0, 0, 0,			/* to a multiple of 8 with the two words before it */
};
const uint8_t *const arch_gdb_cie = arch_cie;
const size_t arch_cie_size = sizeof(arch_cie);

struct part { const uint8_t *start, *end; };
#define P(name)		{ part_##name, part_##name##_end }

static const struct part first_args = P(first_args);

#define ARGS_NOTE	(ARGS_ip - ARGS_record)
#define REGS_NOTE	(REGS_ip - REGS_record)

/* @below: bytes under the frame; @note: where a set keeps ip and parent_ip, from fp. */
static const struct parts {
	struct part enter, args, leave;
	size_t size, below, note;
} parts_of[TRAMP_NR_CLASSES] = {
	[TRAMP_CLASS_NOREGS] = { P(compact_enter), P(compact_args), P(compact_leave),
				 ARGS_size, 0, ARGS_NOTE },
	[TRAMP_CLASS_ARGS] = { P(compact_enter), P(compact_args), P(compact_leave),
			       ARGS_size, 0, ARGS_NOTE },
	[TRAMP_CLASS_ARGS_RESERVED] = { P(reserved_enter), P(regs_args), P(reserved_leave),
					REGS_size, 0, REGS_NOTE },
	[TRAMP_CLASS_REGS] = { P(regs_enter), P(regs_args), P(regs_leave), REGS_size, 0, REGS_NOTE },
	[TRAMP_CLASS_VEC] = { P(vec_enter), P(vec_args), P(vec_leave),
			      REGS_size, VEC_regs, REGS_NOTE },
};

static const struct parts *parts(enum tramp_class class)
{
	return &parts_of[class];
}

static size_t size_of(const struct part *part)
{
	return part->end - part->start;
}

size_t arch_frame_size(enum tramp_class class)
{
	return parts(class)->size + parts(class)->below;
}

/*
 * Constants lie behind the code.  Until leave knows where that is they are
 * gathered at the end of the buffer, together with the load that wants them.
 */
struct constant { uint64_t value, load; };

/* ldr, br: what a call slot goes through when its callee is out of reach */
#define VENEER_SIZE	8U

/*
 * fregs; the ops' constant; a far call's, its load and call; filler, a veneer and
 * two words.  What a set adds: see below.
 */
#define FREGS_SIZE	4
#define OPS_MAX		(8 + sizeof(struct constant))
#define CALL_MAX	(8 + sizeof(struct constant))
#define TAIL_MAX	(4 + VENEER_SIZE + 8 + 8)
#define GUARD_MAX	(7 * A64_SIZE + 3 * A64_SIZE)	/* and unguard */
#define NOTE_SIZE	4

size_t arch_image_size(enum tramp_class class, unsigned int nr)
{
	const struct parts *p = parts(class);
	size_t call = FREGS_SIZE + OPS_MAX + CALL_MAX;
	size_t one = size_of(&p->enter) + size_of(&p->args) + call + size_of(&p->leave) + TAIL_MAX;

	if (nr < 2)
		return one;
	return one + GUARD_MAX + nr * (NOTE_SIZE + call) + size_of(&p->args) + size_of(&p->leave);
}

static void put(struct tramp_code *code, uint32_t insn)
{
	tramp_code_put(code, &insn, sizeof(insn));
}

static void put_bare(struct tramp_code *code, const struct part *part)
{
	tramp_code_put(code, part->start, size_of(part));
}

static void patch(struct tramp_code *code, size_t at, uint32_t insn)
{
	if (!code->err)
		memcpy(code->w + at, &insn, sizeof(insn));
}

/* ldr @reg, =@value */
static void put_constant(struct tramp_code *code, unsigned int reg, uint64_t value)
{
	struct constant c = { .value = value, .load = code->len };

	put(code, a64_ldr_literal(reg, 0, 0));
	if (code->err)
		return;
	if (code->cap - code->len < sizeof(c)) {
		code->err = -ENOSPC;
		return;
	}
	code->cap -= sizeof(c);
	code->constants++;
	memcpy(code->w + code->cap, &c, sizeof(c));
}

/* Fill in what was left out of the instruction at @at. */
static void patch_in(struct tramp_code *code, size_t at, uint32_t bits)
{
	uint32_t insn;

	if (code->err)
		return;
	memcpy(&insn, code->w + at, sizeof(insn));
	patch(code, at, insn | bits);
}

static void load_from_here(struct tramp_code *code, size_t load)
{
	patch_in(code, load, a64_ldr_literal(0, load, code->len));
}

static void align(struct tramp_code *code)
{
	if (code->len % 8)
		put(code, A64_UDF);
}

/* The newest is the lowest, and what has been read makes room for what is written. */
static void put_constants(struct tramp_code *code)
{
	struct constant c;

	if (code->constants && !code->data) {
		align(code);
		code->data = code->len;
	}
	for (; code->constants; code->constants--) {
		if (!code->err)
			memcpy(&c, code->w + code->cap, sizeof(c));
		code->cap += sizeof(c);
		if (code->err)
			continue;
		load_from_here(code, c.load);
		tramp_code_put(code, &c.value, sizeof(c.value));
	}
}

void arch_emit_enter(struct tramp_code *code, enum tramp_class class)
{
	const struct parts *p = parts(class);

	code->class = class;
	code->entry = code->pc + code->len;
	tramp_code_put_part(code, p->enter.start, p->enter.end);
}

static bool behind_enter(const struct tramp_code *code)
{
	return code->pc + code->len == code->entry + size_of(&parts(code->class)->enter);
}

/* The frame's address and what it holds: asm/ftrace.h. */
static void put_fregs(struct tramp_code *code, bool hide)
{
	unsigned int tag = code->class | (hide ? FREGS_STRICT : 0);

	if (code->class != TRAMP_CLASS_NOREGS)
		put(code, a64_add(3, A64_SP, parts(code->class)->below + tag));
}

void arch_emit_args(struct tramp_code *code)
{
	put_bare(code, behind_enter(code) ? &first_args : &parts(code->class)->args);
	put_fregs(code, false);
}

void arch_emit_ops(struct tramp_code *code, const struct ftrace_ops *ops)
{
	put_constant(code, 2, (uintptr_t)ops);
}

/* --- guarded sets --- */

/*
 * tramp_path lies at one distance, upwards, from every thread's tpidr_el0 (AAELF64,
 * variant I of thread-local storage).  x10 := tpidr_el0, or so much further that a
 * byte's offset, which is returned, reaches.
 */
static unsigned int put_guard_base(struct tramp_code *code)
{
	uintptr_t d = (uintptr_t)&tramp_path.guard.inside - arch_thread_pointer();

	put(code, A64_MRS_TPIDR_EL0 | 10);
	if (d >> 24 && !code->err)
		code->err = -ERANGE;
	if (d >> 12)
		put(code, a64_add(10, 10, 0) | A64_LSL_12 | (d >> 12 & 0xfff) << 10);
	return d & 0xfff;
}

/*
 * Plain loads and stores: nobody but this thread and its signal handlers looks, and
 * those leave it as they found it.  INSIDE is whatever is not 0: the first call's
 * fregs, which saves an instruction.
 */
void arch_emit_guard(struct tramp_code *code)
{
	unsigned int guard = put_guard_base(code);

	put(code, a64_byte(A64_LDRB, 11, 10, guard));
	code->held = code->len;
	put(code, A64_CBNZ | 11);
	put_fregs(code, false);
	put(code, a64_byte(A64_STRB, 3, 10, guard));
}

void arch_emit_unguard(struct tramp_code *code)
{
	unsigned int guard = put_guard_base(code);

	put(code, a64_byte(A64_STRB, A64_ZR, 10, guard));
	tramp_code_remember_rules(code);
}

/* The first comes right behind guard. */
void arch_emit_args_of_set(struct tramp_code *code, bool first, bool hide)
{
	size_t note = parts(code->class)->note;

	if (first)
		put_bare(code, &first_args);
	put(code, a64_pair(first ? A64_STP : A64_LDP, 0, 1, A64_FP, note));
	if (!first || hide)
		put_fregs(code, hide);
}

void arch_emit_held(struct tramp_code *code)
{
	patch_in(code, code->held, (code->len - code->held) >> 2 << 5);
	code->held = 0;
	tramp_code_restore_rules(code);
}

/* --- the word beside a site --- */

/* Where arch_site_locate() found room, behind a bti or not: site.c. Right behind args, x30 is as it came. */
void arch_emit_ops_word(struct tramp_code *code)
{
	put(code, A64_AND_X2_X30_ALIGN8);
	put(code, A64_LDUR_X2_X2 | (-16 & 0x1ff) << 12);
	code->word_read = code->pc + code->len;
}

void arch_emit_call_ops(struct tramp_code *code)
{
	put(code, A64_LDR | offsetof(struct ftrace_ops, func) / 8 << 10 | 2 << 5 | 16);
	put(code, A64_BLR | 16 << 5);
}

/* --- call slots --- */

/* The slot's words lie behind the code, where arch_emit_leave() puts them. */
void arch_emit_ops_slot(struct tramp_code *code)
{
	code->slot_ops = code->pc + code->len;		/* for now: where it is loaded */
	put(code, a64_ldr_literal(2, 0, 0));
}

void arch_emit_call(struct tramp_code *code, uintptr_t func)
{
	uintptr_t at = code->pc + code->len;

	if (a64_bl_reaches(at, func)) {
		put(code, a64_bl(at, func));
	} else {
		put_constant(code, 16, func);
		put(code, A64_BLR | 16 << 5);
	}
}

/*
 * At first the call goes to the veneer, whose word holds the callee; the core
 * then re-points it, and arch_slot_encode() calls what it can reach directly.
 */
void arch_emit_call_slot(struct tramp_code *code, uintptr_t func)
{
	code->slot = code->pc + code->len;
	code->slot_far = func;				/* for now: the word's value */
	put(code, A64_BL);
}

/* The veneer, its word and the ops word, behind the code that uses them. */
static void put_slot(struct tramp_code *code)
{
	uint64_t func = code->slot_far, none = 0;

	align(code);
	patch(code, code->slot - code->pc, a64_bl(code->slot, code->pc + code->len));
	put(code, a64_ldr_literal(16, 0, VENEER_SIZE));
	put(code, A64_BR | 16 << 5);
	code->data = code->len;
	code->slot_far = code->pc + code->len;
	tramp_code_put(code, &func, sizeof(func));
	if (code->slot_ops) {
		load_from_here(code, code->slot_ops - code->pc);
		code->slot_ops = code->pc + code->len;
		tramp_code_put(code, &none, sizeof(none));
	}
}

void arch_emit_leave(struct tramp_code *code)
{
	const struct parts *p = parts(code->class);

	tramp_code_put_part(code, p->leave.start, p->leave.end);
	if (code->slot)
		put_slot(code);
	if (!code->held)		/* else more code comes */
		put_constants(code);
}

void arch_slot_encode(const struct tramp_code *code, unsigned long func,
		      uint8_t bytes[ARCH_POKE_MAX])
{
	uintptr_t target = func;
	uint32_t insn;

	if (!a64_bl_reaches(code->slot, target)) {
		__atomic_store_n((uint64_t *)(code->w + (code->slot_far - code->pc)), func,
				 __ATOMIC_RELEASE);
		target = code->slot_far - VENEER_SIZE;
	}
	insn = a64_bl(code->slot, target);
	memcpy(bytes, &insn, sizeof(insn));
}
