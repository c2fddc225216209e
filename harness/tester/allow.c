/* SPDX-License-Identifier: MIT */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "allow.h"
#include "tap.h"

#define EITHER	"either way"

static struct allow *allow;
static unsigned int nr_allow;

/* Cuts @s at the separator and gives what follows. */
static char *cut(char *s)
{
	char *sep = s ? strstr(s, " : ") : NULL;

	if (!sep)
		return NULL;
	*sep = '\0';
	return sep + 3;
}

static bool parse(struct allow *a, char *line, unsigned int number)
{
	*a = (struct allow){ .line = number, .subject = strdup(line) };
	a->insn = cut(a->subject);
	a->reason = cut(a->insn);
	return a->reason && *a->reason;
}

void allow_read(const char *path)
{
	FILE *f = fopen(path, "r");
	char line[512];

	if (!f) {
		perror(path);
		exit(2);
	}
	for (unsigned int number = 1; fgets(line, sizeof(line), f); number++) {
		line[strcspn(line, "\n")] = '\0';
		if (!*line || *line == '#')
			continue;
		allow = realloc(allow, (nr_allow + 1) * sizeof(*allow));
		if (!allow)
			abort();
		if (!parse(&allow[nr_allow++], line, number)) {
			fprintf(stderr, "%s:%u: want STRATEGY/CLASS : INSTRUCTION : REASON\n", path, number);
			exit(2);
		}
	}
	fclose(f);
}

/* Without a number of its own it is each of that text. */
static bool names(const struct allow *a, const char *subject, const char *insn)
{
	size_t len = strlen(a->insn);

	return !fnmatch(a->subject, subject, 0) && !strncmp(a->insn, insn, len) &&
	       (!insn[len] || !strncmp(insn + len, " [", 2));
}

bool allow_survivor(const char *subject, const char *insn)
{
	bool found = false;

	for (struct allow *a = allow; a < allow + nr_allow; a++) {
		if (names(a, subject, insn)) {
			a->survived++;
			found = true;
		}
	}
	return found;
}

void allow_caught(const char *subject, const char *insn)
{
	for (struct allow *a = allow; a < allow + nr_allow; a++) {
		if (names(a, subject, insn)) {
			a->caught++;
			a->caught_in = subject;
		}
	}
}

unsigned int allow_nr(void)
{
	return nr_allow;
}

void allow_report(bool (*tested)(const char *glob))
{
	for (const struct allow *a = allow; a < allow + nr_allow; a++) {
		if (!tested(a->subject)) {
			tap_skip("nothing of that name was tested", "allowed: %s : %s", a->subject, a->insn);
		} else if (a->caught && strncmp(a->reason, EITHER, strlen(EITHER))) {
			tap_note("caught in %s: line %u is out of date, remove or narrow it",
				 a->caught_in, a->line);
			tap_not_ok("allowed: %s : %s", a->subject, a->insn);
		} else if (!a->survived && !a->caught) {
			tap_note("line %u names no instruction", a->line);
			tap_not_ok("allowed: %s : %s", a->subject, a->insn);
		} else {
			tap_ok("allowed: %s : %s", a->subject, a->insn);
		}
	}
}
