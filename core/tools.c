/* SPDX-License-Identifier: MIT */
/*
 * Generated code is in no file, so debuggers and profilers do not know it.  Those
 * that were asked for are told of each image when it is made and when it goes.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core.h"

static const struct tramp_tool *const tools[] = {
	&tramp_tool_gdb, &tramp_tool_perf_map, &tramp_tool_jitdump,
};
#define NR_TOOLS (sizeof(tools) / sizeof(*tools))

static bool on[NR_TOOLS];

/* --- names --- */

static int print_ops(char *buf, size_t size, const struct ftrace_ops *ops)
{
	const char *name = tramp_function_name((unsigned long)ops->func);

	return name ? snprintf(buf, size, "%s", name) : snprintf(buf, size, "%#lx", (unsigned long)ops->func);
}

/* The callbacks, in the order of calling; of many the first ones. */
static void print_callbacks(char *buf, size_t size, const struct tramp_maker *m)
{
	size_t len = 0;

	for (unsigned int i = 0; i < m->nr; i++) {
		if (i)
			len += snprintf(buf + len, size - len, "+");
		if (len >= size / 2) {
			snprintf(buf + len, size - len, "%u_more", m->nr - i);
			return;
		}
		len += print_ops(buf + len, size - len, m->ops[i]);
		if (len >= size)
			return;
	}
}

#define NAME_MAX_LEN 256

/* No space: tools take it for the end of a name. */
static void print_name(char *buf, size_t size, const struct tramp_maker *m)
{
	int len = snprintf(buf, size, "tramplab:%s:%s:", tramp_strategy->name, tramp_class_names[m->class]);

	if (m->nr)
		print_callbacks(buf + len, size - len, m);
	else
		snprintf(buf + len, size - len, tramp_maker_is_list(m) ? "list" : "shared");
}

/* --- telling --- */

static void tell(const struct tramp_tool *tool, struct tramp_image *image)
{
	char name[NAME_MAX_LEN];

	print_name(name, sizeof(name), &image->maker);
	tool->add(image, name);
}

static void tell_all(const struct tramp_tool *tool)
{
	for (struct tramp_image *i = tramp_images; i; i = i->next)
		tell(tool, i);
}

void tramp_tools_add(struct tramp_image *image)
{
	for (size_t i = 0; i < NR_TOOLS; i++)
		if (on[i])
			tell(tools[i], image);
}

void tramp_tools_del(struct tramp_image *image)
{
	for (size_t i = 0; i < NR_TOOLS; i++)
		if (on[i] && tools[i]->del)
			tools[i]->del(image);
}

void tramp_tools_forked(void)
{
	for (size_t i = 0; i < NR_TOOLS; i++) {
		if (!on[i] || !tools[i]->forked)
			continue;
		on[i] = !tools[i]->forked();
		if (on[i])
			tell_all(tools[i]);
		else
			tramp_warn("fork: %s: no more for this child", tramp_why());
	}
}

/* --- asking --- */

/* The index of the tool that @word names, or -EINVAL. */
static int tool_named(const char *word, size_t len)
{
	for (size_t i = 0; i < NR_TOOLS; i++)
		if (strlen(tools[i]->name) == len && !memcmp(tools[i]->name, word, len))
			return i;
	return tramp_fail(-EINVAL, "no tool \"%.*s\"; there are gdb, perf-map and jitdump[=DIRECTORY]",
			  (int)len, word);
}

/* @word: a writable copy of one. */
static int start_one(char *word, bool *started)
{
	char *arg = strchr(word, '=');
	int i = tool_named(word, arg ? (size_t)(arg - word) : strlen(word)), err;

	if (i < 0)
		return i;
	if (on[i] || started[i])
		return 0;
	err = tools[i]->start(arg ? arg + 1 : NULL);
	started[i] = !err;
	return err;
}

static int start_each(char *list, bool *started)
{
	int err = 0;

	for (char *save, *word = strtok_r(list, ",", &save); word && !err; word = strtok_r(NULL, ",", &save))
		err = start_one(word, started);
	return err;
}

/* All of them or none. */
static int start_all(const char *list)
{
	bool started[NR_TOOLS] = { false };
	char *copy = strdup(list);
	int err = copy ? start_each(copy, started) : tramp_fail(-ENOMEM, "out of memory");

	free(copy);
	for (size_t i = 0; i < NR_TOOLS; i++) {
		if (!started[i])
			continue;
		on[i] = !err;
		if (err)
			tools[i]->cancel();
		else
			tell_all(tools[i]);
	}
	return err;
}

int tramp_tools(const char *list)
{
	int cancel, err = tramp_lock(&cancel);

	if (!err) {
		err = start_all(list);
		tramp_unlock(cancel);
	}
	return err;
}

/* A program that runs with more rights than its caller writes no file for him. */
int tramp_tools_init(void)
{
	static bool done;
	const char *list = done ? NULL : secure_getenv("TRAMP_TOOLS");
	char why[256];
	int err = list ? start_all(list) : 0;

	done = !err;
	if (done)
		return 0;
	snprintf(why, sizeof(why), "%s", tramp_why());
	return tramp_fail(err, "environment variable TRAMP_TOOLS: %s", why);
}
