/* SPDX-License-Identifier: MIT */
/* Registering and unregistering, the switches, and the choice of a strategy. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "core.h"

struct ftrace_ops *ftrace_ops_list;
const struct tramp_strategy *tramp_strategy;
enum tramp_class tramp_partial_class = TRAMP_CLASS_ARGS;
bool tramp_strict, ftrace_disabled;
int ftrace_enabled = 1;

const char *const tramp_class_names[TRAMP_NR_CLASSES] = {
	"noregs", "args", "args-reserved", "regs", "vec",
};

static const char *const has_names[TRAMP_NR_HAS] = {
	"ops and registers as arguments", "re-pointable calls", "a word beside each site",
};

int tramp_init(void)
{
	static bool done;
	int err;

	if (done)
		return 0;
	tramp_proc_init();
	err = arch_init();
	if (!err)
		err = tramp_text_init();
	if (!err)
		err = tramp_grace_init();
	if (!err)
		err = tramp_fork_init();
	done = !err;
	return err;
}

/* --- choosing a strategy and a frame --- */

extern const struct tramp_strategy *const __start_tramp_strategies[] __attribute__((weak));
extern const struct tramp_strategy *const __stop_tramp_strategies[] __attribute__((weak));

static const struct tramp_strategy *strategy_at(unsigned int index)
{
	return index < __stop_tramp_strategies - __start_tramp_strategies ?
	       __start_tramp_strategies[index] : NULL;
}

const char *tramp_strategy_name(unsigned int index)
{
	return strategy_at(index) ? strategy_at(index)->name : NULL;
}

const char *tramp_strategy_summary(unsigned int index)
{
	return strategy_at(index) ? strategy_at(index)->summary : NULL;
}

static const struct tramp_strategy *strategy_named(const char *name)
{
	const struct tramp_strategy *s;

	for (unsigned int i = 0; (s = strategy_at(i)); i++)
		if (!strcmp(s->name, name))
			return s;
	return NULL;
}

static unsigned int has(enum tramp_class partial)
{
	return arch_has() & (partial == TRAMP_CLASS_NOREGS ? ~(unsigned int)TRAMP_HAS_OPS_ARG : ~0U);
}

unsigned int tramp_has(void)
{
	return has(tramp_partial_class);
}

/* @s with frame @partial: 0 or the reason. */
static int fits(const struct tramp_strategy *s, enum tramp_class partial)
{
	unsigned int lacks = s ? s->needs & ~has(partial) : 0;

	for (unsigned int i = 0; i < TRAMP_NR_HAS; i++)
		if (lacks & (1U << i))
			return tramp_fail(-EOPNOTSUPP, "%s needs %s, which %s %s lacks", s->name, has_names[i],
					  arch_has() & (1U << i) ? "class" : "port",
					  arch_has() & (1U << i) ? tramp_class_names[partial] : arch_name);
	return 0;
}

static int choose(const struct tramp_strategy *s, enum tramp_class partial)
{
	int err = ftrace_ops_list ? tramp_fail(-EBUSY, "an ops is registered; unregister it first") :
				    fits(s, partial);

	if (err)
		return err;
	tramp_strategy = s;
	tramp_partial_class = partial;
	return 0;
}

int tramp_use(const char *name)
{
	const struct tramp_strategy *s = strategy_named(name);
	int cancel, err;

	if (!s)
		return tramp_fail(-ENOENT, "no strategy \"%s\"", name);
	err = tramp_lock(&cancel);
	if (!err) {
		err = choose(s, tramp_partial_class);
		tramp_unlock(cancel);
	}
	return err;
}

int tramp_use_frame(enum tramp_class partial)
{
	int cancel, err;

	if (partial != TRAMP_CLASS_NOREGS && partial != TRAMP_CLASS_ARGS &&
	    partial != TRAMP_CLASS_ARGS_RESERVED)
		return tramp_fail(-EINVAL, "class %d is no partial frame", partial);
	err = tramp_lock(&cancel);
	if (!err) {
		err = choose(tramp_strategy, partial);
		tramp_unlock(cancel);
	}
	return err;
}

