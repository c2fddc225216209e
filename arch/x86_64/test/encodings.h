/* SPDX-License-Identifier: MIT */
#ifndef TRAMPLAB_ENCODINGS_ARCH_H
#define TRAMPLAB_ENCODINGS_ARCH_H

#include "harness/tester/encodings.h"

/* From where arch_site_prepare() writes to the site. */
#define PREPARE_LEAD	0
/* Are ops and calls complete without the words behind leave? */
#define NEEDS_LEAVE	0

/* rel32 */
#define DISP_MAX	0x7fffffff
#define DISP_MIN	(-0x80000000)

#endif
