/* SPDX-License-Identifier: MIT */
/* The bookkeeping beside a model of it: harness/model/. */
#include <stdio.h>
#include <stdlib.h>
#include "../../model/run.h"
#include "../../user.h"

static struct model_setup setup(void)
{
	return (struct model_setup){
		.strategy = case_strategy, .class = (enum model_class)case_class, .solib = solib_path("plain"),
	};
}

static unsigned long calls_made, callbacks;

/* Prints the shortest sequence that fails, for model --replay. */
static void check(const struct model_setup *s, struct model_calls *calls)
{
	struct model_verdict v;
	size_t nr = calls->nr;

	if (!calls_check(s, calls, &v, stdout))
		case_fail(__FILE__, __LINE__, "call %zu of %zu: %s", calls->nr, nr, v.what);
	fflush(stdout);
	free(calls->call);
	calls_made += v.steps;
	callbacks += v.callbacks;
}

static void survived(void)
{
	case_survived(calls_made, "calls of the API made beside the model");
	case_survived(callbacks, "callbacks compared with the model");
}

#define STEPS 1000

CASE(random_calls_do_what_the_model_does, "S1 S4 S6 S15 S35 S37 S40 S43 S44 S55 S60 S61 S106 S126 S140 S145 BUG-04", "random calls of the API, valid and not: after each one its error, and for each site who is called, with which registers, and what is in memory; fails with the shortest sequence", .needs = CASE_TORTURE, .timeout = 120)
{
	const struct model_setup s = setup();

	for (unsigned long n = 0; more(n, 1); n++) {
		struct model_calls calls = calls_random(&s, case_seed() + n, STEPS);

		check(&s, &calls);
	}
	survived();
}

CASE(four_ops_in_every_order, "S18 S58 S60 S61 S67 S126", "every order in which four ops join a site and leave it, by registration and by filter, with several mixes of flags", .needs = CASE_TORTURE, .timeout = 120)
{
	const struct model_setup s = setup();
	size_t orders, sum = 0;

	for (unsigned long n = 0; more(n, 2); n++) {
		struct model_calls calls = calls_orders(&s, n % MODEL_MIXES, &orders);

		check(&s, &calls);
		sum += orders;
	}
	survived();
	case_survived(sum, "orders of four ops on one site");
}
