/* SPDX-License-Identifier: MIT */
/*
 * Shared by the core's files, and by nobody else.  No arch code here.
 *
 * Locking: everything is under ftrace_lock unless it says "lock-free".  What
 * callbacks' threads read (ops list, hashes, site tables) is immutable once
 * published, replaced by one release store, and freed after a grace period.
 */
#ifndef TRAMPLAB_CORE_H
#define TRAMPLAB_CORE_H

#include <pthread.h>
#include <stdint.h>
#include <sys/stat.h>
#include "strategy.h"

#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define load_acquire(p)		__atomic_load_n(p, __ATOMIC_ACQUIRE)
#define store_release(p, v)	__atomic_store_n(p, v, __ATOMIC_RELEASE)

/* --- lock.c: ftrace_lock, around every call of the API --- */
/*
 * 0, and *@cancel is for tramp_unlock(); or -EDEADLK with tramp_why() set: a callback that
 * this thread runs into with the lock in hand, since what the core calls has sites, calls
 * the API.
 */
int tramp_lock(int *cancel);
void tramp_unlock(int cancel);
/* For a wait or a nap, within a call. */
void tramp_lock_drop(void);
void tramp_lock_again(void);

struct tramp_range { unsigned long start, end; };

/* --- why.c: the reason of the last failure --- */
/* Sets tramp_why() and returns @err, so that "return tramp_fail(-EINVAL, ...)" reads well. */
int tramp_fail(int err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* "tramplab: ..." on stderr. */
void tramp_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* --- site.c: modules and their sites --- */
struct tramp_module {
	struct tramp_module	*next;
	const char		*path;		/* file name of the object, "" for the program; or the text's name */
	const unsigned long	*table;		/* start of its records: its identity */
	unsigned long		start, end;	/* its executable text */
	struct tramp_site	*sites;		/* sorted by ip */
	size_t			nr_sites;
	bool			leaving;	/* its sites stay nops */
	bool			in_object;	/* a library or the program, not text on its own */
	unsigned long		since;		/* tramp_modules_changed when it came */
	void			*names;		/* elf.c's, freed with the module */
};

struct tramp_site {
	unsigned long		ip;
	unsigned long		func;		/* the symbol's address; ip where there is none */
	const char		*name;		/* NULL: no symbol */
	unsigned long		word;		/* address of its word, 0: none (arch_site_locate()) */
	struct tramp_module	*module;
	struct tramp_target	target;		/* what it calls now */
	unsigned int		nr_ops;
};

extern struct tramp_module *tramp_modules;
/* Counts modules that come and that go: a filter that is as old as this names no site that has gone. */
extern unsigned long tramp_modules_changed;
/* tramp_nr_sites(), with the lock held. */
size_t tramp_count_sites(void);
/* The site of @ip: exactly, any of its bytes, or its function's address (S42). */
struct tramp_site *tramp_find_site(unsigned long ip);
/* Lock-free, async-signal-safe: is @ip exactly a site, of a module that is loaded? */
bool tramp_is_site(unsigned long ip);

/* --- table.c: from a module's table to its sites --- */
/*
 * Fill in all of @m but .next; .nr_sites may end up 0.  What is wrong with the
 * table goes to stderr.  @caller: an address in the module, in case it has no table.
 */
int tramp_table_read(struct tramp_module *m, const unsigned long *start,
		     const unsigned long *stop, unsigned long caller);
/* The same for text that is in no object: its sites have no names. */
struct tramp_text { unsigned long start, end; const char *name; };
int tramp_table_read_text(struct tramp_module *m, const unsigned long *start,
			  const unsigned long *stop, const struct tramp_text *text);
void tramp_table_free(struct tramp_module *m);

/* --- elf.c: symbols of a loaded object --- */
struct tramp_symbol { unsigned long addr, size; const char *name; };
struct tramp_symbols {
	struct tramp_symbol	*sym;		/* functions, sorted by address, one an address */
	size_t			nr;
	void			*map;		/* the names live in here */
	size_t			map_len;
};
/* Read @path's function symbols (.symtab, else .dynsym), relocated by @bias.  0 or -errno, no tramp_why(). */
int tramp_symbols_read(struct tramp_symbols *s, const char *path, unsigned long bias);
void tramp_symbols_free(struct tramp_symbols *s);
/* The function that holds @addr, or NULL. */
const struct tramp_symbol *tramp_symbols_find(const struct tramp_symbols *s, unsigned long addr);

/* --- hash.c: sets of sites; once published, all that changes is that sites which go are blanked --- */
struct ftrace_hash {
	unsigned long	nr;		/* entries */
	unsigned long	as_of;		/* tramp_modules_changed when each was a site */
	unsigned int	shift;		/* 64 - log2(slots) */
	unsigned int	mask;		/* slots - 1 */
	unsigned long	slot[];		/* open addressing; 0 empty, 1 blanked (S145) */
};
#define FTRACE_HASH_MULT 0x9e3779b97f4a7c15UL

/* Lock-free, on the callback path. */
static inline __attribute__((always_inline))
bool ftrace_hash_contains(const struct ftrace_hash *h, unsigned long ip)
{
	unsigned long i = (ip * FTRACE_HASH_MULT) >> h->shift;
	unsigned long k;

	while ((k = READ_ONCE(h->slot[i & h->mask]))) {
		if (k == ip)
			return true;
		i++;
	}
	return false;
}

/* S35, S36. */
static inline __attribute__((always_inline))
bool ftrace_ops_test(const struct ftrace_ops_hash *h, unsigned long ip)
{
	return (!h->filter_hash || ftrace_hash_contains(h->filter_hash, ip)) &&
	       (!h->notrace_hash || !ftrace_hash_contains(h->notrace_hash, ip));
}

extern struct ftrace_ops_hash ftrace_empty_hash;	/* both NULL */
/* A hash of @nr distinct keys; NULL with *err 0 for none, or with *err -ENOMEM. */
struct ftrace_hash *ftrace_hash_make(const unsigned long *keys, size_t nr, int *err);
size_t ftrace_hash_size(const struct ftrace_hash *h);
void ftrace_ops_hash_free(struct ftrace_ops_hash *h);
/*
 * One that was published and has been replaced: callbacks' threads may read it
 * until a wait for all entries that they share is over which began behind that.
 */
void ftrace_ops_hash_retire(struct ftrace_ops_hash *h);
/* Such a wait is over, and it began at @moment. */
void ftrace_ops_hash_reap(unsigned long moment);
size_t ftrace_ops_hash_bytes(const struct ftrace_ops_hash *h);
size_t ftrace_ops_hash_retired_bytes(void);

/* --- filter.c: which sites an ops wants --- */
/* The first API call on @ops: no filter yet (S1). */
void ftrace_ops_init(struct ftrace_ops *ops);
/* Blanks in the filter of @ops, at rest, what has gone since (S145).  0 or -ENOMEM, and nothing changed. */
int ftrace_ops_refresh(struct ftrace_ops *ops);

/* --- ops.c --- */
/* Once: the port, text, grace periods.  With ftrace_lock held.  0 or -errno with tramp_why() set. */
int tramp_init(void);
extern struct ftrace_ops *ftrace_ops_list;	/* newest first; lock-free readers */
extern const struct tramp_strategy *tramp_strategy;
extern enum tramp_class tramp_partial_class;
extern bool tramp_strict, ftrace_disabled;
/* What the port and the chosen frame have together: TRAMP_HAS_*. */
unsigned int tramp_has(void);
/* The class of an ops with @flags, alone. */
enum tramp_class tramp_flags_class(unsigned long flags);

/* --- update.c: the transaction --- */
/*
 * @ops goes from hash @from to hash @to: NULL from registers it, NULL to
 * unregisters it.  ops NULL: recompute every site (ftrace_enabled, a module).
 * All or nothing.  Called and returns with ftrace_lock held; drops it while it
 * waits for threads.  On 0 @to is published and @from is no longer the caller's.
 * From inside a callback -EDEADLK for NULL to, and no wait else (S131).
 */
int ftrace_update(struct ftrace_ops *ops, struct ftrace_ops_hash *from,
		  struct ftrace_ops_hash *to);
/* The same for one module's sites: joins every ops without hashes (S143). */
int ftrace_update_module(struct tramp_module *module);
/*
 * @module goes: its sites become nops for good, its addresses are blanked in
 * every filter (S145).  The caller unlinks it then.
 */
void tramp_module_leave(struct tramp_module *module);

/* --- text.c: the one writer of program text and generated code --- */
int tramp_text_init(void);
int tramp_text_write(unsigned long addr, const void *bytes, size_t len);
/*
 * Write bytes [from, to) of every poke's .new, or *@same in their place; page by
 * page.  Pokes sorted by address.
 */
int tramp_text_write_pokes(const struct tramp_poke *pokes, size_t nr, size_t from, size_t to,
			   const uint8_t *same);
/* Every poke's word: page by page, too, and as the kernel's copy stores an aligned word. */
int tramp_text_write_words(const struct tramp_batch *batch);
/* Every thread's core executes what was written: membarrier SYNC_CORE. */
int tramp_text_sync(void);
/*
 * Tests: called in each state that a change passes through, behind the store, sync
 * or other step that led there (@addr and @len of a store), and before it waits; and
 * by a thread in a trap handler that has found no batch for @addr ("trap").
 */
extern void (*tramp_state_hook)(const char *behind, unsigned long addr, size_t len);
void tramp_state(const char *behind, unsigned long addr, size_t len);
/*
 * Tests: what is written in one go gets there store by store, each as small as the
 * port says that a copy may make it (arch_store_size): 1 upwards, -1 downwards, 0 not.
 */
extern int tramp_stores_apart;
/*
 * Before the first write: each place that will be written is written as it is.  What
 * a page needs for that, memory for a copy of its own, it has from then on.
 */
int tramp_text_try(const struct tramp_batch *batch);
/*
 * Behind the first write, what failed is done again: tramp_text_must(tramp_text_sync(),
 * "sync").  Where it keeps failing, the process stops.
 */
#define tramp_text_must(call, step)	do {				\
	for (unsigned int nr_ = 0; tramp_text_again(call, step, nr_); )	\
		nr_++;							\
} while (0)
bool tramp_text_again(int err, const char *step, unsigned int tries);

