/* SPDX-License-Identifier: MIT */
/*
 * A probe line in the manner of kprobe events, compiled to fetches and to the
 * mask of registers that they need (docs/probe.md):
 *
 *	p:FUNC [NAME=]FETCH...		FETCH: %REG  $argN  $stack  $stackN
 *
 * A line is refused when it is set up if a register that it wants is not saved;
 * a fetch at a hit then cannot fail.
 */
#ifndef TRAMPLAB_TRACE_PROBE_H
#define TRAMPLAB_TRACE_PROBE_H

#include <ftrace.h>
#include <tramp.h>

#define MAX_TRACE_ARGS		16
#define MAX_WORD		64
/* A word further up is the frame of another function, or behind the end of the stack. */
#define PARAM_MAX_STACK		63

enum fetch_op {
	FETCH_OP_REG,		/* a register; $stack is sp */
	FETCH_OP_ARG,		/* argument .param, from 0 */
	FETCH_OP_STACK,		/* word .param of the stack */
};

struct probe_arg {
	char		name[MAX_WORD];
	enum fetch_op	op;
	unsigned int	param;
};

struct trace_probe {
	struct ftrace_ops	ops;	/* first: the callback gets from one to the other */
	char			symbol[MAX_WORD];
	unsigned long		ip;	/* its site */
	unsigned int		nr_args;
	struct probe_arg	args[MAX_TRACE_ARGS];
	char			why[300];	/* the last failure */

	unsigned long		hits;
	unsigned long		lost;	/* fetches of registers that were not there */
	unsigned long		value[MAX_TRACE_ARGS];	/* of the last hit */
};

/*
 * Compile @line for an ops with @flags.  -EINVAL: no such line; -ENOENT: no such
 * function among the sites.  .why says what; nothing else has happened.
 */
int trace_probe_parse(struct trace_probe *tp, const char *line, unsigned long flags);
/* register_ftrace_function()'s errors: -EOPNOTSUPP when a register is not saved. */
int trace_probe_register(struct trace_probe *tp);
int trace_probe_unregister(struct trace_probe *tp);
/* fetch.c: the callback, built with general registers only. */
void trace_probe_hit(unsigned long ip, unsigned long parent_ip,
		     struct ftrace_ops *op, struct ftrace_regs *fregs);

#endif
