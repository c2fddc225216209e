/* SPDX-License-Identifier: MIT */
/*
 * What the kernel tells about this process: its threads, its mappings.
 *
 * Asked while text changes, when other threads may hold the locks of malloc and
 * stdio: neither is used.  Descriptors are kept open from the start, since a
 * program may shut itself off from /proc, or run out of descriptors; each is
 * looked at before it is used, since a program may also close what it does not
 * know, and open something else in its place.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "core.h"

/* --- descriptors --- */

static bool is_still(const struct tramp_kept *k)
{
	struct stat now;

	return k->fd >= 0 && !fstat(k->fd, &now) && now.st_dev == k->was.st_dev &&
	       now.st_ino == k->was.st_ino;
}

/* A child's inherited descriptor still means the parent. */
int tramp_kept_fd(struct tramp_kept *k)
{
	bool ours = is_still(k);

	if (ours && k->pid == getpid())
		return k->fd;
	if (ours)
		close(k->fd);
	k->fd = open(k->path, k->flags | O_CLOEXEC);
	if (k->fd < 0)
		return -errno;
	k->pid = getpid();
	return fstat(k->fd, &k->was) ? -errno : k->fd;
}

static struct tramp_kept kept_tasks = { .path = "/proc/self/task", .flags = O_RDONLY | O_DIRECTORY, .fd = -1 };
/*
 * Not "self": that is the main thread, whose memory is gone when it has ended before
 * the others.  An emulator makes up that one alone.
 */
static struct tramp_kept kept_maps = { .path = "/proc/thread-self/maps", .flags = O_RDONLY, .fd = -1 };
/* They have one offset each. */
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;

/* Where /proc is missing, the first that needs it says so. */
void tramp_proc_init(void)
{
	tramp_kept_fd(&kept_tasks);
	tramp_kept_fd(&kept_maps);
}

void tramp_proc_forked(void)
{
	pthread_mutex_init(&kept_lock, NULL);
	tramp_proc_init();
}

/* A new one, since an emulator makes up what is in it when it is opened; else the kept one, which is then locked. */
struct opened { int fd; bool locked; };

static int open_file(struct opened *o, struct tramp_kept *k)
{
	int err;

	o->locked = false;
	o->fd = open(k == &kept_maps && tramp_emulated() ? "/proc/self/maps" : k->path, k->flags | O_CLOEXEC);
	if (o->fd >= 0)
		return 0;
	err = -errno;
	pthread_mutex_lock(&kept_lock);
	o->fd = is_still(k) && k->pid == getpid() ? k->fd : -1;
	if (o->fd >= 0 && !lseek(o->fd, 0, SEEK_SET)) {
		o->locked = true;
		return 0;
	}
	pthread_mutex_unlock(&kept_lock);
	return tramp_fail(err, "%s: %s", k->path, strerror(-err));
}

static void close_file(const struct opened *o)
{
	if (o->locked)
		pthread_mutex_unlock(&kept_lock);
	else
		close(o->fd);
}

/* --- threads --- */

/* proc(5), getdents(2); in no header. */
struct entry { uint64_t ino, off; uint16_t len; uint8_t type; char name[]; };

bool tramp_thread_gone(pid_t tid)
{
	return syscall(SYS_tgkill, getpid(), tid, 0) && errno == ESRCH;
}

/* The entries become numbers, in place: each takes less room than its entry. */
static void keep_numbers(struct tramp_threads *t, char *buf, size_t len)
{
	const struct entry *e;
	pid_t tid;

	t->tid = (pid_t *)buf;
	t->nr = 0;
	for (size_t at = 0; at < len; at += e->len) {
		e = (const struct entry *)(buf + at);
		tid = atoi(e->name);
		if (tid)
			t->tid[t->nr++] = tid;
	}
}

/* One call, and a second that finds nothing: 0 or -errno; 1: @buf was too small. */
static int read_entries(struct tramp_threads *t, char *buf, size_t size)
{
	char more[64];
	struct opened o;
	long len, rest;
	int err = open_file(&o, &kept_tasks);

	if (err)
		return err;
	len = syscall(SYS_getdents64, o.fd, buf, size);
	rest = len < 0 ? len : syscall(SYS_getdents64, o.fd, more, sizeof(more));
	err = rest < 0 ? -errno : 0;
	close_file(&o);
	if (err)
		return tramp_fail(err, "/proc/self/task: %s", strerror(-err));
	keep_numbers(t, buf, len);
	return rest && (size_t)len + sizeof(more) > size;
}