/* --- image.c: trampoline memory, mapped twice within branch reach --- */
/* Who writes it, for whom: two images that agree in this are one, if both are in reach. */
struct tramp_maker {
	tramp_emit_t		emit;		/* for a lone ops, or for all (@nr 0) */
	tramp_emit_set_t	emit_set;	/* or this one, for a set */
	enum tramp_class	class;
	unsigned int		nr;
	struct ftrace_ops	*const *ops;	/* in the order of calling */
};
struct tramp_shown { unsigned long flags, trampoline, size; };
struct tramp_image {
	struct tramp_image	*next;
	struct tramp_image	*chain;		/* images.c's */
	struct tramp_maker	maker;		/* its .ops is @set */
	struct ftrace_ops	*ops;		/* made for it alone; NULL: shared, or a set's */
	unsigned int		refs;		/* sites that call it */
	unsigned long		left;		/* the moment when the last one left; 0: never called */
	struct tramp_code	code;
	unsigned long		callee;		/* what the call slot calls now */
	void			*unwind;	/* unwind.c's: an .eh_frame */
	size_t			unwind_size;
	void			*gdb;		/* gdb.c's */
	struct tramp_shown	was;		/* of @ops, before */
	struct tramp_arena	*arena;
	struct ftrace_ops	*set[];
};
/* Where a thread is inside it; neighbours touch. */
struct tramp_range tramp_image_range(const struct tramp_image *image);
/* Bytes that hold @maker's code; write it to @code. */
size_t tramp_maker_size(const struct tramp_maker *maker);
void tramp_maker_emit(const struct tramp_maker *maker, struct tramp_code *code);
/* Make one that @site can call; give it up. */
struct tramp_image *tramp_image_new(unsigned long site, const struct tramp_maker *maker, int *err);
void tramp_image_free(struct tramp_image *image);
bool tramp_site_reaches(unsigned long site, const struct tramp_image *image);
/* Can there be one so large? */
bool tramp_image_fits(const struct tramp_maker *maker);
/* The writable view of @addr if it lies in generated code, else NULL.  Lock-free. */
void *tramp_image_alias(unsigned long addr);
/* Around fork(), under ftrace_lock: before; in the parent; in the child. */
void tramp_image_before_fork(void);
void tramp_image_after_fork(void);
void tramp_image_forked(void);
/* Set before any is mapped: of no file, not even a memfd. */
extern bool tramp_image_anonymous;
size_t tramp_image_mapped(void);		/* bytes, once */
size_t tramp_image_room(const struct tramp_image *image);	/* bytes that it takes of them */
/* Tests: called on each image before it may run. */
extern void (*tramp_image_hook)(struct tramp_code *code);

