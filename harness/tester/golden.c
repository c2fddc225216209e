/* SPDX-License-Identifier: MIT */
/*
 * Compares what the strategies generate with their golden code (golden.h), then
 * the port's encoders with theirs.
 *
 *	golden			KTAP
 *	golden --propose DIR	writes golden files as the code is now, for reading
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <golden_arch.h>
#include <listing_arch.h>
#include "golden.h"
#include "listing.h"
#include "tap.h"

/* A new port has none. */
extern const struct golden __start_golden_records[] __attribute__((weak));
extern const struct golden __stop_golden_records[] __attribute__((weak));

struct ftrace_ops golden_ops = { .func = golden_func };
struct ftrace_ops golden_ops2 = { .func = golden_func };
struct ftrace_ops golden_ops3 = { .func = golden_func };
#define SET_MAX 3

void golden_func(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		 struct ftrace_regs *fregs)
{
	(void)ip;
	(void)parent_ip;
	(void)op;
	(void)fregs;
}

static unsigned long class_flags(enum tramp_class class)
{
	switch (class) {
	case TRAMP_CLASS_REGS: return FTRACE_OPS_FL_SAVE_REGS;
	case TRAMP_CLASS_VEC: return FTRACE_OPS_FL_SAVE_REGS | TRAMP_OPS_FL_SAVE_VEC;
	default: return 0;
	}
}

/* 0, or -EOPNOTSUPP: the strategy does not go with this class. */
static int use(const char *strategy, enum tramp_class class)
{
	int err = tramp_use_frame(class_flags(class) ? TRAMP_CLASS_ARGS : class);

	/* The strategy of the last test may not fit this frame: first another one. */
	if (err == -EOPNOTSUPP) {
		err = tramp_use("list_func");
		if (!err)
			err = tramp_use_frame(class);
	}
	return err ? err : tramp_use(strategy);
}

/* What @strategy wants a site of @nr ops to enter: an image, so who writes it and for whom. */
static const struct tramp_image *resolve(const char *strategy, enum tramp_class class,
					 unsigned int nr)
{
	struct ftrace_ops *ops[SET_MAX] = { &golden_ops, &golden_ops2, &golden_ops3 };
	/* Nobody reads the word. */
	struct tramp_site site = { .ip = (unsigned long)golden_func, .word = (unsigned long)golden_func };
	struct tramp_target target = { 0 };
	int err = use(strategy, class);

	for (unsigned int i = 0; i < SET_MAX; i++)
		ops[i]->flags = class_flags(class);
	if (!err)
		err = tramp_strategy->resolve(&site, ops, nr, &target);
	if (err && err != -EOPNOTSUPP)
		tap_note("%s: error %d, %s", strategy, err, tramp_why());
	return err ? NULL : target.image;
}

static void generate(struct tramp_code *code, const struct tramp_image *image, uintptr_t pc)
{
	size_t size = tramp_maker_size(&image->maker);

	*code = (struct tramp_code){ .w = calloc(1, size), .pc = pc, .cap = size };
	if (!code->w)
		abort();
	tramp_maker_emit(&image->maker, code);
}

/* --- comparing --- */

static bool same_place(const char *what, uintptr_t want, uintptr_t got, uintptr_t start)
{
	if (want == got)
		return true;
	tap_note("%s is at +%#lx, want +%#lx", what, got ? got - start : 0, want ? want - start : 0);
	return false;
}

static bool same_places(const struct golden *g, const struct tramp_code *code)
{
	uintptr_t start = (uintptr_t)g->start;
	bool entry = same_place("the entry", g->entry, code->entry, start);
	bool slot = same_place("the call slot", g->slot, code->slot, start);
	bool far = same_place("the veneer's word", g->slot_far, code->slot_far, start);
	bool ops = same_place("the ops' word", g->slot_ops, code->slot_ops, start);
	bool read = same_place("the end of the word's load", g->word_read, code->word_read, start);

	return entry && slot && far && ops && read;
}

static bool same_bytes(const struct golden *g, const struct tramp_code *code)
{
	size_t len = g->end - g->start;

	if (code->err)
		tap_note("the code writer says %d", code->err);
	if (len == code->len && !memcmp(g->start, code->w, len))
		return !code->err;
	listing_diff(g->start, len, code->w, code->len, (uintptr_t)g->start);
	return false;
}

