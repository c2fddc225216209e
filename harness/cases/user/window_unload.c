/* SPDX-License-Identifier: MIT */
/*
 * Another thread unregisters all that a call may be in the middle of, and uses the
 * memory again: the ops' and their code's.
 */
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include "harness/step/self.h"
#include "stand.h"
#include "window.h"

/* What the body of the traced function waits for: it is outside of all entry code. */
static sem_t gone;
static bool returned;		/* an unregister has */
static bool stood;		/* this call has: one may come to no such instruction */
static unsigned long result, early, nr_inside;

static void await_gone(void)
{
	while (stood && sem_wait(&gone))
		;
}

static unsigned long body(void *arg)
{
	(void)arg;
	/* There it is still inside the callback that has made the call. */
	if (window.way != WAY_HELD)
		await_gone();
	return 1;
}

static __attribute__((noinline)) unsigned long other(unsigned long (*fn)(void *arg), void *arg)
{
	return fn(arg) + 5;
}

static void call_body(void *arg)
{
	result = tracee_calls(body, arg);
}

static void call_way(void *arg)
{
	window_call(call_body, arg);
	if (window.way == WAY_HELD)
		await_gone();
}

static void open_way(enum way way)
{
	stood = returned = false;
	window_open(way, tracee_calls, other);
}

static void expect_result(void)
{
	bool redirected = window.way == WAY_REDIRECT && window_own(window.p[0]);

	EXPECT_EQ(result, redirected ? 6 : 2);
	EXPECT_EQ(early, 0);
}

/* --- the room is taken again --- */

static struct inside code;	/* what there was */
static struct tramp_range called;
static struct probe *newcomer[6];
static unsigned int nr_newcomers;

static struct tramp_image *image_over(const struct tramp_range *r)
{
	struct tramp_image *i = tramp_images;

	while (i && (i->code.pc >= r->end || r->start >= i->code.pc + i->code.len))
		i = i->next;
	return i;
}

static void note_code(void)
{
	unsigned long target = case_site_target(fn_ip(tracee_calls));

	inside_begin(&code);
	for (unsigned int i = 0; i < code.nr; i++)
		if (target - code.image[i].start < code.image[i].end - code.image[i].start)
			called = code.image[i];
}

static void poison_code(void)
{
	for (unsigned int i = 0; i < code.nr; i++) {
		struct tramp_range *r = &code.image[i];
		size_t len = r->end - r->start;

		EXPECT(!image_over(r), "no ops is registered, and its code is still there");
		memset(tramp_image_alias(r->start), CASE_TRAP_BYTE, len);
		arch_text_flush(r->start, len);
	}
}

static void take_room(void)
{
	for (nr_newcomers = 0; nr_newcomers < 6 && !image_over(&called); nr_newcomers++) {
		if (!newcomer[nr_newcomers])
			newcomer[nr_newcomers] = probe_new();
		probe_register(newcomer[nr_newcomers], tracee_c);
	}
	EXPECT(image_over(&called), "%u more ops, and nobody's code where the old code was", nr_newcomers);
	EXPECT_EQ(tracee_c(1), 4);
}

static void give_room(void)
{
	while (nr_newcomers)
		EXPECT_EQ(probe_stop(newcomer[--nr_newcomers]), 0);
}

static void unload(void)
{
	struct probe *p;

	for (unsigned int i = 0; (p = window_ops(i)); i++) {
		window_poison(p);
		__atomic_store_n(&returned, true, __ATOMIC_SEQ_CST);
	}
	poison_code();
	take_room();
	sem_post(&gone);
}

/* Waits for no time: one that returns too early has had some to do so. */
static void look(unsigned long pc, bool goes)
{
	(void)pc;
	stood = true;
	if (!goes || !stand_inside())
		return;
	nr_inside++;
	early += __atomic_load_n(&returned, __ATOMIC_SEQ_CST);
}

static void load_again(void)
{
	expect_result();
	give_room();
	open_way(window.way);
}

#define ONE_OF 61