/* --- images.c: which images there are, and for how long --- */
extern struct tramp_image *tramp_images;
/* The image that @maker makes, within reach of @site; made unless it exists. */
struct tramp_image *tramp_image_get(const struct tramp_site *site, const struct tramp_maker *maker, int *err);
/* A site calls it, does so no longer. */
void tramp_image_hold(struct tramp_image *image);
void tramp_image_drop(struct tramp_image *image);
/*
 * An image lives as long as its ops is registered (a shared one: any ops), so that
 * joining and leaving a site needs no grace period (S130); a set's, until no site
 * has that set.  Frees those that nobody will use again once @gone has left, and
 * that every site had left by @moment, since when the caller has waited: an image
 * may have been found again meanwhile, and left again.
 */
void tramp_image_reap(const struct ftrace_ops *gone, unsigned long moment);
/* The same for the images of sets alone, where the wait was for those. */
void tramp_image_reap_sets(unsigned long moment);
/* The last moment; a later one, for something that is left now. */
unsigned long tramp_image_moment(void);
unsigned long tramp_image_new_moment(void);
/* A change failed that no thread could notice: what was made since @newest was the newest goes. */
void tramp_image_forget(const struct tramp_image *newest);
/*
 * Where threads may be inside, sorted: of all images; of those that no ops but
 * @ops has to itself; of the images of sets that no site has.  @r has room for
 * one an image.
 */
