/* SPDX-License-Identifier: MIT */
/*
 * Deletes one generated instruction at a time and sees whether a case notices.
 *
 *	mutants ALLOW			every strategy, class and instruction: KTAP
 *	mutants STRATEGY/CLASS		its instructions, and which case catches each
 *	mutants STRATEGY/CLASS:N	what the cases say with instruction N deleted
 *
 * STRATEGY+2 is what it generates for two ops on a site, where that is a guarded set.
 *
 * A mutant that no case catches is a line that nothing proves to be needed:
 * write a case, or give the reason in arch/ARCH/mutants.allow.
 */
#include <ctype.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fnmatch.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <golden_arch.h>
#include <listing_arch.h>
#include "core/core.h"
#include "allow.h"
#include "listing.h"
#include "run.h"
#include "tap.h"

/* Where a lost instruction shows: cases, or whole files. */
static const char *const chosen[] = {
	"mutants.c",
	"every_*register*_survive*", "every_flag_survives", "callback_finds_df_clear",
	"full_frame_is_exact", "written_registers_arrive", "written_flags_arrive",
	"vector_registers_survive*", "frame_holds_what_it_says", "callback_stack_is_aligned",
	"ip_is_the_site", "parent_ip_is_the_return_address", "frame_ip_is_the_resume_address",
	"writes_arrive_or_are_refused", "redirect_runs_the_other", "redirect_through_pt_regs",
	"ops_argument_is_its_own", "called_once", "newest_first",
	"chain_of_shared_sites", "shared_site_is_guarded", "all_are_told_the_same", "hooked_return*",
};

#define CODE_MAX	8192
#define MUTANTS_MAX	1024
#define CASES_MAX	512

enum { UNTESTED, CAUGHT, SURVIVED };

/* What the workers find out. */
struct shared {
	struct tramp_code	code;
	uint8_t			bytes[CODE_MAX];
	char			why[200];		/* not tested, because */
	bool			fit[CASES_MAX];		/* cases that pass with nothing deleted */
	uint8_t			result[MUTANTS_MAX];
	uint16_t		by[MUTANTS_MAX];	/* the case that caught it */
};

/* A strategy with a class, and the code that it generates for a lone ops, or for two. */
struct subject {
	const char	*strategy;
	enum tramp_class class;
	char		name[64];
	struct shared	*shared;
	struct listing	listing;
};

static struct subject *subjects;
static unsigned int nr_subjects, nr_cases;
static const struct harness_case **cases;

/* --- inside the process of a case --- */

static struct shared *record_to;
static struct { const struct tramp_code *code; const struct listing_insn *insn; } mutation;

static bool record_set;

/* The first code that a case has generated is that of its lone ops; of those with a guard, of its two. */
static void record(struct tramp_code *code)
{
	if (record_to->code.len || !!code->held != record_set)
		return;
	if (code->len > CODE_MAX)
		abort();
	memcpy(record_to->bytes, code->w, code->len);
	record_to->code = *code;
}

/* All code of that kind, since a case may generate it several times. */
static void mutate(struct tramp_code *code)
{
	if (code->class == mutation.code->class && code->len == mutation.code->len)
		listing_erase(code->w + mutation.insn->at, mutation.insn->len);
}

static void run_survey(void)
{
	for (int i = 0; i <= record_set; i++)
		probe_on(tracee_a);
	EXPECT_EQ(tracee_a(1), 2);
}

static const struct harness_case survey = { .name = "survey", .run = run_survey };

/* --- subjects --- */

static void *shared_alloc(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		abort();
	return p;
}

static void add_subject(const char *strategy, enum tramp_class class, bool set)
{
	const char *form = golden_form(class);
	struct subject *s;
	char said[1024];
	size_t len;

	subjects = realloc(subjects, (nr_subjects + 1) * sizeof(*subjects));
	if (!subjects)
		abort();
	s = &subjects[nr_subjects++];
	*s = (struct subject){ .strategy = strategy, .class = class };
	snprintf(s->name, sizeof(s->name), "%s%s/%s%s%s", strategy, set ? "+2" : "", tramp_class_names[class],
		 *form ? "-" : "", form);
	s->shared = shared_alloc(sizeof(*s->shared));
	record_to = s->shared;
	record_set = set;
	tramp_image_hook = record;
	if (run_case(&survey, strategy, class, said, sizeof(said)) != RUN_PASSED)
		snprintf(s->shared->why, sizeof(s->shared->why), "%.190s", said);
	tramp_image_hook = NULL;
	if (set && !s->shared->code.len) {
		nr_subjects--;		/* what two share is no set's */
		return;
	}
	/* The words behind the code are none. */
	len = s->shared->code.data ? s->shared->code.data : s->shared->code.len;
	listing_read(&s->listing, s->shared->bytes, len, s->shared->code.pc);
	if (s->listing.nr > MUTANTS_MAX)
		abort();
}