static void unload_at(enum way way, unsigned long round)
{
	struct stand s = {
		.func = tracee_calls, .call = call_way, .change = unload, .restore = load_again,
		.look = look,
	};

	open_way(way);
	s.step = window_step(ONE_OF, call_way);
	s.first = window_first(round, s.step);
	note_code();
	stand_at_every(&s);
	window_close();
}

CASE(memory_is_used_again_at_any_instruction, "S127 S129 S130 BUG-01", "on every way through entry code, its ops unregister while a thread stands in it; ops and code are filled with traps and the room is taken by other ops' code: not before the thread has left, and no later than that", .timeout = 60, .needs = CASE_TORTURE)
{
	unsigned long n;

	sem_init(&gone, 0, 0);
	for (n = 0; more_until(nr_inside, n, 1); n++)
		for (enum way way = 0; way < NR_WAYS && !case_failed(); way++)
			if (window_turn(way, n) && way != WAY_STRING)
				unload_at(way, n);
	EXPECT(nr_inside, "never inside");
	case_survived(nr_inside, "instructions with the code under them given up");
}

/* --- one unregister, and every instruction --- */

static struct inside at;
static sem_t entered;

static bool walk(unsigned long pc, unsigned long sp)
{
	bool in = inside_entry(&at, pc, sp);

	if (in && !stood) {
		stood = true;
		sem_post(&entered);
		nap_ms(STAY_MS);
	}
	if (!in)
		return !at.left;
	nr_inside++;
	/* So that the one that waits looks here, too; in callbacks it sees what they return to. */
	if (inside_image(&at, pc) || nr_inside % 8 == 0)
		nap_ms(1);
	early += __atomic_load_n(&returned, __ATOMIC_SEQ_CST);
	return true;
}

static void *walk_thread(void *arg)
{
	(void)arg;
	EXPECT_EQ(self_step((unsigned long)tracee_calls, call_way, NULL, walk), 0);
	return NULL;
}

static void unregister_all(void)
{
	struct probe *p;

	for (unsigned int i = 0; (p = window_ops(i)); i++) {
		EXPECT_EQ(probe_stop(p), 0);
		__atomic_store_n(&returned, true, __ATOMIC_SEQ_CST);
	}
	sem_post(&gone);
}

static void unregister_meanwhile(enum way way)
{
	pthread_t t;

	open_way(way);
	inside_begin(&at);
	t = spawn(walk_thread, NULL);
	while (sem_wait(&entered))
		;
	unregister_all();
	join(t);
	expect_result();
	window_close();
	if (case_failed())
		case_printf("%s", way_names[way]);
}

CASE(wait_lasts_through_every_instruction, "S127 S129 BUG-01", "on every way, a thread goes instruction by instruction through entry code from where the ops unregister: the wait outlasts the last, and ends while the thread is in the function's body", .timeout = 60, .needs = CASE_TORTURE)
{
	unsigned long n;

	if (!CASE_STEPS_BY_FLAG)
		SKIP("a thread steps here by breakpoints in text, which no other thread may change meanwhile");
	sem_init(&gone, 0, 0);
	sem_init(&entered, 0, 0);
	for (n = 0; more(n, 1); n++)
		for (enum way way = 0; way < NR_WAYS && !case_failed(); way++)
			if (way_exists(way) && way != WAY_STRING)
				unregister_meanwhile(way);
	EXPECT(nr_inside > 100, "inside at %lu instructions", nr_inside);
	case_survived(nr_inside, "instructions that unregister waited for");
}

/* --- nothing on the stack tells --- */

/* Of one call: the instructions of generated code. */
#define PLACES 1024
#define PLACE_OF 97
static unsigned long place[PLACES];
static unsigned int nr_places;

static bool note_place(unsigned long pc, unsigned long sp)
{
	(void)sp;
	if (inside_image(&at, pc) && nr_places < PLACES)
		place[nr_places++] = pc;
	return true;
}

static void note_places(void)
{
	nr_places = 0;
	inside_begin(&at);
	EXPECT_EQ(self_step((unsigned long)tracee_calls, call_way, NULL, note_place), 0);
	window_own(window.p[0]) = 0;
}