size_t tramp_image_count(void);
size_t tramp_image_ranges(struct tramp_range *r);
size_t tramp_image_shared(struct tramp_range *r, const struct ftrace_ops *ops);
size_t tramp_image_unused_sets(struct tramp_range *r);
void tramp_image_usage(struct tramp_memory *usage);

/* --- unwind.c: what exceptions and backtraces need to walk through an image --- */
/* 0 or -ENOMEM: code without rules would stop exceptions, and waits that want to be exact. */
int tramp_unwind_add(struct tramp_image *image);
void tramp_unwind_del(struct tramp_image *image);
/* Its rules, .unwind_size bytes, as gdb shall have them. */
void tramp_unwind_for_gdb(const struct tramp_image *image, void *to);
bool tramp_can_unwind(void);

/* --- tools.c: the tools that are told of images, one a file; all under ftrace_lock --- */
struct tramp_tool {
	const char	*name;		/* in tramp_tools() */
	/* @arg: behind the name's "=", or NULL.  0, or -errno with tramp_why() set and nothing done. */
	int		(*start)(const char *arg);
	/* Undo start: no image has been told of. */
	void		(*cancel)(void);
	void		(*add)(struct tramp_image *image, const char *name);
	void		(*del)(struct tramp_image *image);	/* NULL: it cannot be told */
	/* In a forked child, before its images are told of anew; NULL: what was told holds.  As start. */
	int		(*forked)(void);
};
extern bool tramp_gdb_asked;		/* by "gdb" */
extern const struct tramp_tool tramp_tool_gdb, tramp_tool_perf_map, tramp_tool_jitdump;
/* What the environment asks for, once. 0 or -errno with tramp_why() set. */
int tramp_tools_init(void);
void tramp_tools_add(struct tramp_image *image);
void tramp_tools_del(struct tramp_image *image);
void tramp_tools_forked(void);
/* The function at @addr in a module that has sites, or NULL. */
const char *tramp_function_name(unsigned long addr);
/* The code that calls the list function, for all ops. */
bool tramp_maker_is_list(const struct tramp_maker *maker);

/* --- proc.c: what the kernel tells of this process --- */
/* A file of /proc/self that stays open; the descriptor, or -errno.  Under a lock of the caller's. */
struct tramp_kept { const char *path; int flags, fd; pid_t pid; struct stat was; };
int tramp_kept_fd(struct tramp_kept *k);
void tramp_proc_init(void);
void tramp_proc_forked(void);
/* Every thread that lived all the while; those that come later may be missing.  0 or -errno. */
struct tramp_threads { pid_t *tid; size_t nr; void *map; size_t map_len; char room[2048]; };
int tramp_threads_read(struct tramp_threads *t);
void tramp_threads_free(struct tramp_threads *t);
bool tramp_thread_gone(pid_t tid);
/* /proc/self/task/@tid/@file: its length or -errno. */
int tramp_task_read(pid_t tid, const char *file, char *buf, size_t size);
/* By address.  0 or -errno with tramp_why() set: then not all were told. */
struct tramp_map { unsigned long start, end; char perms[4]; };
int tramp_maps_each(void (*fn)(const struct tramp_map *, void *arg), void *arg);
int tramp_maps_ready(void);

