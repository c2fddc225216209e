/* SPDX-License-Identifier: MIT */
/* vec_call_KIND(func, in, out) and vec_clobber_KIND(): see shim.h. */

	.text

.macro each16 do
	.irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
	\do	\n
	.endr
.endm
.macro each32 do
	each16	\do
	.irp n, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	\do	\n
	.endr
.endm
.macro each_mask do
	.irp n, 0,1,2,3,4,5,6,7
	\do	\n
	.endr
.endm

.macro load_sse n
	movups	16 * \n(%rsi), %xmm\n
.endm
.macro store_sse n
	movups	%xmm\n, 16 * \n(%rbx)
.endm
.macro clobber_sse n
	pcmpeqd	%xmm\n, %xmm\n
.endm
.macro load_avx n
	vmovups	32 * \n(%rsi), %ymm\n
.endm
.macro store_avx n
	vmovups	%ymm\n, 32 * \n(%rbx)
.endm
.macro clobber_avx n
	vxorps	%ymm\n, %ymm\n, %ymm\n
.endm
.macro load_avx512 n
	vmovups	64 * \n(%rsi), %zmm\n
.endm
.macro store_avx512 n
	vmovups	%zmm\n, 64 * \n(%rbx)
.endm
.macro clobber_avx512 n
	vpternlogd $0xff, %zmm\n, %zmm\n, %zmm\n
.endm
.macro load_mask n
	kmovq	2048 + 8 * \n(%rsi), %k\n
.endm
.macro store_mask n
	kmovq	%k\n, 2048 + 8 * \n(%rbx)
.endm
.macro clobber_mask n
	kxnorq	%k\n, %k\n, %k\n
.endm

.macro function name
	.p2align 4
	.globl	\name
	.type	\name, @function
\name:
.endm

/* rbx: out, kept by the function called. */
.macro versions kind, each, masks, clean
function vec_call_\kind
	push	%rbx
	mov	%rdx, %rbx
	mov	%rdi, %rax
	\each	load_\kind
.if \masks
	each_mask load_mask
.endif
	call	*%rax
	\each	store_\kind
.if \masks
	each_mask store_mask
.endif
	\clean
	pop	%rbx
	ret
	.size	vec_call_\kind, . - vec_call_\kind
function vec_clobber_\kind
	.cfi_startproc
	\each	clobber_\kind
.if \masks
	each_mask clobber_mask
.endif
	ret
	.cfi_endproc
	.size	vec_clobber_\kind, . - vec_clobber_\kind
.endm

	versions sse, each16, 0
	versions avx, each16, 0, vzeroupper
	versions avx512, each32, 1, vzeroupper

	.section .note.GNU-stack, "", @progbits
