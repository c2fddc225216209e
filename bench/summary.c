/* SPDX-License-Identifier: MIT */
/*
 * From raw samples to summary.csv, and to the table at the end of make bench.
 * The method is docs/measuring.md; what a column means, results/README.md.
 *
 * Every figure is a median with a 95 % interval of the sign test, which asks
 * nothing of the noise's shape.  Figures of one link order are pooled; over
 * link orders the value is the median, and the interval runs from the lowest
 * lower to the highest upper end: where code happens to lie is part of what
 * is not known.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CANARY_TOLERANCE 0.025	/* of the untraced or plain call: outside of it, a round or sample is dropped */
#define CANARY_TURNS	1024	/* engine.c's */
#define SLOW_STATE	1.10	/* times the campaign's lowest mode: above, a process was slowed throughout */
#define RULER_TOLERANCE	0.03	/* of the round's clock: outside of it, a sample is */
#define POOR		0.30	/* kept rounds below which a campaign has no good quality */
#define MAX_ORDERS	64

/* --- growing arrays --- */

#define VEC(type) struct { type *v; size_t nr, cap; }
#define push(a, x) do {								\
	if ((a)->nr == (a)->cap) {						\
		(a)->cap = (a)->cap ? 2 * (a)->cap : 64;			\
		(a)->v = realloc((a)->v, (a)->cap * sizeof(*(a)->v));		\
		if (!(a)->v)							\
			abort();						\
	}									\
	(a)->v[(a)->nr++] = (x);						\
} while (0)

typedef VEC(double) vec_d;

/* --- what was read --- */

/* The columns that name a figure. */
struct key {
	char scenario[32], strategy[32], class[20], regime[16];
	unsigned int relevant, irrelevant, sites;
};

/* One variant in one process: cycles of one traced call by round, NAN where there is none. */
struct variant {
	struct key	key;
	unsigned int	id, order, process, n, calls;
	double		*cycles;
	size_t		first;	/* of its samples, while reading */
};

/* All variants of one scenario and process; their rounds are numbered alike. */
struct block {
	unsigned int		first, end;	/* variants */
	unsigned int		rounds;
	unsigned int		tried, kept;	/* of the regime that kept the fewest */
};

struct sample {
	unsigned int id, round;
	double empty, ruler, before, after, t_n, t_2n;
};

/* A figure of one link order. */
struct part {
	double value, lo, hi;
};

/* A row being put together over link orders. */
struct row {
	struct key	key;
	char		metric[32];
	char		note[160];
	vec_d		by_order[MAX_ORDERS];
};

static VEC(struct variant) variants;
static VEC(struct block) blocks;
static VEC(struct sample) samples;	/* of the block being read */
static VEC(struct row) rows;
static unsigned int order, process, nr_orders;
static double worst_kept = 1, worst_aa;
static unsigned int sum_kept, sum_tried;

/* --- statistics --- */

