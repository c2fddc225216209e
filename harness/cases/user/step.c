/* SPDX-License-Identifier: MIT */
/* A thread stands at each instruction of a traced call in turn, and the ops change meanwhile. */
#include <string.h>
#include <sys/mman.h>
#include <unwind.h>
#include "core/core.h"
#include "harness/step/self.h"
#include "stand.h"

/* The word of tracee_a's site, and how often it was about to be loaded, and changed meanwhile. */
static struct { volatile unsigned long *at; unsigned int stops, changes; } word;

/* Has the thread come to a shared entry, and not yet loaded its site's word? */
static bool will_load_word(unsigned long pc)
{
	for (struct tramp_image *i = tramp_images; i; i = i->next)
		if (pc >= i->code.pc && pc < i->code.word_read)
			return true;
	return false;
}

static void watch_word(unsigned long pc, bool goes)
{
	static unsigned long before;
	static bool loads;

	if (!goes) {
		loads = word.at && will_load_word(pc);
		before = loads ? *word.at : 0;
		return;
	}
	word.stops += loads;
	word.changes += loads && *word.at != before;
}

static void call_a(void *arg)
{
	(void)arg;
	tracee_a(1);
}

static unsigned long at_every_instruction(void (*change)(void), void (*restore)(void))
{
	const struct stand s = {
		.func = tracee_a, .call = call_a, .change = change, .restore = restore,
		.look = watch_word,
	};

	return stand_at_every(&s);
}

/* --- an ops that stays is called once, whoever comes --- */

static struct probe *stays, *comes;
static unsigned long calls;

static void come(void)
{
	EXPECT_EQ(probe_start(comes), 0);
}

static void go_again(void)
{
	EXPECT_EQ(probe_stop(comes), 0);
	EXPECT_EQ(stays->calls, ++calls);
}

CASE(second_ops_comes_at_any_instruction, "S58 S83 S132", "a second ops registers while a thread stands at any instruction of its call: the first is called once", .timeout = 60)
{
	stays = probe_on(tracee_a);
	comes = probe_new();
	EXPECT_EQ(probe_add(comes, tracee_a), 0);
	at_every_instruction(come, go_again);
}

static void expect_regs(struct probe *p, struct ftrace_regs *fregs)
{
	p->data[0] += !ftrace_get_regs(fregs);
}

static void go_with_regs(void)
{
	go_again();
	EXPECT_EQ(comes->data[0], 0);
}

CASE(save_regs_comes_at_any_instruction, "S60 S90", "an ops with SAVE_REGS registers while a thread stands in a partial entry: it is skipped rather than called without", .timeout = 60, .needs = CASE_NEEDS_FREGS)
{
	stays = probe_flags(0);
	probe_register(stays, tracee_a);
	comes = probe_flags(FTRACE_OPS_FL_SAVE_REGS);
	comes->then = expect_regs;
	EXPECT_EQ(probe_add(comes, tracee_a), 0);
	at_every_instruction(come, go_with_regs);
}

static void go(void)
{
	EXPECT_EQ(probe_stop(comes), 0);
}

static void come_again(void)
{
	EXPECT_EQ(probe_start(comes), 0);
	EXPECT_EQ(stays->calls, ++calls);
}

CASE(second_ops_goes_at_any_instruction, "S58 S83 S132", "the same when one of two unregisters: the other is called once", .timeout = 60)
{
	stays = probe_on(tracee_a);
	comes = probe_on(tracee_a);
	at_every_instruction(go, come_again);
}

/* --- the word beside the site --- */

/* A thread that never rests is seldom seen outside, and all others wait for that. */
static unsigned long call_and_rest(unsigned long x)
{
	x = tracee_a(x);
	nap_ms(1);
	return x;
}

CASE(word_stays_for_its_reader, "S132 S138 BUG-11", "while a thread stands between the shared entry's start and its load of the word, no register or unregister changes it; another thread's calls meanwhile, where it can make some, are all seen", .timeout = 60)
{
	struct caller c = { 0 };
	unsigned long stepped;

	if (strcmp(case_strategy, "call_ops") && case_class != TRAMP_CLASS_ARGS)
		SKIP("the same in class args is enough");
	stays = probe_on(tracee_a);
	comes = probe_new();
	EXPECT_EQ(probe_add(comes, tracee_a), 0);
	word.at = site_word(tracee_a);
	if (CASE_STEPS_ALONE)
		caller_start(&c, call_and_rest, 2);
	/* And one call that has no such instruction. */
	stepped = at_every_instruction(come, go) + 1;
	come();
	stepped += at_every_instruction(go, come) + 1;
	if (CASE_STEPS_ALONE)
		caller_stop(&c);
	EXPECT_EQ(stays->calls, c.calls + stepped);
	EXPECT_EQ(c.wrong, 0);
	EXPECT_EQ(word.changes, 0);
	if (!strcmp(case_strategy, "call_ops"))
		EXPECT(word.stops > 10, "%u stops before the load of the word", word.stops);
}

/* --- function and ops --- */

static struct probe *one, *two;
static unsigned long wrong;

static void hit_one(unsigned long ip, unsigned long parent_ip,
		    struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	(void)ip, (void)parent_ip, (void)fregs;
	wrong += op != &one->ops;
}

static void hit_two(unsigned long ip, unsigned long parent_ip,
		    struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	(void)ip, (void)parent_ip, (void)fregs;
	wrong += op != &two->ops;
}

static void replace_one(void)
{
	EXPECT_EQ(probe_start(two), 0);
	EXPECT_EQ(probe_stop(one), 0);
}

static void replace_two(void)
{
	EXPECT_EQ(wrong, 0);
	EXPECT_EQ(probe_start(one), 0);
	EXPECT_EQ(probe_stop(two), 0);
}