static int grow(struct tramp_threads *t)
{
	size_t len = t->map ? 2 * t->map_len : 16 * sizeof(t->room);
	void *p;

	tramp_threads_free(t);
	p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return tramp_fail(-errno, "memory for a list of threads: %s", strerror(errno));
	t->map = p;
	t->map_len = len;
	return 0;
}

/*
 * The kernel walks its list and lets go of it at every thread; where one dies just
 * then the walk ends, and goes on by counting, past threads that live.  If the last
 * one that it told lives afterwards, nothing of that has happened.
 */
int tramp_threads_read(struct tramp_threads *t)
{
	int err;

	t->map = NULL;
	do {
		err = t->map ? read_entries(t, t->map, t->map_len) :
			       read_entries(t, t->room, sizeof(t->room));
		if (err > 0)
			err = grow(t) ?: 1;
	} while (err > 0 || (!err && (!t->nr || tramp_thread_gone(t->tid[t->nr - 1]))));
	if (err)
		tramp_threads_free(t);
	return err;
}

void tramp_threads_free(struct tramp_threads *t)
{
	if (t->map)
		munmap(t->map, t->map_len);
	t->map = NULL;
}

int tramp_task_read(pid_t tid, const char *file, char *buf, size_t size)
{
	char path[64];
	ssize_t n;
	int fd, at;

	at = snprintf(path, sizeof(path), "%s/", kept_tasks.path);
	snprintf(path + at, sizeof(path) - at, "%d/%s", tid, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	/* A program that has changed its root still has the directory. */
	if (fd < 0 && is_still(&kept_tasks) && kept_tasks.pid == getpid())
		fd = openat(kept_tasks.fd, path + at, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = read(fd, buf, size - 1);
	close(fd);
	if (n < 0)
		return -errno;
	buf[n] = 0;
	return n;
}

/* --- mappings --- */

struct reader { int fd, err; size_t at, len; char buf[2048]; };

/* -1: the end, or an error. */
static int get(struct reader *r)
{
	ssize_t n;

	if (r->at == r->len) {
		n = read(r->fd, r->buf, sizeof(r->buf));
		r->err = n < 0 ? -errno : 0;
		r->at = 0;
		r->len = n > 0 ? n : 0;
	}
	return r->at < r->len ? (unsigned char)r->buf[r->at++] : -1;
}

static int get_hex(struct reader *r, unsigned long *value)
{
	int c;

	for (*value = 0; (c = get(r)) >= 0; ) {
		int digit = c - (c >= 'a' ? 'a' - 10 : '0');

		if (digit < 0 || digit > 15)
			break;
		*value = *value << 4 | digit;
	}
	return c;
}

/* "start-end rwxp ..."; a name may be as long as it likes. */
static bool get_map(struct reader *r, struct tramp_map *m)
{
	int c;

	if (get_hex(r, &m->start) != '-' || get_hex(r, &m->end) != ' ')
		return false;
	for (size_t i = 0; i < sizeof(m->perms); i++)
		m->perms[i] = get(r);
	while ((c = get(r)) >= 0 && c != '\n')
		;
	return c == '\n';
}

int tramp_maps_each(void (*fn)(const struct tramp_map *, void *arg), void *arg)
{
	struct reader r = { 0 };
	struct tramp_map m;
	struct opened o;
	int err = open_file(&o, &kept_maps);

	if (err)
		return err;
	r.fd = o.fd;
	while (get_map(&r, &m))
		fn(&m, arg);
	close_file(&o);
	return r.err ? tramp_fail(r.err, "%s: %s", kept_maps.path, strerror(-r.err)) : 0;
}

int tramp_maps_ready(void)
{
	struct opened o;
	int err = open_file(&o, &kept_maps);

	if (!err)
		close_file(&o);
	return err;
}