static int cmp_d(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double quantile_sorted(const double *v, size_t n, double q)
{
	double at = q * (n - 1);
	size_t i = at;

	return i + 1 < n ? v[i] + (at - i) * (v[i + 1] - v[i]) : v[n - 1];
}

/* The median, and the order statistics that hold it with 95 % (normal approximation). */
static struct part median(vec_d *d)
{
	struct part p = { NAN, NAN, NAN };
	double half;
	long lo;

	if (!d->nr)
		return p;
	qsort(d->v, d->nr, sizeof(*d->v), cmp_d);
	p.value = quantile_sorted(d->v, d->nr, 0.5);
	half = 0.98 * sqrt(d->nr);
	lo = floor((d->nr - 1) / 2.0 - half);
	lo = lo < 0 ? 0 : lo;
	p.lo = d->v[lo];
	p.hi = d->v[d->nr - 1 - lo];
	return p;
}

/* The mean of the middle half: steadies what the counter's steps make coarse. */
static double middle_mean(double *v, size_t n)
{
	size_t i, lo = n / 4, hi = n - n / 4;
	double sum = 0;

	if (!n)
		return NAN;
	qsort(v, n, sizeof(*v), cmp_d);
	for (i = lo; i < hi; i++)
		sum += v[i];
	return sum / (hi - lo);
}

/*
 * Half-sample mode: again and again the half that lies closest together.
 * Noise has two sides here (a neighbour slows, a turbo hastens): neither the
 * minimum nor the mean is what the machine mostly does.
 */
static double mode(double *v, size_t n)
{
	size_t i, half, best;

	qsort(v, n, sizeof(*v), cmp_d);
	while (n > 3) {
		half = (n + 1) / 2;
		for (best = i = 0; i + half <= n; i++)
			if (v[i + half - 1] - v[i] < v[best + half - 1] - v[best])
				best = i;
		v += best;
		n = half;
	}
	return n ? quantile_sorted(v, n, 0.5) : NAN;
}

/* --- canaries --- */

/*
 * The lowest mode of each canary (an untraced regime, or plain calls) in any
 * process: files are read once for these alone.  A neighbour can slow a process
 * from its first round to its last, and then its own mode would let everything
 * pass; so a process is also held against the others.  Many functions in turn only
 * against those of its link order: what else they share caches with is decided there.
 */
#define FEW 8	/* functions: one, or eight nested */

struct lowest {
	char		regime[16];
	unsigned int	sites, order;
	double		mode;
};
static VEC(struct lowest) lowest;
static bool collecting;

static double *lowest_mode(const char *regime, unsigned int sites)
{
	struct lowest new = { .sites = sites, .order = sites > FEW ? order : 0, .mode = INFINITY };
	size_t i;

	for (i = 0; i < lowest.nr; i++)
		if (!strcmp(lowest.v[i].regime, regime) && lowest.v[i].sites == sites &&
		    lowest.v[i].order == new.order)
			return &lowest.v[i].mode;
	snprintf(new.regime, sizeof(new.regime), "%s", regime);
	push(&lowest, new);
	return &lowest.v[lowest.nr - 1].mode;
}

/* What a canary has to be near to, by its mode in this process. */
static double canary_floor(const char *regime, unsigned int sites, double mine)
{
	double *low = lowest_mode(regime, sites);

	if (collecting)
		*low = fmin(*low, mine);
	return mine > *low * SLOW_STATE ? *low : mine;
}

static bool near_floor(double cycles, double floor)
{
	return fabs(cycles / floor - 1) <= CANARY_TOLERANCE;
}

/* --- samples to cycles --- */

static struct variant *variant_of(struct block *b, unsigned int id)
{
	unsigned int i;

	for (i = b->first; i < b->end; i++)
		if (variants.v[i].id == id)
			return &variants.v[i];
	return NULL;
}

static void allocate_cycles(struct block *b)
{
	unsigned int i, r;

	for (i = b->first; i < b->end; i++) {
		variants.v[i].cycles = malloc((b->rounds + 1) * sizeof(double));
		if (!variants.v[i].cycles)
			abort();
		for (r = 0; r < b->rounds; r++)
			variants.v[i].cycles[r] = NAN;
	}
}

/*
 * The clock is the round's, from all of its rulers: one ruler is as coarse as
 * the counter's step, and no clock changes twice in a few milliseconds.
 */
static double round_clock(const struct sample *s, size_t nr)
{
	static double rulers[4096];
	size_t i;

	for (i = 0; i < nr && i < 4096; i++)
		rulers[i] = s[i].ruler;
	return middle_mean(rulers, i) / 4096;
}

static double canary_cycles(double ticks, double empty, double clock)
{
	return (ticks - empty) / CANARY_TURNS / clock;
}

static void convert_round(struct block *b, const struct sample *s, size_t nr, double empty,
			  double floor)
{
	double clock = round_clock(s, nr), ticks;
	struct variant *v;
	size_t i;

	for (i = 0; i < nr; i++) {
		v = variant_of(b, s[i].id);
		if (!v || fabs(s[i].ruler / 4096 / clock - 1) > RULER_TOLERANCE)
			continue;
		if (!near_floor(canary_cycles(s[i].before, empty, clock), floor) ||
		    !near_floor(canary_cycles(s[i].after, empty, clock), floor))
			continue;
		ticks = s[i].t_n + s[i].t_2n - 2 * empty;
		v->cycles[s[i].round] = ticks / (3.0 * v->n * v->calls) / clock;
	}
}

/* The end of the round that begins with sample @start. */
static size_t round_end(size_t start)
{
	size_t i = start;

	while (i < samples.nr && samples.v[i].round == samples.v[start].round)
		i++;
	return i;
}

static double plain_mode(double empty)
{
	vec_d all = { 0 };
	size_t i, start, end;
	double clock, found;

	for (start = 0; start < samples.nr; start = end) {
		end = round_end(start);
		clock = round_clock(samples.v + start, end - start);
		for (i = start; i < end; i++)
			push(&all, canary_cycles(samples.v[i].before, empty, clock));
	}
	found = mode(all.v, all.nr);
	free(all.v);
	return found;
}

static void convert_samples(struct block *b)
{
	vec_d empties = { 0 };
	double empty, floor;
	size_t i, start, end;

	for (i = 0; i < samples.nr; i++) {
		push(&empties, samples.v[i].empty);
		if (samples.v[i].round >= b->rounds)
			b->rounds = samples.v[i].round + 1;
	}
	empty = middle_mean(empties.v, empties.nr);
	free(empties.v);
	allocate_cycles(b);
	floor = canary_floor("plain", 0, plain_mode(empty));
	for (start = 0; start < samples.nr; start = end) {
		end = round_end(start);
		convert_round(b, samples.v + start, end - start, empty, floor);
	}
	samples.nr = 0;
}

/* --- rows --- */

static bool same_key(const struct key *a, const struct key *b)
{
	return a->relevant == b->relevant && a->irrelevant == b->irrelevant &&
	       a->sites == b->sites && !strcmp(a->scenario, b->scenario) &&
	       !strcmp(a->strategy, b->strategy) && !strcmp(a->class, b->class) &&
	       !strcmp(a->regime, b->regime);
}

static struct row *row_of(const struct key *key, const char *metric)
{
	struct row new = { .key = *key };
	size_t i;

	for (i = rows.nr; i-- > 0; )
		if (same_key(&rows.v[i].key, key) && !strcmp(rows.v[i].metric, metric))
			return &rows.v[i];
	snprintf(new.metric, sizeof(new.metric), "%s", metric);
	push(&rows, new);
	return &rows.v[rows.nr - 1];
}

static const struct row *find_row(const struct key *key, const char *metric)
{
	size_t i;

	for (i = 0; i < rows.nr; i++)
		if (same_key(&rows.v[i].key, key) && !strcmp(rows.v[i].metric, metric))
			return &rows.v[i];
	return NULL;
}

static void add_value(const struct key *key, const char *metric, double value)
{
	struct row *row = row_of(key, metric);

	push(&row->by_order[order], value);
}

/* Over link orders, as the head of this file says. */
static struct part combine(const struct part *p, unsigned int nr)
{
	struct part all = { NAN, INFINITY, -INFINITY };
	vec_d values = { 0 };
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (isnan(p[i].value))
			continue;
		push(&values, p[i].value);
		all.lo = fmin(all.lo, p[i].lo);
		all.hi = fmax(all.hi, p[i].hi);
	}
	if (!values.nr)
		return (struct part) { NAN, NAN, NAN };
	all.value = median(&values).value;
	free(values.v);
	return all;
}

