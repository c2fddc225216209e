/* SPDX-License-Identifier: MIT */
/*
 * Why the last call failed: one line a thread, since an errno alone sends the
 * user of a tracer into a debugger.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "core.h"

static _Thread_local char why[256];

int tramp_fail(int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	return err;
}

const char *tramp_why(void)
{
	return why;
}

/* One write, so that lines of several threads do not mix; no stdio buffer or lock. */
void tramp_warn(const char *fmt, ...)
{
	static const char prefix[] = "tramplab: ";
	const size_t at = sizeof(prefix) - 1;
	char line[512];
	va_list ap;
	int n;

	memcpy(line, prefix, at);
	va_start(ap, fmt);
	n = vsnprintf(line + at, sizeof(line) - at, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	n += at;
	if (n > (int)sizeof(line) - 1)
		n = sizeof(line) - 1;
	line[n++] = '\n';
	/* Nothing can be done about a closed stderr. */
	if (write(STDERR_FILENO, line, n) < 0)
		return;
}
