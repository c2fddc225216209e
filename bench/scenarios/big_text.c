/* SPDX-License-Identifier: MIT */
/*
 * Question: which strategies survive text that is larger than a branch reaches,
 * and what does it cost them?  (On arm64 it decided against trampolines in 2022.)
 *
 * The text is synthetic: mapped in full, with copies of one small function at
 * places all over it, and hardly any memory behind.  Spans are multiples of the
 * port's own reach, which is not simulated.  Exact counts, no times.
 *
 *	solid	one piece: trampolines can only lie below and above all of it
 *	pieces	as modules lie: sixteen, with a little free room between
 *	rooms	one piece with room of its own: 64 KiB in each stretch as long as a branch
 *	room	one arena within reach of all sites, as if the rest were taken
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "bench/bench.h"
#include "bench/callback.h"
#include "core/arch.h"
#include "harness/copies.h"

#define PIECES		16
#define PLACES		(PIECES + 1)	/* at the start of each piece, and at the very end */
#define OPS		64		/* each alone on sites of its own, at every place */
#define OPS_MAX		600		/* of the layout with one room */
#define SPACING		64UL		/* between the sites of one place */
#define ROOM		(64UL * 1024)
#define TAIL		(64UL * 1024)	/* the last place: room for the sites of all ops */

struct text {
	const char	*name;
	unsigned long	span;
	unsigned int	places;
	unsigned long	place[PLACES];
	bool		pieces, rooms;
};

static struct ftrace_ops ops[OPS_MAX];
static struct copies modules[PIECES];
static size_t mapped_before;		/* by what the bench tried out when it started */

static unsigned long ip_of(const struct text *t, unsigned int place, unsigned int op)
{
	return copied_ip(t->place[place] + (op + 1) * SPACING);
}

/* --- the text --- */

/* Places [from, to) become one module, mapped from one to the other. */
static int add_module(struct copies *c, const struct text *t, unsigned int from, unsigned int to,
		      unsigned int nr_ops)
{
	int err = 0;

	for (unsigned int i = from; i < to; i++)
		for (unsigned int op = 0; op < nr_ops && !err; op++)
			err = copies_put(c, ip_of(t, i, op), true);
	c->end = t->place[from] + t->span / (t->pieces ? PIECES : 1) - (to < t->places ? ZONE_HOLE : 0);
	return err ? err : copies_join(c);
}

static int make_pieces(const struct text *t, unsigned int nr_ops)
{
	int err = 0;

	for (unsigned int i = 0; i < PIECES - 1 && !err; i++) {
		err = add_module(&modules[i], t, i, i + 1, nr_ops);
		if (!err)
			err = zone_hole(t->place[i + 1] - ZONE_HOLE, ZONE_HOLE);
	}
	return err ? err : add_module(&modules[PIECES - 1], t, PIECES - 1, PLACES, nr_ops);
}

/* Behind the sites of a place, which begin a page of their own. */
static int make_rooms(const struct text *t)
{
	unsigned long step = arch_reach < t->span ? arch_reach : t->span;
	int err = 0;

	for (unsigned long at = step / 2; at < t->span && !err; at += step)
		err = tramp_room_add((char *)t->place[0] + at + ROOM, ROOM);
	return err;
}

static int make_text(struct text *t, unsigned int nr_ops)
{
	struct zone z;
	int err = zone_reserve(&z, t->span);

	t->places = PLACES;
	for (unsigned int i = 0; i < PIECES; i++)
		t->place[i] = z.start + i * (t->span / PIECES);
	t->place[PIECES] = z.end - TAIL;
	if (err)
		return err;
	if (t->pieces)
		return make_pieces(t, nr_ops);
	err = add_module(&modules[0], t, 0, PLACES, nr_ops);
	return err || !t->rooms ? err : make_rooms(t);
}

/* All addresses within reach are taken but one hole. */
static int make_room(struct text *t, unsigned int nr_ops)
{
	struct zone z;
	unsigned long reach = 2 * arch_reach;
	int err = zone_reserve(&z, 2 * reach + TAIL);

	t->places = 1;
	t->place[0] = z.start + reach;
	t->span = TAIL;
	if (!err)
		err = zone_hole(t->place[0] - ZONE_HOLE, ZONE_HOLE);
	return err ? err : add_module(&modules[0], t, 0, 1, nr_ops);
}

/* --- who is served --- */

static int add_ops(const struct bench_config *c, const struct text *t, unsigned int op)
{
	unsigned long ips[PLACES];
	int err;

	for (unsigned int i = 0; i < t->places; i++)
		ips[i] = ip_of(t, i, op);
	ops[op].func = bench_callbacks[op % BENCH_CALLBACKS];
	ops[op].flags = bench_class_flags(c->class);
	err = ftrace_set_filter_ips(&ops[op], ips, t->places, 0, 1);
	return err ? err : register_ftrace_function(&ops[op]);
}

