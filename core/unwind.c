/* SPDX-License-Identifier: MIT */
/*
 * Unwinding through generated code: backtraces from a callback, exceptions and
 * thread cancellation pass trampolines as they pass any function.  The rules
 * are those that the assembler wrote for the port's parts; here they are found
 * by the part's address, strung together, and registered with the unwinder.
 * Formats: DWARF 4, 6.4; Linux Standard Base, "Exception Frames".
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "core.h"

/* libgcc's, and part of its ABI, but in no installed header. */
struct dwarf_eh_bases { void *tbase, *dbase, *func; };
extern const void *_Unwind_Find_FDE(void *pc, struct dwarf_eh_bases *bases);
/* With memory for its bookkeeping, seven words: it would not notice that malloc() gave it none. */
struct object { void *word[16]; };
extern void __register_frame_info(const void *begin, struct object *object);
extern void *__deregister_frame_info(const void *begin);

enum {
	CFA_ADVANCE_LOC		= 0x40,		/* high two bits, like the next two */
	CFA_OFFSET		= 0x80,
	CFA_RESTORE		= 0xc0,
	CFA_ADVANCE_LOC1	= 0x02,
	CFA_ADVANCE_LOC2	= 0x03,
	CFA_ADVANCE_LOC4	= 0x04,
	CFA_OFFSET_EXTENDED	= 0x05,
	CFA_SAME_VALUE		= 0x08,
	CFA_REGISTER		= 0x09,
	CFA_REMEMBER_STATE	= 0x0a,
	CFA_RESTORE_STATE	= 0x0b,
	CFA_DEF_CFA		= 0x0c,
	CFA_DEF_CFA_REGISTER	= 0x0d,
	CFA_DEF_CFA_OFFSET	= 0x0e,
};

static const uint8_t *get_uleb(const uint8_t *p, unsigned long *value)
{
	*value = 0;
	for (unsigned int shift = 0; ; shift += 7) {
		*value |= (*p & 0x7fUL) << shift;
		if (!(*p++ & 0x80))
			return p;
	}
}

/* One instruction; what the CIE's factors apply to is in bytes, as in arch_cie: 1 and -8. */
struct cfi {
	uint8_t		op;		/* CFA_ADVANCE_LOC, CFA_OFFSET_EXTENDED for all their forms */
	unsigned int	nr;		/* operands */
	unsigned long	operand[2];
};

/* Assemblers count code in bytes or in instructions, and data in 4 or 8 bytes, downwards. */
struct factors { unsigned long code, data; };

static unsigned int operands(uint8_t op)
{
	switch (op) {
	case 0:
	case CFA_REMEMBER_STATE:
	case CFA_RESTORE_STATE:
		return 0;
	case CFA_SAME_VALUE:
	case CFA_DEF_CFA_REGISTER:
	case CFA_DEF_CFA_OFFSET:
		return 1;
	case CFA_OFFSET_EXTENDED:
	case CFA_REGISTER:
	case CFA_DEF_CFA:
		return 2;
	}
	return ~0U;
}

static size_t advance_size(uint8_t op)
{
	return op == CFA_ADVANCE_LOC1 ? 1 : op == CFA_ADVANCE_LOC2 ? 2 : op == CFA_ADVANCE_LOC4 ? 4 : 0;
}

