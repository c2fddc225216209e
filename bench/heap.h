/* SPDX-License-Identifier: MIT */
#ifndef TRAMPLAB_BENCH_HEAP_H
#define TRAMPLAB_BENCH_HEAP_H

#include <stddef.h>

/* Bytes of the heap in use, malloc's headers included. */
size_t bench_heap_used(void);

#endif
