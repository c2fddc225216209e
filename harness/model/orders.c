/* SPDX-License-Identifier: MIT */
/*
 * Every order in which four ops join one site and leave it, each once: ops with
 * the same flags may change places, so they join in the order of their letters.
 */
#include "run.h"

#define OPS 4

static const struct mix {
	unsigned int	flags[OPS];
	bool		by_filter;	/* they are registered all the time, and join by a change of filter */
} mixes[MODEL_MIXES] = {
	{ { 0, 0, 0, 0 }, false },
	{ { 0, 0, 0, 0 }, true },
	{ { 0, 0, MODEL_SAVE_REGS, MODEL_SAVE_REGS }, false },
	{ { 0, 0, MODEL_RECURSION, MODEL_RECURSION }, false },
	{ { 0, MODEL_SAVE_REGS, MODEL_RECURSION, MODEL_SAVE_VEC }, false },
	{ { 0, MODEL_SAVE_REGS, MODEL_RECURSION, MODEL_SAVE_VEC }, true },
	{ { 0, MODEL_IPMODIFY, MODEL_STUB, MODEL_RCU }, false },
};

struct order {
	struct model_calls	*calls;
	const struct mix	*mix;
	struct call		step[2 * OPS];
	size_t			nr;		/* orders */
};

static bool in_turn(const struct mix *mix, unsigned int joined, int who)
{
	for (int i = 0; i < who; i++)
		if (!(joined >> i & 1) && mix->flags[i] == mix->flags[who])
			return false;
	return true;
}

static struct call step(const struct mix *mix, int who, bool joins)
{
	if (!mix->by_filter)
		return (struct call){ .kind = joins ? REGISTER : UNREGISTER, .who = who };
	return (struct call){ .kind = FILTER_IP, .who = who, .a = TRACEE_A, .b = joins ? 0 : REMOVE };
}

static void orders_from(struct order *o, unsigned int joined, unsigned int left, int depth)
{
	if (depth == 2 * OPS) {
		for (int i = 0; i < 2 * OPS; i++)
			calls_add(o->calls, o->step[i]);
		o->nr++;
		return;
	}
	for (int who = 0; who < OPS; who++) {
		unsigned int bit = 1U << who;

		if (!(joined & bit) && in_turn(o->mix, joined, who)) {
			o->step[depth] = step(o->mix, who, true);
			orders_from(o, joined | bit, left, depth + 1);
		} else if (joined & ~left & bit) {
			o->step[depth] = step(o->mix, who, false);
			orders_from(o, joined, left | bit, depth + 1);
		}
	}
}

struct model_calls calls_orders(const struct model_setup *setup, unsigned int mix, size_t *orders)
{
	static const uint8_t base[MODEL_CLASSES] = { [REGS] = MODEL_SAVE_REGS, [VEC] = MODEL_SAVE_VEC };
	struct model_calls calls = { 0 };
	struct order o = { .calls = &calls, .mix = &mixes[mix] };

	for (int i = 0; i < OPS; i++) {
		unsigned int flags = o.mix->flags[i] | base[setup->class];

		/* Without registers, those who want some come without. */
		calls_add(&calls, (struct call){ .kind = FLAGS, .who = i,
			.a = flags | (setup->class == NOREGS ? MODEL_IF_SUPPORTED : 0) });
		calls_add(&calls, (struct call){ .kind = FILTER_IP, .who = i, .a = o.mix->by_filter ? TRACEE_B + i % 3 : TRACEE_A });
		if (o.mix->by_filter)
			calls_add(&calls, (struct call){ .kind = REGISTER, .who = i });
	}
	orders_from(&o, 0, 0, 0);
	*orders = o.nr;
	return calls;
}