static bool is_mutant(const struct subject *s, size_t i)
{
	return !listing_is_filler(s->shared->bytes + s->listing.insn[i].at);
}

/* The instruction without the addresses of this run. */
static void insn_text(const struct subject *s, size_t i, char *out, size_t size)
{
	const struct listing_insn *insn = &s->listing.insn[i];
	uintptr_t pc = s->shared->code.pc;
	const char *from, *to;
	unsigned long addr;

	if (!listing_address(insn->text, pc + insn->at + insn->len, &from, &to, &addr))
		snprintf(out, size, "%s", insn->text);
	else if (addr - pc < s->shared->code.len)
		snprintf(out, size, "%.*s.%+ld%s", (int)(from - insn->text), insn->text,
			 (long)(addr - pc - insn->at), to);
	else
		snprintf(out, size, "%.*s...%s", (int)(from - insn->text), insn->text, to);
	while ((out = strchr(out, '\t')))
		*out = ' ';
}

/* With its number among equals: pushes and pops come more than once. */
static void insn_name(const struct subject *s, size_t i, char *out, size_t size)
{
	unsigned int nth = 0, all = 0;
	char other[112];

	insn_text(s, i, out, size);
	for (size_t k = 0; k < s->listing.nr; k++) {
		insn_text(s, k, other, sizeof(other));
		if (strcmp(other, out))
			continue;
		all++;
		nth += k <= i;
	}
	if (all > 1)
		snprintf(out + strlen(out), size - strlen(out), " [%u]", nth);
}

/* --- work, split among processes --- */

static unsigned int processors(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) ? 1 : CPU_COUNT(&set);
}

/* Each takes the next piece of work that nobody has. */
static unsigned int *next_piece;

/*
 * A child that runs a mutant has its worker's frames above its own, and may
 * return into them: nothing that it does there counts.
 */
static pid_t worker;

static void only_worker(void)
{
	if (getpid() != worker)
		_exit(1);
}

static unsigned int take_piece(void)
{
	only_worker();
	return __atomic_fetch_add(next_piece, 1, __ATOMIC_RELAXED);
}

static void work(void (*fn)(unsigned int piece), unsigned int nr)
{
	unsigned int workers = processors();

	*next_piece = 0;
	fflush(NULL);
	for (unsigned int i = 0; i < workers; i++) {
		if (fork())
			continue;
		worker = getpid();
		for (unsigned int n; (n = take_piece()) < nr; )
			fn(n);
		_exit(0);
	}
	while (wait(NULL) > 0)
		;
}

/* A case that fails on its own, or has nothing to say about this class, proves nothing. */
static void try_case(unsigned int piece)
{
	const struct subject *s = &subjects[piece / nr_cases];
	unsigned int c = piece % nr_cases;
	char said[4096];

	if (!*s->shared->why)
		s->shared->fit[c] = run_case(cases[c], s->strategy, s->class, said, sizeof(said)) == RUN_PASSED;
}

/* The case that caught the last mutant catches the next one, too, more often than not. */
static unsigned int *order_for(unsigned int subject)
{
	static unsigned int order[CASES_MAX], of = ~0U;

	if (of != subject)
		for (unsigned int i = 0; i < nr_cases; i++)
			order[i] = i;
	of = subject;
	return order;
}

static void to_front(unsigned int *order, unsigned int at)
{
	unsigned int c = order[at];

	memmove(order + 1, order, at * sizeof(*order));
	order[0] = c;
}

static void try_mutant(unsigned int piece)
{
	const struct subject *s = &subjects[piece / MUTANTS_MAX];
	unsigned int i = piece % MUTANTS_MAX, *order = order_for(piece / MUTANTS_MAX);
	char said[4096];

	if (*s->shared->why || i >= s->listing.nr || !is_mutant(s, i))
		return;
	mutation.code = &s->shared->code;
	mutation.insn = &s->listing.insn[i];
	tramp_image_hook = mutate;
	s->shared->result[i] = SURVIVED;
	for (unsigned int k = 0; k < nr_cases; k++) {
		bool failed = s->shared->fit[order[k]] &&
			      run_case(cases[order[k]], s->strategy, s->class, said, sizeof(said)) == RUN_FAILED;

		only_worker();
		if (!failed)
			continue;
		s->shared->result[i] = CAUGHT;
		s->shared->by[i] = order[k];
		to_front(order, k);
		break;
	}
}

/* --- results --- */

static void report_survivor(const struct subject *s, size_t i, const char *name)
{
	tap_note("nobody misses instruction %zu, +%#zx: %s : %s", i, s->listing.insn[i].at, s->name, name);
}

