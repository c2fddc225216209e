/* SPDX-License-Identifier: MIT */
/*
 * From a module's __patchable_function_entries to its sites.
 *
 * The table is not believed.  Linkers double it, drop it and leave records of
 * functions that are gone (BUG-51), so every record is checked against the
 * text, and the text's functions against the records.  What is wrong is said,
 * because a tracer that silently misses functions is worse than none.
 */
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include "core.h"

/* Farthest that a site lies behind its symbol: a landing pad and one instruction. */
#define SITE_LEAD 8
/* Farthest that a port looks to either side of a record: a word, a landing pad, one instruction. */
#define WINDOW 32

struct object {
	unsigned long		key;	/* an address that it holds */
	const char		*path;
	unsigned long		bias;
	const ElfW(Phdr)	*phdr;
	unsigned int		nr;
};

/* --- the object --- */

static bool holds(const struct object *o, const ElfW(Phdr) *p, unsigned long addr)
{
	return p->p_type == PT_LOAD && addr - (o->bias + p->p_vaddr) < p->p_memsz;
}

static int match_object(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct object *o = arg;
	unsigned int i;

	(void)size;
	o->bias = info->dlpi_addr;
	o->phdr = info->dlpi_phdr;
	o->nr = info->dlpi_phnum;
	o->path = info->dlpi_name;
	/* glibc names the program "", musl gives its argv[0]. */
	if (!o->path || o->phdr == (void *)getauxval(AT_PHDR))
		o->path = "";
	for (i = 0; i < o->nr; i++) {
		if (holds(o, &o->phdr[i], o->key))
			return 1;
	}
	return 0;
}

static const ElfW(Phdr) *text_of(const struct object *o, unsigned long addr)
{
	unsigned int i;

	for (i = 0; i < o->nr; i++) {
		if ((o->phdr[i].p_flags & PF_X) && holds(o, &o->phdr[i], addr))
			return &o->phdr[i];
	}
	return NULL;
}

static void text_bounds(const struct object *o, unsigned long *start, unsigned long *end)
{
	unsigned int i;

	*start = ~0UL;
	*end = 0;
	for (i = 0; i < o->nr; i++) {
		const ElfW(Phdr) *p = &o->phdr[i];
		unsigned long from = o->bias + p->p_vaddr;

		if (p->p_type != PT_LOAD || !(p->p_flags & PF_X))
			continue;
		if (from < *start)
			*start = from;
		if (from + p->p_memsz > *end)
			*end = from + p->p_memsz;
	}
}

static const char *display(const char *path)
{
	return *path ? path : program_invocation_short_name;
}

/* --- one record --- */

/* arch_site_locate() for a record near an end of its segment: on a copy, with zeros around. */
static int locate_at_edge(unsigned long rec, unsigned long start, unsigned long end,
			  unsigned long *ip, unsigned long *word)
{
	uint8_t copy[3 * WINDOW] __attribute__((aligned(WINDOW))) = { 0 };
	unsigned long at = (unsigned long)copy + WINDOW + rec % WINDOW;	/* aligned alike */
	unsigned long from = rec - start < WINDOW ? start : rec - WINDOW;
	unsigned long to = end - rec < WINDOW ? end : rec + WINDOW;
	int err;

	memcpy((void *)(at - (rec - from)), (const void *)from, to - from);
	err = arch_site_locate(at, ip, word);
	*ip += rec - at;
	if (*word)
		*word += rec - at;
	return err;
}

/* -EFAULT: outside of the code, -EINVAL: not what a compiler emits. */
static int locate(const struct object *o, unsigned long rec, unsigned long *ip, unsigned long *word)
{
	const ElfW(Phdr) *text = text_of(o, rec);
	unsigned long start, end;
	int err;

	if (!text)
		return -EFAULT;
	start = o->bias + text->p_vaddr;
	end = start + text->p_memsz;
	*ip = rec;
	*word = 0;
	if (rec - start < WINDOW || end - rec < WINDOW)
		err = locate_at_edge(rec, start, end, ip, word);
	else
		err = arch_site_locate(rec, ip, word);
	if (!err && (*ip < start || end - *ip < arch_site_size))
		err = -EINVAL;
	return err;
}

/* --- all records --- */

static int compare(const void *pa, const void *pb)
{
	const struct tramp_site *a = pa, *b = pb;

	return a->ip < b->ip ? -1 : a->ip > b->ip;
}

static size_t drop_doubles(struct tramp_module *m)
{
	size_t i, nr = 0, before = m->nr_sites;

	for (i = 0; i < before; i++) {
		if (!nr || m->sites[i].ip != m->sites[nr - 1].ip)
			m->sites[nr++] = m->sites[i];
	}
	m->nr_sites = nr;
	return before - nr;
}

