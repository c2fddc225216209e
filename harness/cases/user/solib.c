/* SPDX-License-Identifier: MIT */
/* Libraries with sites and callbacks, loaded and unloaded. */
#include <dlfcn.h>
#include <string.h>
#include <sys/mman.h>
#include "../../copies.h"
#include "../../user.h"

typedef unsigned long (*fn_t)(unsigned long x);

struct lib { void *handle; fn_t a, b; ftrace_func_t hit; unsigned long *hit_calls, *constructed; };

static bool load(struct lib *l)
{
	l->handle = dlopen(solib_path("plain"), RTLD_NOW | RTLD_LOCAL);
	if (!EXPECT(l->handle, "dlopen: %s", dlerror()))
		return false;
	l->a = (fn_t)dlsym(l->handle, "solib_a");
	l->b = (fn_t)dlsym(l->handle, "solib_b");
	l->hit = (ftrace_func_t)dlsym(l->handle, "solib_hit");
	l->hit_calls = dlsym(l->handle, "solib_hit_calls");
	l->constructed = dlsym(l->handle, "solib_constructed");
	return EXPECT(l->a && l->b && l->hit && l->hit_calls && l->constructed, "dlsym: %s", dlerror());
}

CASE(library_sites_are_traced, "S75 S143 BUG-53", "the functions of a loaded library have sites, by address and by name")
{
	struct probe *p = probe_new();
	struct lib l;

	EXPECT_EQ(probe_filter(p, "solib_b", 0), -EINVAL);
	REQUIRE(load(&l), "no library");
	probe_register(p, l.a);
	EXPECT_EQ(probe_filter(p, "solib_b", 0), 0);
	EXPECT_EQ(l.a(1), 102);
	EXPECT_EQ(p->ip, fn_ip(l.a));
	EXPECT_EQ(l.b(1), 103);
	EXPECT_EQ(p->calls, 2);
	EXPECT_EQ(probe_stop(p), 0);
	l.a(1);
	EXPECT_EQ(p->calls, 2);
	dlclose(l.handle);
}

CASE(library_joins_what_traces_all, "S143", "a new library's sites join every ops without filters, also for its constructors; a filtered ops does not pick them up")
{
	struct probe *all = probe_new(), *named = probe_new();
	struct lib l;

	EXPECT_EQ(probe_filter(named, "*_a", 0), 0);
	EXPECT_EQ(probe_start(all), 0);
	EXPECT_EQ(probe_start(named), 0);
	all->calls = 0;
	REQUIRE(load(&l), "no library");
	EXPECT_EQ(*l.constructed, 102);
	EXPECT(all->calls, "the library's constructor was not traced");
	all->calls = named->calls = 0;
	EXPECT_EQ(l.a(1), 102);
	EXPECT_EQ(all->calls, 1);
	EXPECT_EQ(named->calls, 0);
	dlclose(l.handle);
	tracee_a(1);
	EXPECT_EQ(all->calls, 2);
	EXPECT_EQ(named->calls, 1);
}

CASE(unloaded_while_traced, "S145 BUG-07", "dlclose() under a live ops; the library loaded again is not traced by the old filter, which is not \"all\" either")
{
	struct probe *both = probe_new(), *lib_only = probe_new();
	struct lib l;

	REQUIRE(load(&l), "no library");
	probe_register(both, l.a);
	EXPECT_EQ(probe_add(both, tracee_a), 0);
	probe_register(lib_only, l.a);
	l.a(1);
	EXPECT_EQ(both->calls, 1);
	EXPECT_EQ(lib_only->calls, 1);
	dlclose(l.handle);

	tracee_a(1);
	tracee_b(1);
	EXPECT_EQ(both->calls, 2);
	EXPECT_EQ(lib_only->calls, 1);
	REQUIRE(load(&l), "no library");
	EXPECT_EQ(l.a(1), 102);
	EXPECT_EQ(both->calls, 2);
	EXPECT_EQ(lib_only->calls, 1);
	EXPECT_EQ(probe_stop(both), 0);
	EXPECT_EQ(probe_stop(lib_only), 0);
	dlclose(l.handle);
}

CASE(filter_at_rest_outlives_a_library, "S145 BUG-07", "a filter names sites of a library, which goes while the ops is at rest and comes again: registered then, the ops does not trace it, nor all; a new filter call names it anew")
{
	struct probe *p = probe_new(), *not_there = probe_new();
	struct lib l;

	REQUIRE(load(&l), "no library");
	EXPECT_EQ(probe_add(p, l.a), 0);
	EXPECT_EQ(probe_add(p, tracee_a), 0);
	EXPECT_EQ(probe_notrace(not_there, "solib_b", 0), 0);
	dlclose(l.handle);
	REQUIRE(load(&l), "no library");
	EXPECT_EQ(probe_add(p, tracee_b), 0);
	EXPECT_EQ(probe_start(p), 0);
	EXPECT_EQ(probe_start(not_there), 0);
	not_there->calls = 0;
	l.a(1);
	l.b(1);
	EXPECT_EQ(p->calls, 0);
	EXPECT_EQ(not_there->calls, 2);
	tracee_a(1);
	tracee_b(1);
	tracee_c(1);
	EXPECT_EQ(p->calls, 2);
	EXPECT_EQ(probe_add(p, l.a), 0);
	l.a(1);
	EXPECT_EQ(p->calls, 3);
	EXPECT_EQ(probe_stop(p), 0);
	EXPECT_EQ(probe_stop(not_there), 0);
	dlclose(l.handle);
}

