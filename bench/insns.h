/* SPDX-License-Identifier: MIT */
#ifndef TRAMPLAB_BENCH_INSNS_H
#define TRAMPLAB_BENCH_INSNS_H

#include "bench.h"
#include "harness/step/step.h"

/*
 * Step one call of tracee() under @c at @p: 0 or -errno.  @run: the caller
 * frees it with step_free().
 */
int bench_step(const struct bench_config *c, const struct bench_point *p, struct step_run *run);

#endif