static void parts_of(struct row *row, struct part *p)
{
	unsigned int o;

	for (o = 0; o < nr_orders; o++)
		p[o] = median(&row->by_order[o]);
}

static struct part row_part(const struct row *row)
{
	struct part p[MAX_ORDERS];

	parts_of((struct row *)row, p);
	return combine(p, nr_orders);
}

/* --- one block: which rounds count, and what they say --- */

/* Do they call the same functions in the same loop? */
static bool same_calls(const struct key *a, const struct key *b)
{
	return a->sites == b->sites && !strcmp(a->regime, b->regime);
}

static struct variant *find_ref(struct block *b, const char *strategy, const struct key *like)
{
	unsigned int i;

	for (i = b->first; i < b->end; i++)
		if (!strcmp(variants.v[i].key.strategy, strategy) &&
		    same_calls(&variants.v[i].key, like))
			return &variants.v[i];
	return NULL;
}

static double untraced_mode(const struct block *b, const struct variant *u)
{
	vec_d all = { 0 };
	unsigned int r;
	double floor;

	for (r = 0; r < b->rounds; r++)
		if (!isnan(u->cycles[r]))
			push(&all, u->cycles[r]);
	floor = mode(all.v, all.nr);
	free(all.v);
	return floor;
}

static void add_variant(struct block *b, const struct variant *v, const struct variant *u,
			const bool *keep)
{
	unsigned int r;

	/* A row of its own even where no round counts, and all rows in one order. */
	row_of(&v->key, "cycles_total");
	if (v != u)
		row_of(&v->key, "cycles_over_untraced");
	for (r = 0; r < b->rounds; r++) {
		if (!keep[r] || isnan(v->cycles[r]))
			continue;
		add_value(&v->key, "cycles_total", v->cycles[r]);
		if (v != u)
			add_value(&v->key, "cycles_over_untraced", v->cycles[r] - u->cycles[r]);
	}
}

