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
	unsigned int k;
	int32_t disp;

	/* VEX.L0.0F.W1 90|91, ModRM: disp32(%rsp), mask */
	if (len < 10 || memcmp(p, "\xc4\xe1\xf8", 3) || (p[3] | 1) != 0x91 ||
	    (p[4] & 0xc7) != 0x84 || p[5] != 0x24)
		return 0;
	k = (p[4] >> 3) & 7;
	memcpy(&disp, p + 6, sizeof(disp));
	if (p[3] == 0x91)
		snprintf(text, size, "kmovq\t%%k%u, %#x(%%rsp)", k, disp);
	else
		snprintf(text, size, "kmovq\t%#x(%%rsp), %%k%u", disp, k);
	return 10;
}

/*
 * Does the disassembler's line, of an instruction that ends at @next, name an
 * address?  It then stands in [*from, *to) as a number.
 */
static inline bool listing_address(const char *text, unsigned long next, const char **from,
				  const char **to, unsigned long *addr)
{
	const char *rip = strstr(text, "(%rip)"), *tls = strstr(text, "%fs:"), *p;
	char *end;

	if (tls) {		/* the offset of a thread-local variable */
		*from = tls + 4;
		*addr = strtoul(*from, &end, 0);
		*to = end;
		return true;
	}
	if (rip) {
		for (p = rip; p[-1] != '\t' && p[-1] != ' ' && p[-1] != '*'; p--)
			;
		*from = p;
		*to = rip;
		*addr = next + strtol(p, NULL, 0);
		return true;
	}
	p = strchr(text, '\t');
	if (!p || strncmp(p + 1, "0x", 2))
		return false;
	*from = p + 1;
	*addr = strtoul(p + 1, &end, 0);
	*to = end;
	return !*end;
}

/* Nothing happens there any more. */
static inline void listing_erase(uint8_t *p, size_t len)
{
	memset(p, 0x90, len);
}

/* Between the code and what lies behind it; nobody comes there. */
static inline bool listing_is_filler(const uint8_t *p)
{
	return *p == 0xcc;
}

#endif
