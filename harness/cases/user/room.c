/* SPDX-License-Identifier: MIT */
/* Nowhere to put a trampoline that the sites reach. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include "../../user.h"

#define REACH	(1UL << 31)
#define GAPS	512

struct gap { unsigned long start, end; };

/* The free ranges that a call from @ip could reach. */
static unsigned int find_gaps(unsigned long ip, struct gap *gap)
{
	unsigned long low = ip > REACH + 65536 ? ip - REACH : 65536, high = ip + REACH;
	unsigned long start, end, last = low;
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned int nr = 0;
	char line[512];

	while (maps && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx", &start, &end) != 2 || end <= low)
			continue;
		if (start > high)
			start = high;
		if (start > last && nr < GAPS)
			gap[nr++] = (struct gap){ last, start };
		last = end;
		if (last >= high)
			break;
	}
	if (maps)
		fclose(maps);
	if (last < high && nr < GAPS)
		gap[nr++] = (struct gap){ last, high };
	return nr;
}

CASE(no_room_within_reach, "S70 BUG-16", "all addresses within branch reach are taken: -ENOMEM with a reason, no neighbour overwritten; with room again it works")
{
	static struct gap gap[GAPS];
	struct probe *p = probe_new();
	unsigned int nr = find_gaps((unsigned long)tracee_a & ~4095UL, gap);

	EXPECT_EQ(probe_add(p, tracee_a), 0);
	for (unsigned int i = 0; i < nr; i++) {
		if (mmap((void *)gap[i].start, gap[i].end - gap[i].start, PROT_NONE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED)
			gap[i].end = gap[i].start;
	}
	EXPECT_EQ(probe_start(p), -ENOMEM);
	EXPECT(strstr(tramp_why(), "reach"), "tramp_why() is \"%s\"", tramp_why());
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(p->calls, 0);
	for (unsigned int i = 0; i < nr; i++)
		if (gap[i].end > gap[i].start)
			munmap((void *)gap[i].start, gap[i].end - gap[i].start);
	EXPECT_EQ(probe_start(p), 0);
	EXPECT_EQ(tracee_a(1), 2);
	EXPECT_EQ(p->calls, 1);
}
