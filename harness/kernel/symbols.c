/* SPDX-License-Identifier: MIT */
/* What the kernel keeps from modules: symbols by name, the sysctl by its file. */
#include <linux/fs.h>
#include <linux/kprobes.h>
#include <linux/err.h>
#ifdef CONFIG_X86_KERNEL_IBT
#include <asm/ibt.h>
#endif
#include "../case.h"
#include "kernel.h"

typedef unsigned long lookup_t(const char *name);

/* kallsyms_lookup_name() is not exported, but a probe that is never armed tells where it is. */
static lookup_t *find_lookup(void)
{
	struct kprobe kp = { .symbol_name = "kallsyms_lookup_name", .flags = KPROBE_FLAG_DISABLED };
	unsigned long addr;

	if (register_kprobe(&kp))
		return NULL;
	addr = (unsigned long)kp.addr;
	unregister_kprobe(&kp);
#ifdef CONFIG_X86_KERNEL_IBT
	/* The probe went behind the landing pad; an indirect call must not. */
	if (is_endbr(*(u32 *)(addr - 4)))
		addr -= 4;
#endif
	return (lookup_t *)addr;
}

unsigned long kernel_symbol(const char *name)
{
	static lookup_t *lookup;

	if (!lookup)
		lookup = find_lookup();
	return lookup ? lookup(name) : 0;
}

unsigned long kernel_location(unsigned long ip)
{
	static unsigned long (*location)(unsigned long);

	if (!location)
		location = (void *)kernel_symbol("ftrace_location");
	if (location)
		return location(ip);
	case_fail(__FILE__, __LINE__, "this kernel tells no address of ftrace_location()");
	return 0;
}

void kernel_kill(void)
{
	void (*kill)(void) = (void *)kernel_symbol("ftrace_kill");

	if (kill)
		kill();
	else
		case_fail(__FILE__, __LINE__, "this kernel tells no address of ftrace_kill()");
}

/* --- kernel.ftrace_enabled --- */

static struct file *open_enabled(int how)
{
	struct file *f = filp_open("/proc/sys/kernel/ftrace_enabled", how, 0);

	if (IS_ERR(f))
		case_fail(__FILE__, __LINE__, "open kernel.ftrace_enabled: %ld", PTR_ERR(f));
	return f;
}

int kernel_enabled(void)
{
	struct file *f = open_enabled(O_RDONLY);
	char digit = '?';
	loff_t pos = 0;

	if (IS_ERR(f))
		return -1;
	kernel_read(f, &digit, 1, &pos);
	filp_close(f, NULL);
	return digit - '0';
}

int case_set_enabled(int enabled)
{
	struct file *f = open_enabled(O_WRONLY);
	char line[2] = { '0' + enabled, '\n' };
	loff_t pos = 0;
	ssize_t n;

	if (IS_ERR(f))
		return PTR_ERR(f);
	n = kernel_write(f, line, sizeof(line), &pos);
	filp_close(f, NULL);
	return n < 0 ? n : 0;
}