static bool compare(const struct golden *g, enum tramp_class class)
{
	const struct tramp_image *image = resolve(g->strategy, class, g->nr);
	struct tramp_code code;
	bool ok;

	if (!image)
		return false;
	generate(&code, image, (uintptr_t)g->start);
	ok = same_bytes(g, &code) && same_places(g, &code);
	free(code.w);
	return ok;
}

static const struct golden *const first = __start_golden_records, *const last = __stop_golden_records;

/* Several ops on a site enter what one does, or the shared list entry, which is list_func's. */
static bool several_as_one(const char *strategy, enum tramp_class class)
{
	const struct tramp_image *two = resolve(strategy, class, 2), *one, *list;

	one = resolve(strategy, class, 1);
	list = resolve("list_func", class, 2);
	return two && (two == one || two == list);
}

/* Or there is golden code for two and for three of them. */
static bool several_covered(const struct golden *g, enum tramp_class class)
{
	unsigned int found = 0;

	for (const struct golden *o = first; o < last; o++)
		if (!strcmp(o->strategy, g->strategy) && !strcmp(o->class, g->class) &&
		    !strcmp(o->form, g->form))
			found |= 1U << o->nr;
	if ((found & 0xe) == 0xe || several_as_one(g->strategy, class))
		return true;
	tap_note("no golden code for the entry that several ops share");
	return false;
}

static bool is_for(const struct golden *g, const char *strategy, enum tramp_class class)
{
	return !strcmp(g->strategy, strategy) && !strcmp(g->class, tramp_class_names[class]);
}

/* The strategy's golden code of that class, or what stands in its place: one result a form. */
static unsigned int count(const char *strategy, enum tramp_class class)
{
	unsigned int nr = 0;

	for (const struct golden *g = first; g < last; g++)
		nr += is_for(g, strategy, class);
	return nr && use(strategy, class) != -EOPNOTSUPP ? nr : 1;
}

static void check_form(const struct golden *g, enum tramp_class class)
{
	const char *dash = *g->form ? "-" : "";
	char nr[32] = "";
	bool ok;

	if (g->nr > 1)
		snprintf(nr, sizeof(nr), " of %lu ops", g->nr);

	if (!golden_pretend(class, g->form)) {
		tap_skip("this processor cannot pretend to be one of that form",
			 "golden %s/%s%s%s%s", g->strategy, g->class, dash, g->form, nr);
		return;
	}
	ok = compare(g, class) && several_covered(g, class);
	(ok ? tap_ok : tap_not_ok)("golden %s/%s%s%s%s", g->strategy, g->class, dash, g->form, nr);
}

static unsigned int check(const char *strategy, enum tramp_class class)
{
	const char *name = tramp_class_names[class], *own = golden_form(class);
	unsigned int nr = 0;

	if (use(strategy, class) == -EOPNOTSUPP) {
		tap_skip(tramp_why(), "golden %s/%s", strategy, name);
		return 1;
	}
	for (const struct golden *g = first; g < last; g++) {
		if (!is_for(g, strategy, class))
			continue;
		check_form(g, class);
		nr++;
	}
	golden_pretend(class, own);
	if (nr)
		return nr;
	tap_note("there is no impls/%s/golden/%s-%s.S; make golden-propose writes one to look at",
		 strategy, arch_name, name);
	tap_not_ok("golden %s/%s", strategy, name);
	return 1;
}

/* Golden code of a strategy or class that does not exist. */
static unsigned int strays(bool report)
{
	unsigned int nr = 0;

	for (const struct golden *g = first; g < last; g++) {
		bool known = false;

		for (unsigned int i = 0; tramp_strategy_name(i); i++)
			for (int class = 0; class < TRAMP_NR_CLASSES; class++)
				known |= is_for(g, tramp_strategy_name(i), class);
		nr += !known;
		if (report && !known)
			tap_not_ok("golden %s/%s, which does not exist", g->strategy, g->class);
	}
	return nr;
}

/* --- proposing --- */

static void put_address(FILE *f, const struct tramp_code *code, uintptr_t addr)
{
	static const struct { const char *name; const void *addr; } known[] = {
		{ "golden_ops", &golden_ops },
		{ "golden_ops2", &golden_ops2 },
		{ "golden_ops3", &golden_ops3 },
		{ "golden_func", golden_func },
		{ "ftrace_ops_list_func", ftrace_ops_list_func },
		{ "ftrace_ops_list_func_noregs", ftrace_ops_list_func_noregs },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if ((uintptr_t)known[i].addr == addr) {
			fputs(known[i].name, f);
			return;
		}
	}
	if (addr - code->pc < code->len)
		fprintf(f, ".L%lx", addr - code->pc);
	else
		fprintf(f, "%#lx", addr);
}