int tramp_set_strict(bool strict)
{
	int cancel, err = tramp_lock(&cancel);

	if (err)
		return err;
	if (ftrace_ops_list)
		err = tramp_fail(-EBUSY, "an ops is registered; unregister it first");
	else
		tramp_strict = strict;
	tramp_unlock(cancel);
	return err;
}

/* --- register classes --- */

enum tramp_class tramp_flags_class(unsigned long flags)
{
	if (tramp_partial_class == TRAMP_CLASS_NOREGS)
		return TRAMP_CLASS_NOREGS;
	if (flags & TRAMP_OPS_FL_SAVE_VEC)
		return TRAMP_CLASS_VEC;
	return flags & FTRACE_OPS_FL_SAVE_REGS ? TRAMP_CLASS_REGS : tramp_partial_class;
}

enum tramp_class tramp_ops_class(struct ftrace_ops *const *ops, unsigned int nr)
{
	enum tramp_class class = TRAMP_CLASS_NOREGS, one;

	for (unsigned int i = 0; i < nr; i++) {
		one = tramp_flags_class(ops[i]->flags);
		if (one > class)
			class = one;
	}
	return class;
}

/* Not what a neighbour brings along: it may leave before the next hit. */
unsigned long tramp_site_regs(unsigned long ip, unsigned long flags)
{
	unsigned long regs;
	int cancel;

	if (tramp_lock(&cancel))
		return 0;
	regs = tramp_find_site(ip) ? arch_class_regs(tramp_flags_class(flags)) : 0;
	tramp_unlock(cancel);
	return regs;
}

/* What would save all of @needs: a larger frame.  Class vec has no more general registers than regs. */
static const char *remedy(unsigned long needs)
{
	if (!(needs & ~arch_class_regs(TRAMP_CLASS_ARGS)))
		return "tramp_use_frame(TRAMP_CLASS_ARGS)";
	if (needs & ~arch_class_regs(TRAMP_CLASS_REGS))
		return NULL;
	return tramp_partial_class == TRAMP_CLASS_NOREGS ?
		"tramp_use_frame(TRAMP_CLASS_ARGS) and FTRACE_OPS_FL_SAVE_REGS" :
		"FTRACE_OPS_FL_SAVE_REGS";
}

/* What .tramp_needs names and the class of this ops does not save. */
static int check_needs(const struct ftrace_ops *ops)
{
	enum tramp_class class = tramp_flags_class(ops->flags);
	unsigned long lacks = ops->tramp_needs & ~arch_class_regs(class);
	const char *would = remedy(ops->tramp_needs);

	if (!lacks)
		return 0;
	if (would)
		return tramp_fail(-EOPNOTSUPP, "register %s is needed, but class %s does not save it; %s would",
				  tramp_reg_name(__builtin_ctzl(lacks)), tramp_class_names[class], would);
	lacks = ops->tramp_needs & ~arch_class_regs(TRAMP_CLASS_REGS);
	return tramp_fail(-EOPNOTSUPP, "register %s (number %d) is needed, but no class of port %s saves it",
			  tramp_reg_name(__builtin_ctzl(lacks)) ?: "?", __builtin_ctzl(lacks), arch_name);
}

/* --- registering --- */

/* A build without registers refuses SAVE_REGS, unless it is a wish (S9, S23). */
static int check_save_regs(struct ftrace_ops *ops)
{
	if (tramp_partial_class != TRAMP_CLASS_NOREGS)
		return 0;
	if ((ops->flags & (FTRACE_OPS_FL_SAVE_REGS | TRAMP_OPS_FL_SAVE_VEC)) &&
	    !(ops->flags & FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED))
		return tramp_fail(-EINVAL, "SAVE_REGS: class noregs has no registers to save");
	if (ops->flags & FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED)
		ops->flags |= FTRACE_OPS_FL_SAVE_REGS;
	return 0;
}

static int check_register(struct ftrace_ops *ops)
{
	int err;

	if (ops->flags & FTRACE_OPS_FL_DELETED)
		return tramp_fail(-EINVAL, "the ops has FTRACE_OPS_FL_DELETED");
	if (ops->flags & FTRACE_OPS_FL_ENABLED)
		return tramp_fail(-EBUSY, "the ops is registered already");
	if (!ops->func)
		return tramp_fail(-EINVAL, "the ops has no func");
	if (!tramp_strategy)
		return tramp_fail(-ENODEV, "no strategy: call tramp_use() first");
	if ((ops->flags & FTRACE_OPS_FL_PERMANENT) && !ftrace_enabled)
		return tramp_fail(-EBUSY, "a PERMANENT ops while ftrace is disabled");
	/* First the one that names a register; the other may change the flags. */
	err = check_needs(ops);
	return err ? err : check_save_regs(ops);
}