static void add_regime(struct block *b, const struct key *like)
{
	struct variant *u = find_ref(b, "untraced", like), *canary = find_ref(b, "untraced_b", like);
	bool *keep = calloc(b->rounds + 1, sizeof(*keep));
	unsigned int i, r, kept = 0;
	double floor;

	if (!u || !canary || !keep) {
		free(keep);
		return;
	}
	floor = canary_floor(like->regime, like->sites, untraced_mode(b, u));
	if (collecting) {
		free(keep);
		return;
	}
	for (r = 0; r < b->rounds; r++) {
		keep[r] = near_floor(u->cycles[r], floor) && near_floor(canary->cycles[r], floor);
		kept += keep[r];
	}
	for (i = b->first; i < b->end; i++)
		if (same_calls(&variants.v[i].key, like))
			add_variant(b, &variants.v[i], u, keep);
	sum_tried += b->rounds;
	sum_kept += kept;
	if (b->rounds && (double)kept / b->rounds < worst_kept)
		worst_kept = (double)kept / b->rounds;
	free(keep);
}

static void finish_block(void)
{
	struct block *b = blocks.nr ? &blocks.v[blocks.nr - 1] : NULL;
	unsigned int i, k;

	if (!b || !samples.nr)
		return;
	b->end = variants.nr;
	convert_samples(b);
	for (i = b->first; i < b->end; i++) {
		for (k = b->first; k < i; k++)
			if (same_calls(&variants.v[k].key, &variants.v[i].key))
				break;
		if (k == i)
			add_regime(b, &variants.v[i].key);
	}
	for (i = b->first; i < b->end; i++)
		free(variants.v[i].cycles);
	variants.nr = b->first;
	blocks.nr = 0;
}

/* --- reading --- */

static bool read_variant(char *line)
{
	struct variant v = { .order = order, .process = process };
	struct block b = { .first = variants.nr };

	if (samples.nr)
		finish_block();
	if (sscanf(line, "V,%u,%31[^,],%31[^,],%19[^,],%15[^,],%u,%u,%u,%u,%u", &v.id,
		   v.key.scenario, v.key.strategy, v.key.class, v.key.regime, &v.key.relevant,
		   &v.key.irrelevant, &v.key.sites, &v.n, &v.calls) != 10)
		return false;
	if (!blocks.nr) {
		b.first = variants.nr;
		push(&blocks, b);
	}
	push(&variants, v);
	return true;
}

