/* SPDX-License-Identifier: MIT */
/* Libraries that come and go while something fails: dlopen() may leave one untraced, dlclose() cannot fail. */
#include <dlfcn.h>
#include "../../faults/state.h"
#include "../../user.h"

typedef unsigned long (*fn_t)(unsigned long x);

/* Registered for all, for the program's site, for the library's and one of the program's. */
static struct probe all, own, named;
static struct state empty;

static void *load(fn_t *a)
{
	void *lib = dlopen(solib_path("plain"), RTLD_NOW | RTLD_LOCAL);

	*a = lib ? (fn_t)dlsym(lib, "solib_a") : NULL;
	EXPECT(*a, "dlopen: %s", dlerror());
	return lib;
}

static unsigned long calls_of(const struct probe *p, fn_t fn, unsigned long want)
{
	unsigned long before = p->calls;

	EXPECT_EQ(fn(1), want);
	return p->calls - before;
}

static void set_up(void)
{
	state_take(&empty, NULL, 0);
	probe_init(&all, case_flags());
	probe_init(&own, case_flags());
	probe_init(&named, case_flags());
	probe_register(&own, tracee_a);
	EXPECT_EQ(probe_start(&all), 0);
}

/* With the last ops goes the code that libraries had. */
static void tear_down(const char *what)
{
	EXPECT_EQ(probe_stop(&all), 0);
	EXPECT_EQ(probe_stop(&own), 0);
	ftrace_free_filter(&own.ops);
	ftrace_free_filter(&named.ops);
	state_expect(&empty, NULL, 0, what);
}

/* All of its sites are traced, or none is. */
static bool come(const struct fault *fault, unsigned long n)
{
	size_t sites;
	unsigned long failed;
	void *lib;
	fn_t a;

	set_up();
	sites = tramp_nr_sites();
	faults_arm(fault, n);
	lib = load(&a);
	failed = faults_disarm();
	if (!lib)
		return false;
	EXPECT(failed || tramp_nr_sites() > sites, "nothing failed, and the library has no sites");
	EXPECT_EQ(calls_of(&all, a, 102), tramp_nr_sites() > sites);
	/* By name, too, unless its file is refused, which is said. */
	if (!failed || fault->err != EPERM)
		EXPECT_EQ(probe_filter(&named, "solib_a", 0), tramp_nr_sites() > sites ? 0 : -EINVAL);
	EXPECT_EQ(calls_of(&own, tracee_a, 2), 1);
	dlclose(lib);
	tear_down("dlopen");
	return failed && !case_failed();
}

CASE(failed_library_stays_untraced, "S143 BUG-04 BUG-53", "each allocation, read, write, ... under dlopen() fails in turn: the library is traced, or it is not and runs; nothing leaks",
     .needs = CASE_TORTURE, .timeout = 60)
{
	faults_each("dlopen", come);
}

/*
 * Who named its sites does not find them in what comes to the same place; all is as
 * before it came.
 */
static bool go(const struct fault *fault, unsigned long n)
{
	unsigned long failed;
	void *lib;
	fn_t a;

	set_up();
	lib = load(&a);
	if (!lib)
		return false;
	probe_register(&named, a);
	EXPECT_EQ(probe_add(&named, tracee_a), 0);
	EXPECT_EQ(calls_of(&named, a, 102), 1);
	faults_arm(fault, n);
	dlclose(lib);
	failed = faults_disarm();
	EXPECT_EQ(calls_of(&named, tracee_a, 2), 1);
	EXPECT_EQ(calls_of(&named, tracee_b, 3), 0);

	lib = load(&a);
	if (!lib)
		return false;
	EXPECT_EQ(calls_of(&named, a, 102), 0);
	EXPECT_EQ(calls_of(&all, a, 102), 1);
	dlclose(lib);
	EXPECT_EQ(probe_stop(&named), 0);
	tear_down("dlclose");
	return failed && !case_failed();
}

CASE(leaving_library_survives_failures, "S145 BUG-04 BUG-07", "each allocation, membarrier, write, ... under dlclose() fails in turn: its sites are in no filter, nobody is called for them, nothing leaks",
     .needs = CASE_TORTURE, .timeout = 60)
{
	faults_each("dlclose", go);
}
