/* SPDX-License-Identifier: MIT */
/* A shared entry saves what the newest ops needs, not what all of them need (S60). */
#include "broken.h"

static int resolve(struct tramp_site *site, struct ftrace_ops *const *ops, unsigned int nr,
		   struct tramp_target *target)
{
	if (nr > 1)
		return tramp_target_list(site, ops, 1, target);
	return tramp_target_image(site, emit_right, ops[0], tramp_ops_class(ops, 1), target);
}

BROKEN(class_of_the_newest, "save_regs_never_sees_null", "class_decides_pt_regs");