CASE(nothing_written_where_a_library_was, "S145 BUG-07", "what is mapped at an unloaded library's place is not touched by later changes")
{
	struct probe *p = probe_new();
	unsigned char *page, copy[4096];
	unsigned long site;
	struct lib l;

	REQUIRE(load(&l), "no library");
	probe_register(p, l.a);
	EXPECT_EQ(probe_add(p, tracee_a), 0);
	site = fn_ip(l.a);
	dlclose(l.handle);
	page = mmap((void *)(site & ~4095UL), 4096, PROT_READ | PROT_EXEC,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (page == MAP_FAILED)
		SKIP("the library stays mapped");
	memcpy(copy, page, sizeof(copy));
	EXPECT_EQ(ftrace_location(site), 0);
	EXPECT_EQ(probe_add(p, tracee_b), 0);
	EXPECT_EQ(probe_stop(p), 0);
	EXPECT_EQ(memcmp(copy, page, sizeof(copy)), 0);
	tracee_a(1);
	EXPECT_EQ(p->calls, 0);
}

CASE(text_of_no_object, "S42 S75 S143 S145 BUG-07", "a JIT compiler's text: found by address, joins what traces all, leaves under a live ops; new text in its place is not traced by the old filter")
{
	static struct copies c;
	struct probe *p = probe_new(), *all = probe_new();
	struct zone z;
	unsigned long ip;

	REQUIRE_EQ(zone_reserve(&z, 8 * ZONE_HOLE), 0);
	ip = copied_ip(z.start + 4 * ZONE_HOLE + 64);
	EXPECT_EQ(ftrace_location(ip), 0);
	EXPECT_EQ(copies_put(&c, ip, true), 0);
	EXPECT_EQ(copies_join(&c), 0);
	EXPECT_EQ(ftrace_location(ip), ip);
	EXPECT_EQ(ftrace_set_filter_ip(&p->ops, ip, 0, 0), 0);
	EXPECT_EQ(probe_start(p), 0);
	EXPECT_EQ(probe_start(all), 0);
	EXPECT_EQ(copied_at(ip)(1), 2);
	EXPECT_EQ(p->calls, 1);
	EXPECT_EQ(p->ip, ip);
	EXPECT_EQ(all->ip, ip);
	copies_leave(&c);
	EXPECT_EQ(ftrace_location(ip), 0);

	EXPECT_EQ(copies_put(&c, ip, true), 0);
	EXPECT_EQ(copies_join(&c), 0);
	EXPECT_EQ(copied_at(ip)(1), 2);
	EXPECT_EQ(p->calls, 1);
	EXPECT_EQ(all->ip, ip);
	EXPECT_EQ(probe_stop(all), 0);
	EXPECT_EQ(ftrace_set_filter_ip(&p->ops, ip, 0, 0), 0);
	EXPECT_EQ(copied_at(ip)(1), 2);
	EXPECT_EQ(p->calls, 2);
}

CASE(callback_in_a_library, "S127 BUG-35", "a callback far from the program is called; once its ops is unregistered the library may go")
{
	for (int i = 0; i < 5; i++) {
		struct probe *p = probe_new();
		struct lib l;

		REQUIRE(load(&l), "no library");
		p->ops.func = l.hit;
		probe_register(p, tracee_a);
		EXPECT_EQ(tracee_a(1), 2);
		EXPECT_EQ(*l.hit_calls, 1);
		probe_on(tracee_a);
		EXPECT_EQ(tracee_a(1), 2);
		EXPECT_EQ(*l.hit_calls, 2);
		EXPECT_EQ(probe_stop(p), 0);
		dlclose(l.handle);
		EXPECT_EQ(tracee_a(1), 2);
	}
}

static void *load_and_unload(void *arg)
{
	struct caller *c = arg;
	void *handle;

	while (!__atomic_load_n(&c->stop, __ATOMIC_RELAXED)) {
		handle = dlopen(solib_path("plain"), RTLD_NOW | RTLD_LOCAL);
		c->wrong += !handle || dlclose(handle);
		__atomic_store_n(&c->calls, c->calls + 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

CASE(libraries_come_and_go_during_updates, "S132 S143 BUG-07", "one thread loads and unloads, one calls, one registers: counts exact", .timeout = 60, .needs = CASE_ONE_CLASS)
{
	struct probe *stays = probe_on(tracee_a), *all = probe_new();
	struct caller loads = { .stop = 0 }, calls;

	loads.thread = spawn(load_and_unload, &loads);
	caller_start(&calls, tracee_a, 2);
	for (unsigned int i = 0; i < rounds(3); i++) {
		EXPECT_EQ(probe_start(all), 0);
		EXPECT_EQ(probe_stop(all), 0);
	}
	caller_progress(&loads, 1);
	caller_stop(&calls);
	caller_stop(&loads);
	EXPECT_EQ(loads.wrong, 0);
	EXPECT(loads.calls, "no library was loaded meanwhile");
	EXPECT_EQ(stays->calls, calls.calls);
	EXPECT_EQ(calls.wrong, 0);
}
