/* SPDX-License-Identifier: MIT */
/* AArch64: encodings that several files of the port use (Arm ARM, C6.2). */
#ifndef TRAMPLAB_A64_H
#define TRAMPLAB_A64_H

#include <stdbool.h>
#include <stdint.h>

#define A64_SIZE	4U		/* of every instruction */
#define A64_NOP		0xd503201fU
#define A64_UDF		0U		/* traps: between code and what lies behind it */
#define A64_BTI_C	0xd503245fU
#define A64_MOV_X9_X30	0xaa1e03e9U
#define A64_BL		0x94000000U	/* imm26 */
#define A64_LDR_LITERAL	0x58000000U	/* Xt: imm19, Rt */
#define A64_BLR		0xd63f0000U	/* Rn */
#define A64_BR		0xd61f0000U

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

#endif
