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
extern void __register_frame(void *begin);
extern void __deregister_frame(void *begin);

enum {
	CFA_ADVANCE_LOC		= 0x40,		/* high two bits, like the next two */
	CFA_OFFSET		= 0x80,
	CFA_RESTORE		= 0xc0,
	CFA_ADVANCE_LOC1	= 0x02,
	CFA_ADVANCE_LOC2	= 0x03,
	CFA_ADVANCE_LOC4	= 0x04,
	CFA_REMEMBER_STATE	= 0x0a,
	CFA_RESTORE_STATE	= 0x0b,
	CFA_DEF_CFA		= 0x0c,
	CFA_DEF_CFA_REGISTER	= 0x0d,
	CFA_DEF_CFA_OFFSET	= 0x0e,
};

static const uint8_t *skip_uleb(const uint8_t *p)
{
	while (*p++ & 0x80)
		;
	return p;
}

/* One instruction further; *@advance gets what it adds to the location. NULL: unknown. */
static const uint8_t *cfi_next(const uint8_t *p, size_t *advance)
{
	uint8_t op = *p++;

	*advance = 0;
	switch (op & 0xc0) {
	case CFA_ADVANCE_LOC:
		*advance = op & 0x3f;
		return p;
	case CFA_OFFSET:
		return skip_uleb(p);
	case CFA_RESTORE:
		return p;
	}
	switch (op) {
	case 0:
	case CFA_REMEMBER_STATE:
	case CFA_RESTORE_STATE:
		return p;
	case CFA_ADVANCE_LOC1:
		*advance = *p;
		return p + 1;
	case CFA_ADVANCE_LOC2:
		*advance = p[0] | p[1] << 8;
		return p + 2;
	case CFA_DEF_CFA:
		return skip_uleb(skip_uleb(p));
	case CFA_DEF_CFA_REGISTER:
	case CFA_DEF_CFA_OFFSET:
		return skip_uleb(p);
	}
	return NULL;
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

/* Rules that follow are valid from here on. */
static void cfi_advance(struct tramp_code *code)
{
	uint8_t to[5] = { CFA_ADVANCE_LOC4 };
	uint32_t gap = code->len - code->cfi_at;

	memcpy(to + 1, &gap, sizeof(gap));
	cfi_put(code, to, sizeof(to));
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
	const uint8_t *p, *next, *last;
	size_t advance;

	if (!fde)
		code->cfi_cap = 0;
	cfi_advance(code);
	tramp_code_put(code, start, (const char *)end - (const char *)start);
	if (!fde)
		return;
	for (p = fde_program(fde, &last); p < last; p = next) {
		next = cfi_next(p, &advance);
		if (!next) {
			code->cfi_cap = code->cfi_len = 0;
			return;
		}
		cfi_put(code, p, next - p);
		code->cfi_at += advance;
	}
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

/* CIE, FDE, end: an .eh_frame of one function. */
static uint8_t *build(const struct tramp_code *code)
{
	uint32_t cie_len = 4 + arch_cie_size;
	uint32_t fde_len = round8(4 + 4 + 16 + 1 + code->cfi_len) - 4;
	uint32_t zero = 0, cie_pointer = 4 + cie_len + 4;
	uint64_t begin = code->pc, range = code->len;
	uint8_t *frame = calloc(1, 4 + cie_len + 4 + fde_len + 4), *p = frame;

	if (!frame)
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
	return frame;
}

void tramp_unwind_add(struct tramp_image *image)
{
	if (!image->code.cfi_len)
		return;
	image->unwind = build(&image->code);
	if (image->unwind)
		__register_frame(image->unwind);
}

void tramp_unwind_del(struct tramp_image *image)
{
	if (image->unwind)
		__deregister_frame(image->unwind);
	free(image->unwind);
}
