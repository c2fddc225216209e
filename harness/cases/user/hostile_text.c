/* SPDX-License-Identifier: MIT */
/*
 * Text that is no mapped file: on huge pages, in a memfd, anonymous in the place where
 * the program's was (BUG-54).  Sites there are traced like any other, and the memory
 * is what it was afterwards; or the text is refused whole, with a reason.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "core/core.h"
#include "../../copies.h"
#include "../../user.h"

#define HUGE	(2UL << 20)
#define PAGE	65536UL

/* What lies over the copies, from @at on; it has their bytes already.  0, or -1: there is no such memory. */
struct kind { const char *name; int (*map)(char *at, unsigned long len); bool shared; };

static int over(char *at, unsigned long len, int flags, int fd)
{
	char *copy = malloc(len);
	void *p;

	memcpy(copy, at, len);
	p = mmap(at, len, PROT_READ | PROT_WRITE, MAP_FIXED | flags, fd, 0);
	if (p != MAP_FAILED) {
		memcpy(at, copy, len);
		__builtin___clear_cache(at, at + len);
	}
	free(copy);
	return p == MAP_FAILED || mprotect(at, len, PROT_READ | PROT_EXEC) ? -1 : 0;
}

static int file_with(const char *at, unsigned long len)
{
	int fd = memfd_create("text", MFD_CLOEXEC);

	return fd >= 0 && write(fd, at, len) == (ssize_t)len ? fd : -1;
}

static int transparent_huge(char *at, unsigned long len)
{
	/* Before it is touched: then it comes as huge pages, where the system has them. */
	char *copy = malloc(len);
	void *p;

	memcpy(copy, at, len);
	p = mmap(at, len, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p != MAP_FAILED) {
		madvise(at, len, MADV_HUGEPAGE);
		memcpy(at, copy, len);
		__builtin___clear_cache(at, at + len);
	}
	free(copy);
	return p == MAP_FAILED ? -1 : mprotect(at, len, PROT_READ | PROT_EXEC);
}

static int huge_pages(char *at, unsigned long len)
{
	return over(at, len, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1);
}

static int file_of(char *at, unsigned long len, int flags)
{
	int fd = file_with(at, len);
	void *p = fd < 0 ? MAP_FAILED : mmap(at, len, PROT_READ | PROT_EXEC, MAP_FIXED | flags, fd, 0);

	close(fd);
	return p == MAP_FAILED ? -1 : 0;
}

static int private_file(char *at, unsigned long len)
{
	return file_of(at, len, MAP_PRIVATE);
}

static int shared_file(char *at, unsigned long len)
{
	return file_of(at, len, MAP_SHARED);
}

static int shared_anonymous(char *at, unsigned long len)
{
	return over(at, len, MAP_SHARED | MAP_ANONYMOUS, -1);
}

/* The mapping of @addr, as the kernel shows it: protection, and what it is. */
static void describe(unsigned long addr, char *buf, size_t size)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long start, end;
	char line[512];

	*buf = 0;
	while (maps && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx", &start, &end) == 2 && start <= addr && addr < end)
			snprintf(buf, size, "%s", strchr(line, ' '));
	if (maps)
		fclose(maps);
}

static struct zone zone;

/* Sites at the start, across the boundaries of pages where an instruction may be, at the end. */
#define ACROSS(n)	(CASE_CODE_ALIGN > 1 ? 0 : (n))
static const unsigned long site_at[] = { 64, 4096 - ACROSS(2), PAGE - ACROSS(3), HUGE / 2, HUGE - 64 };
#define SITES		(sizeof(site_at) / sizeof(*site_at))

static void trace_copies(unsigned long at)
{
	struct probe *p = probe_new(), *q = probe_new();
	char before[256], after[256], *copy = malloc(HUGE);

	memcpy(copy, (void *)at, HUGE);
	describe(at, before, sizeof(before));
	for (unsigned int i = 0; i < SITES; i++) {
		EXPECT_EQ(ftrace_set_filter_ip(&p->ops, at + site_at[i], 0, 0), 0);
		EXPECT_EQ(ftrace_set_filter_ip(&q->ops, at + site_at[i], 0, 0), 0);
	}
	for (unsigned int round = 1; round <= 2; round++) {
		EXPECT_EQ(probe_start(p), 0);
		EXPECT_EQ(probe_start(q), 0);
		for (unsigned int i = 0; i < SITES; i++)
			EXPECT_EQ(copied_at(at + site_at[i])(1), 2);
		EXPECT_EQ(p->calls, SITES * round);
		EXPECT_EQ(q->calls, SITES * round);
		describe(at, after, sizeof(after));
		EXPECT_STR(after, before);
		EXPECT_EQ(probe_stop(p), 0);
		EXPECT_EQ(probe_stop(q), 0);
		EXPECT_EQ(memcmp(copy, (void *)at, HUGE), 0);
	}
	describe(at, after, sizeof(after));
	EXPECT_STR(after, before);
	free(copy);
}

