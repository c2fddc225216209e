/* SPDX-License-Identifier: MIT */
/*
 * gdb's JIT compilation interface (gdb manual, "JIT Compilation Interface"): an
 * ELF object in memory for each image, in a list that the debugger reads; it stops
 * the program at __jit_debug_register_code() to hear of changes.  lldb knows it, too.
 */
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include "core.h"

/* The layout is the debugger's. */
struct jit_code_entry {
	struct jit_code_entry	*next, *prev;
	const void		*symfile;
	uint64_t		symfile_size;
};

enum { JIT_NOACTION, JIT_REGISTER, JIT_UNREGISTER };
struct jit_descriptor {
	uint32_t		version, action;
	struct jit_code_entry	*relevant, *first;
};

/*
 * The debugger looks these names up in each object.  Hidden, so that a library
 * with a JIT compiler goes on using its own.  Weak, so that a compiler which is
 * linked into the program is no link error; its list is its own, under a lock that
 * we do not know.
 */
static struct jit_descriptor descriptor = { .version = 1 };
extern struct jit_descriptor __jit_debug_descriptor
	__attribute__((weak, visibility("hidden"), alias("descriptor")));

__attribute__((weak, visibility("hidden"), noinline)) void __jit_debug_register_code(void)
{
	__asm__ volatile ("" ::: "memory");
}

/* For the header's machine; not there in a program without headers in memory. */
extern const ElfW(Ehdr) __ehdr_start __attribute__((weak, visibility("hidden")));

enum { SECTION_NONE, SECTION_TEXT, SECTION_FRAME, SECTION_SYMBOLS, SECTION_STRINGS, NR_SECTIONS };

static const char section_names[] = "\0.text\0.eh_frame\0.symtab\0.strtab";
enum { NAME_TEXT = 1, NAME_FRAME = 7, NAME_SYMBOLS = 17, NAME_STRINGS = 25 };

/* One allocation: the entry, and the object that it names, .eh_frame and strings at the end. */
struct announced {
	struct jit_code_entry	entry;
	ElfW(Ehdr)		header;
	ElfW(Shdr)		section[NR_SECTIONS];
	ElfW(Sym)		symbol[2];
	uint8_t			rest[];
};

static size_t offset_in_object(const struct announced *a, const void *p)
{
	return (const char *)p - (const char *)&a->header;
}

static void fill_header(struct announced *a)
{
	a->header = (ElfW(Ehdr)){
		.e_type = ET_REL, .e_machine = __ehdr_start.e_machine, .e_version = EV_CURRENT,
		.e_flags = __ehdr_start.e_flags,
		.e_ehsize = sizeof(a->header), .e_shentsize = sizeof(*a->section),
		.e_shoff = offset_in_object(a, a->section),
		.e_shnum = NR_SECTIONS, .e_shstrndx = SECTION_STRINGS,
	};
	memcpy(a->header.e_ident, __ehdr_start.e_ident, EI_NIDENT);
}

static void fill_sections(struct announced *a, const struct tramp_image *image, size_t strings)
{
	uint8_t *string_at = a->rest + image->unwind_size;

	a->section[SECTION_TEXT] = (ElfW(Shdr)){
		.sh_name = NAME_TEXT, .sh_type = SHT_NOBITS, .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
		.sh_addr = image->code.pc, .sh_size = image->code.len, .sh_addralign = 16,
	};
	a->section[SECTION_FRAME] = (ElfW(Shdr)){
		.sh_name = NAME_FRAME, .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC,
		.sh_addr = (unsigned long)a->rest, .sh_offset = offset_in_object(a, a->rest),
		.sh_size = image->unwind_size, .sh_addralign = 8,
	};
	a->section[SECTION_SYMBOLS] = (ElfW(Shdr)){
		.sh_name = NAME_SYMBOLS, .sh_type = SHT_SYMTAB, .sh_offset = offset_in_object(a, a->symbol),
		.sh_size = sizeof(a->symbol), .sh_link = SECTION_STRINGS, .sh_info = 1,
		.sh_addralign = 8, .sh_entsize = sizeof(*a->symbol),
	};
	a->section[SECTION_STRINGS] = (ElfW(Shdr)){
		.sh_name = NAME_STRINGS, .sh_type = SHT_STRTAB, .sh_offset = offset_in_object(a, string_at),
		.sh_size = strings, .sh_addralign = 1,
	};
}

/* Behind the rules in .rest: the sections' names, then the symbol's. */
static void fill_rest(struct announced *a, const struct tramp_image *image, const char *name)
{
	uint8_t *strings = a->rest + image->unwind_size;

	if (image->unwind)
		tramp_unwind_for_gdb(image, a->rest);
	memcpy(strings, section_names, sizeof(section_names));
	strcpy((char *)strings + sizeof(section_names), name);
	a->symbol[1] = (ElfW(Sym)){
		.st_name = sizeof(section_names), .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
		.st_shndx = SECTION_TEXT, .st_size = image->code.len,
	};
}

static void act(struct jit_code_entry *entry, uint32_t action)
{
	descriptor.relevant = entry;
	descriptor.action = action;
	__jit_debug_register_code();
	descriptor.relevant = NULL;
	descriptor.action = JIT_NOACTION;
}

static void add(struct tramp_image *image, const char *name)
{
	size_t strings = sizeof(section_names) + strlen(name) + 1;
	struct announced *a = calloc(1, sizeof(*a) + image->unwind_size + strings);

	if (!a) {
		tramp_warn("out of memory: gdb does not hear of %s", name);
		return;
	}
	fill_header(a);
	fill_sections(a, image, strings);
	fill_rest(a, image, name);
	a->entry.symfile = &a->header;
	a->entry.symfile_size = offset_in_object(a, a->rest + image->unwind_size + strings);
	a->entry.next = descriptor.first;
	if (a->entry.next)
		a->entry.next->prev = &a->entry;
	descriptor.first = &a->entry;
	image->gdb = a;
	act(&a->entry, JIT_REGISTER);
}

static void del(struct tramp_image *image)
{
	struct announced *a = image->gdb;

	if (!a)
		return;
	if (a->entry.next)
		a->entry.next->prev = a->entry.prev;
	if (a->entry.prev)
		a->entry.prev->next = a->entry.next;
	else
		descriptor.first = a->entry.next;
	act(&a->entry, JIT_UNREGISTER);
	free(a);
	image->gdb = NULL;
}

bool tramp_gdb_asked;

static int start(const char *arg)
{
	if (arg)
		return tramp_fail(-EINVAL, "gdb=%s: gdb takes no argument", arg);
	if (&__jit_debug_descriptor != &descriptor)
		return tramp_fail(-EBUSY, "gdb: a JIT compiler in this program has a __jit_debug_descriptor already; link it as a shared library");
	if (!&__ehdr_start)
		return tramp_fail(-ENOEXEC, "gdb: the program's ELF header is not in its memory");
	tramp_gdb_asked = true;
	return 0;
}

static void cancel(void)
{
	tramp_gdb_asked = false;
}

const struct tramp_tool tramp_tool_gdb = {
	.name = "gdb", .start = start, .cancel = cancel, .add = add, .del = del,
};
