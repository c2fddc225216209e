/* SPDX-License-Identifier: MIT */
/*
 * Is a thread inside retired code?  What it returns to lies above its stack
 * pointer.  The scan is conservative: a stale word can make a wait longer, never
 * shorter.  Unwinding is exact where it reaches the end.
 *
 * Another thread's stack is read as a file, since it may be unmapped that moment.
 * Its own a thread reads directly: it stands on it, and a thread's system call
 * filter may allow a handler no calls of ours.
 */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>
#include "grace.h"

#define COPY_MAX 8192

/* --- ranges --- */

static int by_start(const void *a, const void *b)
{
	unsigned long x = ((const struct tramp_range *)a)->start, y = ((const struct tramp_range *)b)->start;

	return x < y ? -1 : x > y;
}

size_t tramp_ranges_sort(struct tramp_range *ranges, size_t nr)
{
	size_t last = 0;

	qsort(ranges, nr, sizeof(*ranges), by_start);
	for (size_t i = 1; i < nr; i++) {
		if (ranges[i].start == ranges[last].end)
			ranges[last].end = ranges[i].end;
		else
			ranges[++last] = ranges[i];
	}
	return nr ? last + 1 : 0;
}

static __in_handler bool in_ranges(const struct tramp_view *v, unsigned long addr)
{
	size_t lo = 0, hi = v->nr;

	addr &= arch_code_mask;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (addr - v->ranges[mid].start < v->ranges[mid].end - v->ranges[mid].start)
			return true;
		if (addr < v->ranges[mid].start)
			hi = mid;
		else
			lo = mid + 1;
	}
	return v->entry && addr - (unsigned long)arch_entry_start <
			   (unsigned long)(arch_entry_end - arch_entry_start);
}

/* --- where stacks end --- */

/* Neighbours in /proc/self/maps are one stack: advice or a lock on part of it divides it there. */
static void learn(const struct tramp_map *m, void *arg)
{
	struct tramp_view *v = arg;

	if (m->perms[0] != 'r' || m->perms[1] != 'w')
		return;
	if (v->nr_stacks && v->stack[v->nr_stacks - 1].end == m->start) {
		v->stack[v->nr_stacks - 1].end = m->end;
		return;
	}
	if (v->nr_stacks == v->max_stacks) {
		v->more++;
		if (v->want - v->stack[v->max_stacks - 1].start < v->stack[v->max_stacks - 1].end - v->stack[v->max_stacks - 1].start)
			return;
		v->nr_stacks--;
	}
	v->stack[v->nr_stacks++] = (struct tramp_range){ m->start, m->end };
}

static void forget(struct tramp_view *v)
{
	if (v->stack && v->stack != v->room)
		munmap(v->stack, v->max_stacks * sizeof(*v->stack));
	v->stack = v->room;
	v->max_stacks = sizeof(v->room) / sizeof(*v->room);
}

