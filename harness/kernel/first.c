/* SPDX-License-Identifier: MIT */
/*
 * The table's ends: a module is linked with -r, which defines no __start_ and
 * __stop_ symbols.  Within a section the linker keeps the order of the objects.
 */
#include "../case.h"
#include "kernel.h"

const struct harness_case *const first_case
	__attribute__((used, section("harness_cases"))) = NULL;
