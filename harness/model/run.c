/* SPDX-License-Identifier: MIT */
/*
 * Sequences of calls in processes of their own, so that what dies or hangs can be
 * made shorter as well.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <tramp.h>
#include "core/core.h"
#include "run.h"
#include "world.h"

/* --- sequences --- */

void calls_add(struct model_calls *s, struct call c)
{
	if (s->nr == s->cap) {
		s->cap = s->cap ? 2 * s->cap : 1024;
		s->call = realloc(s->call, s->cap * sizeof(*s->call));
		if (!s->call)
			abort();
	}
	s->call[s->nr++] = c;
}

static unsigned int base_of(const struct model_setup *setup)
{
	return setup->class == REGS ? MODEL_SAVE_REGS : setup->class == VEC ? MODEL_SAVE_VEC : 0;
}

/* Each strategy and class gets calls of its own. */
static uint64_t seed_of(const struct model_setup *setup, unsigned long seed)
{
	uint64_t state = seed * MODEL_CLASSES + setup->class;

	for (const char *s = setup->strategy; *s; s++)
		state = (state ^ (uint8_t)*s) * FTRACE_HASH_MULT;
	return state | 1;
}

/* Conflicts and mixtures are found where several ops have a flag. */
static unsigned int fashion(uint64_t *state)
{
	static const uint8_t flags[] = {
		0, MODEL_IPMODIFY, MODEL_IPMODIFY | MODEL_SAVE_REGS, MODEL_SAVE_REGS, MODEL_RECURSION, MODEL_RCU, MODEL_STUB, 0,
	};

	return flags[model_random(state) % sizeof(flags)];
}

/* Until the next REST: each ops has flags of its own, and some time is strict. */
static void add_start(struct model_calls *s, uint64_t *state, unsigned int base)
{
	struct call c;

	if (model_random(state) % 4 == 0)
		calls_add(s, (struct call){ .kind = STRICT, .a = 1 });
	for (int i = 0; i < MODEL_OPS; ) {
		c = call_random(state, base);
		if (c.kind != FLAGS)
			continue;
		c.who = i++;
		c.b = c.inside = 0;
		calls_add(s, c);
	}
}

struct model_calls calls_random(const struct model_setup *setup, unsigned long seed, size_t nr)
{
	uint64_t state = seed_of(setup, seed);
	struct model_calls s = { 0 };
	unsigned int base = base_of(setup);
	struct call c = { .kind = REST };

	while (s.nr < nr) {
		if (c.kind == REST) {
			base = base_of(setup) | fashion(&state);
			add_start(&s, &state, base);
		}
		c = call_random(&state, base);
		calls_add(&s, c);
	}
	return s;
}

bool calls_read(FILE *f, struct model_calls *s)
{
	char line[CALL_TEXT];
	struct call c;

	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "#\n")] = '\0';
		if (!line[strspn(line, " \t")])
			continue;
		if (!call_parse(line, &c)) {
			fprintf(stderr, "model: \"%s\" is no call\n", line);
			return false;
		}
		calls_add(s, c);
	}
	return true;
}

/* --- one run --- */

int model_use(const struct model_setup *setup)
{
	int err = tramp_use_frame(setup->class > ARGS_RESERVED ? TRAMP_CLASS_ARGS : (enum tramp_class)setup->class);

	return err ? err : tramp_use(setup->strategy);
}

__attribute__((noreturn))
static void in_child(const struct model_setup *setup, const struct model_calls *s, struct model_verdict *v)
{
	struct rlimit no_core = { 0, 0 };
	const char *what = NULL;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setrlimit(RLIMIT_CORE, &no_core);
	if (model_use(setup))
		_exit(1);
	world_init(setup->strategy, setup->class > ARGS_RESERVED ? ARGS : setup->class);
	world_solib(setup->solib);
	for (size_t i = 0; i < s->nr && !what; i++) {
		__atomic_store_n(&v->steps, i, __ATOMIC_RELAXED);
		what = world_step(&s->call[i]);
	}
	if (what)
		strncpy(v->what, what, sizeof(v->what) - 1);
	else
		v->steps = s->nr;
	v->callbacks = world_callbacks();
	_exit(0);
}

#define HANGS	30	/* seconds without a step */

/* Until @fd is at its end: true; false: no step is made any more. */
static bool await(int fd, const struct model_verdict *v)
{
	struct pollfd p = { .fd = fd };
	unsigned int idle = 0, limit = tramp_emulated() ? 5 * HANGS : HANGS;
	size_t last = 0, steps;

	while (poll(&p, 1, 1000) <= 0) {
		steps = __atomic_load_n(&v->steps, __ATOMIC_RELAXED);
		idle = steps == last ? idle + 1 : 0;
		last = steps;
		if (idle > limit)
			return false;
	}
	return true;
}

static struct model_verdict *shared_verdict(void)
{
	static struct model_verdict *v;

