/* SPDX-License-Identifier: MIT */
/* What listings must know of the machine, and capstone 4 does not. */
#ifndef TRAMPLAB_LISTING_ARCH_H
#define TRAMPLAB_LISTING_ARCH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An instruction that entry code uses and capstone lacks: its length and text, or 0. */
static inline size_t listing_unknown(const uint8_t *p, size_t len, char *text, size_t size)
{
	if (len < 4 || p[0] || p[1] || p[2] || p[3])
		return 0;
	snprintf(text, size, "udf\t#0");
	return 4;
}

static inline bool listing_branches(const char *text)
{
	static const char *const names[] = { "b\t", "bl\t", "b.", "cbz\t", "cbnz\t", "tbz\t", "tbnz\t", "adr" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strncmp(text, names[i], strlen(names[i])))
			return true;
	/* A load from an address, not from a register's. */
	return !strncmp(text, "ldr", 3) && !strchr(text, '[');
}

/*
 * Does the disassembler's line, of an instruction that ends at @next, name an
 * address?  It then stands in [*from, *to) as a number, the last operand.
 */
static inline bool listing_address(const char *text, unsigned long next, const char **from,
				   const char **to, unsigned long *addr)
{
	const char *number = strrchr(text, '#');
	char *end;

	(void)next;
	if (!number || !listing_branches(text))
		return false;
	*addr = strtoul(number + 1, &end, 0);
	*from = number;
	*to = end;
	return !*end;
}

/* Nothing happens there any more: nops. */
static inline void listing_erase(uint8_t *p, size_t len)
{
	static const uint8_t nop[] = { 0x1f, 0x20, 0x03, 0xd5 };

	for (size_t i = 0; i < len; i++)
		p[i] = nop[i % sizeof(nop)];
}

/* Between the code and what lies behind it; nobody comes there. */
static inline bool listing_is_filler(const uint8_t *p)
{
	static const uint8_t udf[4];

	return !memcmp(p, udf, sizeof(udf));
}

#endif
