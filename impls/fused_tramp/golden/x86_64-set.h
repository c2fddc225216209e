/* SPDX-License-Identifier: MIT */
/*
 * What is between enter and leave, for every class: args, one golden_ops for a
 * lone ops; for a set guard, first, later, ... unguard, leave, held and again
 * leave.  @at: the frame, @ip and @parent: where the site's push and the return
 * address lie in it, @tag: what the frame holds.
 */
.macro args at, ip, parent, tag
	mov	\ip(\at), %rdi
	sub	$5, %rdi
	mov	\parent(\at), %rsi
	lea	\tag(\at), %rcx
.endm

.macro call_for ops
	lea	\ops(%rip), %rdx
	call	golden_func
.endm

/* The guard is the path's first byte; behind it, ip and parent_ip of the set that holds it. */
#define GUARD	%fs:tramp_path@tpoff
#define IP	%fs:tramp_path@tpoff + 8
#define PARENT	%fs:tramp_path@tpoff + 16

.macro guard
	cmpb	$0, GUARD
	{disp32} jne 96f		/* more ops make it far */
	movb	$1, GUARD
.endm

.macro unguard
	movb	$0, GUARD
.endm

/* Behind the leave of a set: the way of a thread that is inside already. */
.macro held at, ip, parent, tag
96:	args	\at, \ip, \parent, \tag
	call	ftrace_ops_list_func
.endm

.macro first at, ip, parent, tag, ops
	mov	\ip(\at), %rdi
	sub	$5, %rdi
	mov	\parent(\at), %rsi
	mov	%rdi, IP
	mov	%rsi, PARENT
	lea	\tag(\at), %rcx
	call_for \ops
.endm

.macro later at, tag, ops
	mov	IP, %rdi		/* the callback before may have changed the frame's */
	mov	PARENT, %rsi
	lea	\tag(\at), %rcx
	call_for \ops
.endm
