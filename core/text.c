/* SPDX-License-Identifier: MIT */
/*
 * The one writer of program text and generated code.
 *
 * Program text is written through /proc/self/mem: the page is never writable
 * at the address it runs at, stays backed by its file (so that perf and gdb
 * still know it), and needs no mapping that a W^X policy would refuse.
 * Generated code is written through its second, writable mapping.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "core.h"

/* Of a thread that lives: the main one may have ended, and have no memory. */
static struct tramp_kept mem = { .path = "/proc/thread-self/mem", .flags = O_RDWR, .fd = -1 };

static int membarrier(int cmd)
{
	return syscall(SYS_membarrier, cmd, 0, 0) < 0 ? -errno : 0;
}

static int open_mem(void)
{
	int fd = tramp_kept_fd(&mem);

	return fd < 0 ? tramp_fail(fd, "/proc/self/mem: %s: text cannot be written", strerror(-fd)) : fd;
}

int tramp_text_init(void)
{
	int err = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE);

	if (err)
		return tramp_fail(err, "membarrier(SYNC_CORE) is refused or missing (Linux 4.16): %s: live text cannot be changed",
				  strerror(-err));
	err = open_mem();
	return err < 0 ? err : 0;
}

void (*tramp_state_hook)(const char *behind, unsigned long addr, size_t len);
int tramp_stores_apart;

void tramp_state(const char *behind, unsigned long addr, size_t len)
{
	if (tramp_state_hook)
		tramp_state_hook(behind, addr, len);
}

int tramp_text_sync(void)
{
	int err = membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE);

	if (err)
		return tramp_fail(err, "membarrier(SYNC_CORE): %s", strerror(-err));
	tramp_state("sync", 0, 0);
	return 0;
}

/* An aligned instruction is one store. */
static void write_alias(void *alias, const void *bytes, size_t len)
{
	uint32_t insn;

	if (len == sizeof(insn) && (uintptr_t)alias % sizeof(insn) == 0) {
		memcpy(&insn, bytes, sizeof(insn));
		store_release((uint32_t *)alias, insn);
	} else {
		memcpy(alias, bytes, len);
	}
}

static int write_mem(unsigned long addr, const void *bytes, size_t len)
{
	int fd = open_mem();

	if (fd < 0)
		return fd;
	while (len) {
		ssize_t n = pwrite(fd, bytes, len, addr);

		if (n <= 0)
			return tramp_fail(n ? -errno : -EIO, "/proc/self/mem at %#lx: %s%s", addr, strerror(n ? errno : EIO),
					  !n || errno == EIO ? ": no text can be written that is mapped shared, or from hugetlbfs" : "");
		addr += n;
		bytes = (const char *)bytes + n;
		len -= n;
	}
	return 0;
}

static int write_once(unsigned long addr, const void *bytes, size_t len)
{
	void *alias = tramp_image_alias(addr);
	int err = 0;

	if (alias)
		write_alias(alias, bytes, len);
	else
		err = write_mem(addr, bytes, len);
	/* Even after an error: some of it may have been written. */
	arch_text_flush(addr, len);
	if (!err)
		tramp_state("store", addr, len);
	return err;
}

/* A store that changes nothing makes no state. */
static int write_piece(unsigned long at, unsigned long addr, const uint8_t *bytes, size_t len)
{
	unsigned long from = at > addr ? at : addr, end = at + arch_store_size;

	end = end < addr + len ? end : addr + len;
	if (!memcmp((const void *)from, bytes + (from - addr), end - from))
		return 0;
	return write_once(from, bytes + (from - addr), end - from);
}

static int write_apart(unsigned long addr, const void *bytes, size_t len)
{
	unsigned long first = addr & -arch_store_size, nr = (addr + len - 1 - first) / arch_store_size + 1;
	int err = 0;

	for (unsigned long i = 0; i < nr && !err; i++)
		err = write_piece(first + (tramp_stores_apart > 0 ? i : nr - 1 - i) * arch_store_size,
				  addr, bytes, len);
	return err;
}

int tramp_text_write(unsigned long addr, const void *bytes, size_t len)
{
	return tramp_stores_apart ? write_apart(addr, bytes, len) : write_once(addr, bytes, len);
}

#define SPAN_MAX	(64 * 1024)
#define PAGE(addr)	((addr) / 4096)
/*
 * The kernel copies a span with its memcpy(), whose stores are as aligned as the
 * ends of the span are; thus no store divides an aligned instruction or word,
 * neither one that changes nor a neighbour.
 */
