/* SPDX-License-Identifier: MIT */
/* The one C++ file: google-benchmark has no C interface. */
#include <benchmark/benchmark.h>
#include "gbench_shim.h"

/* Turns between two looks at the clock: the library's own loop is not ours. */
static const unsigned long batch = 1024;

static void run(benchmark::State &state, const gbench_case *c)
{
	if (!c->arm(c->arg)) {
		state.SkipWithError("cannot be armed");
	} else {
		c->loop(batch);
		while (state.KeepRunningBatch(batch))
			c->loop(batch);
		state.SetItemsProcessed(state.iterations() * c->calls);
	}
	c->disarm(c->arg);
}

extern "C" void gbench_register(const char *name, const struct gbench_case *c)
{
	benchmark::RegisterBenchmark(name, run, c);
}

extern "C" int gbench_main(int argc, char **argv)
{
	benchmark::Initialize(&argc, argv);
	if (benchmark::ReportUnrecognizedArguments(argc, argv))
		return 2;
	benchmark::RunSpecifiedBenchmarks();
	benchmark::Shutdown();
	return 0;
}
