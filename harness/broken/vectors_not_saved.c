/* SPDX-License-Identifier: MIT */
/* Class vec saves no vector register. */
#include "broken.h"

static int resolve(struct tramp_site *site, struct ftrace_ops *const *ops, unsigned int nr,
		   struct tramp_target *target)
{
	enum tramp_class class = tramp_ops_class(ops, nr);

	if (nr > 1)
		return tramp_target_list(site, ops, nr, target);
	return tramp_target_image(site, emit_right, ops[0],
				  class == TRAMP_CLASS_VEC ? TRAMP_CLASS_REGS : class, target);
}

BROKEN(vectors_not_saved, "vector_registers_survive", "every_register_survives");
