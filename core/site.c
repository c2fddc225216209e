/* SPDX-License-Identifier: MIT */
/*
 * The modules that are loaded and their sites: joining, leaving, looking up.
 *
 * tramp_is_site() runs in a trap handler, so readers take no lock: a module is
 * complete before it is linked, and freed only after tramp_module_leave() has
 * waited for every thread that might still be looking at it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "core.h"

struct tramp_module *tramp_modules;
unsigned long tramp_modules_changed;

/* The number of sites at or below @ip, which is the index of the next one. */
static size_t sites_upto(const struct tramp_module *m, unsigned long ip)
{
	size_t lo = 0, hi = m->nr_sites;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (m->sites[mid].ip <= ip)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static struct tramp_site *find_in_module(const struct tramp_module *m, unsigned long ip)
{
	size_t i = sites_upto(m, ip);

	if (i && ip - m->sites[i - 1].ip < arch_site_size)
		return &m->sites[i - 1];
	/* A function's site is at its symbol or just behind: the next one then. */
	if (i < m->nr_sites && m->sites[i].func == ip)
		return &m->sites[i];
	return NULL;
}

struct tramp_site *tramp_find_site(unsigned long ip)
{
	struct tramp_module *m;
	struct tramp_site *site;

	for (m = tramp_modules; m; m = m->next) {
		site = find_in_module(m, ip);
		if (site)
			return site;
	}
	return NULL;
}

bool tramp_is_site(unsigned long ip)
{
	const struct tramp_module *m;
	size_t i;

	for (m = load_acquire(&tramp_modules); m; m = load_acquire(&m->next)) {
		i = sites_upto(m, ip);
		if (i && m->sites[i - 1].ip == ip)
			return true;
	}
	return false;
}

size_t tramp_count_sites(void)
{
	struct tramp_module *m;
	size_t nr = 0;

	for (m = tramp_modules; m; m = m->next)
		nr += m->nr_sites;
	return nr;
}

size_t tramp_nr_sites(void)
{
	size_t nr;
	int cancel;

	if (tramp_lock(&cancel))
		return 0;
	nr = tramp_count_sites();
	tramp_unlock(cancel);
	return nr;
}

static struct tramp_site_info *snapshot(size_t *nr)
{
	struct tramp_site_info *info = malloc((tramp_count_sites() + 1) * sizeof(*info));
	struct tramp_module *m;
	size_t i;

	*nr = 0;
	for (m = tramp_modules; info && m; m = m->next) {
		for (i = 0; i < m->nr_sites; i++) {
			const struct tramp_site *site = &m->sites[i];

			info[(*nr)++] = (struct tramp_site_info){
				.ip = site->ip,
				.func = site->name ? site->func : 0,
				.name = site->name,
				.call = site->target.call,
				.word = site->word,
				.nr_ops = site->nr_ops,
			};
		}
	}
	return info;
}

/* @fn sees a snapshot and runs without the lock, since it will want to call the API. */
int tramp_for_each_site(int (*fn)(const struct tramp_site_info *, void *arg), void *arg)
{
	struct tramp_site_info *info;
	size_t i, nr;
	int cancel, ret = tramp_lock(&cancel);

	if (ret)
		return ret;
	info = snapshot(&nr);
	tramp_unlock(cancel);
	if (!info)
		return tramp_fail(-ENOMEM, "no memory to list the sites");
	for (i = 0; !ret && i < nr; i++)
		ret = fn(&info[i], arg);
	free(info);
	return ret;
}

/* --- joining and leaving --- */

static struct tramp_module **link_of(const unsigned long *table)
{
	struct tramp_module **link = &tramp_modules;

	while (*link && (*link)->table != table)
		link = &(*link)->next;
	return link;
}

/* The link that ends the list is nobody's table. */
static struct tramp_module **last_link(void)
{
	return link_of(NULL);
}

static void module_free(struct tramp_module *m)
{
	tramp_table_free(m);
	free(m);
}

static void module_remove(struct tramp_module *m)
{
	tramp_module_leave(m);
	store_release(link_of(m->table), m->next);
	tramp_modules_changed++;
	/* The trap handler may stand on it. */
	tramp_grace_wait(NULL, 0);
	module_free(m);
}

bool tramp_site_has_word(const struct tramp_site *site)
{
	return site->word != 0;
}

/* What the compiler left at the sites becomes the port's nop, in one pass over the text. */
static int prepare_sites(const struct tramp_module *m, struct tramp_poke *pokes)
{
	size_t i, nr = 0;
	int err = 0;

	for (i = 0; i < m->nr_sites; i++) {
		if (arch_site_prepare(m->sites[i].ip, &pokes[nr].addr, pokes[nr].new))
			nr++;
	}
	if (nr)
		err = tramp_text_write_pokes(pokes, nr, 0, arch_prepare_size, NULL);
	return err || !nr ? err : tramp_text_sync();
}

/* In a second one, the words of sites that call nobody name nobody's ops. */
static int prepare_words(const struct tramp_module *m, struct tramp_poke *pokes)
{
	const unsigned long nobody = (unsigned long)&ftrace_nop_ops;
	size_t i, nr = 0;

	for (i = 0; i < m->nr_sites; i++) {
		if (!m->sites[i].word)
			continue;
		pokes[nr].addr = m->sites[i].word;
		memcpy(pokes[nr++].new, &nobody, sizeof(nobody));
		m->sites[i].target.word = nobody;
	}
	return nr ? tramp_text_write_pokes(pokes, nr, 0, sizeof(nobody), NULL) : 0;
}

static int prepare(const struct tramp_module *m)
{
	struct tramp_poke *pokes = calloc(m->nr_sites, sizeof(*pokes));
	int err;

	if (!pokes)
		return tramp_fail(-ENOMEM, "no memory for %zu sites", m->nr_sites);
	err = prepare_words(m, pokes);
	if (!err)
		err = prepare_sites(m, pokes);
	free(pokes);
	return err;
}

static int module_join(struct tramp_module *m)
{
	int err = prepare(m);

	if (err) {
		module_free(m);
		return err;
	}
	/* At the end: filters by index (S46) go by load order. */
	m->since = ++tramp_modules_changed;
	store_release(last_link(), m);
	err = ftrace_update_module(m);
	if (err)
		module_remove(m);
	return err;
}

/*
 * exit() runs libraries' destructors too, while threads still run their text, or
 * sit in a callback for good: nothing is taken back then.
 */
static bool exiting;

static void note_exit(void)
{
	exiting = true;
}

/* @text NULL: the table is that of a loaded object. */
static int module_add(const unsigned long *start, const unsigned long *stop,
		      unsigned long caller, const struct tramp_text *text)
{
	static bool exit_noted;
	struct tramp_module *m;
	int err;

	err = tramp_init();
	if (err)
		return err;
	if (!exit_noted)
		exit_noted = !atexit(note_exit);
	/* Linked twice into one object: harmless. */
	if (start && *link_of(start))
		return 0;

	m = calloc(1, sizeof(*m));
	if (!m)
		return tramp_fail(-ENOMEM, "no memory for a module");
	err = text ? tramp_table_read_text(m, start, stop, text) :
		     tramp_table_read(m, start, stop, caller);
	if (err || !m->nr_sites) {
		module_free(m);
		return err;
	}
	return module_join(m);
}

/* An object that lost its whole table is only known by who calls. */
__attribute__((noinline))
int tramp_module_add(const unsigned long *start, const unsigned long *stop)
{
	unsigned long caller = (unsigned long)__builtin_return_address(0);
	int cancel, err = tramp_lock(&cancel);

	if (!err) {
		err = module_add(start, stop, caller, NULL);
		tramp_unlock(cancel);
	}
	return err;
}

int tramp_module_add_text(const unsigned long *start, const unsigned long *stop,
			  const void *text, size_t len, const char *name)
{
	const struct tramp_text t = { (unsigned long)text, (unsigned long)text + len, name };
	int cancel, err = tramp_lock(&cancel);

	if (!err) {
		err = module_add(start, stop, 0, &t);
		tramp_unlock(cancel);
	}
	return err;
}

/* NULL: none, or none that is to be taken back. */
static struct tramp_module *leaver(const unsigned long *start)
{
	return start && !exiting ? *link_of(start) : NULL;
}

void tramp_module_del(const unsigned long *start)
{
	struct tramp_module *m;
	int cancel;

	if (tramp_lock(&cancel)) {
		/* By the lock's owner: the change under way looks at the module's sites. */
		if (leaver(start)) {
			tramp_warn("a library leaves in the middle of a change, its sites with it; nothing can be changed from now on: %s",
				   tramp_why());
			ftrace_disabled = true;
		}
		return;
	}
	m = leaver(start);
	if (m)
		module_remove(m);
	tramp_unlock(cancel);
}

const char *tramp_function_name(unsigned long addr)
{
	const struct tramp_symbol *sym;

	for (const struct tramp_module *m = tramp_modules; m; m = m->next) {
		if (!m->names || addr < m->start || addr >= m->end)
			continue;
		sym = tramp_symbols_find(m->names, addr);
		return sym ? sym->name : NULL;
	}
	return NULL;
}
