/* SPDX-License-Identifier: MIT */
/*
 * Rounds.  On a shared machine the clock, the neighbours and the interrupts
 * change from one millisecond to the next, so figures taken one after another
 * cannot be compared.  Hence: one process holds every variant; each round
 * measures all of them, a few microseconds each, in an order of its own; and
 * only differences within one round are ever used (summary.c).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include "bench.h"
#include "timer.h"

#include <ticks.h>

#define TURNS		512	/* n: 512 and 1024 turns make one sample */
#define TURNS_MIN	16	/* but one of many functions in turn will do */
#define SAMPLE_TICKS	20000	/* dearer variants take fewer turns */
#define CANARY_TURNS	1024
#define PIECE		8192	/* turns of a long sample that are timed at a time */

/* In ticks; 32 bits are two seconds. */
struct sample {
	uint32_t	id, round, position;
	uint32_t	empty;		/* start and stop with nothing between */
	uint32_t	ruler;		/* 4096 core cycles, the timer's own cost taken off */
	uint32_t	before, after;	/* the canary's turns */
	uint32_t	t_n, t_2n;
};

static struct {
	struct sample	*s;
	size_t		nr, cap;
} samples;

static void samples_reserve(size_t nr)
{
	if (samples.nr + nr <= samples.cap)
		return;
	samples.cap = 2 * (samples.cap + nr);
	samples.s = realloc(samples.s, samples.cap * sizeof(*samples.s));
	if (!samples.s)
		abort();
	/* Page faults now, not between two readings of the clock. */
	memset(samples.s + samples.nr, 0, (samples.cap - samples.nr) * sizeof(*samples.s));
}

uint32_t bench_time_empty(void)
{
	uint64_t start = arch_ticks_start();

	return arch_ticks_stop() - start;
}

static uint32_t time_ruler(unsigned int blocks)
{
	uint64_t start = arch_ticks_start();

	arch_ruler(blocks);
	return arch_ticks_stop() - start;
}

static uint32_t time_loop(void (*loop)(unsigned long), unsigned long n)
{
	uint64_t start = arch_ticks_start();

	loop(n);
	return arch_ticks_stop() - start;
}

/*
 * 4096 cycles as the difference of two lengths: the timer's own cost and the
 * end of the loop are in both.
 */
uint32_t bench_time_ruler(void)
{
	uint32_t lead = time_ruler(1024 / ARCH_RULER_BLOCK);

	return time_ruler((1024 + 4096) / ARCH_RULER_BLOCK) - lead;
}

/*
 * The ruler shows the clock, but not a neighbour on the same physical core: a
 * chain of additions leaves it all the room it wants.  Plain calls do notice
 * (5.4 cycles in place of 4.0), so each sample stands between two canaries.
 */
static void take(const struct bench_point *p, struct sample *s)
{
	const struct bench_regime *r = &bench_regimes[p->regime];

	s->id = p->id;
	s->ruler = bench_time_ruler();
	s->empty = bench_time_empty();
	s->before = time_loop(bench_canary, CANARY_TURNS);
	s->t_n = time_loop(r->loop, p->n);
	s->t_2n = time_loop(r->loop, 2UL * p->n);
	s->after = time_loop(bench_canary, CANARY_TURNS);
}

/*
 * A whole sample for nothing: caches, predictors, the code that was just
 * changed, and this code.  With the loop alone, whatever came first in a round
 * was a tenth of a cycle dearer.
 */
static void warm_and_take(const struct bench_point *p, struct sample *s)
{
	take(p, s);
	take(p, s);
}

/* The fourth: behind threads that came and went, readings are 5 % too dear at first. */
static uint32_t warm_canary(void)
{
	uint32_t t = 0;

	for (unsigned int i = 0; i < 4; i++)
		t = time_loop(bench_canary, CANARY_TURNS);
	return t;
}

/* How often this thread was taken off its CPU. */
static long taken_off(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nivcsw;
}

/*
 * What is long meets other programs, which are no part of it: in pieces, and one in
 * which this thread was taken off its CPU is made again, unless that is how it always goes.
 */
