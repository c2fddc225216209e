/* SPDX-License-Identifier: MIT */
/* The code writer: appends bytes, and remembers the first thing that went wrong. */
#include <errno.h>
#include <string.h>
#include "arch.h"

void tramp_code_put(struct tramp_code *code, const void *p, size_t n)
{
	if (code->err)
		return;
	if (n > code->cap - code->len) {
		code->err = -ENOSPC;
		return;
	}
	memcpy(code->w + code->len, p, n);
	code->len += n;
}