	if (!v)
		v = mmap(NULL, sizeof(*v), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (v == MAP_FAILED)
		abort();
	memset(v, 0, sizeof(*v));
	return v;
}

void calls_run(const struct model_setup *setup, const struct model_calls *s, struct model_verdict *out)
{
	struct model_verdict *v = shared_verdict();
	int fd[2], status = 0;
	bool ends;
	pid_t pid;

	fflush(stdout);
	if (pipe(fd) || (pid = fork()) < 0) {
		perror("model");
		exit(2);
	}
	if (!pid) {
		close(fd[0]);
		in_child(setup, s, v);
	}
	close(fd[1]);
	ends = await(fd[0], v);
	if (!ends)
		kill(pid, SIGKILL);
	close(fd[0]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	*out = *v;
	if (!ends)
		snprintf(out->what, sizeof(out->what), "hangs");
	else if (WIFSIGNALED(status))
		snprintf(out->what, sizeof(out->what), "dies of SIG%s", sigabbrev_np(WTERMSIG(status)) ?: "?");
	else if (WEXITSTATUS(status))
		snprintf(out->what, sizeof(out->what), "exits with status %d", WEXITSTATUS(status));
}

/* --- the shortest --- */

#define SHRINK_SECONDS 60

struct shrink {
	const struct model_setup *setup;
	struct model_calls	best;
	struct model_verdict	verdict;	/* of the best */
	time_t			until;
};

static bool in_time(const struct shrink *k)
{
	return time(NULL) < k->until;
}

/* Does @s fail, too?  Then it is the best, cut where it fails. */
static bool try_calls(struct shrink *k, struct model_calls *s)
{
	struct model_verdict v;

	if (!s->nr || !in_time(k))
		return false;
	calls_run(k->setup, s, &v);
	if (!*v.what)
		return false;
	k->verdict = v;
	if (v.steps < s->nr)
		s->nr = v.steps + 1;
	memcpy(k->best.call, s->call, s->nr * sizeof(*s->call));
	k->best.nr = s->nr;
	return true;
}

/* The best without [from, from + nr). */
static bool try_without(struct shrink *k, struct model_calls *scratch, size_t from, size_t nr)
{
	size_t end = from + nr < k->best.nr ? from + nr : k->best.nr;

	memcpy(scratch->call, k->best.call, from * sizeof(struct call));
	memcpy(scratch->call + from, k->best.call + end, (k->best.nr - end) * sizeof(struct call));
	scratch->nr = from + k->best.nr - end;
	return try_calls(k, scratch);
}

/* What happened before the last REST does not matter, as a rule. */
static void drop_what_was_before(struct shrink *k, struct model_calls *scratch)
{
	for (size_t i = k->best.nr; i-- > 0; ) {
		if (k->best.call[i].kind == REST && i + 1 < k->best.nr) {
			try_without(k, scratch, 0, i + 1);
			return;
		}
	}
}

static void drop_calls(struct shrink *k, struct model_calls *scratch)
{
	size_t chunk = (k->best.nr + 1) / 2, before;

	while (chunk && in_time(k)) {
		before = k->best.nr;
		/* From the end, so that what depends on a call goes before it. */
		for (size_t end = k->best.nr; end; end = end > chunk ? end - chunk : 0) {
			size_t from = end > chunk ? end - chunk : 0;

			if (from < k->best.nr)
				try_without(k, scratch, from, end - from);
		}
		if (chunk > 1 || k->best.nr == before)
			chunk /= 2;
	}
}

/* Fewer flags, fewer sites, no reset, from outside. */
static void drop_bits(struct shrink *k, struct model_calls *scratch)
{
	for (size_t i = 0; i < k->best.nr; i++) {
		for (int bit = 0; bit < 17; bit++) {
			struct call *c = &scratch->call[i];
			uint8_t *byte = bit < 8 ? &c->a : bit < 16 ? &c->b : &c->inside;

			if (i >= k->best.nr)
				return;
			memcpy(scratch->call, k->best.call, k->best.nr * sizeof(struct call));
			scratch->nr = k->best.nr;
			if (!(*byte >> bit % 8 & 1))
				continue;
			*byte &= ~(1 << bit % 8);
			try_calls(k, scratch);
		}
	}
}

static void shrink(struct shrink *k)
{
	struct model_calls scratch = { 0 };
	size_t before;

	scratch.call = malloc((k->best.nr + 1) * sizeof(struct call));
	if (!scratch.call)
		abort();
	drop_what_was_before(k, &scratch);
	do {
		before = k->best.nr;
		drop_calls(k, &scratch);
		drop_bits(k, &scratch);
	} while (k->best.nr < before && in_time(k));
	free(scratch.call);
}

static void print_failure(FILE *out, const struct shrink *k)
{
	char text[CALL_TEXT];

	fprintf(out, "--impl %s --class %s, %zu calls, the last: %s\n", k->setup->strategy,
		tramp_class_names[k->setup->class], k->best.nr, k->verdict.what);
	for (size_t i = 0; i < k->best.nr; i++) {
		call_print(&k->best.call[i], text);
		fprintf(out, "%s\n", text);
	}
}

bool calls_check(const struct model_setup *setup, struct model_calls *s, struct model_verdict *v, FILE *out)
{
	struct shrink k = { .setup = setup, .best = *s, .until = time(NULL) + SHRINK_SECONDS };

	calls_run(setup, s, v);
	if (!*v->what)
		return true;
	fprintf(out, "call %zu of %zu: %s\n", v->steps + 1, s->nr, v->what);
	k.verdict = *v;
	k.best.nr = v->steps + 1;
	shrink(&k);
	print_failure(out, &k);
	s->nr = k.best.nr;
	strcpy(v->what, k.verdict.what);
	return false;
}
