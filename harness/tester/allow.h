/* SPDX-License-Identifier: MIT */
/*
 * arch/ARCH/mutants.allow: instructions that no case misses, each with the
 * reason.  A line is
 *
 *	STRATEGY/CLASS : INSTRUCTION : REASON
 *
 * the first a glob, the second as mutants prints it.  A reason that begins with
 * "either way" is for what the compiler's choices decide: caught or not, both go.
 */
#ifndef TRAMPLAB_ALLOW_H
#define TRAMPLAB_ALLOW_H

#include <stdbool.h>

struct allow {
	char		*subject, *insn, *reason;
	unsigned int	line;
	unsigned int	survived, caught;	/* mutants that it names */
	const char	*caught_in;
};

/* Exits with a message when @path cannot be read or makes no sense. */
void allow_read(const char *path);
/* Is the survivor @insn of @subject allowed? */
bool allow_survivor(const char *subject, const char *insn);
/* @insn of @subject was caught: a line that allows it is out of date. */
void allow_caught(const char *subject, const char *insn);
unsigned int allow_nr(void);
/* One result a line; @tested: was a subject of that glob tested? */
void allow_report(bool (*tested)(const char *glob));

#endif
