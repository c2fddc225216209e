/* SPDX-License-Identifier: MIT */
/* Between the parts of the module. */
#ifndef TRAMPLAB_KERNEL_H
#define TRAMPLAB_KERNEL_H

#include <linux/kernel.h>
#include <linux/printk.h>

struct harness_case;

/* NULLs before and behind the table of cases. */
extern const struct harness_case *const first_case, *const last_case;

/*
 * The console is the only way out: loud enough for a quiet boot, whose warnings
 * (S4, S6) stay in the log.  No prefix, so that KTAP stays KTAP.
 */
#define say(fmt, ...) printk(KERN_ERR fmt "\n", ##__VA_ARGS__)

/* Address of any kernel symbol, or 0. */
unsigned long kernel_symbol(const char *name);

/* What run= may ask for; 0 or -errno. */
int run_cases(void);
int run_observe(void);
int run_matrix(void);

/* text.c */
int text_remember(void);
void text_expect_restored(void);	/* else the case fails */
void text_forget(void);

/* The column's name: x86-6.12. */
extern char *kernel_tag;

#endif