static bool more_room(struct tramp_view *v)
{
	size_t max = 2 * (v->nr_stacks + v->more);
	void *p = mmap(NULL, max * sizeof(*v->stack), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return false;
	v->stack = p;
	v->max_stacks = max;
	return true;
}

static void read_stacks(struct tramp_view *v)
{
	v->nr_stacks = v->more = 0;
	v->err = tramp_maps_each(learn, v);
	/* The last one may go on behind what could be read. */
	if (v->err && v->nr_stacks)
		v->nr_stacks--;
}

void tramp_view_reread(struct tramp_view *v, unsigned long sp)
{
	forget(v);
	v->want = sp;
	read_stacks(v);
	if (v->more && more_room(v))
		read_stacks(v);
}

/*
 * What is copied of other threads' stacks.  Not on this thread's, where another that
 * waits would take it for return addresses; nor allocated.
 */
#define COPIES 8
static struct { bool used; char bytes[COPY_MAX] __attribute__((aligned(16))); } copies[COPIES];

void tramp_view_open(struct tramp_view *v)
{
	v->mem = -1;
	for (int i = 0; tramp_threads_described() && !v->copy && i < COPIES; i++)
		if (!__atomic_test_and_set(&copies[i].used, __ATOMIC_ACQUIRE))
			v->copy = copies[i].bytes;
	if (v->copy)
		v->mem = open("/proc/thread-self/mem", O_RDONLY | O_CLOEXEC);
	tramp_view_reread(v, 0);
}

void tramp_view_close(struct tramp_view *v)
{
	if (v->mem >= 0)
		close(v->mem);
	for (int i = 0; v->copy && i < COPIES; i++)
		if (v->copy == copies[i].bytes)
			__atomic_clear(&copies[i].used, __ATOMIC_RELEASE);
	forget(v);
}

/* 0: that is not known. */
static __in_handler unsigned long stack_end(const struct tramp_view *v, unsigned long addr)
{
	size_t lo = 0, hi = v->nr_stacks;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (v->stack[mid].end <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < v->nr_stacks && v->stack[lo].start <= addr ? v->stack[lo].end : 0;
}

/* --- what lies on a stack --- */

struct stack {
	const struct tramp_view	*v;
	bool			own;
	unsigned long		limit;		/* it ends there at the latest; 0: not known */
	unsigned long		end;
	unsigned long		unknown;	/* a stack pointer that is in none */
	unsigned long		at;		/* what v->copy holds of it */
	size_t			len;
};

/* @n bytes at @addr, NULL: they have gone. */
static __in_handler const void *peek(struct stack *s, unsigned long addr, size_t n)
{
	ssize_t got;

	if (s->own)
		return (const void *)addr;
	if (addr - s->at > s->len || s->len - (addr - s->at) < n) {
		size_t want = s->end - addr < COPY_MAX ? s->end - addr : COPY_MAX;

		got = pread(s->v->mem, s->v->copy, want, addr);
		s->at = addr;
		s->len = got > 0 ? got : 0;
		if (s->len < n)
			return NULL;
	}
	return s->v->copy + (addr - s->at);
}

/*
 * A context that the kernel saved on an alternate stack names that stack, and
 * lies inside it: the interrupted thread's own stack goes on elsewhere.  Other
 * words are seldom like that: no link, few flags, a plausible size.
 */
static __no_sanitize bool is_context(const ucontext_t *uc, unsigned long at)
{
	if (uc->uc_link || uc->uc_flags > 0xff || (uc->uc_stack.ss_flags & ~(SS_ONSTACK | SS_DISABLE)) ||
	    uc->uc_stack.ss_size > 1UL << 30)
		return false;
	return at - (unsigned long)uc->uc_stack.ss_sp < uc->uc_stack.ss_size;
}

#define ALT_STACKS 3

static enum tramp_where scan_stack(struct stack *s, unsigned long sp, unsigned int depth);

/* The stack that a signal handler on stack @s interrupted. */
static __in_handler enum tramp_where scan_interrupted(struct stack *s, const void *context, unsigned long addr, unsigned int depth)
{
	struct stack other = { .v = s->v, .own = s->own };
	unsigned long pc, sp, end;
	enum tramp_where where;

	arch_ucontext(context, &pc, &sp);
	end = stack_end(s->v, sp);
	if (sp - addr < s->end - addr || (!end && s->v->reread))
		return WHERE_OUTSIDE;	/* further up here; or words that only look like a context */
	where = scan_stack(&other, sp, depth - 1);
	s->unknown = other.unknown;
	s->len = 0;		/* one copy for both */
	return where;
}

static __no_sanitize enum tramp_where scan_stack(struct stack *s, unsigned long sp, unsigned int depth)
{
	unsigned long addr = sp & -sizeof(unsigned long);
	enum tramp_where where = WHERE_OUTSIDE;

	s->end = stack_end(s->v, addr);
	s->unknown = sp;
	if (!s->end)
		return WHERE_UNKNOWN;
	if (s->limit && s->limit < s->end)
		s->end = s->limit;
	for (; addr < s->end && where == WHERE_OUTSIDE; addr += sizeof(unsigned long)) {
		size_t left = s->end - addr;
		const unsigned long *p = peek(s, addr, left < sizeof(ucontext_t) ? left : sizeof(ucontext_t));

		if (!p)
			return WHERE_UNKNOWN;
		if (in_ranges(s->v, *p))
			return WHERE_INSIDE;
		if (depth && left >= sizeof(ucontext_t) && is_context((const ucontext_t *)p, addr))
			where = scan_interrupted(s, p, addr, depth);
	}
	return where;
}

enum tramp_where tramp_view_asleep(const struct tramp_view *v, unsigned long pc, unsigned long *sp)
{
	struct stack s = { .v = v, .unknown = *sp };
	enum tramp_where where = WHERE_UNKNOWN;

	if (in_ranges(v, pc))
		return WHERE_INSIDE;
	if (v->mem >= 0)
		where = scan_stack(&s, *sp, ALT_STACKS);
	*sp = s.unknown;
	return where;
}

/* --- unwinding --- */

struct walk {
	const struct tramp_view	*view;
	unsigned long		ip;		/* of the last frame; 0 behind a thread's first */
	unsigned int		frames;
	bool			inside;
};

/* Wrong rules (some compilers have none for epilogues) may lead in a circle. */
#define FRAMES_MAX 65536

/*
 * Behind it there is nothing.  Not all programs' rules say so: in a static one crt1.o's come
 * before those that crtbegin.o registers, and lld keeps a record without the end's mark.
 */
static unsigned long program_entry;
#define ENTRY_SIZE 64

static __in_handler _Unwind_Reason_Code walk_frame(struct _Unwind_Context *context, void *arg)
{
	struct walk *w = arg;

	w->ip = _Unwind_GetIP(context);
	if (w->ip - program_entry < ENTRY_SIZE) {
		w->ip = 0;
		return _URC_NORMAL_STOP;
	}
	w->inside = in_ranges(w->view, w->ip);
	return w->inside || ++w->frames > FRAMES_MAX ? _URC_NORMAL_STOP : _URC_NO_REASON;
}

/*
 * libgcc's lock is in no handler of fork(): a child that was forked while another thread
 * unwound could register no unwind rules, for ever.  So fork() waits for those here, and
 * none begins meanwhile.  What the program unwinds, nobody knows.
 */
static unsigned int unwinding, forking;
static __thread bool unwinds __attribute__((tls_model("initial-exec")));	/* a handler that interrupts it may fork */

static __in_handler enum tramp_where unwind(const struct tramp_view *v)
{
	struct walk w = { .view = v, .ip = -1UL };
	bool outer = unwinds;

	unwinds = true;
	__atomic_add_fetch(&unwinding, 1, __ATOMIC_SEQ_CST);
	if (!__atomic_load_n(&forking, __ATOMIC_SEQ_CST) && tramp_can_unwind())
		_Unwind_Backtrace(walk_frame, &w);
	__atomic_sub_fetch(&unwinding, 1, __ATOMIC_SEQ_CST);
	unwinds = outer;
	return w.inside ? WHERE_INSIDE : w.ip ? WHERE_UNKNOWN : WHERE_OUTSIDE;
}

/* Not for ever: a thread may be stopped in there. */
#define UNWINDING_MS 1000

void tramp_view_before_fork(void)
{
	const struct timespec nap = { .tv_nsec = 1000000 };

	__atomic_add_fetch(&forking, 1, __ATOMIC_SEQ_CST);
	for (int ms = 0; ms < UNWINDING_MS && __atomic_load_n(&unwinding, __ATOMIC_SEQ_CST) > unwinds; ms++)
		nanosleep(&nap, NULL);
}

void tramp_view_after_fork(void)
{
	__atomic_sub_fetch(&forking, 1, __ATOMIC_SEQ_CST);
}

void tramp_view_forked(void)
{
	for (int i = 0; i < COPIES; i++)
		copies[i].used = false;
	unwinding = unwinds;
	forking = 0;
}

/*
 * The unwinder takes a lock, so a thread that is in there must not unwind.  It
 * does not sleep with the lock held; and what it calls has small frames, while
 * words further up are mostly stale.
 */
static struct tramp_range unwinder;
#define UNWINDER_FRAMES 512

/*
 * Not where it begins, to where nothing returns: a mapping may end there, and a thread that
 * waits has the bounds of mappings on its stack.  Two such would never be unwound, and one
 * stale word in each would let them wait for each other.
 */
static __in_handler bool is_unwinder(unsigned long addr)
{
	return (addr & arch_code_mask) - unwinder.start - 1 < unwinder.end - unwinder.start - 1;
}

static __no_sanitize bool in_unwinder(const struct tramp_view *v, unsigned long pc, unsigned long sp, bool slept)
{
	const unsigned long *p = (const unsigned long *)sp;
	unsigned long end = stack_end(v, sp);

	if (is_unwinder(pc) || (!slept && !end))
		return true;
	if (end > sp + UNWINDER_FRAMES)
		end = sp + UNWINDER_FRAMES;
	for (; !slept && (unsigned long)p < end; p++)
		if (is_unwinder(*p))
			return true;
	return false;
}

/*
 * What is above in the same mapping may be given back that moment: an alternate stack
 * may lie in a heap, and a thread's may be where a larger one was when the maps were
 * read.  glibc keeps what the thread pointer names at the end of the thread's stack.
 */
static __in_handler unsigned long own_end(const ucontext_t *uc, unsigned long sp)
{
	unsigned long start = (unsigned long)uc->uc_stack.ss_sp, size = uc->uc_stack.ss_size;
	unsigned long tp = arch_thread_pointer();

	if (sp - start < size)
		return start + size;
	return tp > sp ? tp : 0;
}

__in_handler enum tramp_where tramp_view_interrupted(const struct tramp_view *v, const void *context, bool exact, bool slept,
					unsigned long *unknown)
{
	struct stack s = { .v = v, .own = true };
	enum tramp_where where;
	unsigned long pc, sp;

	arch_ucontext(context, &pc, &sp);
	if ((!(v->trapping && pc == arch_trap_handler) && in_ranges(v, pc)) || in_ranges(v, arch_ucontext_return(context)))
		return WHERE_INSIDE;
	s.limit = own_end(context, sp);
	where = scan_stack(&s, sp, ALT_STACKS);
	*unknown = s.unknown;
	if (where != WHERE_OUTSIDE && exact && !in_unwinder(v, pc, sp, slept) && unwind(v) == WHERE_OUTSIDE)
		return WHERE_OUTSIDE;
	return where;
}

enum tramp_where tramp_view_self(struct tramp_view *v)
{
	unsigned long sp = (unsigned long)__builtin_frame_address(0);
	struct stack s = { .v = v, .own = true };
	enum tramp_where where = unwind(v);

	if (where != WHERE_UNKNOWN)
		return where;
	tramp_view_reread(v, sp);
	v->reread = true;
	where = scan_stack(&s, sp, ALT_STACKS);
	forget(v);
	return where;
}

static int find_unwinder(struct dl_phdr_info *info, size_t size, void *arg)
{
	unsigned long at = (unsigned long)_Unwind_Backtrace;

	(void)size;
	(void)arg;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		unsigned long start = info->dlpi_addr + ph->p_vaddr;

		if (ph->p_type == PT_LOAD && at - start < ph->p_memsz) {
			unwinder = (struct tramp_range){ start, start + ph->p_memsz };
			return 1;
		}
	}
	return 0;
}

void tramp_view_init(void)
{
	program_entry = getauxval(AT_ENTRY);
	dl_iterate_phdr(find_unwinder, NULL);
}