static uint32_t time_pieces(void (*loop)(unsigned long), unsigned long n)
{
	unsigned long piece;
	uint32_t sum = 0, t;
	unsigned int tries;
	long before;

	for (; n; n -= piece) {
		piece = n < PIECE ? n : PIECE;
		for (tries = 0; tries < 8; tries++) {
			before = taken_off();
			t = time_loop(loop, piece);
			if (taken_off() == before)
				break;
		}
		sum += t;
	}
	return sum;
}

/*
 * The canaries ask for others' work, so they stand outside of what goes on beside;
 * the ruler inside, since more cores at work may mean a slower clock.
 */
static int take_beside(const struct bench_config *c, const struct bench_point *p, struct sample *s)
{
	const struct bench_beside *b = p->beside;
	int err;

	s->before = warm_canary();
	err = b->begin(c, p);
	if (err)
		return err;
	b->loop(TURNS);
	bench_time_ruler();
	s->ruler = bench_time_ruler();
	s->empty = bench_time_empty();
	s->t_n = time_pieces(b->loop, p->n);
	s->t_2n = time_pieces(b->loop, 2UL * p->n);
	err = b->end(c, p);
	s->after = warm_canary();
	s->id = p->id;
	return err;
}

static int take_point(const struct bench_config *c, const struct bench_point *p, struct sample *s)
{
	int err;

	if (p->beside)
		return take_beside(c, p, s);
	err = bench_set_point(c, p);
	if (!err)
		warm_and_take(p, s);
	return err;
}

/* --- before the first sample --- */

static unsigned int choose_turns(const struct bench_point *p)
{
	const struct bench_regime *r = &bench_regimes[p->regime];
	unsigned int i, n = TURNS, least = p->functions > 1 ? 1 : TURNS_MIN;
	uint32_t best = UINT32_MAX, t;

	for (i = 0; i < 5; i++) {
		t = time_loop(r->loop, least);
		best = t < best ? t : best;
	}
	while (n > least && (uint64_t)best * n / least > SAMPLE_TICKS)
		n /= 2;
	return n;
}

/* Armed: one sample for nothing shows that the point's own work can be done, too. */
static int try_point(const struct bench_config *c, struct bench_point *p)
{
	struct sample ignored;
	int err;

	if (p->beside)
		return take_beside(c, p, &ignored);
	err = bench_set_point(c, p);
	if (!err)
		p->n = choose_turns(p);
	return err;
}

static int check_config(const struct bench_config *c)
{
	unsigned int k;
	int bad = 0;

	for (k = 0; k < c->nr; k++)
		if (!k || !bench_same_check(&c->point[k - 1], &c->point[k]))
			bad |= !bench_check(c, &c->point[k]);
	return bad;
}

static void describe_point(struct bench_run *run, const struct bench_config *c, struct bench_point *p)
{
	const struct bench_regime *r = &bench_regimes[p->regime];
	unsigned int calls = p->beside ? 1 : p->functions ? p->functions : r->calls;

	p->id = run->next_id++;
	fprintf(run->out, "V,%u,%s,%s,%s,%s,%u,%u,%u,%u,%u\n", p->id, run->scenario,
		bench_config_name(c), bench_config_class(c), p->beside ? p->beside->name : r->name,
		p->relevant, p->irrelevant, calls, p->n, calls);
}

static int prepare_config(struct bench_run *run, const struct bench_config *c)
{
	unsigned int k;
	int err;

	if (check_config(c))
		return 1;
	err = bench_arm(c);
	for (k = 0; k < c->nr && !err; k++) {
		err = try_point(c, &c->point[k]);
		if (!err)
			describe_point(run, c, &c->point[k]);
	}
	if (err)
		fprintf(stderr, "bench: %s %s passed its check, then: %s (%s)\n",
			bench_config_name(c), bench_config_class(c), tramp_why(), strerror(-err));
	bench_disarm(c);
	return err;
}

