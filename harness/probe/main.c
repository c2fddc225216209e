/* SPDX-License-Identifier: MIT */
/* A probe on a function of this program, which is then called once (docs/probe.md). */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "demo.h"
#include "trace_probe.h"

static void call_add(void)
{
	add(0x11, 0x22);
}

static void call_sum9(void)
{
	sum9(0x101, 0x102, 0x103, 0x104, 0x105, 0x106, 0x107, 0x108, 0x109);
}

static const struct {
	const char *name;
	void (*call)(void);
} demos[] = {
	{ "add", call_add },
	{ "sum9", call_sum9 },
};
#define NR_DEMOS (sizeof(demos) / sizeof(demos[0]))

static void usage(FILE *out)
{
	fprintf(out, "usage: probe [-s STRATEGY] [-c CLASS] [-r] 'p:FUNC [NAME=]FETCH...'\n"
		     "FETCH: %%REG, $argN, $stack, $stackN; -r asks for FTRACE_OPS_FL_SAVE_REGS\n");
	fprintf(out, "FUNC:");
	for (size_t i = 0; i < NR_DEMOS; i++)
		fprintf(out, " %s", demos[i].name);
	fprintf(out, "\nSTRATEGY:");
	for (unsigned int i = 0; tramp_strategy_name(i); i++)
		fprintf(out, " %s", tramp_strategy_name(i));
	fprintf(out, "\nCLASS:");
	for (int i = 0; i < TRAMP_NR_CLASSES; i++)
		fprintf(out, " %s", tramp_class_names[i]);
	fprintf(out, "\n");
}

__attribute__((noreturn, format(printf, 1, 2)))
static void die(const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "probe: ");
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, "\n");
	exit(1);
}

/* --- the options --- */

static enum tramp_class class_named(const char *name)
{
	for (int i = 0; i < TRAMP_NR_CLASSES; i++)
		if (!strcmp(tramp_class_names[i], name))
			return i;
	die("no class \"%s\"; probe -h lists them", name);
}

/* Flags that give an ops @class, which is a frame or a wish of the ops. */
static unsigned long use(const char *strategy, enum tramp_class class)
{
	if (tramp_use(strategy))
		die("%s; probe -h lists them", tramp_why());
	if (class < TRAMP_CLASS_REGS && tramp_use_frame(class))
		die("%s", tramp_why());
	if (class < TRAMP_CLASS_REGS)
		return 0;
	return FTRACE_OPS_FL_SAVE_REGS | (class == TRAMP_CLASS_VEC ? TRAMP_OPS_FL_SAVE_VEC : 0);
}

/* --- the probe --- */

static void print_saved(const struct trace_probe *tp)
{
	unsigned long saved = tramp_site_regs(tp->ip, tp->ops.flags);

	fprintf(stderr, "probe: %s saves:", tp->symbol);
	for (unsigned int reg = 0; tramp_reg_name(reg); reg++)
		if (saved & 1UL << reg)
			fprintf(stderr, " %s", tramp_reg_name(reg));
	fprintf(stderr, "%s\n", saved ? "" : " nothing");
}

static void start(struct trace_probe *tp)
{
	int err = trace_probe_register(tp);

	if (!err)
		return;
	fprintf(stderr, "probe: %s\n", tp->why);
	if (err == -EOPNOTSUPP)
		print_saved(tp);
	exit(1);
}

static void call(const char *name)
{
	for (size_t i = 0; i < NR_DEMOS; i++)
		if (!strcmp(demos[i].name, name))
			demos[i].call();
}

static void print_hit(const struct trace_probe *tp)
{
	printf("%s:", tp->symbol);
	for (unsigned int i = 0; i < tp->nr_args; i++)
		printf(" %s=%#lx", tp->args[i].name, tp->value[i]);
	printf("\n");
}

int main(int argc, char **argv)
{
	const char *strategy = "list_func";
	enum tramp_class class = TRAMP_CLASS_ARGS;
	static struct trace_probe tp;
	unsigned long flags = 0;
	int o, err;

	while ((o = getopt(argc, argv, "s:c:rh")) != -1) {
		switch (o) {
		case 's': strategy = optarg; break;
		case 'c': class = class_named(optarg); break;
		case 'r': flags = FTRACE_OPS_FL_SAVE_REGS; break;
		case 'h': usage(stdout); return 0;
		default: usage(stderr); return 2;
		}
	}
	if (optind + 1 != argc) {
		usage(stderr);
		return 2;
	}
	flags |= use(strategy, class);
	err = trace_probe_parse(&tp, argv[optind], flags);
	if (err)
		die("%s%s", tp.why, err == -ENOENT ? "; probe -h lists them" : "");
	start(&tp);
	call(tp.symbol);
	if (trace_probe_unregister(&tp))
		die("%s", tp.why);
	if (tp.hits != 1 || tp.lost)
		die("%lu hits, %lu registers missing; 1 and 0 are wanted", tp.hits, tp.lost);
	print_hit(&tp);
	return 0;
}
