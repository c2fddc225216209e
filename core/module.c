/* SPDX-License-Identifier: MIT */
/*
 * Linked into every executable or shared library that has sites: hands its
 * table to the core, which only the executable links (with -rdynamic, if
 * libraries are to find it).  All references are weak, so that a library also
 * runs, untraced, in a program without tramplab.
 *
 * This reference to the table's bounds, from a constructor, which no linker
 * drops, is also what keeps gcc's tables (and with them every function that
 * they name) under --gc-sections.  With lld, -z nostart-stop-gc is then the
 * safe choice: that a reference keeps a table is not its default.
 */
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>
#include <tramp.h>

#define TABLE_BOUND extern const unsigned long __attribute__((weak, visibility("hidden")))

TABLE_BOUND __start___patchable_function_entries[];
TABLE_BOUND __stop___patchable_function_entries[];

#pragma weak tramp_module_add
#pragma weak tramp_module_del
#pragma weak tramp_why

/* 101: the first that programs may use, so that other constructors can be traced. */
__attribute__((constructor(101)))
static void module_add(void)
{
	int err;

	if (!tramp_module_add)
		return;
	err = tramp_module_add(__start___patchable_function_entries,
			       __stop___patchable_function_entries);
	if (err)
		dprintf(STDERR_FILENO, "tramplab: a module stays untraced: %s (%s)\n",
			tramp_why ? tramp_why() : "", strerror(-err));
}

extern const ElfW(Ehdr) __ehdr_start __attribute__((weak, visibility("hidden")));

static int is_program(void)
{
	return &__ehdr_start &&
	       (unsigned long)&__ehdr_start + __ehdr_start.e_phoff == getauxval(AT_PHDR);
}

/*
 * The program's text stays to the end, and at exit() other threads may still
 * run it, or sit in a callback for good: it never leaves.
 */
__attribute__((destructor(101)))
static void module_del(void)
{
	if (tramp_module_del && !is_program())
		tramp_module_del(__start___patchable_function_entries);
}
