/* SPDX-License-Identifier: MIT */
/* AArch64: encodings that several files of the port use (Arm ARM, C6.2). */
#ifndef TRAMPLAB_A64_H
#define TRAMPLAB_A64_H

#include <stdbool.h>
#include <stdint.h>

#define A64_SIZE	4U		/* of every instruction */
#define A64_NOP		0xd503201fU
#define A64_UDF		0U		/* traps: between code and what lies behind it */
#define A64_BRK		0xd4200000U	/* imm16; 0: a debugger's */
#define A64_BTI_C	0xd503245fU
#define A64_MOV_X9_X30	0xaa1e03e9U
#define A64_BL		0x94000000U	/* imm26 */
#define A64_LDR_LITERAL	0x58000000U	/* Xt: imm19, Rt */
#define A64_BLR		0xd63f0000U	/* Rn */
#define A64_BR		0xd61f0000U

#define A64_CBNZ	0x35000000U	/* Wt: imm19, Rt */
#define A64_ADD		0x91000000U	/* immediate: imm12, Rn, Rd */
#define A64_LSL_12	0x00400000U	/* of its immediate */
#define A64_STP		0xa9000000U	/* Xt: imm7, Rt2, Rn, Rt */
#define A64_LDP		0xa9400000U
#define A64_LDR		0xf9400000U	/* Xt, unsigned offset: imm12, Rn, Rt */
#define A64_LDRB	0x39400000U	/* the same of a byte */
#define A64_STRB	0x39000000U
#define A64_LDUR_X2_X2	0xf8400042U	/* imm9 */
#define A64_MRS_TPIDR_EL0 0xd53bd040U	/* Rt */
#define A64_AND_X2_X30_ALIGN8 0x927df3c2U	/* and x2, x30, #~7 */
#define A64_FP		29U
#define A64_SP		31U
#define A64_ZR		31U

/* BL: imm26 counts instructions, from its own address. */
#define A64_BL_MAX	((1L << 27) - 4)
#define A64_BL_MIN	(-(1L << 27))

static inline bool a64_bl_reaches(uintptr_t at, uintptr_t target)
{
	intptr_t d = target - at;

	return d >= A64_BL_MIN && d <= A64_BL_MAX && !(d & 3);
}

static inline uint32_t a64_bl(uintptr_t at, uintptr_t target)
{
	return A64_BL | (((target - at) >> 2) & 0x3ffffff);
}

/* imm19 counts instructions, too. */
static inline uint32_t a64_ldr_literal(unsigned int reg, uintptr_t at, uintptr_t word)
{
	return A64_LDR_LITERAL | (((word - at) >> 2) & 0x7ffff) << 5 | reg;
}

static inline uint32_t a64_add(unsigned int to, unsigned int from, unsigned int n)
{
	return A64_ADD | n << 10 | from << 5 | to;
}

static inline uint32_t a64_byte(uint32_t op, unsigned int reg, unsigned int base, unsigned int offset)
{
	return op | offset << 10 | base << 5 | reg;
}

static inline uint32_t a64_pair(uint32_t op, unsigned int a, unsigned int b, unsigned int base,
				unsigned int offset)
{
	return op | (offset / 8) << 15 | b << 10 | base << 5 | a;
}

#endif
