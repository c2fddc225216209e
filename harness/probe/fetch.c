/* SPDX-License-Identifier: MIT */
/*
 * At a hit: one path for partial and full frames and for every port, since it
 * goes through the accessors.  What may be asked for was settled at set-up.
 */
#include "trace_probe.h"

static unsigned long fetch(struct trace_probe *tp, const struct probe_arg *arg,
			   struct ftrace_regs *fregs)
{
	unsigned long value = 0;

	switch (arg->op) {
	case FETCH_OP_ARG:
		return ftrace_regs_get_argument(fregs, arg->param);
	case FETCH_OP_STACK:
		return ((unsigned long *)ftrace_regs_get_stack_pointer(fregs))[arg->param];
	case FETCH_OP_REG:
		tp->lost += !!tramp_regs_read(fregs, arg->param, &value);
	}
	return value;
}

void trace_probe_hit(unsigned long ip, unsigned long parent_ip,
		     struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct trace_probe *tp = (struct trace_probe *)op;

	(void)ip, (void)parent_ip;
	tp->hits++;
	for (unsigned int i = 0; i < tp->nr_args; i++)
		tp->value[i] = fetch(tp, &tp->args[i], fregs);
}
