/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/core.h"
#include "state.h"
#include "../user.h"

/* FNV-1a. */
static void add(unsigned long *sum, const void *p, size_t len)
{
	for (const unsigned char *b = p; len--; b++)
		*sum = (*sum ^ *b) * 0x100000001b3UL;
}

static int add_site(const struct tramp_site_info *site, void *arg)
{
	unsigned long word = site->word ? *(unsigned long *)site->word : 0;

	add(arg, &site->ip, sizeof(site->ip));
	add(arg, &site->call, sizeof(site->call));
	add(arg, &site->nr_ops, sizeof(site->nr_ops));
	add(arg, &word, sizeof(word));
	return 0;
}

/* What a call may write to; the first one makes the ops known, and it stays so. */
static void add_ops(unsigned long *sum, const struct ftrace_ops *ops)
{
	const struct ftrace_ops_hash *none = &ftrace_empty_hash;
	unsigned long flags = ops->flags | FTRACE_OPS_FL_INITIALIZED;

	add(sum, &ops, sizeof(ops));
	add(sum, &flags, sizeof(flags));
	add(sum, ops->func_hash ? (const void *)&ops->func_hash : &none, sizeof(none));
	add(sum, &ops->trampoline, sizeof(ops->trampoline));
	add(sum, &ops->trampoline_size, sizeof(ops->trampoline_size));
}

extern const char __executable_start[], etext[];

static unsigned long text_sum(void)
{
	const unsigned long *w = (const unsigned long *)__executable_start;
	unsigned long sum = 0;

	for (; w < (const unsigned long *)((unsigned long)etext & -sizeof(*w)); w++)
		sum = (sum ^ *w) * 0x100000001b3UL;
	return sum;
}

static unsigned int count_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned int nr = 0;

	while (dir && readdir(dir))
		nr++;
	if (dir)
		closedir(dir);
	return nr;
}

static unsigned int count_mappings(void)
{
	FILE *f = fopen("/proc/self/maps", "re");
	unsigned int nr = 0;
	char line[512];

	while (f && fgets(line, sizeof(line), f))
		nr += !!strstr(line, "memfd:tramplab");
	if (f)
		fclose(f);
	return nr;
}

void state_take(struct state *s, struct probe *const *probes, unsigned int nr)
{
	*s = (struct state){ .text = text_sum(), .nr_sites = tramp_nr_sites(), .enabled = ftrace_enabled };
	tramp_memory_usage(&s->memory);
	tramp_for_each_site(add_site, &s->sites);
	for (const struct ftrace_ops *op = ftrace_ops_list; op; op = op->next)
		add_ops(&s->ops, op);
	for (unsigned int i = 0; i < nr; i++)
		add_ops(&s->ops, &probes[i]->ops);
	s->fds = count_fds();
	s->mappings = count_mappings();
	s->held = faults_held();
}

void state_forked(void)
{
	unsigned char byte = *(const unsigned char *)tracee_d;

	EXPECT_EQ(tramp_text_write((unsigned long)tracee_d, &byte, 1), 0);
}

/* --- is it as it was --- */

static bool same(const char *what, const char *field, long got, long want)
{
	if (got != want)
		case_fail(__FILE__, __LINE__, "%s: %s is %ld, was %ld", what, field, got, want);
	return got == want;
}

#define SAME(field) same(what, #field, now.field, was->field)

bool state_expect(const struct state *was, struct probe *const *probes, unsigned int nr, const char *what)
{
	struct state now;
	long arenas;

	state_take(&now, probes, nr);
	arenas = ((long)now.mappings - (long)was->mappings) / 2;
	SAME(text);
	SAME(sites);
	if (nr)
		SAME(ops);
	SAME(nr_sites);
	SAME(enabled);
	SAME(fds);
	SAME(memory.images);
	SAME(memory.sets);
	SAME(memory.unused_sets);
	SAME(memory.code_bytes);
	SAME(memory.room_bytes);
	SAME(memory.hash_bytes);
	SAME(held.frames);
	/* Each is mapped twice, and has a block of its own. */
	same(what, "memory for trampolines grown", now.memory.mapped_bytes > was->memory.mapped_bytes, arenas > 0);
	same(what, "mappings in /proc/self/maps", now.mappings, was->mappings + 2 * arenas);
	same(what, "mappings held", now.held.maps, was->held.maps + 2 * arenas);
	same(what, "blocks held", now.held.blocks, was->held.blocks + arenas);
	if (!arenas)
		SAME(held.bytes);
	return !arenas;
}

bool faults_share(unsigned long i)
{
	/* Under an emulator a half. */
	return i % TRAMP_NR_CLASSES == case_class && !(tramp_emulated() && i / TRAMP_NR_CLASSES % 2);
}

void faults_describe(const char *call, const struct fault *fault, unsigned long n)
{
	case_printf("%s: %s, errno %d, number %lu%s, at %p; tramp_why() is \"%s\"", call,
		    fault_name(fault->kind), fault->err, n, fault->lasting ? " and later ones" : "",
		    faults_where(), tramp_why());
}

void faults_in_turn(const char *call, const struct fault *fault, faults_attempt_t attempt)
{
	unsigned long n = 1;

	while (attempt(fault, n))
		n++;
	if (case_failed())
		faults_describe(call, fault, n);
}

void faults_each(const char *call, faults_attempt_t attempt)
{
	for (unsigned long round = 0; more(round, 1); round++)
		for (unsigned int i = 0; i < NR_FAULTS && !case_failed(); i++)
			if (faults_share(i + round))
				faults_in_turn(call, &faults[i], attempt);
	faults_report();
}

void faults_report(void)
{
	for (unsigned int kind = 0; kind < FAULT_KINDS; kind++) {
		unsigned long nr = faults_taken(kind);

		if (nr)
			case_survived(nr, fault_name(kind));
	}
}
