/* SPDX-License-Identifier: MIT */
/* AArch64: writes entry code from the parts of entry.S. */
#include <errno.h>
#include <string.h>
#include "core/arch.h"
#include "a64.h"

#define PART(name)	extern const uint8_t part_##name[], part_##name##_end[]

PART(first_args);
PART(compact_enter);
PART(compact_args);
PART(compact_fregs);
PART(compact_leave);

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
const size_t arch_cie_size = sizeof(arch_cie);

struct part { const uint8_t *start, *end; };

struct parts {
	struct part enter, args, fregs, leave;
	size_t frame;
};

#define P(name)		{ part_##name, part_##name##_end }
#define NO_FREGS	{ part_first_args, part_first_args }

static const struct parts parts_of[TRAMP_NR_CLASSES] = {
	[TRAMP_CLASS_NOREGS] = { P(compact_enter), P(compact_args), NO_FREGS, P(compact_leave), ARGS_size },
	[TRAMP_CLASS_ARGS] = { P(compact_enter), P(compact_args), P(compact_fregs), P(compact_leave),
			       ARGS_size },
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
	return parts(class)->frame;
}

/*
 * Constants lie behind the code.  Until leave knows where that is they are
 * gathered at the end of the buffer, together with the load that wants them.
 */
struct constant { uint64_t value, load; };

/* ldr, br: what a call slot goes through when its callee is out of reach */
#define VENEER_SIZE	8U

/* A load; a load and an indirect call; filler, a veneer and two words. */
#define OPS_MAX		(4 + sizeof(struct constant))
#define CALL_MAX	(8 + sizeof(struct constant))
#define TAIL_MAX	(4 + 8 + 8 + 8)

size_t arch_image_size(enum tramp_class class, unsigned int nr)
{
	const struct parts *p = parts(class);

	return size_of(&p->enter) + size_of(&p->leave) + TAIL_MAX +
	       nr * (size_of(&p->args) + size_of(&p->fregs) + OPS_MAX + CALL_MAX);
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

static void load_from_here(struct tramp_code *code, size_t load)
{
	uint32_t insn;

	if (code->err)
		return;
	memcpy(&insn, code->w + load, sizeof(insn));
	patch(code, load, insn | a64_ldr_literal(0, load, code->len));
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

	if (code->constants)
		align(code);
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

void arch_emit_args(struct tramp_code *code)
{
	static const struct part first = P(first_args);
	const struct parts *p = parts(code->class);

	put_bare(code, behind_enter(code) ? &first : &p->args);
	put_bare(code, &p->fregs);
}

void arch_emit_ops(struct tramp_code *code, const struct ftrace_ops *ops)
{
	put_constant(code, 2, (uintptr_t)ops);
}

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