static void put_insn(FILE *f, const struct listing_insn *insn, const struct tramp_code *code)
{
	unsigned long pc = code->pc + insn->at, addr;
	const char *from, *to;

	fprintf(f, ".L%zx:\t", insn->at);
	if (!listing_address(insn->text, pc + insn->len, &from, &to, &addr)) {
		fprintf(f, "%s\n", insn->text);
		return;
	}
	fprintf(f, "%.*s", (int)(from - insn->text), insn->text);
	put_address(f, code, addr);
	fprintf(f, "%s\n", to);
}

static void put_word(FILE *f, const struct tramp_code *code, uintptr_t at)
{
	uintptr_t value;

	memcpy(&value, code->w + (at - code->pc), sizeof(value));
	fprintf(f, ".L%lx:\t.quad\t", at - code->pc);
	put_address(f, code, value);
	fprintf(f, "\n");
}

static void put_code(FILE *f, const struct tramp_code *code)
{
	size_t end = code->data ? code->data : code->len;
	struct listing l;

	listing_read(&l, code->w, end, code->pc);
	for (size_t i = 0; i < l.nr; i++)
		put_insn(f, &l.insn[i], code);
	listing_free(&l);
	for (size_t at = end; at < code->len; at += sizeof(uintptr_t))
		put_word(f, code, code->pc + at);
}

static void put_golden(FILE *f, const char *strategy, enum tramp_class class, unsigned int nr,
		       const struct tramp_code *code)
{
	const char *form = golden_form(class);

	fprintf(f, "\n\tgolden\t%s, %s%s%s", strategy, tramp_class_names[class], *form ? ", " : "", form);
	if (nr > 1)
		fprintf(f, ", nr=%u", nr);
	putc('\n', f);
	put_code(f, code);
	fprintf(f, "\tend_golden entry=.L%lx", code->entry - code->pc);
	if (code->slot)
		fprintf(f, ", slot=.L%lx", code->slot - code->pc);
	if (code->slot_far)
		fprintf(f, ", slot_far=.L%lx", code->slot_far - code->pc);
	if (code->slot_ops)
		fprintf(f, ", slot_ops=.L%lx", code->slot_ops - code->pc);
	if (code->word_read)
		fprintf(f, ", word_read=.L%lx", code->word_read - code->pc);
	fprintf(f, "\n");
}

static void put_file(FILE *f, const char *strategy, enum tramp_class class)
{
	unsigned int last_nr = several_as_one(strategy, class) ? 1 : SET_MAX;
	struct tramp_code code;

	fprintf(f, "/* SPDX-License-Identifier: MIT */\n#include \"harness/tester/golden.h\"\n");
	for (unsigned int nr = 1; nr <= last_nr; nr++) {
		/* Within reach of the names, and over none of them. */
		generate(&code, resolve(strategy, class, nr), (uintptr_t)golden_func + (1 << 24));
		put_golden(f, strategy, class, nr, &code);
		free(code.w);
	}
}

static const char *propose_dir;

static unsigned int propose(const char *strategy, enum tramp_class class)
{
	char path[512];
	FILE *f;

	if (!resolve(strategy, class, 1))
		return 0;
	snprintf(path, sizeof(path), "%s/%s-%s-%s.S", propose_dir, strategy, arch_name, tramp_class_names[class]);
	f = fopen(path, "w");
	if (!f) {
		perror(path);
		exit(2);
	}
	put_file(f, strategy, class);
	printf("%s\n", path);
	if (fclose(f)) {
		perror(path);
		exit(2);
	}
	return 1;
}

/* @fn for every strategy and class. */
static unsigned int each(unsigned int (*fn)(const char *strategy, enum tramp_class class))
{
	const char *name;
	unsigned int nr = 0;

	for (unsigned int i = 0; (name = tramp_strategy_name(i)); i++)
		for (int class = 0; class < TRAMP_NR_CLASSES; class++)
			nr += fn(name, class);
	return nr;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "--propose")) {
		propose_dir = argv[2];
		mkdir(propose_dir, 0777);
		each(propose);
		return 0;
	}
	if (argc > 1) {
		fprintf(stderr, "usage: golden [--propose DIR]\n");
		return 2;
	}
	tap_plan(each(count) + strays(false) + encodings_nr());
	each(check);
	strays(true);
	encodings_run();
	return tap_done();
}
