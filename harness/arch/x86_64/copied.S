/* SPDX-License-Identifier: MIT */
/* The function that copies.h copies, as the compiler leaves it.  Data here: it runs only as copies. */
	.section .rodata
	.globl	copied_room, copied_func, copied_site, copied_end
	.p2align 3
copied_room:			/* for a site's word */
	.fill	8, 1, 0x90
copied_func:
copied_site:
	.fill	5, 1, 0x90
	lea	1(%rdi), %rax
	ret
copied_end:

	.section .note.GNU-stack, "", @progbits