/* Reads one; NULL: unknown. */
static const uint8_t *cfi_get(const uint8_t *p, const struct factors *f, struct cfi *cfi)
{
	uint8_t op = *p++;
	uint32_t advance = 0;

	*cfi = (struct cfi){ .op = op & 0xc0 ? op & 0xc0 : op, .operand = { op & 0x3f } };
	if (cfi->op == CFA_ADVANCE_LOC || advance_size(op)) {
		memcpy(&advance, p, advance_size(op));
		p += advance_size(op);
		cfi->operand[0] = f->code * (cfi->op == CFA_ADVANCE_LOC ? cfi->operand[0] : advance);
		cfi->op = CFA_ADVANCE_LOC;
		return p;
	}
	if (cfi->op == CFA_RESTORE)
		return p;
	if (cfi->op == CFA_OFFSET) {
		p = get_uleb(p, &cfi->operand[1]);
		cfi->op = CFA_OFFSET_EXTENDED;
		cfi->nr = 2;
	} else {
		cfi->nr = operands(op);
		if (cfi->nr > 2)
			return NULL;
		for (unsigned int i = 0; i < cfi->nr; i++)
			p = get_uleb(p, &cfi->operand[i]);
	}
	if (cfi->op == CFA_OFFSET_EXTENDED)
		cfi->operand[1] *= f->data;
	return p;
}

static void cfi_put(struct tramp_code *code, const void *p, size_t n)
{
	if (code->cfi && n <= code->cfi_cap - code->cfi_len) {
		memcpy(code->cfi + code->cfi_len, p, n);
		code->cfi_len += n;
	} else {
		/* Half the rules would be wrong ones. */
		code->cfi_cap = code->cfi_len = 0;
	}
}

static void cfi_put_uleb(struct tramp_code *code, unsigned long value)
{
	uint8_t byte;

	do {
		byte = (value & 0x7f) | (value > 0x7f ? 0x80 : 0);
		cfi_put(code, &byte, 1);
	} while (value >>= 7);
}

static void cfi_put_advance(struct tramp_code *code, uint32_t bytes)
{
	uint8_t to[5] = { CFA_ADVANCE_LOC4 };

	memcpy(to + 1, &bytes, sizeof(bytes));
	if (bytes < 0x40)
		*to = CFA_ADVANCE_LOC | bytes;
	cfi_put(code, to, bytes < 0x40 ? 1 : sizeof(to));
}

static void cfi_copy(struct tramp_code *code, const struct cfi *cfi)
{
	uint8_t op = cfi->op == CFA_RESTORE ? CFA_RESTORE | cfi->operand[0] : cfi->op;

	if (op == CFA_ADVANCE_LOC) {
		cfi_put_advance(code, cfi->operand[0]);
		code->cfi_at += cfi->operand[0];
		return;
	}
	cfi_put(code, &op, 1);
	for (unsigned int i = 0; i < cfi->nr; i++)
		cfi_put_uleb(code, cfi->op == CFA_OFFSET_EXTENDED && i ? cfi->operand[i] / 8 : cfi->operand[i]);
}

/* A CIE's factors; both fit a byte, the second as sleb128. */
static struct factors fde_factors(const void *fde)
{
	const uint8_t *p = (const uint8_t *)fde + 4;
	uint32_t back;

	memcpy(&back, p, sizeof(back));
	p += sizeof(back) + 1 - back + 4;	/* behind its length, id and version */
	p += strlen((const char *)p) + 1;
	return (struct factors){ .code = p[0], .data = 0x80 - p[1] };
}

/* The instructions of an FDE whose addresses take four bytes each, as assemblers write them. */
static const uint8_t *fde_program(const void *fde, const uint8_t **end)
{
	const uint8_t *p = fde;
	uint32_t length;

	memcpy(&length, p, sizeof(length));
	*end = p + 4 + length;
	p += 16;			/* length, CIE pointer, begin, range */
	return p + 1 + *p;		/* augmentation data */
}

static void cfi_part(struct tramp_code *code, const void *fde)
{
	const struct factors f = fde_factors(fde);
	const uint8_t *p, *end;
	struct cfi cfi;

	for (p = fde_program(fde, &end); p && p < end; ) {
		p = cfi_get(p, &f, &cfi);
		if (p)
			cfi_copy(code, &cfi);
		else
			code->cfi_cap = code->cfi_len = 0;
	}
}

/* Rules that follow are valid from here on. */
static void cfi_advance(struct tramp_code *code)
{
	cfi_put_advance(code, code->len - code->cfi_at);
	code->cfi_at = code->len;
}

