/* SPDX-License-Identifier: MIT */
/*
 * make fuzz: libFuzzer chooses the calls, by the branches that they take in the
 * core.  The first byte is the strategy, the second the class; five more are one
 * call.
 *
 *	fuzz --show	the calls that the last run died of, for model --replay
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <tramp.h>
#include <unistd.h>
#include "run.h"
#include "world.h"

#define CALLS_MAX 64

/* A mapped file, so that it survives whatever death. */
static struct last {
	char		strategy[32];
	enum model_class class;
	size_t		nr;
	struct call	calls[CALLS_MAX];
	char		what[400];
} *last;

static char solib[4096], last_path[4096];

static void beside(char path[4096], const char *program, const char *name)
{
	const char *slash = strrchr(program, '/');

	snprintf(path, 4096, "%.*s%s", (int)(slash ? slash + 1 - program : 0), program, name);
}

static void map_last(void)
{
	int fd = open(last_path, O_RDWR | O_CREAT, 0666);

	if (fd < 0 || ftruncate(fd, sizeof(*last)) ||
	    (last = mmap(NULL, sizeof(*last), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)) == MAP_FAILED) {
		perror(last_path);
		exit(2);
	}
	close(fd);
}

static void show(void)
{
	char text[CALL_TEXT];

	printf("# --impl %s --class %s, %zu calls, the last: %s\n", last->strategy,
	       tramp_class_names[last->class], last->nr, *last->what ? last->what : "dies");
	for (size_t i = 0; i < last->nr; i++) {
		call_print(&last->calls[i], text);
		printf("%s\n", text);
	}
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	beside(solib, (*argv)[0], "solib-plain.so");
	beside(last_path, (*argv)[0], "last");
	map_last();
	if (*argc == 2 && !strcmp((*argv)[1], "--show")) {
		show();
		exit(0);
	}
	world_solib(solib);
	return 0;
}

static void step(struct call c)
{
	const char *what;

	last->calls[last->nr++] = c;
	what = world_step(&c);
	if (!what)
		return;
	strncpy(last->what, what, sizeof(last->what) - 1);
	abort();
}

static const char *strategy_at(unsigned int index)
{
	unsigned int nr = 0;

	while (tramp_strategy_name(nr))
		nr++;
	return tramp_strategy_name(index % nr);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct model_setup setup;

	if (size < 2)
		return 0;
	setup = (struct model_setup){ .strategy = strategy_at(data[0]), .class = data[1] % (ARGS_RESERVED + 1) };
	*last = (struct last){ .class = setup.class };
	strncpy(last->strategy, setup.strategy, sizeof(last->strategy) - 1);
	if (model_use(&setup)) {
		setup.class = last->class = ARGS;
		if (model_use(&setup))
			abort();
	}
	world_init(setup.strategy, setup.class);
	for (size_t i = 2; i + CALL_BYTES <= size && last->nr < CALLS_MAX - 1; i += CALL_BYTES)
		step(call_of(data + i));
	step((struct call){ .kind = REST });
	return 0;
}

/* --- whole calls come and go, more often than bytes change --- */

#define HEAD	2

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

static size_t insert_call(uint8_t *data, size_t size, size_t at, uint64_t *state)
{
	struct call c = call_random(state, 0);

	memmove(data + at + CALL_BYTES, data + at, size - at);
	call_bytes(&c, data + at);
	return size + CALL_BYTES;
}

static size_t remove_call(uint8_t *data, size_t size, size_t at)
{
	memmove(data + at, data + at + CALL_BYTES, size - at - CALL_BYTES);
	return size - CALL_BYTES;
}

/* Where each ops has flags: from there on changes of the input find more. */
static size_t whole_input(uint8_t *data, size_t max, unsigned long seed)
{
	const struct model_setup setup = { .strategy = "" };
	struct model_calls s = calls_random(&setup, seed, max / CALL_BYTES - 1);
	size_t size = HEAD;

	data[0] = seed;
	data[1] = seed >> 8;
	for (size_t i = 0; i < s.nr && size + CALL_BYTES <= max; i++, size += CALL_BYTES)
		call_bytes(&s.call[i], data + size);
	free(s.call);
	return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	uint64_t state = seed * 2UL + 1, r = model_random(&state);
	size_t nr = size > HEAD ? (size - HEAD) / CALL_BYTES : 0;

	if (max >= 64 && !(r >> 40 & 15))
		return whole_input(data, max, seed);
	if (size < HEAD || !(r & 3))
		return LLVMFuzzerMutate(data, size, max);
	/* Some at once: few calls do something new alone. */
	for (unsigned int n = r >> 2 & 7; n && size + CALL_BYTES <= max; n--)
		size = insert_call(data, size, HEAD + CALL_BYTES * ((r >> 16) % (nr++ + 1)), &state);
	if (nr && r >> 5 & 1)
		size = remove_call(data, size, HEAD + CALL_BYTES * ((r >> 32) % nr));
	return size;
}