static bool read_sample(char *line)
{
	struct sample s;
	unsigned int position;

	if (sscanf(line, "S,%u,%u,%u,%lf,%lf,%lf,%lf,%lf,%lf", &s.id, &s.round, &position, &s.empty,
		   &s.ruler, &s.before, &s.after, &s.t_n, &s.t_2n) != 9)
		return false;
	if (blocks.nr)
		blocks.v[0].end = variants.nr;
	push(&samples, s);
	return true;
}

static bool read_metric(char *line)
{
	struct key k;
	struct row *row;
	char metric[32], *p;
	int at = 0;

	finish_block();
	if (sscanf(line, "M,%31[^,],%31[^,],%19[^,],%15[^,],%u,%u,%u,%31[^,],%n", k.scenario,
		   k.strategy, k.class, k.regime, &k.relevant, &k.irrelevant, &k.sites,
		   metric, &at) != 8 || !at)
		return false;
	if (collecting)
		return true;
	row = row_of(&k, metric);
	p = strchr(line + at, ',');
	if (!p)
		return false;
	if (p != line + at)
		push(&row->by_order[order], atof(line + at));
	snprintf(row->note, sizeof(row->note), "%.*s", (int)strcspn(p + 1, "\n"), p + 1);
	return true;
}

static bool read_head(char *line)
{
	finish_block();
	if (sscanf(line, "R,%u,%u", &order, &process) != 2 || order >= MAX_ORDERS)
		return false;
	if (order >= nr_orders)
		nr_orders = order + 1;
	return true;
}

static bool read_line(char *line)
{
	switch (line[0]) {
	case 'R': return read_head(line);
	case 'V': return read_variant(line);
	case 'S': return read_sample(line);
	case 'M': return read_metric(line);
	default: return true;
	}
}

static bool read_file(const char *path)
{
	FILE *in = fopen(path, "r");
	unsigned long nr = 0;
	char line[1024];
	bool ok = in;

	while (ok && fgets(line, sizeof(line), in)) {
		nr++;
		ok = read_line(line);
	}
	finish_block();
	if (!ok)
		fprintf(stderr, "summary: %s: line %lu cannot be read\n", path, nr);
	if (in)
		fclose(in);
	return ok;
}

/* --- the ratio to the floor --- */

/* One floor a scenario, regime and number of functions stands for all numbers of ops. */
static const struct row *floor_row(const struct key *key)
{
	size_t i;

	for (i = 0; i < rows.nr; i++)
		if (!strcmp(rows.v[i].key.strategy, "floor") &&
		    !strcmp(rows.v[i].key.scenario, key->scenario) &&
		    same_calls(&rows.v[i].key, key) &&
		    !strcmp(rows.v[i].metric, "cycles_over_untraced"))
			return &rows.v[i];
	return NULL;
}

static bool ratio_of(const struct row *row, struct part *ratio)
{
	const struct row *floor = floor_row(&row->key);
	struct part p[MAX_ORDERS], f[MAX_ORDERS];
	unsigned int o;

	if (!floor || strcmp(row->metric, "cycles_over_untraced") ||
	    !strcmp(row->key.strategy, "untraced_b"))
		return false;
	parts_of((struct row *)row, p);
	parts_of((struct row *)floor, f);
	for (o = 0; o < nr_orders; o++) {
		if (f[o].lo <= 0)
			return false;
		p[o].value /= f[o].value;
		p[o].lo /= row == floor ? f[o].lo : f[o].hi;
		p[o].hi /= row == floor ? f[o].hi : f[o].lo;
	}
	*ratio = combine(p, nr_orders);
	return true;
}

/* --- writing --- */

static void put_row(FILE *out, const struct key *k, const char *metric, struct part p,
		    const char *note)
{
	fprintf(out, "%s,%s,%s,%s,%u,%u,%u,%s,", k->scenario, k->strategy, k->class, k->regime,
		k->relevant, k->irrelevant, k->sites, metric);
	if (isnan(p.value))
		fprintf(out, ",,,%s\n", note);
	else
		fprintf(out, "%.6g,%.6g,%.6g,%s\n", p.value, p.lo, p.hi, note);
}

