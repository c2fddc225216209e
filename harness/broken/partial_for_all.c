/* SPDX-License-Identifier: MIT */
/* An ops that asked for the full pt_regs gets the partial frame. */
#include "broken.h"

static int resolve(struct tramp_site *site, struct ftrace_ops *const *ops, unsigned int nr,
		   struct tramp_target *target)
{
	if (nr > 1)
		return tramp_target_list(site, ops, nr, target);
	return tramp_target_image(site, emit_right, ops[0], TRAMP_CLASS_ARGS, target);
}

BROKEN(partial_for_all, "class_decides_pt_regs", "register_arguments_kept");
