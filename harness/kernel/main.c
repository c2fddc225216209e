/* SPDX-License-Identifier: MIT */
/* insmod harness.ko run=observe,matrix,cases tag=x86-6.12; all work is done when it returns. */
#include <linux/module.h>
#include <linux/string.h>
#include <linux/utsname.h>
#include "kernel.h"

char *kernel_tag = "linux";
module_param_named(tag, kernel_tag, charp, 0444);
MODULE_PARM_DESC(tag, "the name of this kernel in what is printed");

static char *run = "cases";
module_param(run, charp, 0444);
MODULE_PARM_DESC(run, "one or several of observe, matrix, cases; done in this order");

static int __init harness_init(void)
{
	static const struct { const char *name; int (*run)(void); } parts[] = {
		{ "observe", run_observe }, { "matrix", run_matrix }, { "cases", run_cases },
	};
	int err = -EINVAL;

	for (unsigned int i = 0; i < ARRAY_SIZE(parts); i++) {
		if (!strstr(run, parts[i].name))
			continue;
		err = parts[i].run();
		say("# %s on Linux %s: %s", parts[i].name, init_utsname()->release,
		    err ? "did not run" : "done");
		if (err)
			break;
	}
	return err;
}

static void __exit harness_exit(void)
{
}

module_init(harness_init);
module_exit(harness_exit);
MODULE_LICENSE("Dual MIT/GPL");
MODULE_DESCRIPTION("tramplab's conformance cases against this kernel's ftrace");
