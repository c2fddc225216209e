/* SPDX-License-Identifier: MIT */
/* An RCU ops is called whether RCU watches or not (S26). */
#include "set.h"

BROKEN_SET(set_asks_no_rcu, "rcu_ops_waits_for_rcu", "newest_first", ASKS_NO_RCU);
