/* SPDX-License-Identifier: MIT */
/* Has the port encode every form of encodings.S, and compares (BUG-16 BUG-36). */
#include <errno.h>
#include <string.h>
#include "core/arch.h"
#include "harness/tester/golden.h"
#include "harness/tester/listing.h"
#include "harness/tester/tap.h"
#include "test/encodings.h"

struct form {
	const char	*name;
	long		kind;
	unsigned long	arg;
	long		err;
	const uint8_t	*start, *end;
};

extern const struct form __start_encodings[], __stop_encodings[];

_Static_assert(E_INVAL == EINVAL && E_RANGE == ERANGE, "what the assembler has to be told");

static void repoint(struct tramp_code *code, unsigned long func)
{
	uint8_t bytes[ARCH_POKE_MAX];

	arch_slot_encode(code, func, bytes);
	memcpy(code->w + (code->slot - code->pc), bytes, arch_site_size);
}

static void emit(struct tramp_code *code, const struct form *f)
{
	code->class = TRAMP_CLASS_NOREGS;
	switch (f->kind) {
	case OPS:
		arch_emit_ops(code, (const struct ftrace_ops *)f->arg);
		break;
	case OPS_WORD:
		arch_emit_ops_word(code);
		break;
	case CALL_OPS:
		arch_emit_call_ops(code);
		break;
	case CALL_TWICE:
		arch_emit_call(code, f->arg);
		/* fall through */
	case CALL:
		arch_emit_call(code, f->arg);
		break;
	case SLOT:
		arch_emit_ops_slot(code);
		arch_emit_call_slot(code, SLOT_FIRST);
		break;
	}
	if (NEEDS_LEAVE || f->kind == SLOT)
		arch_emit_leave(code);
	if (f->kind == SLOT)
		repoint(code, f->arg);
}

/* The bytes of @f by the port, and its verdict. */
static int encode(const struct form *f, uint8_t *buf, size_t cap, size_t *len)
{
	struct tramp_code code = { .w = buf, .pc = PC, .cap = cap };
	int err;

	if (f->kind == SITE) {
		err = arch_site_encode(PC, f->arg, buf);
		*len = err ? 0 : arch_site_size;
		return err;
	}
	emit(&code, f);
	*len = code.len;
	return code.err;
}

static bool good_bytes(const struct form *f)
{
	_Alignas(8) uint8_t buf[256];
	size_t len, want = f->end - f->start;
	int err = encode(f, buf, sizeof(buf), &len);

	if (err != f->err)
		tap_note("the error is %d, want %ld", err, f->err);
	if (len != want || memcmp(buf, f->start, len)) {
		listing_diff(f->start, want, buf, len, PC);
		return false;
	}
	return err == f->err;
}

static bool good_place(const struct form *f)
{
	unsigned long rec = (unsigned long)f->start, ip = rec, word = 0;
	unsigned long want = f->kind == LOCATE_WORD ? rec : 0;
	int err = arch_site_locate(rec, &ip, &word);

	if (err == f->err && ip - rec == f->arg && word == want)
		return true;
	tap_note("error %d, %lu bytes in, %s word; want %ld, %lu, %s", err, ip - rec, word ? "a" : "no",
		 f->err, f->arg, want ? "a word" : "none");
	return false;
}

static bool good_site(const struct form *f)
{
	unsigned long rec = (unsigned long)f->start, addr;
	uint8_t nop[ARCH_POKE_MAX];

	if (f->kind != PREPARE)
		return good_place(f);
	return arch_site_prepare(rec + PREPARE_LEAD, &addr, nop) == f->arg && addr == rec;
}

/* --- room --- */

/* The longest code that a strategy can ask for: all out of reach, or a slot. */
static void emit_one(struct tramp_code *code, enum tramp_class class, bool slot)
{
	arch_emit_enter(code, class);
	arch_emit_args(code);
	if (slot) {
		arch_emit_ops_slot(code);
		arch_emit_call_slot(code, 1);
	} else {
		arch_emit_ops(code, (const struct ftrace_ops *)1);
		arch_emit_call(code, 1);
	}
	arch_emit_leave(code);
}

static void emit_set(struct tramp_code *code, enum tramp_class class, unsigned int nr)
{
	arch_emit_enter(code, class);
	arch_emit_guard(code);
	for (unsigned int i = 0; i < nr; i++) {
		arch_emit_args_of_set(code, !i, true);
		arch_emit_ops(code, (const struct ftrace_ops *)1);
		arch_emit_call(code, 1);
	}
	arch_emit_unguard(code);
	arch_emit_leave(code);
	arch_emit_held(code);
	arch_emit_args(code);
	arch_emit_call(code, 1);
	arch_emit_leave(code);
}

static int emit_in(size_t cap, enum tramp_class class, unsigned int nr, bool slot, size_t *len)
{
	static _Alignas(8) uint8_t buf[65536];
	struct tramp_code code = { .w = buf, .pc = PC, .cap = cap };

	if (nr > 1)
		emit_set(&code, class, nr);
	else
		emit_one(&code, class, slot);
	*len = code.len;
	return code.err;
}

static bool has_room(enum tramp_class class, unsigned int nr, bool slot)
{
	size_t cap = arch_image_size(class, nr), len, less;
	int err = emit_in(cap, class, nr, slot, &len);
	/* And the writer notices when there is none. */
	int none = emit_in(len - 1, class, nr, slot, &less);

	if (err)
		tap_note("%u calls%s: error %d in %zu bytes", nr, slot ? ", a slot" : "", err, cap);
	if (none != -ENOSPC)
		tap_note("%zu bytes for %zu: error %d, want %d", len - 1, len, none, -ENOSPC);
	return !err && none == -ENOSPC;
}

static void check_room(enum tramp_class class)
{
	static const unsigned int sets[] = { 2, 3, 64, 256 };
	bool ok = has_room(class, 1, false) && has_room(class, 1, true);

	/* Class noregs has none. */
	for (size_t i = 0; i < sizeof(sets) / sizeof(*sets) && class != TRAMP_CLASS_NOREGS; i++)
		ok = has_room(class, sets[i], false) && ok;
	(ok ? tap_ok : tap_not_ok)("image_size holds the longest code of %s", tramp_class_names[class]);
}

unsigned int encodings_nr(void)
{
	return __stop_encodings - __start_encodings + TRAMP_NR_CLASSES;
}

void encodings_run(void)
{
	for (const struct form *f = __start_encodings; f < __stop_encodings; f++) {
		bool site = f->kind == LOCATE || f->kind == LOCATE_WORD || f->kind == PREPARE;

		((site ? good_site(f) : good_bytes(f)) ? tap_ok : tap_not_ok)("encoding %s", f->name);
	}
	for (int class = 0; class < TRAMP_NR_CLASSES; class++)
		check_room(class);
}
