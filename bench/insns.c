/* SPDX-License-Identifier: MIT */
/* One traced call under the single-stepper; used by the bench and by the gates. */
#include "insns.h"
#include "tracee.h"

struct job {
	const struct bench_config	*config;
	const struct bench_point	*point;
};

static int set_up(void *arg)
{
	const struct job *job = arg;
	int err = bench_arm(job->config);

	/* Once at full speed: what happens on a first call alone is not the cost of a call. */
	err = err ? err : bench_set_point(job->config, job->point);
	if (!err)
		bench_regimes[BENCH_TIGHT].loop(2);
	return err;
}

/*
 * From a stack that lies the same every time: frames with vector registers are
 * aligned, and how many bytes that takes would else depend on the environment.
 */
static void call(void *arg)
{
	char fixed[64] __attribute__((aligned(64)));

	(void)arg;
	__asm__ volatile("" : : "r" (fixed) : "memory");
	bench_regimes[BENCH_TIGHT].loop(1);
	__asm__ volatile("" : : "r" (fixed) : "memory");
}

int bench_step(const struct bench_config *c, const struct bench_point *p, struct step_run *run)
{
	struct job job = { c, p };

	return step_call(run, (unsigned long)tracee, set_up, call, &job);
}