/* The link orders' own medians: who doubts the interval can look. */
static void orders_note(const struct row *row, char *note, size_t size)
{
	struct part p[MAX_ORDERS];
	unsigned int o;
	size_t at = 0;

	parts_of((struct row *)row, p);
	at += snprintf(note, size, "orders");
	for (o = 0; o < nr_orders && at < size; o++)
		at += snprintf(note + at, size - at, " %.5g", p[o].value);
}

static bool write_summary(const char *path)
{
	FILE *out = fopen(path, "w");
	struct part ratio;
	char note[256];
	size_t i;

	if (!out)
		return false;
	fprintf(out, "scenario,strategy,class,regime,relevant,irrelevant,sites,metric,value,lo,hi,note\n");
	for (i = 0; i < rows.nr; i++) {
		const struct row *row = &rows.v[i];

		snprintf(note, sizeof(note), "%s", row->note);
		if (!strncmp(row->metric, "cycles", 6) && !*row->note)
			orders_note(row, note, sizeof(note));
		put_row(out, &row->key, row->metric, row_part(row), note);
		if (ratio_of(row, &ratio))
			put_row(out, &row->key, "ratio_to_floor", ratio, "over untraced / the floor's");
	}
	return !fclose(out);
}

/*
 * Of calls of one function, or of eight nested.  Many functions in turn miss in caches
 * and predictors already untraced, and their error stands beside their figures.
 */
static bool judges(const struct key *key)
{
	return key->sites <= FEW;
}

static void find_aa(void)
{
	size_t i;

	for (i = 0; i < rows.nr; i++) {
		const struct row *row = &rows.v[i];

		if (!strcmp(row->key.strategy, "untraced_b") && judges(&row->key) &&
		    !strcmp(row->metric, "cycles_over_untraced"))
			worst_aa = fmax(worst_aa, fabs(row_part(row).value));
	}
}

/* Others' load before we began: where all processes were slowed, nothing inside shows it. */
static double others_load(void)
{
	const char *load = getenv("BENCH_LOAD");

	return load ? atof(load) : 0;
}

static bool emulated(void)
{
	const char *by = getenv("BENCH_EMULATED");

	return by && *by;
}

static const char *quality(void)
{
	if (emulated())
		return "none (emulated: instruction counts and bytes only)";
	if (!sum_tried)
		return "none (no cycles were measured)";
	if ((double)sum_kept / sum_tried < POOR || worst_aa > 0.5)
		return "poor";
	return worst_kept < POOR || worst_aa > 0.1 || others_load() > 1 ? "fair" : "good";
}

static bool write_quality(const char *path)
{
	FILE *out = fopen(path, "w");

	if (!out)
		return false;
	fprintf(out, "rounds_kept=%u\nrounds_tried=%u\nrounds_kept_worst=%.3f\n", sum_kept,
		sum_tried, worst_kept);
	fprintf(out, "aa_error_cycles=%.4f\nquality=%s\n", worst_aa, quality());
	return !fclose(out);
}

/* --- the table --- */

static struct part cell(const struct key *like, const char *scenario, const char *regime,
			const char *metric)
{
	struct key k = *like;
	const struct row *row;

	snprintf(k.scenario, sizeof(k.scenario), "%s", scenario);
	snprintf(k.regime, sizeof(k.regime), "%s", regime);
	if (!strcmp(regime, "deep8"))
		k.sites = 8;
	row = find_row(&k, metric);
	return row ? row_part(row) : (struct part) { NAN, NAN, NAN };
}

static void put(double v, int width, int digits)
{
	if (isnan(v))
		printf("%*s", width, "-");
	else
		printf("%*.*f", width, digits, v);
}