CASE(function_fits_ops_at_any_instruction, "S83 S84 S139", "one ops replaces the other while a thread stands at any instruction of its call: no function gets the other's ops", .timeout = 60)
{
	one = probe_new();
	two = probe_new();
	one->ops.func = hit_one;
	two->ops.func = hit_two;
	EXPECT_EQ(probe_add(two, tracee_a), 0);
	probe_register(one, tracee_a);
	at_every_instruction(replace_one, replace_two);
}

/* --- a handler that is traced itself --- */

static struct { unsigned long ip, parent_ip; } hit[8];
static unsigned int depth;

/*
 * On a site with two ops the newer one notes what the older one has to be told.
 * Handlers come and go at any instruction of this, too.
 */
static void hit_newer(unsigned long ip, unsigned long parent_ip,
		      struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	unsigned int mine = __atomic_fetch_add(&depth, 1, __ATOMIC_SEQ_CST);

	(void)op, (void)fregs;
	hit[mine].ip = ip;
	hit[mine].parent_ip = parent_ip;
	__atomic_fetch_add(&two->calls, 1, __ATOMIC_RELAXED);
}

static void hit_older(unsigned long ip, unsigned long parent_ip,
		      struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	unsigned int mine = depth - 1;

	(void)op, (void)fregs;
	wrong += hit[mine].ip != ip || hit[mine].parent_ip != parent_ip;
	__atomic_fetch_sub(&depth, 1, __ATOMIC_SEQ_CST);
	__atomic_fetch_add(&one->calls, 1, __ATOMIC_RELAXED);
}

static unsigned long handled;

static bool call_traced(unsigned long pc, unsigned long sp)
{
	(void)pc, (void)sp;
	handled++;
	wrong += tracee_b(1) != 3;
	return true;
}

CASE(handler_calls_at_any_instruction, "S81 S119 S122", "a handler interrupts a call of a shared site at every instruction, and calls one: nobody misses a hit, all of one hit are told the same")
{
	one = probe_new();
	two = probe_new();
	one->ops.func = hit_older;
	two->ops.func = hit_newer;
	probe_register(one, tracee_a);
	probe_register(two, tracee_a);
	EXPECT_EQ(probe_add(one, tracee_b), 0);
	EXPECT_EQ(probe_add(two, tracee_b), 0);
	for (int i = 0; i < 3; i++)
		EXPECT_EQ(self_step((unsigned long)tracee_a, call_a, NULL, call_traced), 0);
	EXPECT(handled > 3 * 40, "%lu instructions", handled);
	EXPECT_EQ(wrong, 0);
	EXPECT_EQ(depth, 0);
	EXPECT_EQ(one->calls, handled + 3);
	EXPECT_EQ(two->calls, handled + 3);
	EXPECT_EQ(tramp_missed(&one->ops) + tramp_missed(&two->ops), 0);
}

/* --- unwinding --- */

static struct { unsigned long caller, walks, lost, first_lost; bool found; } unwound;

static _Unwind_Reason_Code find_caller(struct _Unwind_Context *context, void *arg)
{
	(void)arg;
	unwound.found |= _Unwind_GetIP(context) == unwound.caller;
	return unwound.found ? _URC_END_OF_STACK : _URC_NO_REASON;
}

static bool unwind_step(unsigned long pc, unsigned long sp)
{
	(void)sp;
	unwound.found = false;
	_Unwind_Backtrace(find_caller, NULL);
	unwound.walks++;
	if (unwound.found || (!CASE_SITE_UNWINDS && ftrace_location(pc)))
		return true;
	if (!unwound.lost++)
		unwound.first_lost = pc;
	return true;
}

static __attribute__((noinline)) void call_and_note(void *arg)
{
	unwound.caller = (unsigned long)__builtin_return_address(0);
	call_a(arg);
	__asm__ volatile ("" : : : "memory");
}

static void call_b(struct probe *p, struct ftrace_regs *fregs)
{
	(void)p, (void)fregs;
	tracee_b(1);
}

CASE(unwinds_at_any_instruction, "S146 BUG-46", "a walk from each instruction of a traced call finds the caller: of one ops, of two, and of a call from inside a callback", .timeout = 60)
{
	if (!CASE_UNWINDS_ANYWHERE)
		SKIP("this compiler gives no unwind rules for epilogues");
	for (int nr = 1; nr <= 2; nr++) {
		struct probe *p = probe_on(tracee_a);

		EXPECT_EQ(probe_add(p, tracee_b), 0);
		p->then = nr == 1 ? NULL : call_b;
		EXPECT_EQ(self_step((unsigned long)tracee_a, call_and_note, NULL, unwind_step), 0);
	}
	EXPECT(unwound.walks > 100, "%lu steps", unwound.walks);
	EXPECT(!unwound.lost, "%lu of %lu walks lost the caller, the first one from %#lx",
	       unwound.lost, unwound.walks, unwound.first_lost);
}

/* --- the ops' memory --- */

static struct probe *mapped;

static void map_ops(void)
{
	mapped = mmap(NULL, sizeof(*mapped), PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	REQUIRE(mapped != MAP_FAILED, "mmap failed");
	probe_init(mapped, case_flags());
	probe_register(mapped, tracee_a);
}

static void unmap_ops(void)
{
	EXPECT_EQ(probe_stop(mapped), 0);
	ftrace_free_filter(&mapped->ops);
	munmap(mapped, sizeof(*mapped));
}

CASE(ops_goes_at_any_instruction, "S127 S129 S130 BUG-01", "the only ops unregisters and is unmapped while a thread stands at any instruction of its call", .timeout = 60)
{
	map_ops();
	at_every_instruction(unmap_ops, map_ops);
	unmap_ops();
}
