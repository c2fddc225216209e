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
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "core.h"

static int mem_fd = -1;
static pid_t mem_pid;

static int membarrier(int cmd)
{
	return syscall(SYS_membarrier, cmd, 0, 0) < 0 ? -errno : 0;
}

/* A child's inherited descriptor still means the parent's memory. */
static int open_mem(void)
{
	if (mem_fd >= 0 && mem_pid == getpid())
		return 0;
	if (mem_fd >= 0)
		close(mem_fd);
	mem_fd = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
	mem_pid = getpid();
	return mem_fd < 0 ? tramp_fail(-errno, "/proc/self/mem: %s: text cannot be written",
				       strerror(errno)) : 0;
}

int tramp_text_init(void)
{
	int err = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE);

	if (err)
		return tramp_fail(err, "membarrier(SYNC_CORE) is refused or missing (Linux 4.16): %s: live text cannot be changed",
				  strerror(-err));
	return open_mem();
}

int tramp_text_sync(void)
{
	int err = membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE);

	return err ? tramp_fail(err, "membarrier(SYNC_CORE): %s", strerror(-err)) : 0;
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
	int err = open_mem();

	if (err)
		return err;
	while (len) {
		ssize_t n = pwrite(mem_fd, bytes, len, addr);

		if (n <= 0)
			return tramp_fail(n ? -errno : -EIO, "/proc/self/mem at %#lx: %s", addr,
					  strerror(n ? errno : EIO));
		addr += n;
		bytes = (const char *)bytes + n;
		len -= n;
	}
	return 0;
}

int tramp_text_write(unsigned long addr, const void *bytes, size_t len)
{
	void *alias = tramp_image_alias(addr);
	int err = 0;

	if (alias)
		write_alias(alias, bytes, len);
	else
		err = write_mem(addr, bytes, len);
	/* Even after an error: some of it may have been written. */
	arch_text_flush(addr, len);
	return err;
}

#define SPAN_MAX	(64 * 1024)
#define PAGE(addr)	((addr) / 4096)
/*
 * The kernel copies a span with its memcpy(), whose stores are as aligned as the
 * ends of the span are; thus no store divides an aligned instruction, neither one
 * that changes nor a neighbour.
 */
#define SPAN_ALIGN	16UL

/*
 * The pokes that one write covers: neighbours on the same or the next page, so
 * that no page without a site is ever written, whatever the page size.
 */
static size_t span(const struct tramp_poke *pokes, size_t nr, size_t from, size_t to)
{
	unsigned long start = pokes[0].addr + from;
	size_t n = 1;

	if (tramp_image_alias(start))
		return 1;
	while (n < nr && pokes[n].addr + to - start <= SPAN_MAX &&
	       PAGE(pokes[n].addr + from) <= PAGE(pokes[n - 1].addr + to - 1) + 1 &&
	       !tramp_image_alias(pokes[n].addr))
		n++;
	return n;
}

/* The bytes between sites are written back as they are; a page costs one write, not a site. */
static int write_span(const struct tramp_poke *pokes, size_t nr, size_t from, size_t to,
		      const uint8_t *same)
{
	static uint8_t buf[SPAN_MAX + 2 * SPAN_ALIGN];	/* under ftrace_lock */
	unsigned long start = pokes[0].addr + from, end = pokes[nr - 1].addr + to;
	size_t len;

	/* What is generated is written poke by poke, exactly. */
	if (!tramp_image_alias(start)) {
		start &= -SPAN_ALIGN;
		end = (end + SPAN_ALIGN - 1) & -SPAN_ALIGN;
	}
	len = end - start;
	memcpy(buf, (const void *)start, len);
	for (size_t i = 0; i < nr; i++)
		for (size_t b = from; b < to; b++)
			buf[pokes[i].addr + b - start] = same ? *same : pokes[i].new[b];
	return tramp_text_write(start, buf, len);
}

int tramp_text_write_pokes(const struct tramp_poke *pokes, size_t nr, size_t from, size_t to,
			   const uint8_t *same)
{
	while (nr) {
		size_t n = span(pokes, nr, from, to);
		int err = write_span(pokes, n, from, to, same);

		if (err)
			return err;
		pokes += n;
		nr -= n;
	}
	return 0;
}

/* Eight aligned bytes a call: what the kernel's copy does with them is the port's to know. */
int tramp_text_write_words(const struct tramp_batch *batch)
{
	const struct tramp_poke *poke;
	int err = 0;

	for (poke = batch->poke; poke < batch->poke + batch->nr && !err; poke++)
		if (poke->word_addr)
			err = tramp_text_write(poke->word_addr, &poke->word, sizeof(poke->word));
	return err;
}
