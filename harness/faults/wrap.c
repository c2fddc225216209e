/* SPDX-License-Identifier: MIT */
/* What the linker puts in libc's place (ld(1), --wrap): the same, unless this thread is armed. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "faults.h"

const struct fault faults[NR_FAULTS] = {
	{ FAULT_ALLOC, ENOMEM, true }, { FAULT_ALLOC, ENOMEM, false },
	{ FAULT_MAP, EPERM, true }, { FAULT_MAP, EPERM, false },
	{ FAULT_MAP, ENOMEM, true }, { FAULT_MAP, ENOMEM, false },
	{ FAULT_SYNC, EPERM, true }, { FAULT_SYNC, ENOMEM, false },
	{ FAULT_SIGNAL, EAGAIN, true }, { FAULT_SIGNAL, EAGAIN, false },
	{ FAULT_OPEN, EMFILE, true }, { FAULT_OPEN, EMFILE, false },
	{ FAULT_READ, EIO, true }, { FAULT_READ, EIO, false }, { FAULT_STACK, EIO, true },
	{ FAULT_WRITE, EIO, true }, { FAULT_WRITE, EIO, false },
};

static const char *const names[FAULT_KINDS] = {
	"failed allocations", "failed mappings", "failed membarriers", "failed signals", "failed opens",
	"failed reads", "failed reads of a stack", "failed writes", "failed atforks",
};
static unsigned long failures[FAULT_KINDS];

const char *fault_name(enum fault_kind kind)
{
	return names[kind];
}

unsigned long faults_taken(enum fault_kind kind)
{
	unsigned long nr = failures[kind];

	failures[kind] = 0;
	return nr;
}

/* --- what fails --- */

/* As often as the core waits for better, before it is better. */
#define NAPS 3

static __thread struct {
	struct fault	fault;
	unsigned long	n, seen, failed;
	unsigned int	naps;
	const void	*where;
	bool		on;
} armed;

static bool healed;

void faults_heal(void)
{
	__atomic_store_n(&healed, true, __ATOMIC_RELAXED);
}

void faults_arm(const struct fault *fault, unsigned long n)
{
	armed.fault = *fault;
	armed.n = n;
	armed.seen = armed.failed = armed.naps = 0;
	__atomic_store_n(&healed, false, __ATOMIC_RELAXED);
	armed.on = true;
}

unsigned long faults_disarm(void)
{
	armed.on = false;
	failures[armed.fault.kind] += armed.failed;
	return armed.failed;
}

const void *faults_where(void)
{
	return armed.where;
}

static bool fails_for(enum fault_kind kind, const void *where)
{
	if (!armed.on || armed.fault.kind != kind || ++armed.seen < armed.n)
		return false;
	if (armed.seen > armed.n && (!armed.fault.lasting || armed.naps >= NAPS || __atomic_load_n(&healed, __ATOMIC_RELAXED)))
		return false;
	if (!armed.failed++)
		armed.where = where;
	errno = armed.fault.err;
	return true;
}

#define FAILS(kind) fails_for(kind, __builtin_return_address(0))

/* --- what is held --- */

static struct faults_held held;

static void count(long *what, long nr)
{
	__atomic_fetch_add(what, nr, __ATOMIC_RELAXED);
}

struct faults_held faults_held(void)
{
	return held;
}

static void *got(void *p)
{
	if (p) {
		count(&held.blocks, 1);
		count(&held.bytes, malloc_usable_size(p));
	}
	return p;
}

static void *given(void *p)
{
	if (p) {
		count(&held.blocks, -1);
		count(&held.bytes, -(long)malloc_usable_size(p));
	}
	return p;
}

/* --- allocations --- */

extern __typeof__(malloc) __real_malloc, __wrap_malloc;
extern __typeof__(calloc) __real_calloc, __wrap_calloc;
extern __typeof__(realloc) __real_realloc, __wrap_realloc;
extern __typeof__(free) __real_free, __wrap_free;
extern __typeof__(strndup) __real_strndup, __wrap_strndup;

