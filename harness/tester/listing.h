/* SPDX-License-Identifier: MIT */
/* Generated code for people: instruction boundaries, disassembly, differences. */
#ifndef TRAMPLAB_LISTING_H
#define TRAMPLAB_LISTING_H

#include <stddef.h>
#include <stdint.h>

struct listing_insn {
	size_t	at, len;	/* in the code */
	char	text[112];	/* as the assembler reads it */
};

struct listing {
	size_t			nr;
	struct listing_insn	*insn;
};

/* The instructions of @code, which runs at @pc, up to the first byte that is none. */
void listing_read(struct listing *l, const uint8_t *code, size_t len, uintptr_t pc);
void listing_free(struct listing *l);

/* Notes (tap.h): two columns of bytes, arrows where they differ, and the code around the first. */
void listing_diff(const uint8_t *want, size_t want_len, const uint8_t *got, size_t got_len,
		  uintptr_t pc);

#endif
