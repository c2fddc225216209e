/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "core/core.h"
#include "check.h"
#include "user.h"

/* --- gates --- */

static void futex_wait(unsigned int *word, unsigned int value)
{
	syscall(SYS_futex, word, FUTEX_WAIT, value, NULL, NULL, 0);
}

static void futex_wake(unsigned int *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void gate_pass(struct gate *g)
{
	__atomic_fetch_add(&g->arrived, 1, __ATOMIC_SEQ_CST);
	futex_wake(&g->arrived);
	while (!__atomic_load_n(&g->open, __ATOMIC_SEQ_CST))
		futex_wait(&g->open, 0);
}

void gate_await(struct gate *g, unsigned int nr)
{
	unsigned int arrived;

	while ((arrived = __atomic_load_n(&g->arrived, __ATOMIC_SEQ_CST)) < nr)
		futex_wait(&g->arrived, arrived);
}

void gate_open(struct gate *g)
{
	__atomic_store_n(&g->open, 1, __ATOMIC_SEQ_CST);
	futex_wake(&g->open);
}

/* --- threads --- */

static void *call_until_stopped(void *arg)
{
	struct caller *c = arg;

	__atomic_store_n(&c->runs, 1, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&c->stop, __ATOMIC_RELAXED)) {
		c->wrong += c->fn(1) != c->want;
		__atomic_store_n(&c->calls, c->calls + 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

void caller_start(struct caller *c, unsigned long (*fn)(unsigned long x), unsigned long want)
{
	*c = (struct caller){ .fn = fn, .want = want };
	c->thread = spawn(call_until_stopped, c);
	while (!__atomic_load_n(&c->runs, __ATOMIC_ACQUIRE) && !case_failed())
		nap_ms(0);
}

void caller_stop(struct caller *c)
{
	__atomic_store_n(&c->stop, 1, __ATOMIC_RELAXED);
	join(c->thread);
}

void caller_progress(struct caller *c, unsigned long nr)
{
	unsigned long from = __atomic_load_n(&c->calls, __ATOMIC_RELAXED);

	while (__atomic_load_n(&c->calls, __ATOMIC_RELAXED) - from < nr)
		nap_ms(0);
}

static void *stop_probe(void *arg)
{
	struct stopper *s = arg;

	s->err = probe_stop(s->p);
	__atomic_store_n(&s->done, 1, __ATOMIC_SEQ_CST);
	return NULL;
}

void stopper_start(struct stopper *s, struct probe *p)
{
	*s = (struct stopper){ .p = p, .err = 1 };
	s->thread = spawn(stop_probe, s);
}

bool stopper_done(const struct stopper *s)
{
	return __atomic_load_n(&s->done, __ATOMIC_SEQ_CST);
}

unsigned int rounds(unsigned int n)
{
	return n * check_stress;
}

bool more(unsigned long done, unsigned long least)
{
	static double end;

	if (!end)
		end = check_now() + check_share;
	return !case_failed() && (done < least * check_stress || check_now() < end);
}

bool more_until(bool seen, unsigned long done, unsigned long least)
{
	return more(done, least) || (!seen && !case_failed() && done < 100 * least);
}

unsigned long case_seed(void)
{
	return check_seed;
}

static void *call(unsigned long (*fn)(unsigned long x), unsigned long *result)
{
	unsigned long ret = fn(1);

	if (result)
		*result = ret;
	return NULL;
}

void *thread_calls_a(void *result)
{
	return call(tracee_a, result);
}

void *thread_calls_b(void *result)
{
	return call(tracee_b, result);
}

struct gate inside_gate;

void stay_inside(struct probe *p, struct ftrace_regs *fregs)
{
	(void)p, (void)fregs;
	gate_pass(&inside_gate);
}

pthread_t spawn(void *(*fn)(void *arg), void *arg)
{
	pthread_t thread = 0;

	if (pthread_create(&thread, NULL, fn, arg))
		case_fail(__FILE__, __LINE__, "pthread_create failed");
	return thread;
}

void join(pthread_t thread)
{
	pthread_join(thread, NULL);
}

void nap_ms(unsigned int ms)
{
	struct timespec ts = { ms / 1000, ms % 1000 * 1000000L };

	while (nanosleep(&ts, &ts) && errno == EINTR)
		;
}

/* --- the process --- */

/* Fields of a line: "start-end rwxp ..."; the state says where in it we are. */
struct maps_state { unsigned int field, pos, nr; bool w, x; };

static void maps_byte(struct maps_state *s, char c)
{
	if (c == '\n') {
		s->nr += s->w && s->x;
		s->field = s->pos = s->w = s->x = 0;
		return;
	}
	if (c == ' ') {
		s->field++;
		s->pos = 0;
		return;
	}
	if (s->field == 1 && s->pos == 1)
		s->w = c == 'w';
	if (s->field == 1 && s->pos == 2)
		s->x = c == 'x';
	s->pos++;
}

unsigned int maps_wx(void)
{
	struct maps_state s = { 0 };
	char buf[1024];
	ssize_t n;
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);

	while (fd >= 0 && (n = read(fd, buf, sizeof(buf))) > 0) {
		for (ssize_t i = 0; i < n; i++)
			maps_byte(&s, buf[i]);
	}
	if (fd >= 0)
		close(fd);
	return s.nr;
}

void text_write(unsigned long addr, const void *bytes, unsigned long n)
{
	int fd = open("/proc/self/mem", O_RDWR | O_CLOEXEC);

	if (fd < 0 || pwrite(fd, bytes, n, addr) != (ssize_t)n)
		case_fail(__FILE__, __LINE__, "cannot write to the program's text");
	close(fd);
}

extern const char __executable_start[], etext[];

char *text_copy(void)
{
	size_t size = etext - __executable_start;
	char *copy = malloc(size);

	return copy ? memcpy(copy, __executable_start, size) : NULL;
}

bool text_equals(const char *copy)
{
	return !memcmp(copy, __executable_start, etext - __executable_start);
}

struct word_of { unsigned long ip, word; };

static int find_word(const struct tramp_site_info *site, void *arg)
{
	struct word_of *w = arg;

	w->word = site->word;
	return site->ip == w->ip;
}

unsigned long *site_word(const void *func)
{
	struct word_of w = { .ip = fn_ip(func) };

	return tramp_for_each_site(find_word, &w) ? (unsigned long *)w.word : NULL;
}

/* Of processor time that it has had. */
static double child_seconds(pid_t pid)
{
	struct timespec t = { 0 };
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &t))
		return 0;
	return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Seconds in which an emulated child does nothing at all, but hang. */
#define IDLE	5

static void end_by(int sig)
{
	signal(sig, SIG_DFL);
	raise(sig);
}

void child_status_init(void)
{
	if (tramp_emulated())
		signal(SIGALRM, end_by);
}

int child_status(pid_t pid)
{
	double cpu = 0, since = check_now(), now;
	bool warned = false;
	pid_t ended;
	int status;

	while (!(ended = waitpid(pid, &status, tramp_emulated() ? WNOHANG : 0))) {
		nap_ms(1);
		now = child_seconds(pid);
		if (now != cpu) {
			cpu = now;
			since = check_now();
		} else if (check_now() - since > IDLE + 2) {
			kill(pid, SIGKILL);
			waitpid(pid, &status, 0);
			return CHILD_LOST;
		} else if (check_now() - since > IDLE && !warned) {
			warned = !kill(pid, SIGALRM);
		}
	}
	return ended == pid ? status : 0xff00;	/* as if it had ended with 255 */
}

int in_fork(int (*fn)(void *arg), void *arg)
{
	int status = CHILD_LOST;
	pid_t pid;

	for (int i = 0; status == CHILD_LOST && i < 3; i++) {
		pid = fork();
		if (!pid)
			_exit(fn(arg));
		if (pid < 0)
			return -1000;
		status = child_status(pid);
	}
	return WIFSIGNALED(status) ? -1 - WTERMSIG(status) : WEXITSTATUS(status);
}

const char *solib_path(const char *name)
{
	static _Thread_local char path[PATH_MAX + 64];
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX);
	char *slash;

	path[n > 0 ? n : 0] = '\0';
	slash = strrchr(path, '/');
	sprintf(slash ? slash + 1 : path, "solib-%s.so", name);
	return path;
}
