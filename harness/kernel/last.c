/* SPDX-License-Identifier: MIT */
#include "../case.h"
#include "kernel.h"

const struct harness_case *const last_case
	__attribute__((used, section("harness_cases"))) = NULL;
