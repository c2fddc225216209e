/* SPDX-License-Identifier: MIT */
/*
 * What malloc() has given out and not got back, its own headers included: asked
 * at every call, so that what the core keeps beside its code is measured, the
 * unwinder's share too.
 */
#include <errno.h>
#include <malloc.h>
#include "heap.h"

/* glibc's own, under the names that it exports for this. */
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t nr, size_t n);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t align, size_t n);
void __libc_free(void *p);

static size_t used;

static void *given(void *p)
{
	if (p)
		__atomic_fetch_add(&used, malloc_usable_size(p) + sizeof(size_t), __ATOMIC_RELAXED);
	return p;
}

static void taken(void *p)
{
	if (p)
		__atomic_fetch_sub(&used, malloc_usable_size(p) + sizeof(size_t), __ATOMIC_RELAXED);
}

size_t bench_heap_used(void)
{
	return __atomic_load_n(&used, __ATOMIC_RELAXED);
}

void *malloc(size_t n)
{
	return given(__libc_malloc(n));
}

void *calloc(size_t nr, size_t n)
{
	return given(__libc_calloc(nr, n));
}

void *realloc(void *p, size_t n)
{
	size_t before = p ? malloc_usable_size(p) + sizeof(size_t) : 0;
	void *q = __libc_realloc(p, n);

	if (q || !n)
		__atomic_fetch_sub(&used, before, __ATOMIC_RELAXED);
	return given(q);
}

void *aligned_alloc(size_t align, size_t n)
{
	return given(__libc_memalign(align, n));
}

int posix_memalign(void **p, size_t align, size_t n)
{
	*p = aligned_alloc(align, n);
	return *p ? 0 : ENOMEM;
}

void free(void *p)
{
	taken(p);
	__libc_free(p);
}
