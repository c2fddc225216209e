/* SPDX-License-Identifier: MIT */
/*
 * The process of one case: sets up strategy and class, runs the case, cleans
 * up, and looks whether the program is as it was.  Also the user-space half of
 * case.h.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "check.h"
#include "user.h"

#define LINES_MAX 20	/* a loop of failures says nothing new after that */

const char *case_strategy;
enum tramp_class case_class;
unsigned int check_stress = 1;
unsigned long check_seed = 1;
double check_share;

double check_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec * 1e-9;
}

static int verdict_fd;
static unsigned int nr_failures, nr_lines;
static char skip_reason[200];

static void vsay(const char *where, const char *fmt, va_list ap)
{
	char line[400];
	int n = snprintf(line, sizeof(line), "# %s", where);

	if (__atomic_fetch_add(&nr_lines, 1, __ATOMIC_RELAXED) >= LINES_MAX)
		return;
	vsnprintf(line + n, sizeof(line) - n - 1, fmt, ap);
	strcat(line, "\n");
	/* One write a line: threads fail, too.  The reader notices a closed pipe. */
	if (write(verdict_fd, line, strlen(line)) < 0)
		_exit(1);
}

void case_printf(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsay("", fmt, ap);
	va_end(ap);
}

void case_fail(const char *file, int line, const char *fmt, ...)
{
	char where[100];
	va_list ap;

	__atomic_fetch_add(&nr_failures, 1, __ATOMIC_RELAXED);
	snprintf(where, sizeof(where), "%s:%d: ", file, line);
	va_start(ap, fmt);
	vsay(where, fmt, ap);
	va_end(ap);
}

void case_survived(unsigned long nr, const char *what)
{
	char line[200];

	snprintf(line, sizeof(line), SURVIVED_LINE "%lu %s\n", nr, what);
	if (write(verdict_fd, line, strlen(line)) < 0)
		_exit(1);
}

bool case_failed(void)
{
	return nr_failures;
}

void case_skip(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(skip_reason, sizeof(skip_reason), fmt, ap);
	va_end(ap);
}

int case_set_enabled(int enabled)
{
	return tramp_set_enabled(enabled);
}

void *case_alloc(unsigned long size)
{
	return calloc(1, size);
}

void case_free(void *p)
{
	free(p);
}

/* S121's allowed differences.  A strategy that is not in here may do either. */
enum case_guard case_guarded(unsigned int nr_ops)
{
	/* Its only route is the list function, which always guards. */
	if (!strcmp(case_strategy, "list_func"))
		return CASE_GUARDED;
	/* Direct while one ops is registered anywhere, else the list. */
	if (!strcmp(case_strategy, "direct_tramp"))
		return nr_ops == 1 ? CASE_UNGUARDED : CASE_GUARDED;
	/* Direct while one ops is on the site, which is what the caller promises. */
	if (!strcmp(case_strategy, "dyn_tramp") || !strcmp(case_strategy, "fused_tramp") ||
	    !strcmp(case_strategy, "call_ops"))
		return CASE_UNGUARDED;
	return CASE_EITHER;
}

/* --- the program as it was --- */

extern const char __executable_start[], etext[];
static char *text_before;

void child_prepare(void)
{
	text_before = text_copy();
}

bool text_is_restored(void)
{
	return !text_before || text_equals(text_before);
}

static void expect_text_restored(void)
{
	size_t i, differ = 0, first = 0;

	if (text_is_restored())
		return;
	for (i = etext - __executable_start; i-- > 0; ) {
		if (text_before[i] != __executable_start[i]) {
			differ++;
			first = i;
		}
	}
	case_fail(__FILE__, __LINE__,
		  "text was not restored behind the case: %zu bytes differ, the first at %p",
		  differ, __executable_start + first);
}

static int count_live(const struct tramp_site_info *site, void *arg)
{
	*(size_t *)arg += site->call || site->nr_ops;
	return 0;
}

static void clean_up(const struct harness_case *c)
{
	size_t live = 0;

	if (c->needs & CASE_LEAVES_DIRT)
		return;
	probes_cleanup();
	tramp_for_each_site(count_live, &live);
	if (live)
		case_fail(__FILE__, __LINE__, "%zu sites are live behind the case, want 0", live);
	expect_text_restored();
}

/* --- the run --- */

/* Why this class is no place for the case, or NULL. */
static const char *unfit(const struct harness_case *c)
{
	if ((c->needs & CASE_NEEDS_FREGS) && case_class == TRAMP_CLASS_NOREGS)
		return "passes no registers";
	if ((c->needs & CASE_NEEDS_FULL) && !case_full())
		return "has no full pt_regs";
	if ((c->needs & CASE_NEEDS_PARTIAL) && case_full())
		return "is no partial frame";
	if ((c->needs & CASE_ONE_CLASS) && case_class != TRAMP_CLASS_ARGS)
		return "plays no part";
	if ((c->needs & CASE_NEEDS_VEC) && case_class != TRAMP_CLASS_VEC)
		return "saves no vector registers";
	return NULL;
}

static bool fits(const struct harness_case *c)
{
	const char *why = unfit(c);

	if (why)
		case_skip("class %s %s", tramp_class_names[case_class], why);
	return !why;
}

static bool set_up(void)
{
	int err;

	err = tramp_use_frame(case_full() ? TRAMP_CLASS_ARGS : case_class);
	if (!err)
		err = tramp_use(case_strategy);
	if (err == -EOPNOTSUPP)
		case_skip("%s", tramp_why());
	else if (err)
		case_fail(__FILE__, __LINE__, "tramp_use(\"%s\") is %d (%s), want 0",
			  case_strategy, err, tramp_why());
	return !err;
}

static void verdict(void)
{
	char line[300];

	if (nr_failures)
		strcpy(line, VERDICT_FAIL "\n");
	else if (*skip_reason)
		snprintf(line, sizeof(line), VERDICT_SKIP "%s\n", skip_reason);
	else
		strcpy(line, VERDICT_OK "\n");
	if (write(verdict_fd, line, strlen(line)) < 0)
		_exit(1);
	_exit(0);
}

void child_run(const struct harness_case *c, const char *strategy, enum tramp_class class, int fd)
{
	verdict_fd = fd;
	case_strategy = strategy;
	case_class = class;
	child_status_init();
	/* First the strategy: what it lacks is the more useful reason. */
	if (set_up() && fits(c)) {
		c->run();
		clean_up(c);
	}
	verdict();
	__builtin_unreachable();
}
