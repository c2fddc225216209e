/* SPDX-License-Identifier: MIT */
/* google-benchmark, as far as C needs it. */
#ifndef TRAMPLAB_GBENCH_SHIM_H
#define TRAMPLAB_GBENCH_SHIM_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gbench_case {
	bool	(*arm)(void *arg);	/* false: the case is reported as an error */
	void	(*loop)(unsigned long turns);
	void	(*disarm)(void *arg);
	void	*arg;
	unsigned int calls;		/* traced calls of one turn */
};

/* @c stays the caller's and has to last. */
void gbench_register(const char *name, const struct gbench_case *c);
/* The library's own command line; 0 or an exit status. */
int gbench_main(int argc, char **argv);

#ifdef __cplusplus
}
#endif
#endif
