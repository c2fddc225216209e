/* SPDX-License-Identifier: MIT */
#include "shim.h"

#define OF(reg)		(8*SHIM_##reg)

	.text

/* Every place of a register but sp and flags, by name. */
.macro each_gpr do, base
	\do	ax, OF(ax), \base
	\do	bx, OF(bx), \base
	\do	cx, OF(cx), \base
	\do	dx, OF(dx), \base
	\do	di, OF(di), \base
	\do	bp, OF(bp), \base
	\do	8, OF(r8), \base
	\do	9, OF(r9), \base
	\do	10, OF(r10), \base
	\do	11, OF(r11), \base
	\do	12, OF(r12), \base
	\do	13, OF(r13), \base
	\do	14, OF(r14), \base
	\do	15, OF(r15), \base
	\do	si, OF(si), \base	/* last: load's base */
.endm
.macro load reg, offset, base
	mov	\offset(\base), %r\reg
.endm
.macro store reg, offset, base
	mov	%r\reg, \base + \offset(%rip)
.endm

.macro function name
	.p2align 4
	.globl	\name
	.type	\name, @function
\name:
.endm
.macro end_function name
	.size	\name, . - \name
.endm

/* rdi: func, rsi: struct shim_regs *.  Seven pushes align the stack for the call. */
function shim_call
	push	%rbx
	push	%rbp
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	push	%rsi
	mov	%rdi, shim_func(%rip)
	lea	-8(%rsp), %rax
	mov	%rax, OF(sp)(%rsi)
	push	OF(flags)(%rsi)
	popfq
	each_gpr load, %rsi
	call	*shim_func(%rip)
	each_gpr store, shim_after
	mov	%rsp, shim_after + OF(sp)(%rip)
	pushfq
	pop	shim_after + OF(flags)(%rip)
	push	$0x2
	popfq
	subq	$8, shim_after + OF(sp)(%rip)
	pop	%rsi
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbp
	pop	%rbx
	ret
end_function shim_call

/* With a word and a landing pad: the entry of a word strategy has most to do for it. */
	.p2align 4
.Lshim_tracee_word:
	.fill	8, 1, 0x90
	.globl	shim_tracee
	.type	shim_tracee, @function
shim_tracee:
	endbr64
	.fill	5, 1, 0x90
	each_gpr store, shim_body
	mov	%rsp, shim_body + OF(sp)(%rip)
	pushfq
	pop	shim_body + OF(flags)(%rip)
	ret
end_function shim_tracee
	.section __patchable_function_entries, "awo", @progbits, shim_tracee
	.balign	8
	.quad	.Lshim_tracee_word
	.text

/* What a function may overwrite, all of it; sets and clears status flags on the way. */
function case_clobber
	.cfi_startproc
	mov	$0xdeadbeefdeadbeef, %rax
	mov	%rax, %rcx
	mov	%rax, %rdx
	mov	%rax, %rsi
	mov	%rax, %rdi
	mov	%rax, %r8
	mov	%rax, %r9
	mov	%rax, %r10
	mov	%rax, %r11
	xorb	$1, shim_toggle(%rip)
	jz	1f
	mov	$0x7f, %al
	add	$0x01, %al		/* OF SF AF, no CF, no ZF */
	ret
1:	mov	$0xff, %al
	add	$0x01, %al		/* CF ZF PF AF */
	ret
	.cfi_endproc
end_function case_clobber

function shim_flags
	pushfq
	pop	%rax
	ret
end_function shim_flags

function shim_sleep
1:	cmpl	$0, (%rdi)
	jne	2f
	xor	%esi, %esi		/* FUTEX_WAIT while it is 0, for ever */
	xor	%edx, %edx
	xor	%r10d, %r10d
	mov	$202, %eax
	syscall
	jmp	1b
2:	ret
end_function shim_sleep

function shim_red_zone
	xor	%eax, %eax
	.set	i, 1
	.rept	16
	movabs	$0x5a5a000000000000 + i, %rcx
	mov	%rcx, -8 * i(%rsp)
	.set	i, i + 1
	.endr
1:	dec	%rdi
	jnz	1b
	.set	i, 1
	.rept	16
	movabs	$0x5a5a000000000000 + i, %rcx
	cmp	%rcx, -8 * i(%rsp)
	jne	2f
	.set	i, i + 1
	.endr
	ret
2:	inc	%eax
	ret
end_function shim_red_zone

	.bss
	.balign 8
	.globl	shim_body, shim_after
shim_func:	.skip	8
shim_body:	.skip	8*SHIM_NR
shim_after:	.skip	8*SHIM_NR
shim_toggle:	.skip	1

	.section .note.GNU-stack, "", @progbits
