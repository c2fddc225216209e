/* SPDX-License-Identifier: MIT */
#ifndef TRAMPLAB_BENCH_ENABLE_H
#define TRAMPLAB_BENCH_ENABLE_H

/* "strategy,sites,threaded,reps": one cell of scenario enable_sites, in a process of its own. */
int bench_enable_child(const char *spec);

#endif
