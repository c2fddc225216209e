/* SPDX-License-Identifier: MIT */
/* x86-64: writes entry code from the parts of entry.S. */
#include <errno.h>
#include <string.h>
#include "core/arch.h"
#include "core/core.h"
#include "x86.h"

#define PART(name)	extern const uint8_t part_##name[], part_##name##_end[]
#define ENTRY(name)	extern const uint8_t part_##name##_entry[]

PART(compact_enter);
PART(compact_args);
PART(compact_leave);
PART(reserved_enter);
PART(reserved_leave);
PART(regs_enter);
ENTRY(regs);
PART(regs_args);
PART(regs_leave);
PART(vec_args);
PART(vec_sse_enter);
ENTRY(vec_sse);
PART(vec_sse_leave);
PART(vec_avx_enter);
ENTRY(vec_avx);
PART(vec_avx_leave);
PART(vec_avx512_enter);
ENTRY(vec_avx512);
PART(vec_avx512_leave);

/*
 * psABI 3.7: rsp is 7, the return address is column 16.  At an entry's first
 * instruction CFA is rsp + 8, the resume address below it.  S: that address is
 * exact, as a signal's is.  A redirected call resumes at a function's first
 * instruction, and the byte before that is under another function's rules.
 */
#define CIE_REST							\
	1, 0x78, 16,		/* code alignment 1, data alignment -8, return address */ \
	1, 0,			/* augmentation data: addresses are absolute */ \
	0x0c, 7, 8,		/* DW_CFA_def_cfa rsp, 8 */		\
	0x80 | 16, 1		/* DW_CFA_offset ra, CFA - 8 */

/* Version, augmentation, the rest, and to a multiple of 8 with the two words before it. */
const uint8_t arch_cie[] = { 1, 'z', 'R', 'S', 0, CIE_REST, 0 };
static const uint8_t named_cie[sizeof(arch_cie)] = { 1, 'z', 'R', 0, CIE_REST, 0, 0 };
const uint8_t *const arch_gdb_cie = named_cie;
const size_t arch_cie_size = sizeof(arch_cie);

/* @entry is where the site calls to: a part may have its rare code in front. */
struct parts {
	const uint8_t *enter, *entry, *enter_end;
	const uint8_t *args, *args_end;
	const uint8_t *leave, *leave_end;
	size_t frame;
};

#define PARTS(_enter, _entry, _args, _leave, _frame) {			\
	.enter = part_##_enter, .entry = _entry, .enter_end = part_##_enter##_end, \
	.args = part_##_args, .args_end = part_##_args##_end,		\
	.leave = part_##_leave, .leave_end = part_##_leave##_end,	\
	.frame = _frame,						\
}

/* Alignment of the vector area costs at most 48 bytes: frames are 16-aligned. */
#define VEC_FRAME(bytes)	(REGS_size + (bytes) + 48)

static const struct parts parts_of[] = {
	[TRAMP_CLASS_NOREGS] = PARTS(compact_enter, part_compact_enter, compact_args,
				     compact_leave, ARGS_size),
	[TRAMP_CLASS_ARGS] = PARTS(compact_enter, part_compact_enter, compact_args,
				   compact_leave, ARGS_size),
	[TRAMP_CLASS_ARGS_RESERVED] = PARTS(reserved_enter, part_reserved_enter,
					    regs_args, reserved_leave, REGS_size),
	[TRAMP_CLASS_REGS] = PARTS(regs_enter, part_regs_entry, regs_args, regs_leave, REGS_size),
};

static const struct parts vec_parts[] = {
	PARTS(vec_sse_enter, part_vec_sse_entry, vec_args, vec_sse_leave, VEC_FRAME(256)),
	PARTS(vec_avx_enter, part_vec_avx_entry, vec_args, vec_avx_leave, VEC_FRAME(512)),
	PARTS(vec_avx512_enter, part_vec_avx512_entry, vec_args, vec_avx512_leave, VEC_FRAME(2112)),
};

static const struct parts *parts(enum tramp_class class)
{
	if (class != TRAMP_CLASS_VEC)
		return &parts_of[class];
	/* __builtin_cpu_supports() also asks whether the system saves the state. */
	if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw"))
		return &vec_parts[2];
	return &vec_parts[__builtin_cpu_supports("avx") ? 1 : 0];
}

size_t arch_frame_size(enum tramp_class class)
{
	return parts(class)->frame;
}

/*
 * The site's word, or a movabs; a movabs with an indirect call; a veneer and two
 * words behind.  What a set adds, all of it with four-byte addresses: see below.
 */