/* --- grace.c --- */
/*
 * Returns when every other thread has been seen outside of the @nr ranges and
 * of the port's entry text: its pc is in none of them and nothing on its stack
 * points into one.  Cannot fail.  @ranges not on the stack: another thread that
 * waits would take them for return addresses.  In order of address, since a thread
 * that is asked compares every word of its stack; tramp_ranges_sort() does that, and
 * joins those that touch.
 */
size_t tramp_ranges_sort(struct tramp_range *ranges, size_t nr);
void tramp_grace_wait(const struct tramp_range *ranges, size_t nr);
/*
 * The same while sites trap, for what the handler may have looked up: who stands where it
 * starts (arch_trap_handler) has looked up nothing.  A thread that calls such a site in a
 * loop is found hardly anywhere else, and would be waited for a hundred times as long.
 */
void tramp_grace_wait_trapping(const struct tramp_range *ranges, size_t nr);
/* The same of the ranges alone, and of the calling thread, too; false: not within @ms. */
bool tramp_grace_try(const struct tramp_range *ranges, size_t nr, unsigned int ms);
/*
 * Is the calling thread outside for certain?  By unwinding, so exactly; only where
 * its stack cannot be unwound to the end, by what lies on it.
 */
bool tramp_grace_self_outside(const struct tramp_range *ranges, size_t nr);
/*
 * Is this a user-mode emulator, as far as /proc tells?  No figure that it gives is
 * the machine's; and threads are looked at by signal alone.
 */
bool tramp_emulated(void);
int tramp_grace_init(void);
void tramp_grace_forked(void);
/* Can threads be looked at?  0, or -errno with tramp_why() set: then nothing may be written. */
int tramp_grace_ready(void);
/*
 * Until every other thread has been seen with @sig not blocked, once: libraries
 * block all signals for a moment, and among many threads there is always one.  0, or
 * the thread that blocked it for @ms on end; -errno with tramp_why() set where that
 * cannot be told.
 */
int tramp_wait_unblocked(int sig, unsigned int ms);

/* --- fork.c --- */
int tramp_fork_init(void);

/*
 * Until every other thread has passed the load of its site's word in the shared
 * entries: before any word changes.
 */
void tramp_wait_word_readers(void);

/* --- list.c: the callback path in C, built with general registers only --- */
/*
 * One level in, one more let through, the third is swallowed (S120): the kernel
 * cannot tell a nested hit from one in a context it has not noted yet, and
 * neither can we tell one from a signal handler's (S119).  0: free.
 */
struct tramp_guard { unsigned char inside, nested; };
enum { TRAMP_INSIDE = 1 };
/* What the path keeps for each thread; generated code reaches it by arch_thread_pointer() + a constant. */
struct tramp_path {
	struct tramp_guard guard;	/* list, assist and guarded sets share it, as in the kernel */
	unsigned long	ip, parent_ip;	/* of the set that is INSIDE, where the port keeps them here */
};
extern __thread struct tramp_path tramp_path __attribute__((tls_model("initial-exec")));
void ftrace_ops_list_func(unsigned long ip, unsigned long parent_ip,
			  struct ftrace_ops *op, struct ftrace_regs *fregs);
void ftrace_ops_list_func_strict(unsigned long ip, unsigned long parent_ip,
				 struct ftrace_ops *op, struct ftrace_regs *fregs);
void ftrace_ops_list_func_noregs(unsigned long ip, unsigned long parent_ip);
void ftrace_ops_assist_func(unsigned long ip, unsigned long parent_ip,
			    struct ftrace_ops *op, struct ftrace_regs *fregs);
/* @op->func where RCU watches: the rest of assist, where somebody else has taken the guard. */
void ftrace_ops_rcu_func(unsigned long ip, unsigned long parent_ip,
			 struct ftrace_ops *op, struct ftrace_regs *fregs);
/* What the words beside sites name when it is no ops alone: the list function, or nobody (S66). */
extern const struct ftrace_ops ftrace_list_ops, ftrace_list_ops_strict, ftrace_nop_ops;

#endif