static void table_line(const struct row *row)
{
	static const char *const regimes[] = { "tight", "chain", "serial", "deep8" };
	struct part p = row_part(row), ratio;
	unsigned int i;

	printf("%-18s%-15s", row->key.strategy, row->key.class);
	for (i = 0; i < 4; i++)
		put(cell(&row->key, "traced_call", regimes[i], "cycles_over_untraced").value, 8, 1);
	printf("  [%6.1f,%7.1f]", p.lo, p.hi);
	put(ratio_of(row, &ratio) ? ratio.value : NAN, 8, 2);
	put(cell(&row->key, "insns", "-", "insns_over_untraced").value, 8, 0);
	put(cell(&row->key, "insns", "-", "stack_bytes").value, 8, 0);
	putchar('\n');
}

static void put_table(void)
{
	bool head = false;
	size_t i;

	for (i = 0; i < rows.nr; i++) {
		const struct row *row = &rows.v[i];

		if (strcmp(row->key.scenario, "traced_call") || strcmp(row->key.regime, "tight") ||
		    strcmp(row->metric, "cycles_over_untraced"))
			continue;
		if (!head)
			printf("one traced call, one ops: core cycles over untraced\n"
			       "%-18s%-15s%8s%8s%8s%8s  %-16s%8s%8s%8s\n", "strategy", "class", "tight",
			       "chain", "serial", "deep8", "[tight, 95 %]", "/floor", "insns", "stack");
		head = true;
		table_line(row);
	}
	if (!sum_tried)
		return;
	printf("A/A error %.3f cycles at worst; %u of %u rounds kept (%.0f %% at worst); quality: %s\n",
	       worst_aa, sum_kept, sum_tried, 100 * worst_kept, quality());
	if (others_load() > 1)
		printf("the machine was busy (load %.1f before the start): measure again when it is not\n",
		       others_load());
}

/* --- the table of instruction counts, where nothing else was asked for --- */

static const unsigned int insn_cells[][2] = {
	{ 1, 0 }, { 1, 1 }, { 1, 10 }, { 1, 100 }, { 2, 0 }, { 2, 2 }, { 10, 0 }, { 10, 10 },
	{ 100, 0 }, { 100, 100 },
};
#define CELLS (sizeof(insn_cells) / sizeof(insn_cells[0]))

static void insn_head(void)
{
	char name[24];
	size_t i;

	printf("instructions of one traced call over untraced; relevant/irrelevant ops\n%-18s%-15s",
	       "strategy", "class");
	for (i = 0; i < CELLS; i++) {
		snprintf(name, sizeof(name), "%u/%u", insn_cells[i][0], insn_cells[i][1]);
		printf("%8s", name);
	}
	printf("%8s\n", "stack");
}

static void insn_line(const struct row *row)
{
	struct key k = row->key;
	const struct row *r;
	size_t i;

	printf("%-18s%-15s", k.strategy, k.class);
	for (i = 0; i < CELLS; i++) {
		k.relevant = insn_cells[i][0];
		k.irrelevant = insn_cells[i][1];
		r = find_row(&k, "insns_over_untraced");
		put(r ? row_part(r).value : NAN, 8, 0);
	}
	r = find_row(&row->key, "stack_bytes");
	put(r ? row_part(r).value : NAN, 8, 0);
	putchar('\n');
}

static void put_insns(void)
{
	bool head = false;
	size_t i;

	for (i = 0; i < rows.nr; i++) {
		if (strcmp(rows.v[i].metric, "insns_over_untraced") ||
		    rows.v[i].key.relevant != 1 || rows.v[i].key.irrelevant)
			continue;
		if (!head)
			insn_head();
		head = true;
		insn_line(&rows.v[i]);
	}
}

int main(int argc, char **argv)
{
	int i, pass;

	if (argc < 4) {
		fprintf(stderr, "usage: summary SUMMARY.csv QUALITY.txt RAW...\n");
		return 2;
	}
	for (pass = 0; pass < 2; pass++) {
		collecting = !pass;
		for (i = 3; i < argc; i++)
			if (!read_file(argv[i]))
				return 1;
	}
	find_aa();
	if (!write_summary(argv[1]) || !write_quality(argv[2])) {
		perror("summary");
		return 1;
	}
	put_table();
	if (!sum_tried)
		put_insns();
	if (emulated())
		printf("emulated: instruction counts and bytes only\n");
	return 0;
}
