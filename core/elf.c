/* SPDX-License-Identifier: MIT */
/*
 * Function symbols of a loaded object, read from its file.  By hand and not
 * with libelf: the core has to cross-build and to link statically with nothing
 * but libc.
 *
 * The file may be anything, so every offset is checked before it is followed.
 */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "core.h"

#define NATIVE_CLASS	(sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32)
#define NATIVE_DATA	(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB)

struct elf {
	const char		*base;
	size_t			len;
	const ElfW(Shdr)	*shdr;
	size_t			shnum;
};

struct symtab {
	const ElfW(Sym)		*sym;
	size_t			nr;
	const char		*str;
	size_t			str_len;
};

/* @nr records of @size bytes at @off, or NULL if the file does not hold them. */
static const void *elf_at(const struct elf *e, size_t off, size_t nr, size_t size, size_t align)
{
	if (off > e->len || nr > (e->len - off) / size || off % align)
		return NULL;
	return e->base + off;
}

static int elf_map(struct elf *e, const char *path)
{
	struct stat st;
	void *p;
	int fd, err = 0;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st)) {
		err = -errno;
	} else if (!S_ISREG(st.st_mode) || !st.st_size) {
		err = -ENOEXEC;
	} else {
		p = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (p == MAP_FAILED)
			err = -errno;
		else
			*e = (struct elf){ .base = p, .len = st.st_size };
	}
	close(fd);
	return err;
}

static int elf_sections(struct elf *e)
{
	const ElfW(Ehdr) *h = elf_at(e, 0, 1, sizeof(*h), 1);

	if (!h || memcmp(h->e_ident, ELFMAG, SELFMAG) ||
	    h->e_ident[EI_CLASS] != NATIVE_CLASS || h->e_ident[EI_DATA] != NATIVE_DATA)
		return -ENOEXEC;
	if (!h->e_shoff)	/* legal: it just has no symbols */
		return 0;
	if (h->e_shentsize != sizeof(*e->shdr))
		return -ENOEXEC;

	e->shdr = elf_at(e, h->e_shoff, 1, sizeof(*e->shdr), _Alignof(ElfW(Shdr)));
	if (!e->shdr)
		return -ENOEXEC;
	/* From 65 280 sections on (-ffunction-sections) the number has moved here. */
	e->shnum = h->e_shnum ? h->e_shnum : e->shdr->sh_size;
	if (!elf_at(e, h->e_shoff, e->shnum, sizeof(*e->shdr), 1))
		return -ENOEXEC;
	return 0;
}

static const ElfW(Shdr) *elf_section(const struct elf *e, unsigned int type)
{
	size_t i;

	for (i = 0; i < e->shnum; i++) {
		if (e->shdr[i].sh_type == type)
			return &e->shdr[i];
	}
	return NULL;
}

static int elf_symtab(const struct elf *e, struct symtab *t)
{
	const ElfW(Shdr) *sec, *str;

	*t = (struct symtab){ 0 };
	sec = elf_section(e, SHT_SYMTAB);
	if (!sec)
		sec = elf_section(e, SHT_DYNSYM);
	if (!sec)
		return 0;
	if (sec->sh_entsize != sizeof(*t->sym) || sec->sh_link >= e->shnum)
		return -ENOEXEC;

	str = &e->shdr[sec->sh_link];
	t->nr = sec->sh_size / sizeof(*t->sym);
	t->sym = elf_at(e, sec->sh_offset, t->nr, sizeof(*t->sym), _Alignof(ElfW(Sym)));
	t->str_len = str->sh_size;
	t->str = elf_at(e, str->sh_offset, t->str_len, 1, 1);
	/* The last byte ends every name, so that names need no bounds from here on. */
	if (!t->sym || !t->str || !t->str_len || t->str[t->str_len - 1])
		return -ENOEXEC;
	return 0;
}

/* An ifunc's symbol is its resolver, which runs before anybody can trace it. */
static bool is_function(const struct symtab *t, const ElfW(Sym) *s)
{
	/* st_info is laid out alike in both classes. */
	return ELF64_ST_TYPE(s->st_info) == STT_FUNC && s->st_shndx != SHN_UNDEF &&
	       s->st_name < t->str_len && t->str[s->st_name];
}

/* What other files call it comes first: it is the name that a user knows. */
static int rank(const ElfW(Sym) *s)
{
	switch (ELF64_ST_BIND(s->st_info)) {
	case STB_GLOBAL:	return 0;
	case STB_WEAK:		return 1;
	default:		return 2;
	}
}

static int compare(const void *pa, const void *pb)
{
	const ElfW(Sym) *a = *(const ElfW(Sym) *const *)pa;
	const ElfW(Sym) *b = *(const ElfW(Sym) *const *)pb;

	if (a->st_value != b->st_value)
		return a->st_value < b->st_value ? -1 : 1;
	if (rank(a) != rank(b))
		return rank(a) - rank(b);
	if (a->st_size != b->st_size)
		return a->st_size > b->st_size ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* The functions of @t in the order of compare(); NULL without memory. */
static const ElfW(Sym) **sorted_functions(const struct symtab *t, size_t *nr)
{
	const ElfW(Sym) **p = malloc((t->nr + 1) * sizeof(*p));
	size_t i;

	*nr = 0;
	if (!p)
		return NULL;
	for (i = 0; i < t->nr; i++) {
		if (is_function(t, &t->sym[i]))
			p[(*nr)++] = &t->sym[i];
	}
	qsort(p, *nr, sizeof(*p), compare);
	return p;
}

static int fill(struct tramp_symbols *s, const struct symtab *t, unsigned long bias)
{
	const ElfW(Sym) **p;
	size_t i, nr;

	p = sorted_functions(t, &nr);
	s->sym = malloc((nr + 1) * sizeof(*s->sym));
	if (!p || !s->sym) {
		free(p);
		return -ENOMEM;
	}
	for (i = 0; i < nr; i++) {
		if (i && p[i]->st_value == p[i - 1]->st_value)
			continue;
		s->sym[s->nr++] = (struct tramp_symbol){
			.addr = p[i]->st_value + bias,
			.size = p[i]->st_size,
			.name = t->str + p[i]->st_name,
		};
	}
	free(p);
	return 0;
}

int tramp_symbols_read(struct tramp_symbols *s, const char *path, unsigned long bias)
{
	struct symtab t;
	struct elf e = { 0 };
	int err;

	*s = (struct tramp_symbols){ 0 };
	err = elf_map(&e, path);
	if (err)
		return err;
	s->map = (void *)e.base;
	s->map_len = e.len;

	err = elf_sections(&e);
	if (!err)
		err = elf_symtab(&e, &t);
	if (!err)
		err = fill(s, &t, bias);
	if (err)
		tramp_symbols_free(s);
	return err;
}

void tramp_symbols_free(struct tramp_symbols *s)
{
	free(s->sym);
	if (s->map)
		munmap(s->map, s->map_len);
	*s = (struct tramp_symbols){ 0 };
}

/* A symbol without a size (hand-written assembly) holds its first byte alone. */
const struct tramp_symbol *tramp_symbols_find(const struct tramp_symbols *s, unsigned long addr)
{
	const struct tramp_symbol *sym;
	size_t lo = 0, hi = s->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->sym[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return NULL;
	sym = &s->sym[lo - 1];
	return addr == sym->addr || addr - sym->addr < sym->size ? sym : NULL;
}
