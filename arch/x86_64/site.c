/* SPDX-License-Identifier: MIT */
/*
 * x86-64 sites.
 *
 *	compiled by gcc		90 90 90 90 90		five nops
 *	compiled by clang	0f 1f 44 00 08		one nop, whatever its displacement
 *	disabled		0f 1f 44 00 00		one nop
 *	enabled			e8 rel32		call
 *
 * each at the function, or behind its endbr64, which is never touched.  Five
 * nops are made one before other threads run them: a thread that stands between
 * two of them would resume in the middle of the call.
 *
 * With =13,8 the record points to eight more nops before the function: the
 * site's word, data from then on.  The entry finds it from the site's address,
 * 8 below the multiple of 8 at or before it, with and without an endbr64:
 *
 *	F-8  word	F  [endbr64]  site
 *
 * provided that F is a multiple of 8.  Where it is not (gcc aligns neither cold
 * functions nor any with -Os), a store of the word could tear: no word.
 */
#include <errno.h>
#include <string.h>
#include "core/arch.h"
#include "core/core.h"
#include "x86.h"

const unsigned int arch_site_size = X86_CALL_SIZE, arch_prepare_size = X86_CALL_SIZE;
const uint8_t arch_trap_byte = X86_INT3;
/* rel32: down; up it is one byte less. */
const unsigned long arch_reach = 1UL << 31;

#define WORD_SIZE 8

static const uint8_t nop5[] = { X86_NOP5 };
static const uint8_t endbr64[] = { X86_ENDBR64 };

static bool is_nops(const uint8_t *p)
{
	static const uint8_t nops[] = { 0x90, 0x90, 0x90, 0x90, 0x90 };

	/* ModRM 44, SIB any, disp8 any: nopl disp8(base, index) */
	return !memcmp(p, nops, sizeof(nops)) || !memcmp(p, nop5, 3);
}

/* The site of a function that begins at @p, or NULL. */
static const uint8_t *site_of(const uint8_t *p)
{
	if (!memcmp(p, endbr64, sizeof(endbr64)))
		p += sizeof(endbr64);
	return is_nops(p) ? p : NULL;
}

/* As compiled, or as an addition left it that failed later. */
static bool is_room(const uint8_t *p)
{
	const unsigned long nobody = (unsigned long)&ftrace_nop_ops;

	if (!memcmp(p, &nobody, sizeof(nobody)))
		return true;
	for (unsigned int i = 0; i < WORD_SIZE; i++)
		if (p[i] != X86_NOP)
			return false;
	return true;
}

int arch_site_locate(unsigned long rec, unsigned long *ip, unsigned long *word)
{
	const uint8_t *p = (const uint8_t *)rec;
	const uint8_t *site = is_room(p) ? site_of(p + WORD_SIZE) : NULL;

	*word = site && rec % WORD_SIZE == 0 ? rec : 0;
	/* A debugger's breakpoint on the function: the room before it is no site. */
	if (!site && !(is_room(p) && p[WORD_SIZE] == X86_INT3))
		site = site_of(p);
	if (!site)
		return -EINVAL;
	*ip = (unsigned long)site;
	return 0;
}

bool arch_site_prepare(unsigned long ip, unsigned long *addr, uint8_t bytes[ARCH_POKE_MAX])
{
	*addr = ip;
	memcpy(bytes, nop5, sizeof(nop5));
	return memcmp((const void *)ip, nop5, sizeof(nop5)) != 0;
}

int arch_site_encode(unsigned long ip, unsigned long target, uint8_t bytes[ARCH_POKE_MAX])
{
	intptr_t d = target - (ip + X86_CALL_SIZE);
	int32_t rel = d;

	if (!target) {
		memcpy(bytes, nop5, sizeof(nop5));
		return 0;
	}
	if (rel != d)
		return -ERANGE;
	bytes[0] = X86_CALL;
	memcpy(bytes + 1, &rel, sizeof(rel));
	return 0;
}
