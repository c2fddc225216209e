/* SPDX-License-Identifier: MIT */
/* The functions whose calls are counted.  Built with sites. */
#include <linux/compiler.h>
#include "matrix.h"

noinline void matrix_site(void)
{
	barrier();
}

noinline void matrix_elsewhere(void)
{
	barrier();
}

noinline notrace void matrix_no_site(void)
{
	barrier();
}
