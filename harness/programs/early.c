/* SPDX-License-Identifier: MIT */
/*
 * Traced code where a program is not yet, or no longer, what it is in main()
 * (BUG-53): an ifunc's resolver, which runs before relocations are done; before and
 * in the first constructor; in the last destructor of a thread's data; after
 * main(), in the last destructor of all.  The argument is a wildcard over the
 * strategies.
 */
#include <errno.h>
#include <fnmatch.h>
#include <pthread.h>
#include <stdio.h>
#include <ftrace.h>
#include <tramp.h>

#define TRACED __attribute__((noinline))

/* volatile: by the traced functions' bodies it could not change. */
static volatile unsigned long calls;
static const char *chosen;
static unsigned int bad;

__attribute__((target("general-regs-only"), patchable_function_entry(0)))
static void count(unsigned long ip, unsigned long parent_ip,
		  struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	(void)ip, (void)parent_ip, (void)op, (void)fregs;
	calls++;
}

TRACED static int traced(int x)
{
	__asm__ volatile ("" : "+r" (x));
	return x + 1;
}

static struct ftrace_ops ops = { .func = count };

static int start(const char *strategy)
{
	int err = tramp_use(strategy);

	calls = 0;
	if (!err)
		err = ftrace_set_filter_ip(&ops, ftrace_location((unsigned long)traced), 0, 1);
	return err ? err : register_ftrace_function(&ops);
}

static void expect(const char *what, unsigned long want)
{
	int right = traced(1) == 2;

	if (right && calls == want)
		return;
	printf("%s: %s: called %lu times, want %lu (%s)\n", chosen, what, calls, want, tramp_why());
	bad++;
}

/* --- before main() --- */

static unsigned int resolved, before;

/* As early as code of this program runs: no data that needs a relocation. */
TRACED static int resolved_to(int x)
{
	return x + 3;
}

__attribute__((used)) static int (*resolve(void))(int x)
{
	resolved++;
	return resolved_to;
}

int by_resolver(int x) __attribute__((ifunc("resolve")));

static void preinit(void)
{
	before += traced(1) == 2;
}

/* The core's own constructor may come later: an error, or it works. */
__attribute__((constructor(101))) static void first(void)
{
	before += traced(1) == 2;
	chosen = tramp_strategy_name(0);
	if (start(chosen))
		return;
	expect("in the first constructor", 1);
	if (unregister_ftrace_function(&ops))
		bad++;
	expect("in the first constructor, tracing over", 1);
}

__attribute__((section(".preinit_array"), used))
static void (*const preinit_entry)(void) = preinit;

/* --- a thread's end --- */

static pthread_key_t key;
static unsigned int ended;

/* Puts itself last again until the library gives up. */
static void at_thread_end(void *arg)
{
	traced(1);
	ended++;
	pthread_setspecific(key, arg);
}

static void *thread(void *arg)
{
	pthread_setspecific(key, arg);
	return NULL;
}

static void one_strategy(void)
{
	pthread_t t;
	int err = start(chosen);

	if (err) {
		printf("%s: %d (%s)\n", chosen, err, tramp_why());
		bad++;
		return;
	}
	ended = 0;
	if (pthread_create(&t, NULL, thread, &key) || pthread_join(t, NULL) || !ended)
		bad++;
	expect("at the end of a thread", ended + 1);
}

/* --- after main() --- */

__attribute__((destructor(101))) static void last(void)
{
	unsigned long had = calls;
	int err;

	expect("in the last destructor", had + 1);
	/* By now a static program has no unwind rules: what lies on the stack may have to count as a callback. */
	err = unregister_ftrace_function(&ops);
	if (err && err != -EDEADLK)
		bad++;
	expect("in the last destructor, tracing over", had + 1 + (err == -EDEADLK));
	printf("%s\n", bad ? "bad" : "good");
}

int main(int argc, char **argv)
{
	const char *pattern = argc > 1 ? argv[1] : "*", *name;
	unsigned int ran = 0;

	bad += pthread_key_create(&key, at_thread_end) || by_resolver(1) != 4 || !resolved || before != 2;
	for (unsigned int i = 0; (name = tramp_strategy_name(i)); i++) {
		if (fnmatch(pattern, name, 0))
			continue;
		chosen = name;
		if (ran++ && unregister_ftrace_function(&ops))
			bad++;
		one_strategy();
	}
	/* The last one stays: its calls go on behind main(). */
	bad += !ran;
	return bad != 0;
}
