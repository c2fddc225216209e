/* SPDX-License-Identifier: MIT */
#include <semaphore.h>
#include <string.h>
#include <sys/mman.h>
#include "core/core.h"
#include "states.h"

struct stated states_site[STATES_SITES];
unsigned int states_nr_sites;
void (*states_at)(const char *behind);
void (*states_over)(void);
struct probe *states_ops[NR_STATES_OPS];

/* What they are together, apart from filters. */
static unsigned int registered;
static bool enabled;

static unsigned long stops, calls;

unsigned int states_random(unsigned int n)
{
	static unsigned long x;

	if (!x)
		x = case_seed() * 2 + 1;
	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return (x * 0x2545f4914f6cdd1dUL >> 32) % n;
}

/* --- one call --- */

struct seen {
	unsigned long	ip, parent_ip;	/* as they must be */
	unsigned char	hits[NR_STATES_OPS];
	bool		other_ops, other_place, no_regs;
};
static __thread struct seen seen;
static __thread bool inside;
bool states_nest;

/* One level: the guard lets that through everywhere (S120). */
static void call_from_inside(void)
{
	struct seen outer = seen;

	inside = true;
	states_call(&states_site[1]);
	inside = false;
	seen = outer;
}

static void hit(unsigned int k, unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		struct ftrace_regs *fregs)
{
	seen.hits[k]++;
	seen.other_ops |= op != &states_ops[k]->ops;
	seen.other_place |= ip != seen.ip || parent_ip != seen.parent_ip;
	if (states_nest && !inside)
		call_from_inside();
	if (!fregs)
		return;
	if (k == REGS || k == VEC)
		seen.no_regs |= !ftrace_get_regs(fregs);
	if (k == REDIRECTS)
		ftrace_regs_set_instruction_pointer(fregs, (unsigned long)untraced);
}

#define HIT(k)									\
static void hit_##k(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op, \
		    struct ftrace_regs *fregs)					\
{										\
	hit(k, ip, parent_ip, op, fregs);					\
}
HIT(PLAIN)
HIT(OTHER)
HIT(GUARDED)
HIT(REGS)
HIT(VEC)
HIT(REDIRECTS)

/* All calls are from one place, so that there is one parent_ip. */
static __attribute__((noinline)) unsigned long call_here(unsigned long (*fn)(unsigned long x))
{
	unsigned long result = fn(1);

	__asm__ volatile ("" : "+r" (result));
	return result;
}

static unsigned long parent_ip(void)
{
	return call_here((void *)tracee_return_address);
}

/* Where the change has come to. */
static struct { const char *behind; unsigned long addr, nr; } stop;

static void wrong(const struct stated *s, const char *what, unsigned int k, unsigned long got)
{
	case_fail(__FILE__, __LINE__, "site %#lx, ops %#x to %#x, state %lu, behind %s %#lx: %s (ops %u, %lu)",
		  s->ip, s->now, s->next, stop.nr, stop.behind ? stop.behind : "all", stop.addr, what, k, got);
}

/*
 * The changes that have begun and ended, together; behind each change, who is called
 * where.  A call is judged by all the sets that there were between its start and its end.
 */
#define LOG 64
static unsigned long moment;
static unsigned char log_of[STATES_SITES][LOG];
static unsigned long unjudged;

struct sets { unsigned int all, any; };

/* Not once the log has been written over. */
static struct sets sets_of(const struct stated *s, unsigned long from)
{
	unsigned long first = from / 2, last = (__atomic_load_n(&moment, __ATOMIC_SEQ_CST) + 1) / 2;
	const unsigned char *log = log_of[s - states_site];
	struct sets sets = { ALL_OPS, 0 };

	for (unsigned long i = first; i <= last && i < first + LOG; i++) {
		sets.all &= log[i % LOG];
		sets.any |= log[i % LOG];
	}
	if (__atomic_load_n(&moment, __ATOMIC_SEQ_CST) / 2 + 1 < first + LOG)
		return sets;
	__atomic_fetch_add(&unjudged, 1, __ATOMIC_RELAXED);
	return (struct sets){ 0, ALL_OPS };
}

static void judge(const struct stated *s, struct sets sets, unsigned long result)
{
	bool redirected = seen.hits[REDIRECTS] && case_class != TRAMP_CLASS_NOREGS;

	for (unsigned int k = 0; k < NR_STATES_OPS; k++)
		if (seen.hits[k] > !!(sets.any & OPS(k)) || seen.hits[k] < !!(sets.all & OPS(k)))
			wrong(s, "called too seldom or too often", k, seen.hits[k]);
	if (seen.other_ops || seen.other_place)
		wrong(s, seen.other_ops ? "a function got another's ops" : "wrong ip or parent_ip", 0, 0);
	if (seen.no_regs)
		wrong(s, "called without registers", REGS, 0);
	if (result != (redirected ? untraced(1) : s->result))
		wrong(s, redirected ? "the old body ran" : "wrong result", REDIRECTS, result);
}