void *__wrap_malloc(size_t size)
{
	return FAILS(FAULT_ALLOC) ? NULL : got(__real_malloc(size));
}

void *__wrap_calloc(size_t nr, size_t size)
{
	return FAILS(FAULT_ALLOC) ? NULL : got(__real_calloc(nr, size));
}

void *__wrap_realloc(void *old, size_t size)
{
	size_t was = old ? malloc_usable_size(old) : 0;
	void *p = FAILS(FAULT_ALLOC) ? NULL : __real_realloc(old, size);

	if (p) {
		count(&held.blocks, !old);
		count(&held.bytes, (long)malloc_usable_size(p) - (long)was);
	}
	return p;
}

void __wrap_free(void *p)
{
	__real_free(given(p));
}

char *__wrap_strndup(const char *s, size_t n)
{
	return FAILS(FAULT_ALLOC) ? NULL : got(__real_strndup(s, n));
}

/* --- mappings --- */

extern __typeof__(mmap) __real_mmap, __wrap_mmap;
extern __typeof__(munmap) __real_munmap, __wrap_munmap;
extern __typeof__(memfd_create) __real_memfd_create, __wrap_memfd_create;
extern __typeof__(ftruncate) __real_ftruncate, __wrap_ftruncate;

static bool (*hidden)(unsigned long addr);

void faults_hide_maps(bool (*fn)(unsigned long addr))
{
	hidden = fn;
}

void *__wrap_mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset)
{
	void *p;

	if (hidden && flags & MAP_FIXED_NOREPLACE && hidden((unsigned long)addr)) {
		errno = EEXIST;
		return MAP_FAILED;
	}
	p = FAILS(FAULT_MAP) ? MAP_FAILED : __real_mmap(addr, len, prot, flags, fd, offset);
	/* MAP_FIXED takes the place of one. */
	if (p != MAP_FAILED && !(flags & MAP_FIXED))
		count(&held.maps, 1);
	return p;
}

int __wrap_munmap(void *addr, size_t len)
{
	int err = __real_munmap(addr, len);

	if (!err)
		count(&held.maps, -1);
	return err;
}

int __wrap_memfd_create(const char *name, unsigned int flags)
{
	return FAILS(FAULT_MAP) ? -1 : __real_memfd_create(name, flags);
}

int __wrap_ftruncate(int fd, off_t len)
{
	return FAILS(FAULT_MAP) ? -1 : __real_ftruncate(fd, len);
}

/* --- system calls without a wrapper of libc's --- */

extern __typeof__(syscall) __real_syscall, __wrap_syscall;

static bool syscall_fails(long nr, const void *where)
{
	switch (nr) {
	case SYS_membarrier:
		return fails_for(FAULT_SYNC, where);
	case SYS_tgkill:
	case SYS_rt_tgsigqueueinfo:
		return fails_for(FAULT_SIGNAL, where);
	case SYS_getdents64:
		return fails_for(FAULT_READ, where);
	}
	return false;
}

long __wrap_syscall(long nr, ...)
{
	long a[6];
	va_list ap;

	va_start(ap, nr);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (syscall_fails(nr, __builtin_return_address(0)))
		return -1;
	return __real_syscall(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* --- signals, handlers --- */

extern __typeof__(sigaction) __real_sigaction, __wrap_sigaction;
extern __typeof__(pthread_atfork) __real_pthread_atfork, __wrap_pthread_atfork;

int __wrap_sigaction(int sig, const struct sigaction *act, struct sigaction *old)
{
	/* What could be set can be taken back. */
	bool back = act && act->sa_handler == SIG_DFL;

	return !back && FAILS(FAULT_SIGNAL) ? -1 : __real_sigaction(sig, act, old);
}

int __wrap_pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
	return FAILS(FAULT_HANDLER) ? armed.fault.err : __real_pthread_atfork(prepare, parent, child);
}

/* --- files --- */

extern __typeof__(open) __real_open, __wrap_open;
extern __typeof__(openat) __real_openat, __wrap_openat;
extern __typeof__(fopen) __real_fopen, __wrap_fopen;
extern __typeof__(opendir) __real_opendir, __wrap_opendir;
extern __typeof__(read) __real_read, __wrap_read;
extern __typeof__(fgets) __real_fgets, __wrap_fgets;
extern __typeof__(readdir) __real_readdir, __wrap_readdir;
extern __typeof__(pwrite) __real_pwrite, __wrap_pwrite;

int __wrap_open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list ap;

	if (__OPEN_NEEDS_MODE(flags)) {
		va_start(ap, flags);
		mode = va_arg(ap, mode_t);
		va_end(ap);
	}
	return FAILS(FAULT_OPEN) ? -1 : __real_open(path, flags, mode);
}

