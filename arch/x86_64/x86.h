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

#endif