void states_call(const struct stated *s)
{
	unsigned long result, from = __atomic_load_n(&moment, __ATOMIC_SEQ_CST);

	seen = (struct seen){ .ip = s->ip, .parent_ip = parent_ip() };
	result = call_here(s->fn);
	judge(s, sets_of(s, from), result);
	__atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
}

/* --- the thread that calls --- */

static struct { pthread_t thread; sem_t go, back; unsigned int near; bool quit; } caller;

static void wait_for(sem_t *sem)
{
	while (sem_wait(sem))
		;
}

/* All of a few; of many those where the change is just now, and some others. */
#define FEW 6

static void call_sites(void)
{
	unsigned int n = states_nr_sites, from = caller.near;

	for (unsigned int i = 0; i < FEW && i < n; i++)
		states_call(&states_site[n <= FEW ? i : i < 3 ? (from + n - 1 + i) % n : states_random(n)]);
}

/* Threads that call as fast as they can; now and then they rest, or none would be seen outside soon. */
#define FREE 3
static pthread_t free_thread[FREE];
static bool run_free;

static void *call_freely(void *arg)
{
	(void)arg;
	while (__atomic_load_n(&run_free, __ATOMIC_RELAXED)) {
		for (unsigned int i = 0; i < 50 * states_nr_sites; i++)
			states_call(&states_site[i % states_nr_sites]);
		nap_ms(0);
	}
	return NULL;
}

void states_run_free(void)
{
	tramp_state_hook = NULL;
	run_free = true;
	for (unsigned int i = 0; i < FREE; i++)
		free_thread[i] = spawn(call_freely, NULL);
}

static void end_free(void)
{
	if (!run_free)
		return;
	__atomic_store_n(&run_free, false, __ATOMIC_RELAXED);
	for (unsigned int i = 0; i < FREE; i++)
		join(free_thread[i]);
	EXPECT(unjudged < calls / 100, "%lu of %lu calls lasted too long to be judged", unjudged, calls);
}

static void *call_when_told(void *arg)
{
	(void)arg;
	for (;;) {
		wait_for(&caller.go);
		if (caller.quit)
			return NULL;
		call_sites();
		sem_post(&caller.back);
	}
}

static void let_call(void)
{
	if (run_free)
		return;
	sem_post(&caller.go);
	wait_for(&caller.back);
}

/* --- the stops --- */

static __thread bool changes;	/* this thread makes the change; others write text, too (self_step()) */

static bool overlap(unsigned long a, size_t len_a, unsigned long b, size_t len_b)
{
	return a - b < len_b || b - a < len_a;
}

/* The site whose text or word a store went to, or NULL. */
static const struct stated *site_at(unsigned long addr, size_t len)
{
	for (unsigned int i = 0; i < states_nr_sites; i++) {
		const struct stated *s = &states_site[i];

		if (overlap(addr, len, s->ip, CASE_SITE_SIZE) ||
		    (s->word && overlap(addr, len, s->word, sizeof(s->word))))
			return s;
	}
	return NULL;
}

static void at_state(const char *behind, unsigned long addr, size_t len)
{
	const struct stated *s;

	if (!changes)
		return;
	s = site_at(addr, len);
	stop.behind = behind;
	stop.addr = addr;
	stop.nr++;
	stops++;
	/* Nothing else changes at any time, not even for a moment. */
	if (len && tramp_stores_apart && !tramp_image_alias(addr) && !(s && s->now != s->next))
		case_fail(__FILE__, __LINE__, "state %lu: a store at %#lx, which is no part of a site that changes",
			  stop.nr, addr);
	if (states_at)
		states_at(behind);
	caller.near = s ? s - states_site : states_random(states_nr_sites);
	let_call();
}

/* --- changes --- */

static void change_begins(void)
{
	for (unsigned int i = 0; i < states_nr_sites; i++) {
		states_site[i].next = enabled ? states_site[i].filter & registered : 0;
		log_of[i][(moment / 2 + 1) % LOG] = states_site[i].next;
	}
	__atomic_fetch_add(&moment, 1, __ATOMIC_SEQ_CST);
	stop.nr = 0;
	changes = true;
}

static void change_ends(int err)
{
	changes = false;
	if (states_over)
		states_over();
	EXPECT(!err, "the change is %d (%s), want 0", err, tramp_why());
	stop.behind = NULL;
	__atomic_fetch_add(&moment, 1, __ATOMIC_SEQ_CST);
	for (unsigned int i = 0; i < states_nr_sites; i++)
		states_site[i].now = states_site[i].next;
	let_call();
}

void states_register(unsigned int k)
{
	registered |= OPS(k);
	change_begins();
	change_ends(probe_start(states_ops[k]));
}

void states_unregister(unsigned int k)
{
	registered &= ~OPS(k);
	change_begins();
	change_ends(probe_stop(states_ops[k]));
}

static bool chosen[STATES_SITES];

void states_choose(unsigned int from, unsigned int nr, unsigned int step)
{
	memset(chosen, 0, sizeof(chosen));
	for (unsigned int i = 0; i < nr; i++)
		chosen[from + i * step] = true;
}