/* It cannot be written at all: no site, a reason, and it runs on. */
static void refuse_copies(struct copies *c, unsigned long at)
{
	char *copy = malloc(HUGE);

	memcpy(copy, (void *)at, HUGE);
	EXPECT_EQ(copies_join(c), -EIO);
	EXPECT(strstr(tramp_why(), "shared"), "tramp_why() \"%s\" does not say why", tramp_why());
	EXPECT_EQ(memcmp(copy, (void *)at, HUGE), 0);
	EXPECT_EQ(ftrace_location(at + 64), 0);
	EXPECT_EQ(copied_at(at + 64)(1), 2);
	free(copy);
}

static bool try_kind(const struct kind *k, unsigned long at)
{
	static struct copies c;
	bool has;

	for (unsigned int i = 0; i < SITES; i++)
		EXPECT_EQ(copies_put(&c, at + site_at[i], i % 2), 0);
	EXPECT_EQ(mprotect((void *)at, HUGE, PROT_READ | PROT_EXEC), 0);
	has = !k->map((char *)at, HUGE);
	if (has && k->shared) {
		refuse_copies(&c, at);
	} else if (has) {
		EXPECT_EQ(copies_join(&c), 0);
		trace_copies(at);
	}
	copies_leave(&c);
	return has;
}

/* With room for trampolines below. */
static unsigned long text_at(void)
{
	unsigned long at;

	if (!zone.start) {
		EXPECT_EQ(zone_reserve(&zone, 8 * HUGE), 0);
		at = (zone.start + 4 * HUGE) & -HUGE;
		EXPECT_EQ(zone_hole(at - ZONE_HOLE, ZONE_HOLE), 0);
	}
	return (zone.start + 4 * HUGE) & -HUGE;
}

CASE(text_of_other_kinds, "BUG-54 BUG-14 S132", "text on transparent huge pages, in a private memfd: traced across page boundaries; every byte, the protection and the mapping are what they were", .needs = CASE_ONE_CLASS)
{
	static const struct kind kinds[] = {
		{ "transparent huge pages", transparent_huge, false },
		{ "a private mapping of a memfd", private_file, false },
	};

	for (unsigned int i = 0; i < 2; i++)
		EXPECT(try_kind(&kinds[i], text_at()), "no memory: %s", kinds[i].name);
}

CASE(text_that_cannot_be_written, "BUG-54 S12", "text that is mapped shared, which the kernel lets nobody write: refused whole, with a reason; it runs on untraced", .needs = CASE_ONE_CLASS)
{
	static const struct kind kinds[] = {
		{ "a shared mapping of a memfd", shared_file, true },
		{ "shared memory", shared_anonymous, true },
	};

	if (tramp_emulated())
		SKIP("an emulator maps guest memory in its own way");
	for (unsigned int i = 0; i < 2; i++)
		EXPECT(try_kind(&kinds[i], text_at()), "no memory: %s", kinds[i].name);
}

CASE(text_on_huge_pages, "BUG-54", "the same on pages of hugetlbfs", .needs = CASE_ONE_CLASS)
{
	static const struct kind kind = { "huge pages", huge_pages, true };

	if (!try_kind(&kind, text_at()))
		SKIP("this system has no huge pages (vm.nr_hugepages)");
}

/* --- the program's own text --- */

extern const char __executable_start[], etext[];

/* As programs do that want their text on huge pages: a copy is moved over it. */
static int move_own_text(void *arg)
{
	unsigned long page = sysconf(_SC_PAGESIZE), start = (unsigned long)tracee_a & -page;
	unsigned long len = ((unsigned long)etext - start + page - 1) & -page;
	struct probe *p = arg, *q = probe_on(tracee_b);
	char *copy = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), before[256], after[256];

	if (!EXPECT(copy != MAP_FAILED, "no memory"))
		return 1;
	madvise(copy, len, MADV_HUGEPAGE);
	memcpy(copy, (void *)start, len);
	__builtin___clear_cache(copy, copy + len);
	if (mprotect(copy, len, PROT_READ | PROT_EXEC) ||
	    mremap(copy, len, len, MREMAP_MAYMOVE | MREMAP_FIXED, start) == MAP_FAILED)
		return 77;
	describe(start, before, sizeof(before));
	EXPECT(!strstr(before, "check"), "the text is still the file's:%s", before);
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(tracee_b(1), 3);
	EXPECT_EQ(probe_filter(p, "tracee_c", 0), 0);
	EXPECT_EQ(tracee_c(1), 4);
	EXPECT_EQ(p->calls, 2);
	EXPECT_EQ(q->calls, 1);
	EXPECT_EQ(probe_stop(p), 0);
	EXPECT_EQ(probe_stop(q), 0);
	EXPECT_EQ(case_site_target(fn_ip(tracee_a)) | case_site_target(fn_ip(tracee_b)) | case_site_target(fn_ip(tracee_c)), 0);
	describe(start, after, sizeof(after));
	EXPECT_STR(after, before);
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(p->calls, 2);
	return case_failed();
}

CASE(own_text_moved_to_anonymous_memory, "BUG-54", "the program's text becomes anonymous memory in the same place while it is traced: sites keep their names, change and come back")
{
	struct probe *p = probe_on(tracee_a);
	int ret = in_fork(move_own_text, p);

	if (ret == 77)
		SKIP("this system lets no mapping replace the program's text");
	EXPECT_EQ(ret, 0);
}