/* Through the other mapping: where it is, no page is writable. */
static case_spin_t put_insn(unsigned long pc, case_spin_t insn)
{
	case_spin_t old;

	memcpy(&old, (const void *)pc, sizeof(old));
	__atomic_store_n((case_spin_t *)tramp_image_alias(pc), insn, __ATOMIC_SEQ_CST);
	arch_text_flush(pc, sizeof(insn));
	return old;
}

static volatile unsigned long interrupted_at;

static void on_look(int sig, siginfo_t *info, void *context)
{
	unsigned long pc, sp;

	(void)sig, (void)info;
	arch_ucontext(context, &pc, &sp);
	interrupted_at = pc;
}

static void *call_thread(void *arg)
{
	call_way(arg);
	return NULL;
}

static void *unregister_thread(void *arg)
{
	(void)arg;
	unregister_all();
	return NULL;
}

/* The thread runs, at @pc and nowhere else; what it was called by is all that its stack holds. */
static void spin_at(unsigned long pc)
{
	case_spin_t insn = put_insn(pc, CASE_SPIN);
	pthread_t caller, stopper;

	stood = true;
	interrupted_at = 0;
	caller = spawn(call_thread, NULL);
	while (interrupted_at != pc) {
		pthread_kill(caller, SIGUSR1);
		nap_ms(0);
	}
	stopper = spawn(unregister_thread, NULL);
	nap_ms(1);
	early += __atomic_load_n(&returned, __ATOMIC_SEQ_CST);
	put_insn(pc, insn);
	join(stopper);
	join(caller);
	expect_result();
	nr_inside++;
}

/* A call slot is written by who unregisters. */
static bool in_slot(unsigned long pc)
{
	for (struct tramp_image *i = tramp_images; i; i = i->next)
		if (i->code.slot && pc < i->code.slot + arch_site_size && pc + sizeof(case_spin_t) > i->code.slot)
			return true;
	return false;
}

/* One store, that changes no other instruction on the way to this one. */
static bool fits(unsigned int k)
{
	unsigned long pc = place[k], last = pc + sizeof(case_spin_t) - 1;

	for (unsigned int i = 0; i < k; i++)
		if (place[i] > pc && place[i] <= last)
			return false;
	return pc / 64 == last / 64 && !in_slot(pc);
}

/* Where to spin at: @k or the next that fits; the last of all if none does. */
static unsigned int place_from(unsigned int k)
{
	while (k + 1 < nr_places && !fits(k))
		k++;
	return k + 1 < nr_places ? k : nr_places - 1;
}

/* The first time, in half of the ways at the last alone: most of a return is behind the callback. */
static unsigned int first_place(unsigned long round, unsigned long step)
{
	unsigned int first = window_first(round, step);

	return !round && first % 2 ? nr_places - 1 : first;
}

static void spin_on(enum way way, unsigned long round)
{
	unsigned int step = 0, k = 0;

	do {
		open_way(way);
		note_places();
		if (!step) {
			step = PLACE_OF < nr_places ? PLACE_OF : nr_places;
			k = first_place(round, step);
		}
		k = place_from(k);
		if (fits(k))
			spin_at(place[k]);
		if (case_failed())
			case_printf("%s, instruction %u of %u in generated code", way_names[way], k, nr_places);
		window_close();
		k += step;
	} while (k < nr_places && !case_failed());
}

CASE(wait_looks_at_who_runs, "S127 S129 BUG-01", "on every way, a thread runs at an instruction of generated code, with nothing but its pc to say so: unregister waits until it is in the function's body", .timeout = 60, .needs = CASE_TORTURE)
{
	struct sigaction act = { .sa_sigaction = on_look, .sa_flags = SA_SIGINFO };
	unsigned long n;

	sem_init(&gone, 0, 0);
	sigaction(SIGUSR1, &act, NULL);
	for (n = 0; more_until(nr_inside, n, 1); n++)
		for (enum way way = 0; way < NR_WAYS && !case_failed(); way++)
			if (window_turn(way, n) && way != WAY_STRING)
				spin_on(way, n);
	EXPECT(nr_inside, "never inside");
	case_survived(nr_inside, "instructions that unregister waited for");
}