static void set_filter(unsigned int k, int remove, int reset)
{
	static unsigned long ips[STATES_SITES];
	unsigned int nr = 0;

	for (unsigned int i = 0; i < states_nr_sites; i++) {
		struct stated *s = &states_site[i];

		if (chosen[i]) {
			ips[nr++] = s->ip;
			s->filter |= OPS(k);
		}
		if (chosen[i] ? remove : reset)
			s->filter &= ~OPS(k);
	}
	change_begins();
	change_ends(ftrace_set_filter_ips(&states_ops[k]->ops, ips, nr, remove, reset));
}

void states_join(unsigned int k)
{
	set_filter(k, 0, 0);
}

void states_leave(unsigned int k)
{
	set_filter(k, 1, 0);
}

void states_replace(unsigned int k)
{
	set_filter(k, 0, 1);
}

void states_switch(bool on)
{
	enabled = on;
	change_begins();
	change_ends(tramp_set_enabled(on));
}

bool states_on(unsigned int k)
{
	return registered & OPS(k);
}

/* --- walks --- */

unsigned int states_members(unsigned int at)
{
	return states_site[at].now;
}

void states_go_to(unsigned int at, unsigned int set, void (*toggle)(unsigned int k))
{
	for (unsigned int k = 0; k < NR_STATES_OPS; k++)
		if ((states_members(at) ^ set) & OPS(k) && !case_failed())
			toggle(k);
}

void states_every_step(unsigned int at, unsigned int pool, void (*toggle)(unsigned int k))
{
	for (unsigned int set = 0; set <= pool; set++) {
		if (set & ~pool)
			continue;
		states_go_to(at, set, toggle);
		for (unsigned int k = 0; k < NR_STATES_OPS; k++) {
			if (set & OPS(k) || !(pool & OPS(k)))
				continue;
			toggle(k);
			toggle(k);
		}
	}
	states_go_to(at, 0, toggle);
}

/* --- begin and end --- */

/*
 * Each second ops is far from the program, with its static ones and what stands for
 * the list: so the two halves of a word that changes differ both.
 */
#define FAR	(1UL << 36)
static struct probe *far_ops;

static bool is_far(unsigned int k)
{
	return k % 2;
}

static struct probe *make_ops(unsigned int k)
{
	static ftrace_func_t const func[] = { hit_PLAIN, hit_OTHER, hit_GUARDED, hit_REGS, hit_VEC, hit_REDIRECTS };
	static const unsigned long extra[] = {
		[GUARDED] = FTRACE_OPS_FL_RECURSION, [REGS] = FTRACE_OPS_FL_SAVE_REGS,
		[VEC] = TRAMP_OPS_FL_SAVE_VEC, [REDIRECTS] = FTRACE_OPS_FL_IPMODIFY,
	};
	unsigned long flags = extra[k];
	struct probe *p;

	if (case_class == TRAMP_CLASS_NOREGS)
		flags &= FTRACE_OPS_FL_RECURSION;
	p = is_far(k) ? &far_ops[k] : probe_flags(0);
	probe_init(p, case_flags() | flags);
	p->ops.func = func[k];
	return p;
}

static void give_up_far_ops(void)
{
	for (unsigned int k = 0; k < NR_STATES_OPS; k++) {
		if (!is_far(k))
			continue;
		if (states_on(k))
			states_unregister(k);
		ftrace_free_filter(&states_ops[k]->ops);
	}
}

void states_begin(void)
{
	far_ops = mmap((void *)FAR, NR_STATES_OPS * sizeof(*far_ops), PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	REQUIRE(far_ops != MAP_FAILED, "no memory for ops");
	for (unsigned int k = 0; k < NR_STATES_OPS; k++)
		states_ops[k] = make_ops(k);
	enabled = true;
	sem_init(&caller.go, 0, 0);
	sem_init(&caller.back, 0, 0);
	caller.thread = spawn(call_when_told, NULL);
	states_tear(1);
	tramp_state_hook = at_state;
}

void states_tear(int order)
{
	tramp_stores_apart = order;
}

void states_end(void)
{
	give_up_far_ops();
	end_free();
	tramp_state_hook = NULL;
	tramp_stores_apart = 0;
	caller.quit = true;
	sem_post(&caller.go);
	join(caller.thread);
	if (stops)
		case_survived(stops, "states of patches");
	case_survived(calls, "calls counted while ops come and go");
}

void states_add_site(unsigned long (*fn)(unsigned long x), unsigned long ip, unsigned int filter)
{
	struct stated *s = &states_site[states_nr_sites++];

	*s = (struct stated){ .fn = fn, .ip = ip, .result = fn(1), .filter = filter };
	s->word = (unsigned long)site_word((const void *)ip);
	for (unsigned int k = 0; k < NR_STATES_OPS; k++)
		if (filter & OPS(k))
			EXPECT_EQ(ftrace_set_filter_ip(&states_ops[k]->ops, ip, 0, 0), 0);
}

void states_add_tracee(unsigned long (*fn)(unsigned long x), unsigned int filter)
{
	states_add_site(fn, fn_ip((const void *)fn), filter);
}