static int prepare(struct bench_run *run, struct bench_config *config, unsigned int nr)
{
	unsigned int i;
	int bad = 0;

	for (i = 0; i < nr; i++)
		bad |= prepare_config(run, &config[i]);
	return bad;
}

/* --- orders --- */

/* splitmix64: a full period from any seed, and the same numbers everywhere. */
static uint64_t rng(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

void bench_shuffle(uint64_t *state, unsigned int *v, unsigned int nr)
{
	unsigned int i, j, t;

	for (i = 0; i < nr; i++)
		v[i] = i;
	for (i = nr; i > 1; i--) {
		j = rng(state) % i;
		t = v[i - 1];
		v[i - 1] = v[j];
		v[j] = t;
	}
}

/*
 * A Latin square with rows, columns and symbols shuffled: in nr rounds each
 * variant stands once in each place.
 */
struct square {
	unsigned int nr, *row, *col, *sym;
	uint64_t rng;
};

static void square_init(struct square *q, unsigned int nr, uint64_t seed)
{
	q->nr = nr;
	q->rng = seed;
	q->row = calloc(3UL * nr, sizeof(*q->row));
	if (!q->row)
		abort();
	q->col = q->row + nr;
	q->sym = q->col + nr;
}

static void square_shuffle(struct square *q)
{
	bench_shuffle(&q->rng, q->row, q->nr);
	bench_shuffle(&q->rng, q->col, q->nr);
	bench_shuffle(&q->rng, q->sym, q->nr);
}

static unsigned int square_at(const struct square *q, unsigned int round, unsigned int place)
{
	return q->sym[(q->row[round % q->nr] + q->col[place]) % q->nr];
}

/* --- rounds --- */

double bench_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

static int measure(const struct bench_config *c, unsigned int round, unsigned int *place)
{
	unsigned int k;
	int err = bench_arm(c);

	for (k = 0; k < c->nr && !err; k++) {
		err = take_point(c, &c->point[k], &samples.s[samples.nr]);
		if (err)
			break;
		samples.s[samples.nr].round = round;
		samples.s[samples.nr++].position = (*place)++;
	}
	if (err)
		fprintf(stderr, "bench: %s %s failed in round %u: %s (%s)\n", bench_config_name(c),
			bench_config_class(c), round, tramp_why(), strerror(-err));
	bench_disarm(c);
	return err;
}

static int one_round(struct bench_config *config, const struct square *q, unsigned int round)
{
	unsigned int i, place = 0;
	int err = 0;

	for (i = 0; i < q->nr && !err; i++)
		err = measure(&config[square_at(q, round, i)], round, &place);
	return err;
}

static void write_samples(struct bench_run *run)
{
	const struct sample *s;

	for (s = samples.s; s < samples.s + samples.nr; s++)
		fprintf(run->out, "S,%u,%u,%u,%u,%u,%u,%u,%u,%u\n", s->id, s->round, s->position,
			s->empty, s->ruler, s->before, s->after, s->t_n, s->t_2n);
	samples.nr = 0;
}

static unsigned int count_points(const struct bench_config *config, unsigned int nr)
{
	unsigned int i, points = 0;

	for (i = 0; i < nr; i++)
		points += config[i].nr;
	return points;
}

int bench_rounds(struct bench_run *run, struct bench_config *config, unsigned int nr, double seconds)
{
	unsigned int round = 0, points = count_points(config, nr);
	double start, spent = 0, shown = 0;
	struct square q;
	int err = 0;

	if (prepare(run, config, nr))
		return 1;
	square_init(&q, nr, run->seed ^ (uint64_t)run->order << 32 ^ (uint64_t)run->process << 48);
	start = bench_now();
	/* A square at least, whatever the time: less is not comparable. */
	while (!err && (spent < seconds || round < nr)) {
		if (round % nr == 0)
			square_shuffle(&q);
		samples_reserve(points);
		err = one_round(config, &q, round++);
		spent = bench_now() - start;
		if (spent > shown + 0.5) {
			shown = spent;
			bench_progress(run, spent);
		}
	}
	free(q.row);
	write_samples(run);
	return err;
}
