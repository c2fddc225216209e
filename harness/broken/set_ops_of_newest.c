/* SPDX-License-Identifier: MIT */
/* Every callback is told the newest ops (S83). */
#include "set.h"

BROKEN_SET(set_ops_of_newest, "ops_argument_is_its_own", "called_once", OPS_OF_NEWEST);