/* Sites that no trampoline reaches, each asked for alone. */
static unsigned int count_unreachable(const struct bench_config *c, const struct text *t)
{
	static struct ftrace_ops one;
	unsigned int nr = 0;

	one.func = bench_callbacks[0];
	one.flags = bench_class_flags(c->class);
	for (unsigned int i = 0; i < t->places; i++) {
		if (ftrace_set_filter_ip(&one, ip_of(t, i, 0), 0, 1) || register_ftrace_function(&one))
			nr++;
		else
			unregister_ftrace_function(&one);
	}
	return nr;
}

static int count_served(const struct tramp_site_info *site, void *arg)
{
	*(unsigned int *)arg += site->call != 0;
	return 0;
}

/* Notes are the last column of a table with commas. */
static const char *as_note(char *note, size_t size, const char *why)
{
	snprintf(note, size, "%s", why);
	for (char *p = note; (p = strchr(p, ',')); )
		*p = ';';
	return note;
}

static void put_figures(struct bench_run *run, const struct bench_config *c, const struct text *t,
			struct bench_key *key, unsigned int served, const char *why)
{
	struct tramp_memory usage;
	unsigned int sites = 0;
	char note[256];

	tramp_memory_usage(&usage);
	tramp_for_each_site(count_served, &sites);
	bench_metric(run, key, "ops_served", served, as_note(note, sizeof(note), why));
	bench_metric(run, key, "sites_served", sites, "");
	bench_metric(run, key, "images", usage.images, "");
	bench_metric(run, key, "code_bytes", usage.code_bytes, "");
	bench_metric(run, key, "room_bytes", usage.room_bytes, "");
	bench_metric(run, key, "mapped_bytes", usage.mapped_bytes - mapped_before, "");
	if (key->irrelevant == 0)
		bench_metric(run, key, "places_out_of_reach", count_unreachable(c, t), "");
}

static int one_point(struct bench_run *run, const struct bench_config *c, struct text *t,
		     unsigned int nr_ops, bool room)
{
	struct bench_key key = {
		.strategy = bench_config_name(c), .class = bench_config_class(c), .regime = t->name,
		.relevant = 1, .irrelevant = nr_ops - 1,
	};
	struct tramp_memory usage;
	int err = bench_arm(c);
	unsigned int op = 0;

	tramp_memory_usage(&usage);
	mapped_before = usage.mapped_bytes;
	if (!err)
		err = room ? make_room(t, nr_ops) : make_text(t, nr_ops);
	if (err) {
		bench_say("big_text: %s %s: %s", key.strategy, t->name, *tramp_why() ? tramp_why() : strerror(-err));
		return 1;
	}
	while (op < nr_ops && !err) {
		err = add_ops(c, t, op);
		op += !err;
	}
	key.sites = nr_ops * t->places;
	put_figures(run, c, t, &key, op, err ? tramp_why() : "");
	fflush(run->out);
	return 0;
}

/* In a process of its own: executable memory is never given back. */
static int in_process(struct bench_run *run, const struct bench_config *c, struct text *t,
		      unsigned int nr_ops, bool room)
{
	int status = 1;
	pid_t pid;

	fflush(run->out);
	pid = fork();
	if (!pid)
		_exit(one_point(run, c, t, nr_ops, room));
	return pid < 0 || waitpid(pid, &status, 0) != pid || status;
}

static int spans(struct bench_run *run, const struct bench_config *c)
{
	int bad = 0;

	for (unsigned int i = 0; i < 3; i++) {
		for (unsigned long span = arch_reach / 2; span <= 4 * arch_reach && !bad; span *= 2) {
			static const char *const layouts[] = { "solid", "rooms", "pieces" };
			char name[32];
			struct text t = { .name = name, .span = span, .rooms = i == 1, .pieces = i == 2 };

			snprintf(name, sizeof(name), "%s-%lu", layouts[i], span >> 20);
			bad = in_process(run, c, &t, 1, false) || in_process(run, c, &t, OPS, false);
		}
	}
	return bad;
}

static int one_config(struct bench_run *run, const struct bench_config *c)
{
	struct text room = { .name = "room" };

	return spans(run, c) || in_process(run, c, &room, OPS_MAX, true);
}

static int all_configs(struct bench_run *run)
{
	unsigned int nr;
	struct bench_config *c = bench_args_configs(run, &nr);
	int bad = 0;

	for (unsigned int i = 0; i < nr && !bad; i++)
		bad = one_config(run, &c[i]);
	bench_free_configs(c);
	return bad;
}

static int run_big_text(struct bench_run *run, const struct bench_scenario *s)
{
	char options[256];

	(void)s;
	if (run->fixed)
		return all_configs(run);
	/* The same in every process: once is enough. */
	if (run->order || run->process)
		return 0;
	snprintf(options, sizeof(options), "--impl '%s'", run->impl ? run->impl : "*");
	return bench_in_child(run, options);
}

static const struct bench_scenario big_text = {
	.name		= "big_text",
	.summary	= "text larger than a branch reaches: who is served, and the memory for it",
	.seconds	= 6,
	.untimed	= true,
	.run		= run_big_text,
};
BENCH(big_text);