static void report(const struct subject *s)
{
	unsigned int count[3] = { 0 }, allowed = 0;
	char name[128];

	if (*s->shared->why) {
		tap_skip(s->shared->why, "mutants of %s", s->name);
		return;
	}
	for (size_t i = 0; i < s->listing.nr; i++) {
		count[s->shared->result[i]]++;
		insn_name(s, i, name, sizeof(name));
		if (s->shared->result[i] == CAUGHT)
			allow_caught(s->name, name);
		else if (s->shared->result[i] == SURVIVED && allow_survivor(s->name, name))
			allowed++;
		else if (s->shared->result[i] == SURVIVED)
			report_survivor(s, i, name);
	}
	(count[CAUGHT] && count[SURVIVED] == allowed ? tap_ok : tap_not_ok)
		("mutants of %s: %u caught, %u allowed, %u not missed", s->name,
		 count[CAUGHT], allowed, count[SURVIVED] - allowed);
}

/* A case that fails with nothing deleted catches nothing; make check says more about it. */
static void report_unfit(void)
{
	for (unsigned int c = 0; c < nr_cases; c++) {
		bool fit = false;

		for (unsigned int i = 0; i < nr_subjects; i++)
			fit |= subjects[i].shared->fit[c];
		if (!fit)
			tap_note("%s passes nowhere and is left out", cases[c]->name);
	}
}

static bool tested(const char *glob)
{
	for (unsigned int i = 0; i < nr_subjects; i++)
		if (!*subjects[i].shared->why && !fnmatch(glob, subjects[i].name, 0))
			return true;
	return false;
}

static int run_all(const char *allow)
{
	allow_read(allow);
	tap_plan(nr_subjects + allow_nr());
	work(try_case, nr_subjects * nr_cases);
	report_unfit();
	work(try_mutant, nr_subjects * MUTANTS_MAX);
	for (unsigned int i = 0; i < nr_subjects; i++)
		report(&subjects[i]);
	allow_report(tested);
	return tap_done();
}

/* --- for one who looks closer --- */

static int list_one(const struct subject *s)
{
	static const char *const words[] = { "", "caught by", "NOT MISSED" };
	char name[128];

	work(try_mutant, nr_subjects * MUTANTS_MAX);
	for (size_t i = 0; i < s->listing.nr; i++) {
		int result = s->shared->result[i];

		insn_name(s, i, name, sizeof(name));
		printf("%4zu  +0x%03zx  %-44s %s %s\n", i, s->listing.insn[i].at, name, words[result],
		       result == CAUGHT ? cases[s->shared->by[i]]->name : "");
	}
	return 0;
}

static int ask_all(const struct subject *s, size_t i)
{
	char said[4096];

	if (i >= s->listing.nr) {
		fprintf(stderr, "mutants: %s has %zu instructions\n", s->name, s->listing.nr);
		return 2;
	}
	insn_text(s, i, said, sizeof(said));
	printf("%s without +%#zx: %s\n", s->name, s->listing.insn[i].at, said);
	mutation.code = &s->shared->code;
	mutation.insn = &s->listing.insn[i];
	tramp_image_hook = mutate;
	for (unsigned int c = 0; c < nr_cases; c++)
		if (s->shared->fit[c] &&
		    run_case(cases[c], s->strategy, s->class, said, sizeof(said)) == RUN_FAILED)
			printf("%s\n%s\n", cases[c]->name, said);
	return 0;
}

static int run_one(char *name)
{
	char *number = strchr(name, ':');

	if (number)
		*number++ = '\0';
	for (unsigned int i = 0; i < nr_subjects; i++)
		if (strcmp(subjects[i].name, name))
			snprintf(subjects[i].shared->why, sizeof(subjects->shared->why), "not asked for");
	if (!tested(name)) {
		fprintf(stderr, "mutants: no %s\n", name);
		return 2;
	}
	work(try_case, nr_subjects * nr_cases);
	for (unsigned int i = 0; i < nr_subjects; i++)
		if (!strcmp(subjects[i].name, name))
			return number ? ask_all(&subjects[i], strtoul(number, NULL, 0)) : list_one(&subjects[i]);
	return 2;
}

int main(int argc, char **argv)
{
	const char *name;

	if (argc != 2) {
		fprintf(stderr, "usage: mutants ALLOW-FILE | STRATEGY/CLASS | STRATEGY/CLASS:N\n");
		return 2;
	}
	next_piece = shared_alloc(sizeof(*next_piece));
	cases = run_select(chosen, sizeof(chosen) / sizeof(*chosen));
	while (cases[nr_cases])
		nr_cases++;
	if (nr_cases > CASES_MAX)
		abort();
	child_prepare();
	for (unsigned int i = 0; (name = tramp_strategy_name(i)); i++)
		for (int class = 0; class < TRAMP_NR_CLASSES; class++)
			for (int set = 0; set < 2; set++)
				add_subject(name, class, set);
	return access(argv[1], R_OK) ? run_one(argv[1]) : run_all(argv[1]);
}
