/* SPDX-License-Identifier: MIT */
#include <capstone/capstone.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <listing_arch.h>
#include "harness/step/step_arch.h"
#include "listing.h"
#include "tap.h"

static csh disassembler(void)
{
	csh cs;

	if (cs_open(STEP_CS_ARCH, STEP_CS_MODE, &cs)) {
		fprintf(stderr, "listing: no disassembler for this port\n");
		exit(2);
	}
	STEP_CS_SYNTAX(cs);
	return cs;
}

/* The instruction at @p: its length and text; 0: it is none. */
static size_t read_insn(csh cs, const uint8_t *p, size_t len, uintptr_t pc, char *text, size_t size)
{
	size_t n = 0;
	cs_insn *insn;

	if (cs_disasm(cs, p, len, pc, 1, &insn)) {
		n = insn->size;
		snprintf(text, size, "%s%s%.70s", insn->mnemonic, *insn->op_str ? "\t" : "", insn->op_str);
		cs_free(insn, 1);
	}
	return n ? n : listing_unknown(p, len, text, size);
}

void listing_read(struct listing *l, const uint8_t *code, size_t len, uintptr_t pc)
{
	csh cs = disassembler();
	struct listing_insn *insn;

	l->nr = 0;
	l->insn = calloc(len + 1, sizeof(*l->insn));	/* a byte each at least */
	if (!l->insn)
		abort();
	for (size_t at = 0; at < len; at += insn->len) {
		insn = &l->insn[l->nr];
		insn->at = at;
		insn->len = read_insn(cs, code + at, len - at, pc + at, insn->text, sizeof(insn->text));
		if (!insn->len)
			break;
		l->nr++;
	}
	cs_close(&cs);
}

void listing_free(struct listing *l)
{
	free(l->insn);
	*l = (struct listing){ 0 };
}

#define ROW 8

static void put_row(char *out, const uint8_t *code, size_t len, size_t at)
{
	*out = 0;
	for (size_t i = at; i < at + ROW && i < len; i++)
		out += sprintf(out, "%02x ", code[i]);
}

static bool row_differs(const uint8_t *a, size_t a_len, const uint8_t *b, size_t b_len, size_t at)
{
	for (size_t i = at; i < at + ROW; i++)
		if ((i < a_len) != (i < b_len) || (i < a_len && a[i] != b[i]))
			return true;
	return false;
}

/* The instruction that holds the difference, one before and a few behind. */
static void around(const char *whose, const uint8_t *code, size_t len, uintptr_t pc, size_t at)
{
	struct listing l;
	size_t i;

	listing_read(&l, code, len, pc);
	for (i = 0; i < l.nr && l.insn[i].at + l.insn[i].len <= at; i++)
		;
	tap_note("%s", whose);
	for (i = i ? i - 1 : 0; i < l.nr && l.insn[i].at < at + 2 * ROW; i++)
		tap_note("  %s +0x%03zx  %s", l.insn[i].at <= at && at < l.insn[i].at + l.insn[i].len ?
			 "-->" : "   ", l.insn[i].at, l.insn[i].text);
	listing_free(&l);
}

/* Rows that differ, and the one before the first; code that is shifted differs to its end. */
#define ROWS_MAX 24

static void columns(const uint8_t *want, size_t want_len, const uint8_t *got, size_t got_len)
{
	size_t len = want_len > got_len ? want_len : got_len;
	char left[4 * ROW], right[4 * ROW];
	unsigned int rows = 0;

	tap_note("         %-*s %s", 3 * ROW, "want", "got");
	for (size_t at = 0; at < len && rows < ROWS_MAX; at += ROW) {
		bool differs = row_differs(want, want_len, got, got_len, at);

		if (!differs && !row_differs(want, want_len, got, got_len, at + ROW))
			continue;
		rows++;
		put_row(left, want, want_len, at);
		put_row(right, got, got_len, at);
		tap_note(" +0x%03zx  %-*s %-*s%s", at, 3 * ROW, left, 3 * ROW, right, differs ? "<--" : "");
	}
}

void listing_diff(const uint8_t *want, size_t want_len, const uint8_t *got, size_t got_len,
		  uintptr_t pc)
{
	size_t first = 0;

	while (first < want_len && first < got_len && want[first] == got[first])
		first++;
	columns(want, want_len, got, got_len);
	around("want", want, want_len, pc, first);
	around("got", got, got_len, pc, first);
}
