/* SPDX-License-Identifier: MIT */
/* Set-up: from a line to fetches, a mask, and a registered ops. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "trace_probe.h"

__attribute__((format(printf, 3, 4)))
static int fail(struct trace_probe *tp, int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(tp->why, sizeof(tp->why), fmt, ap);
	va_end(ap);
	return err;
}

/* --- one fetch --- */

static int parse_number(struct trace_probe *tp, const char *fetch, const char *digits,
			unsigned int min, unsigned int max, unsigned int *n)
{
	unsigned long value = strtoul(digits, NULL, 10);

	if (!*digits || strspn(digits, "0123456789") != strlen(digits) || value < min || value > max)
		return fail(tp, -EINVAL, "%s: a number from %u to %u is wanted behind %.*s", fetch,
			    min, max, (int)(digits - fetch), fetch);
	*n = value;
	return 0;
}

static int parse_reg(struct trace_probe *tp, struct probe_arg *arg, const char *fetch)
{
	int reg = tramp_reg_number(fetch + 1), at;
	const char *name;

	if (reg >= 0) {
		*arg = (struct probe_arg){ .op = FETCH_OP_REG, .param = reg };
		tp->ops.tramp_needs |= 1UL << reg;
		return 0;
	}
	at = snprintf(tp->why, sizeof(tp->why), "%s: no such register; there is", fetch);
	for (reg = 0; at < (int)sizeof(tp->why) && (name = tramp_reg_name(reg)); reg++)
		at += snprintf(tp->why + at, sizeof(tp->why) - at, " %s", name);
	return -EINVAL;
}

static int parse_argument(struct trace_probe *tp, struct probe_arg *arg, const char *fetch)
{
	int err = parse_number(tp, fetch, fetch + strlen("$arg"), 1, PARAM_MAX_STACK, &arg->param);
	int reg;

	if (err)
		return err;
	arg->op = FETCH_OP_ARG;
	arg->param--;
	reg = tramp_arg_reg(arg->param);
	if (reg < 0)
		return fail(tp, -EINVAL, "%s: in no register here, and ftrace_regs_get_argument() does not read the stack; $stackN does", fetch);
	tp->ops.tramp_needs |= 1UL << reg;
	return 0;
}

static int parse_stack(struct trace_probe *tp, struct probe_arg *arg, const char *fetch)
{
	const char *digits = fetch + strlen("$stack");
	int sp = tramp_reg_number("sp");

	tp->ops.tramp_needs |= 1UL << sp;
	*arg = (struct probe_arg){ .op = FETCH_OP_REG, .param = sp };
	if (!*digits)
		return 0;
	arg->op = FETCH_OP_STACK;
	return parse_number(tp, fetch, digits, 0, PARAM_MAX_STACK, &arg->param);
}

static int parse_fetch(struct trace_probe *tp, struct probe_arg *arg, const char *fetch)
{
	if (*fetch == '%')
		return parse_reg(tp, arg, fetch);
	if (!strncmp(fetch, "$arg", strlen("$arg")))
		return parse_argument(tp, arg, fetch);
	if (!strncmp(fetch, "$stack", strlen("$stack")))
		return parse_stack(tp, arg, fetch);
	return fail(tp, -EINVAL, "\"%s\" is no fetch; there is %%REG, $argN, $stack and $stackN", fetch);
}

/* --- [NAME=]FETCH --- */

static bool is_good_name(const char *name)
{
	if (!isalpha((unsigned char)*name) && *name != '_')
		return false;
	while (isalnum((unsigned char)*name) || *name == '_')
		name++;
	return !*name;
}

/* A fetch without a name is called what it is. */
static int name_arg(struct trace_probe *tp, struct probe_arg *arg, const char *name)
{
	for (const struct probe_arg *other = tp->args; other < arg; other++)
		if (!strcmp(other->name, name))
			return fail(tp, -EINVAL, "two are called %s; NAME=FETCH gives another name", name);
	strcpy(arg->name, name);
	return 0;
}

static int parse_arg(struct trace_probe *tp, char *word)
{
	struct probe_arg *arg = &tp->args[tp->nr_args];
	char *equals = strchr(word, '='), *fetch = equals ? equals + 1 : word;
	int err;

	if (tp->nr_args == MAX_TRACE_ARGS)
		return fail(tp, -EINVAL, "more than %d fetches", MAX_TRACE_ARGS);
	err = parse_fetch(tp, arg, fetch);
	if (err)
		return err;
	if (equals)
		*equals = '\0';
	if (equals && !is_good_name(word))
		return fail(tp, -EINVAL, "\"%s\" is no name: letters, digits and _ are", word);
	err = name_arg(tp, arg, word);
	tp->nr_args += !err;
	return err;
}

/* --- FUNC --- */

static int match_symbol(const struct tramp_site_info *site, void *arg)
{
	struct trace_probe *tp = arg;

	if (!site->name || strcmp(site->name, tp->symbol))
		return 0;
	tp->ip = site->ip;
	return 1;
}

static int parse_symbol(struct trace_probe *tp, const char *word)
{
	if (strncmp(word, "p:", 2))
		return fail(tp, -EINVAL, "\"%s\": a probe line begins with p:FUNC", word);
	if (!is_good_name(word + 2))
		return fail(tp, -EINVAL, "\"%s\" is no function's name", word + 2);
	strcpy(tp->symbol, word + 2);
	if (!tramp_for_each_site(match_symbol, tp))
		return fail(tp, -ENOENT, "no function %s that can be traced", tp->symbol);
	return 0;
}

/* --- the line --- */

/* The next word of *@line: its length, 0 at the end. */
static size_t next_word(const char **line, const char **word)
{
	*word = *line + strspn(*line, " \t\n");
	*line = *word + strcspn(*word, " \t\n");
	return *line - *word;
}

int trace_probe_parse(struct trace_probe *tp, const char *line, unsigned long flags)
{
	char copy[MAX_WORD];
	const char *word;
	size_t len;
	int err = 0;

	*tp = (struct trace_probe){ .ops = { .func = trace_probe_hit, .flags = flags } };
	if (!next_word(&line, &word))
		return fail(tp, -EINVAL, "an empty line; p:FUNC [NAME=]FETCH... is wanted");
	for (line = word; !err && (len = next_word(&line, &word)); ) {
		if (len >= MAX_WORD)
			return fail(tp, -EINVAL, "\"%.20s...\" is too long", word);
		memcpy(copy, word, len);
		copy[len] = '\0';
		err = tp->symbol[0] ? parse_arg(tp, copy) : parse_symbol(tp, copy);
	}
	return err;
}

int trace_probe_register(struct trace_probe *tp)
{
	int err = ftrace_set_filter_ip(&tp->ops, tp->ip, 0, 1);

	if (!err)
		err = register_ftrace_function(&tp->ops);
	if (!err)
		return 0;
	if (!(tp->ops.flags & FTRACE_OPS_FL_ENABLED))
		ftrace_free_filter(&tp->ops);
	return fail(tp, err, "%s", tramp_why());
}

int trace_probe_unregister(struct trace_probe *tp)
{
	int err = unregister_ftrace_function(&tp->ops);

	if (err)
		return fail(tp, err, "%s", tramp_why());
	ftrace_free_filter(&tp->ops);
	return 0;
}
