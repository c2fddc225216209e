/* SPDX-License-Identifier: MIT */
/* x86-64: encodings that several files of the port use (Intel SDM vol. 2). */
#ifndef TRAMPLAB_X86_H
#define TRAMPLAB_X86_H

#define X86_CALL	0xe8		/* call rel32 */
#define X86_CALL_SIZE	5
#define X86_INT3	0xcc
#define X86_NOP		0x90
#define X86_NOP5	0x0f, 0x1f, 0x44, 0x00, 0x00
#define X86_ENDBR64	0xf3, 0x0f, 0x1e, 0xfa


/*
 * debugger.c: the one-byte instruction that stands in a place which changes, and
 * the signal that it raises.  0 or -errno with tramp_why() set.
 */
struct x86_breakpoint { uint8_t byte; int signal; bool traced; };
int x86_choose_breakpoint(struct x86_breakpoint *breakpoint);
/* Is a breakpoint at @addr debugger.c's? Then that has heard of it. */
bool x86_debugger_asked(unsigned long addr);

#endif
