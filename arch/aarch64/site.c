/* SPDX-License-Identifier: MIT */
/*
 * AArch64 sites.  The word is there when compiled with 4,2 and not with 2.
 *
 *		compiled	disabled	enabled
 *	F-8	nop nop		word		word		8-aligned, or left alone
 *	F	[bti c]		[bti c]		[bti c]		never touched
 *	F, +4	nop		mov x9, x30	mov x9, x30
 *	F+4, +8	nop		nop		bl target	ip
 *
 * What signs the return address (paciasp) comes behind: at the site it is plain.
 */
#include <errno.h>
#include <string.h>
#include "core/arch.h"
#include "core/core.h"
#include "a64.h"

const unsigned int arch_site_size = A64_SIZE;
const unsigned int arch_prepare_size = 2 * A64_SIZE;
const uint8_t arch_trap_byte = A64_UDF & 0xff;
/* imm26: down; up it is one instruction less. */
const unsigned long arch_reach = 1UL << 27;

/* As compiled, or as a module left it that has been here before. */
static bool is_pair(const uint32_t *p)
{
	return (p[0] == A64_NOP || p[0] == A64_MOV_X9_X30) && p[1] == A64_NOP;
}

static bool is_room(const uint32_t *p)
{
	const unsigned long nobody = (unsigned long)&ftrace_nop_ops;

	return (p[0] == A64_NOP && p[1] == A64_NOP) || !memcmp(p, &nobody, sizeof(nobody));
}

static const uint32_t *behind_pad(const uint32_t *p)
{
	return *p == A64_BTI_C ? p + 1 : p;
}

/* The entries find it from the resume address, behind a bti or not: see arch_emit_ops_word(). */
static unsigned long word_of(unsigned long ip)
{
	return ((ip + A64_SIZE) & ~7UL) - 16;
}

/*
 * Four nops in a row are taken for a word and a site.  If they are a site and a
 * body that begins with nops, the site is eight bytes late, where nothing has
 * happened yet; that the room is none, the function's symbol tells the core.
 */
int arch_site_locate(unsigned long rec, unsigned long *ip, unsigned long *word)
{
	const uint32_t *p = (const uint32_t *)rec, *site = behind_pad(p);
	bool room = is_room(p) && is_pair(behind_pad(p + 2));

	if (rec % A64_SIZE)
		return -EINVAL;
	/* A debugger's breakpoint on the function: the room before it is no site. */
	if (is_room(p) && p[2] == A64_BRK)
		return -EINVAL;
	if (room)
		site = behind_pad(p + 2);
	if (!is_pair(site))
		return -EINVAL;
	*ip = (unsigned long)(site + 1);
	*word = room && rec == word_of(*ip) ? rec : 0;
	return 0;
}

bool arch_site_prepare(unsigned long ip, unsigned long *addr, uint8_t bytes[ARCH_POKE_MAX])
{
	static const uint32_t pair[] = { A64_MOV_X9_X30, A64_NOP };

	*addr = ip - A64_SIZE;
	memcpy(bytes, pair, sizeof(pair));
	return memcmp((const void *)*addr, pair, sizeof(pair)) != 0;
}

int arch_site_encode(unsigned long ip, unsigned long target, uint8_t bytes[ARCH_POKE_MAX])
{
	uint32_t insn = target ? a64_bl(ip, target) : A64_NOP;

	if (target && !a64_bl_reaches(ip, target))
		return -ERANGE;
	memcpy(bytes, &insn, sizeof(insn));
	return 0;
}
