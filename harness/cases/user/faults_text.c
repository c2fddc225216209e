/* SPDX-License-Identifier: MIT */
/*
 * Text that is in no library comes and goes while something fails.  It may run when
 * it has gone: its sites are nops then, however often that had to be tried.
 */
#include <errno.h>
#include <sys/mman.h>
#include "../../copies.h"
#include "../../faults/state.h"
#include "../../user.h"

static struct copies text;
static struct probe all;
static struct state empty;
static unsigned long ip;

static unsigned long calls_of_text(void)
{
	unsigned long before = all.calls;

	EXPECT_EQ(copied_at(ip)(1), 2);
	return all.calls - before;
}

static void set_up(void)
{
	state_take(&empty, NULL, 0);
	probe_init(&all, case_flags());
	EXPECT_EQ(probe_start(&all), 0);
	EXPECT_EQ(copies_put(&text, ip, true), 0);
	EXPECT_EQ(copies_put(&text, ip + 256, false), 0);
}

static void tear_down(const char *what)
{
	EXPECT_EQ(probe_stop(&all), 0);
	copies_leave(&text);
	state_expect(&empty, NULL, 0, what);
}

static bool come(const struct fault *fault, unsigned long n)
{
	unsigned long failed;
	int err;

	set_up();
	faults_arm(fault, n);
	err = copies_join(&text);
	failed = faults_disarm();
	EXPECT(!err || (failed && err == -fault->err), "to come is %d (%s)", err, tramp_why());
	EXPECT_EQ(calls_of_text(), !err);
	if (err)
		EXPECT_EQ(copies_join(&text), 0);
	EXPECT_EQ(calls_of_text(), 1);
	tear_down("text comes");
	return failed && !case_failed();
}

static bool go(const struct fault *fault, unsigned long n)
{
	unsigned long failed;

	set_up();
	EXPECT_EQ(copies_join(&text), 0);
	EXPECT_EQ(calls_of_text(), 1);
	faults_arm(fault, n);
	tramp_module_del(text.record);
	failed = faults_disarm();
	text.joined = false;
	EXPECT_EQ(calls_of_text(), 0);
	tear_down("text goes");
	return failed && !case_failed();
}

static void each(const char *call, faults_attempt_t attempt, bool refusals)
{
	for (unsigned int i = 0; i < NR_FAULTS && !case_failed(); i++)
		if (faults_share(i) && (faults[i].err != EPERM || refusals))
			faults_in_turn(call, &faults[i], attempt);
}

CASE(failing_text_of_no_object, "S143 S145 BUG-04 BUG-07", "each step of text's coming and going fails in turn: it comes by a second try, and goes; nothing leaks", .timeout = 60)
{
	struct zone z;

	REQUIRE_EQ(zone_reserve(&z, 16 << 20), 0);
	REQUIRE_EQ(zone_hole(z.start + (8 << 20), ZONE_HOLE), 0);
	ip = copied_ip(z.start + (4 << 20) + 64);
	each("to come", come, true);
	/* Where nothing can ever be changed again, the text does not become nops either. */
	each("to go", go, false);
	faults_report();
}

/* --- room within the text --- */

static int add_room(void *arg)
{
	static const struct fault fault = { FAULT_ALLOC, ENOMEM, false };
	struct state was;
	int err;

	state_take(&was, NULL, 0);
	faults_arm(&fault, 1);
	err = tramp_room_add(arg, 1 << 20);
	EXPECT_EQ(faults_disarm(), 1);
	EXPECT_EQ(err, -ENOMEM);
	state_expect(&was, NULL, 0, "tramp_room_add");
	EXPECT_EQ(tramp_room_add(arg, 1 << 20), 0);
	probe_on(tracee_a);
	EXPECT_EQ(tracee_a(1), 2);
	probes_cleanup();
	return case_failed();
}

CASE(failed_room_is_no_room, "S70", "tramp_room_add() without memory: -ENOMEM, nothing added; the next one works")
{
	void *room = mmap(NULL, 1 << 20, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	EXPECT_EQ(in_fork(add_room, room), 0);
	munmap(room, 1 << 20);
	faults_report();
}
