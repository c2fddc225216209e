/* SPDX-License-Identifier: MIT */
#include <string.h>
#include "shim.h"

#define FPSR_BITS	0x0800009fUL	/* QC, and the cumulative exceptions */
#define FPCR_BITS	0x03c00000UL	/* DN, FZ and the rounding mode */

unsigned long vec_width(void)
{
	return 16;
}

unsigned long vec_bytes(void)
{
	return VEC_BYTES;
}

void vec_fit(void *in)
{
	unsigned long control[2];

	memcpy(control, (char *)in + 32 * 16, sizeof(control));
	control[0] &= FPSR_BITS;
	control[1] &= FPCR_BITS;
	memcpy((char *)in + 32 * 16, control, sizeof(control));
}