static void cfi_put_here(struct tramp_code *code, uint8_t op)
{
	cfi_advance(code);
	cfi_put(code, &op, 1);
}

void tramp_code_remember_rules(struct tramp_code *code)
{
	cfi_put_here(code, CFA_REMEMBER_STATE);
}

void tramp_code_restore_rules(struct tramp_code *code)
{
	cfi_put_here(code, CFA_RESTORE_STATE);
}

void tramp_code_put_part(struct tramp_code *code, const void *start, const void *end)
{
	struct dwarf_eh_bases bases;
	const void *fde = code->cfi ? _Unwind_Find_FDE((char *)start + 1, &bases) : NULL;

	if (!fde)
		code->cfi_cap = 0;
	cfi_advance(code);
	tramp_code_put(code, start, (const char *)end - (const char *)start);
	if (fde)
		cfi_part(code, fde);
}

static uint8_t *put(uint8_t *p, const void *from, size_t n)
{
	memcpy(p, from, n);
	return p + n;
}

static size_t round8(size_t n)
{
	return (n + 7) & ~7UL;
}

static struct object *object_of(void *frame)
{
	return (struct object *)frame - 1;
}

/* CIE, FDE, end: an .eh_frame of one function, behind the unwinder's object for it. */
static uint8_t *build(const struct tramp_code *code, size_t *size)
{
	uint32_t cie_len = 4 + arch_cie_size;
	uint32_t fde_len = round8(4 + 4 + 16 + 1 + code->cfi_len) - 4;
	uint32_t zero = 0, cie_pointer = 4 + cie_len + 4;
	uint64_t begin = code->pc, range = code->len;
	struct object *object;
	uint8_t *p;

	*size = 4 + cie_len + 4 + fde_len + 4;
	object = calloc(1, sizeof(*object) + *size);
	p = (uint8_t *)(object + 1);
	if (!object)
		return NULL;
	p = put(p, &cie_len, 4);
	p = put(p, &zero, 4);
	p = put(p, arch_cie, arch_cie_size);
	p = put(p, &fde_len, 4);
	p = put(p, &cie_pointer, 4);
	p = put(p, &begin, 8);
	p = put(p, &range, 8);
	p = put(p, "", 1);		/* no augmentation data */
	put(p, code->cfi, code->cfi_len);
	return (uint8_t *)(object + 1);
}

void tramp_unwind_for_gdb(const struct tramp_image *image, void *to)
{
	memcpy(to, image->unwind, image->unwind_size);
	memcpy((char *)to + 8, arch_gdb_cie, arch_cie_size);	/* behind its length and id */
}

int tramp_unwind_add(struct tramp_image *image)
{
	struct dwarf_eh_bases bases;

	if (!image->code.cfi_len)
		return 0;
	image->unwind = build(&image->code, &image->unwind_size);
	if (!image->unwind)
		return tramp_fail(-ENOMEM, "out of memory");
	__register_frame_info(image->unwind, object_of(image->unwind));
	/* It sorts what it has got when it is first asked, and allocates for that: not in a signal handler. */
	_Unwind_Find_FDE((void *)image->code.pc, &bases);
	/* They have been copied, and were most of what an image takes. */
	free(image->code.cfi);
	image->code.cfi = NULL;
	return 0;
}

void tramp_unwind_del(struct tramp_image *image)
{
	if (!image->unwind)
		return;
	__deregister_frame_info(image->unwind);
	free(object_of(image->unwind));
}

/*
 * A static program gives up its rules with its last destructors but for those of
 * the highest priority, and a walk from there on aborts (libgcc, uw_init_context).
 */
__in_handler bool tramp_can_unwind(void)
{
	struct dwarf_eh_bases bases;

	return _Unwind_Find_FDE((char *)tramp_can_unwind + 1, &bases);
}
