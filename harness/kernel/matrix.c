#include "kernel.h"
int run_matrix(void) { return 0; }
