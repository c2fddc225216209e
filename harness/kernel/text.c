/* SPDX-License-Identifier: MIT */
/* Behind each case every byte of the module's text must be what it was (BUG-22). */
#include <linux/module.h>
#include <linux/version.h>
#include <linux/vmalloc.h>
#include "../case.h"
#include "kernel.h"

static void *before;

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0)
static const char *text(void)		{ return THIS_MODULE->mem[MOD_TEXT].base; }
static unsigned int text_size(void)	{ return THIS_MODULE->mem[MOD_TEXT].size; }
#else
static const char *text(void)		{ return THIS_MODULE->core_layout.base; }
static unsigned int text_size(void)	{ return THIS_MODULE->core_layout.text_size; }
#endif

int text_remember(void)
{
	before = vmalloc(text_size());
	if (!before)
		return -ENOMEM;
	memcpy(before, text(), text_size());
	return 0;
}

void text_forget(void)
{
	vfree(before);
}

void text_expect_restored(void)
{
	const char *now = text(), *then = before;
	unsigned int i, differ = 0, first = 0;

	for (i = text_size(); i-- > 0; ) {
		if (now[i] != then[i]) {
			differ++;
			first = i;
		}
	}
	if (differ)
		case_fail(__FILE__, __LINE__, "text was not restored behind the case: %u bytes differ, the first in %pS",
			  differ, now + first);
}
