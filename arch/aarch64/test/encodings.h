/* SPDX-License-Identifier: MIT */
#ifndef TRAMPLAB_ENCODINGS_ARCH_H
#define TRAMPLAB_ENCODINGS_ARCH_H

#include "harness/tester/encodings.h"

/* From where arch_site_prepare() writes to the site. */
#define PREPARE_LEAD	4
/* Are ops and calls complete without the words behind leave? */
#define NEEDS_LEAVE	1

/* imm26, in bytes */
#define DISP_MAX	0x7fffffc
#define DISP_MIN	(-0x8000000)

#endif
