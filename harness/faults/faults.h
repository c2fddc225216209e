/* SPDX-License-Identifier: MIT */
/*
 * Failures on demand: the n-th allocation, mapping, ... of this thread fails.  The
 * programs with the cases are linked so that what the core asks of libc comes
 * through here first (wrap.c, and --wrap in harness.mk); nothing in the core knows.
 */
#ifndef TRAMPLAB_FAULTS_H
#define TRAMPLAB_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

enum fault_kind {
	FAULT_ALLOC,	/* malloc, calloc, realloc, strndup */
	FAULT_MAP,	/* mmap, memfd_create, ftruncate */
	FAULT_SYNC,	/* membarrier */
	FAULT_SIGNAL,	/* sigaction, tgkill, rt_tgsigqueueinfo */
	FAULT_OPEN,	/* open, openat, fopen */
	FAULT_READ,	/* read, fgets, readdir, getdents; fstat() of what is open does not fail */
	FAULT_STACK,	/* pread: another thread's stack, what fork has copied */
	FAULT_WRITE,	/* pwrite: text through /proc/self/mem, what fork copies */
	FAULT_HANDLER,	/* pthread_atfork */
	FAULT_KINDS
};

struct fault {
	enum fault_kind	kind;
	int		err;		/* what errno says */
	bool		lasting;	/* the n-th and all later ones, until somebody waits for better */
};

/* What every call is tried with. */
#define NR_FAULTS 17
extern const struct fault faults[NR_FAULTS];

/* A name, in the plural; how many there were since this was asked last. */
const char *fault_name(enum fault_kind kind);
unsigned long faults_taken(enum fault_kind kind);

/* From here to faults_disarm() the calling thread's @n-th call of that kind fails. */
void faults_arm(const struct fault *fault, unsigned long n);
/* How many calls failed. */
unsigned long faults_disarm(void);
/* What lasts is over; by any thread. */
void faults_heal(void);
/* Where the first of them was, for messages. */
const void *faults_where(void);

/* Called before each pwrite() of this thread that does not fail; NULL: no more. */
void faults_watch_writes(void (*fn)(unsigned long addr, const void *buf, size_t len));

/* mmap() at an address that must be free (MAP_FIXED_NOREPLACE) finds it taken where @fn says so; NULL: no more. */
void faults_hide_maps(bool (*fn)(unsigned long addr));

/* Each pwrite() of this thread takes half of what it could: not all callers look. */
void faults_shorten_writes(bool shorten);

/*
 * What the core has and has not given back, counted from the start of the program:
 * all but what libc allocates for itself.
 */
struct faults_held { long blocks, bytes, maps, frames; };
struct faults_held faults_held(void);

#endif