static int read_records(struct tramp_module *m, const struct object *o,
			const unsigned long *start, const unsigned long *stop)
{
	size_t nr = start ? stop - start : 0, outside = 0, strange = 0, doubled;
	const unsigned long *rec;
	unsigned long ip, word;

	m->sites = calloc(nr + 1, sizeof(*m->sites));
	if (!m->sites)
		return tramp_fail(-ENOMEM, "no memory for %zu sites", nr);
	for (rec = start; rec < start + nr; rec++) {
		switch (locate(o, *rec, &ip, &word)) {
		case 0:
			m->sites[m->nr_sites++] = (struct tramp_site){
				.ip = ip, .func = ip, .word = word, .module = m,
			};
			break;
		case -EFAULT:
			outside++;
			break;
		default:
			strange++;
		}
	}
	qsort(m->sites, m->nr_sites, sizeof(*m->sites), compare);
	doubled = drop_doubles(m);
	if (outside || strange || doubled)
		tramp_warn("%s: of %zu records %zu are doubled, %zu point outside the code (functions that the linker dropped), %zu at no site (or at a debugger's breakpoint); skipped",
			   display(m->path), nr, doubled, outside, strange);
	return 0;
}

/* --- names --- */

/* Which sites a filter by name finds must not depend on what is short for a moment. */
static bool is_shortage(int err)
{
	return err == -ENOMEM || err == -EMFILE || err == -ENFILE;
}

static int read_symbols(struct tramp_module *m, const struct object *o)
{
	const char *file = *m->path ? m->path : "/proc/self/exe";
	int err;

	m->names = calloc(1, sizeof(struct tramp_symbols));
	err = m->names ? tramp_symbols_read(m->names, file, o->bias) : -ENOMEM;
	if (is_shortage(err))
		return tramp_fail(err, "%s: symbols cannot be read: %s", display(m->path), strerror(-err));
	if (err)
		tramp_warn("%s: no symbols (%s): its sites have no names and are not checked",
			   display(m->path), strerror(-err));
	return 0;
}

/*
 * The symbol must hold the site and start just before it: the site of a weak
 * function that lost, whose symbol is gone, must not take its neighbour's name
 * (BUG-50).
 */
static void name_sites(struct tramp_module *m, const struct tramp_symbols *s)
{
	const struct tramp_symbol *sym;
	struct tramp_site *site;

	for (site = m->sites; site < m->sites + m->nr_sites; site++) {
		sym = tramp_symbols_find(s, site->ip);
		if (!sym || site->ip - sym->addr > SITE_LEAD)
			continue;
		site->func = sym->addr;
		site->name = sym->name;
		/* Nops inside of the function are run, whatever they look like. */
		if (site->word + sizeof(site->word) > sym->addr)
			site->word = 0;
	}
}

/* --- functions without a record --- */

/* What a function's first bytes look like may be its body; what was recorded has its name by now. */
static bool has_site(const struct tramp_module *m, unsigned long func, unsigned long ip)
{
	size_t lo = 0, hi = m->nr_sites;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (m->sites[mid].ip < func)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < m->nr_sites && (m->sites[lo].func == func || m->sites[lo].ip == ip);
}

static void report_missing(const struct tramp_module *m, const struct object *o,
			   const struct tramp_symbols *s)
{
	const struct tramp_symbol *sym;
	const char *example = NULL;
	unsigned long ip, word;
	size_t nr = 0;

	for (sym = s->sym; sym < s->sym + s->nr; sym++) {
		if (locate(o, sym->addr, &ip, &word) || has_site(m, sym->addr, ip))
			continue;
		example = sym->name;
		nr++;
	}
	if (nr)
		tramp_warn("%s: %zu functions, such as %s, have a site but no record%s, so they cannot be traced; likely the linker dropped tables (--gc-sections or templates with gcc before 13, GCC PR 110729 and 93197); build with clang or a newer gcc, or without -ffunction-sections and --gc-sections",
			   display(m->path), nr, example, m->nr_sites ? "" : " (no table at all)");
}

static int read_object(struct tramp_module *m, const struct object *o,
		       const unsigned long *start, const unsigned long *stop)
{
	m->table = start;
	m->path = o->path;
	text_bounds(o, &m->start, &m->end);
	return read_records(m, o, start, stop);
}

int tramp_table_read_text(struct tramp_module *m, const unsigned long *start,
			  const unsigned long *stop, const struct tramp_text *text)
{
	const ElfW(Phdr) phdr = {
		.p_type = PT_LOAD, .p_flags = PF_R | PF_X,
		.p_vaddr = text->start, .p_memsz = text->end - text->start,
	};
	const struct object o = { .path = text->name, .phdr = &phdr, .nr = 1 };

	return read_object(m, &o, start, stop);
}

int tramp_table_read(struct tramp_module *m, const unsigned long *start,
		     const unsigned long *stop, unsigned long caller)
{
	struct object o = { .key = start < stop ? (unsigned long)start : caller };
	int err;

	if (!dl_iterate_phdr(match_object, &o))
		return tramp_fail(-ENOENT, "no loaded object holds the site table at %#lx", o.key);
	m->in_object = true;
	err = read_object(m, &o, start, stop);
	if (!err)
		err = read_symbols(m, &o);
	if (err)
		return err;
	name_sites(m, m->names);
	report_missing(m, &o, m->names);
	return 0;
}

void tramp_table_free(struct tramp_module *m)
{
	if (m->names)
		tramp_symbols_free(m->names);
	free(m->names);
	free(m->sites);
}