static int add_ops(struct ftrace_ops *ops)
{
	int err = check_register(ops);

	if (!err)
		err = ftrace_ops_refresh(ops);
	if (err)
		return err;
	if (ops->flags & TRAMP_OPS_FL_SAVE_VEC)
		ops->flags |= FTRACE_OPS_FL_SAVE_REGS;
	if (tramp_strategy->add) {
		err = tramp_strategy->add(ops);
		if (err)
			return err;
	}
	ops->flags |= FTRACE_OPS_FL_ENABLED | FTRACE_OPS_FL_DYNAMIC;
	err = ftrace_update(ops, NULL, ops->func_hash);
	if (err && tramp_strategy->del)
		tramp_strategy->del(ops);
	return err;
}

static int do_register(struct ftrace_ops *ops)
{
	unsigned long flags;
	int err = tramp_init();

	if (!err)
		err = tramp_tools_init();
	if (err)
		return err;
	if (ftrace_disabled)
		return tramp_fail(-ENODEV, "ftrace was killed");
	ftrace_ops_init(ops);
	flags = ops->flags;
	err = add_ops(ops);
	if (err)
		ops->flags = flags;
	return err;
}

int register_ftrace_function(struct ftrace_ops *ops)
{
	int cancel, err = tramp_lock(&cancel);

	if (!err) {
		err = do_register(ops);
		tramp_unlock(cancel);
	}
	return err;
}

static int do_unregister(struct ftrace_ops *ops)
{
	/* The wait drops the lock, and with the last ops off the list another may be chosen meanwhile. */
	const struct tramp_strategy *strategy = tramp_strategy;
	int err;

	if (ftrace_disabled)
		return tramp_fail(-ENODEV, "ftrace was killed");
	if (!(ops->flags & FTRACE_OPS_FL_ENABLED) || (ops->flags & FTRACE_OPS_FL_REMOVING))
		return tramp_fail(-EBUSY, "the ops is not registered");
	ops->flags |= FTRACE_OPS_FL_REMOVING;
	err = ftrace_update(ops, ops->func_hash, NULL);
	ops->flags &= ~FTRACE_OPS_FL_REMOVING;
	if (err)
		return err;
	if (strategy->del)
		strategy->del(ops);
	ops->flags &= ~FTRACE_OPS_FL_ENABLED;
	ops->trampoline = 0;	/* ALLOC_TRAMP and the size stay, as in the kernel (S30) */
	return 0;
}

int unregister_ftrace_function(struct ftrace_ops *ops)
{
	int cancel, err = tramp_lock(&cancel);

	if (!err) {
		err = do_unregister(ops);
		tramp_unlock(cancel);
	}
	return err;
}

/* --- switches --- */

void ftrace_kill(void)
{
	int cancel, err = tramp_lock(&cancel);

	ftrace_disabled = true;
	if (!err)
		tramp_unlock(cancel);
}

static bool any_permanent(void)
{
	for (const struct ftrace_ops *op = ftrace_ops_list; op; op = op->next)
		if (op->flags & FTRACE_OPS_FL_PERMANENT)
			return true;
	return false;
}

static int do_set_enabled(int enabled)
{
	int err = 0, old = ftrace_enabled;

	if (ftrace_disabled)
		return tramp_fail(-ENODEV, "ftrace was killed");
	if (!enabled && any_permanent())
		return tramp_fail(-EBUSY, "a PERMANENT ops is registered");
	ftrace_enabled = !!enabled;
	if (old != ftrace_enabled)
		err = ftrace_update(NULL, NULL, NULL);
	if (err)
		ftrace_enabled = old;
	return err;
}

int tramp_set_enabled(int enabled)
{
	int cancel, err = tramp_lock(&cancel);

	if (!err) {
		err = do_set_enabled(enabled);
		tramp_unlock(cancel);
	}
	return err;
}
