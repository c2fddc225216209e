/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include "tap.h"

static unsigned int planned, passed, failed, skipped;

void tap_plan(unsigned int nr)
{
	planned = nr;
	printf("KTAP version 1\n1..%u\n", nr);
}

static void result(const char *word, const char *fmt, va_list ap, const char *why)
{
	printf("%s %u ", word, passed + failed + skipped);
	vprintf(fmt, ap);
	printf("%s%s\n", why ? " # SKIP " : "", why ? why : "");
	fflush(stdout);
}

void tap_ok(const char *fmt, ...)
{
	va_list ap;

	passed++;
	va_start(ap, fmt);
	result("ok", fmt, ap, NULL);
	va_end(ap);
}

void tap_not_ok(const char *fmt, ...)
{
	va_list ap;

	failed++;
	va_start(ap, fmt);
	result("not ok", fmt, ap, NULL);
	va_end(ap);
}

void tap_skip(const char *why, const char *fmt, ...)
{
	va_list ap;

	skipped++;
	va_start(ap, fmt);
	result("ok", fmt, ap, why);
	va_end(ap);
}

void tap_note(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	printf("# ");
	vprintf(fmt, ap);
	printf("\n");
	va_end(ap);
}

int tap_done(void)
{
	unsigned int nr = passed + failed + skipped;

	/* A program that stopped half way has not passed. */
	if (nr != planned)
		printf("# %u results, %u were planned\n", nr, planned);
	printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
	return failed || !passed || nr != planned;
}
