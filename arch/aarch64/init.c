/* SPDX-License-Identifier: MIT */
/* AArch64: what the port takes for granted. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "core/arch.h"
#include "core/core.h"
#include "a64.h"

#define A64_MOV_W0(n)	(0x52800000U | (n) << 5)
#define A64_RET		0xd65f03c0U

/* Write "return @n" at @rw, and call it at @rx. */
static unsigned int written_and_run(uint32_t *rw, const void *rx, unsigned int n)
{
	const uint32_t code[] = { A64_MOV_W0(n), A64_RET };
	unsigned int (*run)(void);

	memcpy(rw, code, sizeof(code));
	arch_text_flush((unsigned long)rx, sizeof(code));
	memcpy(&run, &rx, sizeof(run));
	return run();
}

/* An emulator may keep what it has translated, and not notice what is written elsewhere. */
static int check_second_mapping(uint32_t *rw, const void *rx)
{
	if (written_and_run(rw, rx, 1) == 1 && written_and_run(rw, rx, 2) == 2)
		return 0;
	return tramp_fail(-EOPNOTSUPP, "code written through a second mapping is not seen here; an emulator does that: QEMU 7.2 does, use 10 or later");
}

/* Where memory is refused, the first trampoline will say so, and why. */
int arch_init(void)
{
	size_t size = sysconf(_SC_PAGESIZE);
	int fd = memfd_create("tramplab-init", MFD_CLOEXEC), err = 0;
	void *rw, *rx;

	if (fd < 0)
		return 0;
	if (ftruncate(fd, size)) {
		close(fd);
		return 0;
	}
	rw = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	rx = mmap(NULL, size, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
	if (rw != MAP_FAILED && rx != MAP_FAILED)
		err = check_second_mapping(rw, rx);
	if (rw != MAP_FAILED)
		munmap(rw, size);
	if (rx != MAP_FAILED)
		munmap(rx, size);
	close(fd);
	return err;
}

unsigned long arch_thread_pointer(void)
{
	return (unsigned long)__builtin_thread_pointer();
}
