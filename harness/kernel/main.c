/* SPDX-License-Identifier: MIT */
/* insmod harness.ko run=cases|observe|matrix tag=x86-6.12; all work is done when it returns. */
#include <linux/module.h>
#include <linux/string.h>
#include <linux/utsname.h>
#include "kernel.h"

char *kernel_tag = "linux";
module_param_named(tag, kernel_tag, charp, 0444);
MODULE_PARM_DESC(tag, "the name of this kernel in what is printed");

static char *run = "cases";
module_param(run, charp, 0444);
MODULE_PARM_DESC(run, "cases, observe or matrix");

static int __init harness_init(void)
{
	static const struct { const char *name; int (*run)(void); } parts[] = {
		{ "cases", run_cases }, { "observe", run_observe }, { "matrix", run_matrix },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(parts); i++) {
		if (!strcmp(run, parts[i].name)) {
			int err = parts[i].run();

			say("# %s on Linux %s: %s", run, init_utsname()->release,
			    err ? "did not run" : "done");
			return err;
		}
	}
	pr_err("harness: run=%s is none of cases, observe, matrix\n", run);
	return -EINVAL;
}

static void __exit harness_exit(void)
{
}

module_init(harness_init);
module_exit(harness_exit);
MODULE_LICENSE("Dual MIT/GPL");
MODULE_DESCRIPTION("tramplab's conformance cases against this kernel's ftrace");