#define SPAN_ALIGN	16UL

/* What of each poke is written: bytes of .new, or *@same in their place; or its word, if it has one; or what is there. */
struct part { size_t from, to; const uint8_t *same; bool word, as_is; };

/* 0: nothing. */
static unsigned long start_of(const struct tramp_poke *poke, const struct part *part)
{
	return part->word ? poke->word_addr : poke->addr + part->from;
}

static unsigned long end_of(const struct tramp_poke *poke, const struct part *part)
{
	return part->word ? poke->word_addr + sizeof(poke->word) : poke->addr + part->to;
}

static void copy_part(uint8_t *to, const struct tramp_poke *poke, const struct part *part)
{
	if (part->word)
		memcpy(to, &poke->word, sizeof(poke->word));
	else if (part->same)
		memset(to, *part->same, part->to - part->from);
	else
		memcpy(to, poke->new + part->from, part->to - part->from);
}

/*
 * How many pokes one write covers, and where it ends: neighbours on the same or
 * the next page, so that no page without a site is ever written, whatever the
 * page size.
 */
static size_t span(const struct tramp_poke *pokes, size_t nr, const struct part *part, unsigned long *end)
{
	unsigned long start = start_of(pokes, part);
	size_t n = 1;

	*end = end_of(pokes, part);
	if (tramp_image_alias(start))
		return 1;
	for (; n < nr; n++) {
		unsigned long next = start_of(&pokes[n], part);

		if (!next)
			continue;
		if (end_of(&pokes[n], part) - start > SPAN_MAX || PAGE(next) > PAGE(*end - 1) + 1 ||
		    tramp_image_alias(next))
			break;
		*end = end_of(&pokes[n], part);
	}
	return n;
}

/* The bytes between sites are written back as they are; a page costs one write, not a site. */
static int write_span(const struct tramp_poke *pokes, size_t nr, const struct part *part, unsigned long end)
{
	static uint8_t buf[SPAN_MAX + 2 * SPAN_ALIGN];	/* under ftrace_lock */
	unsigned long start = start_of(pokes, part);

	/* What is generated is written poke by poke, exactly; its memory is there. */
	if (!tramp_image_alias(start)) {
		start &= -SPAN_ALIGN;
		end = (end + SPAN_ALIGN - 1) & -SPAN_ALIGN;
	} else if (part->as_is) {
		return 0;
	}
	memcpy(buf, (const void *)start, end - start);
	if (part->as_is)
		return write_mem(start, buf, end - start);
	for (size_t i = 0; i < nr; i++)
		if (start_of(&pokes[i], part))
			copy_part(buf + (start_of(&pokes[i], part) - start), &pokes[i], part);
	return tramp_text_write(start, buf, end - start);
}

static int write_part(const struct tramp_poke *pokes, size_t nr, const struct part *part)
{
	unsigned long end;
	int err = 0;

	for (size_t n; nr && !err; pokes += n, nr -= n) {
		n = 1;
		if (!start_of(pokes, part))
			continue;
		n = span(pokes, nr, part, &end);
		err = write_span(pokes, n, part, end);
	}
	return err;
}

int tramp_text_write_pokes(const struct tramp_poke *pokes, size_t nr, size_t from, size_t to,
			   const uint8_t *same)
{
	return write_part(pokes, nr, &(struct part){ .from = from, .to = to, .same = same });
}

int tramp_text_write_words(const struct tramp_batch *batch)
{
	return write_part(batch->poke, batch->nr, &(struct part){ .word = true });
}

int tramp_text_try(const struct tramp_batch *batch)
{
	int err = write_part(batch->poke, batch->nr, &(struct part){ .to = arch_site_size, .as_is = true });

	return err || !batch->words ? err :
	       write_part(batch->poke, batch->nr, &(struct part){ .word = true, .as_is = true });
}

/* Half of a change cannot stay, nor be taken back by what fails just now. */
#define AGAIN_MS	10
#define AGAIN_MAX	500

bool tramp_text_again(int err, const char *step, unsigned int tries)
{
	if (!err)
		return false;
	if (!tries)
		tramp_warn("text poke: %s failed after the first write (%s); trying again", step, tramp_why());
	if (tries == AGAIN_MAX) {
		tramp_warn("text poke: %s still fails (%s); stopping", step, tramp_why());
		abort();
	}
	usleep(1000 * AGAIN_MS);
	return true;
}