#define FREGS_SIZE	5
#define OPS_MAX		11
#define CALL_MAX	12
#define TAIL_MAX	32
#define GUARD_SIZE	33
#define NOTE_SIZE	18

size_t arch_image_size(enum tramp_class class, unsigned int nr)
{
	const struct parts *p = parts(class);
	size_t args = p->args_end - p->args, leave = p->leave_end - p->leave;
	size_t one = (p->enter_end - p->enter) + args + FREGS_SIZE + OPS_MAX + CALL_MAX + leave + TAIL_MAX;

	if (nr < 2)
		return one;
	return one + GUARD_SIZE + NOTE_SIZE + args + FREGS_SIZE + CALL_MAX + leave +
	       (nr - 1) * (NOTE_SIZE + FREGS_SIZE + OPS_MAX + CALL_MAX);
}

static bool reaches(uintptr_t next, uintptr_t target)
{
	intptr_t d = target - next;

	return d == (int32_t)d;
}

static void put_rel32(struct tramp_code *code, uintptr_t target)
{
	uintptr_t next = code->pc + code->len + 4;
	int32_t d = target - next;

	if (!reaches(next, target) && !code->err)
		code->err = -ERANGE;
	tramp_code_put(code, &d, sizeof(d));
}

#define PUT(code, ...) do {						\
	const uint8_t bytes_[] = { __VA_ARGS__ };			\
	tramp_code_put(code, bytes_, sizeof(bytes_));			\
} while (0)

void arch_emit_enter(struct tramp_code *code, enum tramp_class class)
{
	const struct parts *p = parts(class);

	code->class = class;
	code->entry = code->pc + code->len + (p->entry - p->enter);
	tramp_code_put_part(code, p->enter, p->enter_end);
}

static void put_args(struct tramp_code *code)
{
	const struct parts *p = parts(code->class);

	tramp_code_put(code, p->args, p->args_end - p->args);
}

/* The frame's address and what it holds: asm/ftrace.h. */
static void put_fregs(struct tramp_code *code, bool hide)
{
	uint8_t tag = code->class | (hide ? FREGS_STRICT : 0);

	if (code->class == TRAMP_CLASS_VEC)
		PUT(code, 0x48, 0x8d, 0x4d, tag);	/* lea tag(%rbp), %rcx */
	else if (code->class != TRAMP_CLASS_NOREGS)
		PUT(code, 0x48, 0x8d, 0x4c, 0x24, tag);	/* lea tag(%rsp), %rcx */
}

void arch_emit_args(struct tramp_code *code)
{
	put_args(code);
	put_fregs(code, false);
}

void arch_emit_ops(struct tramp_code *code, const struct ftrace_ops *ops)
{
	uintptr_t value = (uintptr_t)ops;

	if (reaches(code->pc + code->len + 7, value)) {
		PUT(code, 0x48, 0x8d, 0x15);		/* lea ops(%rip), %rdx */
		put_rel32(code, value);
	} else {
		PUT(code, 0x48, 0xba);			/* movabs $ops, %rdx */
		tramp_code_put(code, &value, sizeof(value));
	}
}

/* --- guarded sets --- */

/*
 * tramp_path lies at one distance from every thread's %fs (psABI, variant II of
 * thread-local storage).  A plain compare and store, no bts: nobody but this
 * thread and its signal handlers looks, and those leave it as they found it.
 */
static void put_path(struct tramp_code *code, const void *member)
{
	int32_t d = (uintptr_t)member - arch_thread_pointer();

	tramp_code_put(code, &d, sizeof(d));
}

void arch_emit_guard(struct tramp_code *code)
{
	PUT(code, 0x64, 0x80, 0x3c, 0x25);		/* cmpb $0, %fs:inside */
	put_path(code, &tramp_path.guard.inside);
	PUT(code, 0);
	PUT(code, 0x0f, 0x85, 0, 0, 0, 0);		/* jne held */
	code->held = code->len - 4;
	PUT(code, 0x64, 0xc6, 0x04, 0x25);		/* movb $TRAMP_INSIDE, %fs:inside */
	put_path(code, &tramp_path.guard.inside);
	PUT(code, TRAMP_INSIDE);
}

void arch_emit_unguard(struct tramp_code *code)
{
	PUT(code, 0x64, 0xc6, 0x04, 0x25);		/* movb $0, %fs:inside */
	put_path(code, &tramp_path.guard.inside);
	PUT(code, 0);
	tramp_code_remember_rules(code);
}