int __wrap_openat(int dir, const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list ap;

	if (__OPEN_NEEDS_MODE(flags)) {
		va_start(ap, flags);
		mode = va_arg(ap, mode_t);
		va_end(ap);
	}
	return FAILS(FAULT_OPEN) ? -1 : __real_openat(dir, path, flags, mode);
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
	return FAILS(FAULT_OPEN) ? NULL : __real_fopen(path, mode);
}

DIR *__wrap_opendir(const char *path)
{
	return FAILS(FAULT_OPEN) ? NULL : __real_opendir(path);
}

ssize_t __wrap_read(int fd, void *buf, size_t len)
{
	return FAILS(FAULT_READ) ? -1 : __real_read(fd, buf, len);
}

char *__wrap_fgets(char *line, int size, FILE *f)
{
	if (!FAILS(FAULT_READ))
		return __real_fgets(line, size, f);
	/* What ferror() looks at; there is no function that sets it. */
	f->_flags |= _IO_ERR_SEEN;
	return NULL;
}

struct dirent *__wrap_readdir(DIR *dir)
{
	return FAILS(FAULT_READ) ? NULL : __real_readdir(dir);
}

static __thread void (*watch)(unsigned long addr, const void *buf, size_t len);

void faults_watch_writes(void (*fn)(unsigned long addr, const void *buf, size_t len))
{
	watch = fn;
}

extern __typeof__(pread) __real_pread, __wrap_pread;

ssize_t __wrap_pread(int fd, void *buf, size_t len, off_t offset)
{
	return FAILS(FAULT_STACK) ? -1 : __real_pread(fd, buf, len, offset);
}

static __thread bool short_writes;

void faults_shorten_writes(bool shorten)
{
	short_writes = shorten;
}

ssize_t __wrap_pwrite(int fd, const void *buf, size_t len, off_t offset)
{
	if (watch)
		watch(offset, buf, len);
	if (short_writes && len > 1)
		len = len / 2;
	return FAILS(FAULT_WRITE) ? -1 : __real_pwrite(fd, buf, len, offset);
}

/* --- waiting for better takes no time here --- */

extern __typeof__(sleep) __real_sleep, __wrap_sleep;
extern __typeof__(usleep) __real_usleep, __wrap_usleep;

static bool naps(void)
{
	armed.naps++;
	return armed.on;
}

unsigned int __wrap_sleep(unsigned int seconds)
{
	return naps() ? 0 : __real_sleep(seconds);
}

int __wrap_usleep(useconds_t us)
{
	return naps() ? 0 : __real_usleep(us);
}

/* --- what the unwinder knows --- */

struct object;
extern void __real___register_frame_info(const void *begin, struct object *object);
extern void __wrap___register_frame_info(const void *begin, struct object *object);
extern void *__real___deregister_frame_info(const void *begin), *__wrap___deregister_frame_info(const void *begin);

void __wrap___register_frame_info(const void *begin, struct object *object)
{
	count(&held.frames, 1);
	__real___register_frame_info(begin, object);
}

void *__wrap___deregister_frame_info(const void *begin)
{
	count(&held.frames, -1);
	return __real___deregister_frame_info(begin);
}