void arch_emit_args_of_set(struct tramp_code *code, bool first, bool hide)
{
	const uint8_t mov = first ? 0x89 : 0x8b;	/* to memory, from memory */

	if (first)
		put_args(code);
	PUT(code, 0x64, 0x48, mov, 0x3c, 0x25);		/* mov %rdi, %fs:ip, or back */
	put_path(code, &tramp_path.ip);
	PUT(code, 0x64, 0x48, mov, 0x34, 0x25);		/* mov %rsi, %fs:parent_ip, or back */
	put_path(code, &tramp_path.parent_ip);
	put_fregs(code, hide);
}

/* The slot's words lie behind the code, where arch_emit_leave() puts them. */
void arch_emit_ops_slot(struct tramp_code *code)
{
	PUT(code, 0x48, 0x8b, 0x15, 0, 0, 0, 0);	/* mov slot_ops(%rip), %rdx */
	code->slot_ops = code->pc + code->len - 4;	/* for now: where its displacement is */
}

/* The word is 8 below the multiple of 8 at or before ip, which args has just left in rdi (site.c). */
void arch_emit_ops_word(struct tramp_code *code)
{
	PUT(code, 0x48, 0x89, 0xfa);			/* mov %rdi, %rdx */
	PUT(code, 0x48, 0x83, 0xe2, 0xf8);		/* and $-8, %rdx */
	PUT(code, 0x48, 0x8b, 0x52, 0xf8);		/* mov -8(%rdx), %rdx */
	code->word_read = code->pc + code->len;
}

void arch_emit_call(struct tramp_code *code, uintptr_t func)
{
	if (reaches(code->pc + code->len + X86_CALL_SIZE, func)) {
		PUT(code, X86_CALL);
		put_rel32(code, func);
	} else {
		PUT(code, 0x48, 0xb8);			/* movabs $func, %rax */
		tramp_code_put(code, &func, sizeof(func));
		PUT(code, 0xff, 0xd0);			/* call *%rax */
	}
}

_Static_assert(offsetof(struct ftrace_ops, func) == 0, "func(%rdx) needs no displacement");

void arch_emit_call_ops(struct tramp_code *code)
{
	PUT(code, 0xff, 0x12);				/* call *(%rdx) */
}

/*
 * At first the call goes to the veneer, whose word holds the callee; the core
 * then re-points it, and arch_slot_encode() calls what it can reach directly.
 */
void arch_emit_call_slot(struct tramp_code *code, uintptr_t func)
{
	code->slot = code->pc + code->len;
	code->slot_far = func;				/* for now: the word's value */
	PUT(code, X86_CALL, 0, 0, 0, 0);
}

static void patch_rel32(struct tramp_code *code, uintptr_t at, uintptr_t target)
{
	int32_t d = target - (at + 4);

	if (!code->err)
		memcpy(code->w + (at - code->pc), &d, sizeof(d));
}

void arch_emit_held(struct tramp_code *code)
{
	patch_rel32(code, code->pc + code->held, code->pc + code->len);
	tramp_code_restore_rules(code);
}

/* The veneer, its word and the ops word, behind the code that uses them. */
static void put_slot(struct tramp_code *code)
{
	uintptr_t func = code->slot_far, none = 0, veneer;

	while (code->len % 8 != 2 && !code->err)
		PUT(code, X86_INT3);
	veneer = code->pc + code->len;
	PUT(code, 0xff, 0x25, 0, 0, 0, 0);		/* jmp *0(%rip): the next word */
	code->data = code->len;
	code->slot_far = code->pc + code->len;
	tramp_code_put(code, &func, sizeof(func));
	patch_rel32(code, code->slot + 1, veneer);
	if (code->slot_ops) {
		patch_rel32(code, code->slot_ops, code->pc + code->len);
		code->slot_ops = code->pc + code->len;
		tramp_code_put(code, &none, sizeof(none));
	}
}

void arch_emit_leave(struct tramp_code *code)
{
	const struct parts *p = parts(code->class);

	tramp_code_put_part(code, p->leave, p->leave_end);
	if (code->slot)
		put_slot(code);
}

void arch_slot_encode(const struct tramp_code *code, unsigned long func,
		      uint8_t bytes[ARCH_POKE_MAX])
{
	uintptr_t next = code->slot + X86_CALL_SIZE, target = func;
	int32_t d;

	if (!reaches(next, target)) {
		/* six bytes before the word: the jump through it */
		__atomic_store_n((uint64_t *)(code->w + (code->slot_far - code->pc)), func,
				 __ATOMIC_RELEASE);
		target = code->slot_far - 6;
	}
	d = target - next;
	bytes[0] = X86_CALL;
	memcpy(bytes + 1, &d, sizeof(d));
}
