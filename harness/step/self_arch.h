/* SPDX-License-Identifier: MIT */
/* How a thread stops before each of its instructions: all ports stand here. */
#ifndef TRAMPLAB_SELF_ARCH_H
#define TRAMPLAB_SELF_ARCH_H

#if defined(__x86_64__)

#define TRAP_FLAG	0x100UL

static unsigned long self_return_address(const ucontext_t *uc)
{
	return *(const unsigned long *)uc->uc_mcontext.gregs[REG_RSP];
}

static unsigned long self_caller_sp(unsigned long entry_sp)
{
	return entry_sp + 8;
}

static void self_arrived(const ucontext_t *uc)
{
	(void)uc;
}

static int self_next(ucontext_t *uc)
{
	uc->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
	return 0;
}

static void self_free(ucontext_t *uc)
{
	uc->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}

/* The red zone is the compiler's. */
static int self_start(unsigned long func)
{
	(void)func;
	__asm__ volatile ("sub $128, %%rsp; pushfq; orq %0, (%%rsp); popfq; add $128, %%rsp"
			  : : "i" (TRAP_FLAG) : "memory", "cc");
	return 0;
}

static void self_end(void)
{
	__asm__ volatile ("sub $128, %%rsp; pushfq; andq %0, (%%rsp); popfq; add $128, %%rsp"
			  : : "i" (~TRAP_FLAG) : "memory", "cc");
}

#elif defined(__aarch64__)

#define BRK	0xd4200000U

/* The breakpoint, and what it stands in place of; 0: none. */
static unsigned long self_at;
static uint32_t self_insn;

static unsigned long self_return_address(const ucontext_t *uc)
{
	return uc->uc_mcontext.regs[30];
}

static unsigned long self_caller_sp(unsigned long entry_sp)
{
	return entry_sp;
}

static int self_plant(unsigned long addr)
{
	const uint32_t brk = BRK;

	memcpy(&self_insn, (void *)addr, sizeof(self_insn));
	self_at = addr;
	return tramp_text_write(addr, &brk, sizeof(brk));
}

static void self_end(void)
{
	if (self_at)
		tramp_text_write(self_at, &self_insn, sizeof(self_insn));
	self_at = 0;
}

static void self_arrived(const ucontext_t *uc)
{
	(void)uc;
	self_end();
}

static void self_free(ucontext_t *uc)
{
	(void)uc;
}

static int self_start(unsigned long func)
{
	return self_plant(func);
}

/* A signed field of @bits at @low, in instructions. */
static long self_offset(uint32_t insn, unsigned int low, unsigned int bits)
{
	return (int64_t)((uint64_t)insn << (64 - low - bits)) >> (64 - bits) << 2;
}

/* Arm ARM, C1.2.4: by pairs, the odd one is the opposite; 14 and 15 always hold. */
static bool self_condition(unsigned int cond, unsigned long pstate)
{
	bool n = pstate >> 31 & 1, z = pstate >> 30 & 1, c = pstate >> 29 & 1, v = pstate >> 28 & 1;
	const bool holds[] = { z, c, n, v, c && !z, n == v, n == v && !z, true };

	return holds[cond >> 1] != (cond & 1 && cond != 15);
}

/*
 * From an exclusive load on to behind its store: a stop between them would clear
 * the monitor, for ever.
 */
static unsigned long self_behind_exclusive(unsigned long pc)
{
	const uint32_t *insn = (const uint32_t *)pc;

	for (unsigned int i = 1; i < 8; i++)
		if ((insn[i] & 0x3fe00000) == 0x08000000)
			return pc + 4 * (i + 1);
	return pc + 4;
}

/* Arm ARM, C4.1.65: branches, exception generating and system instructions. */
static unsigned long self_next_pc(const mcontext_t *m, uint32_t insn)
{
	unsigned int rn = insn >> 5 & 31, rt = insn & 31, bit = (insn >> 31) << 5 | (insn >> 19 & 31);
	unsigned long value = rt < 31 ? m->regs[rt] : 0, pc = m->pc;
	bool flip = insn >> 24 & 1;

	if ((insn & 0x7c000000) == 0x14000000)				/* b, bl */
		return pc + self_offset(insn, 0, 26);
	if ((insn & 0xfe000000) == 0xd6000000)				/* br, blr, ret, signed or not */
		return m->regs[rn < 31 ? rn : 30] & 0xffffffffffff;
	if ((insn & 0xff000010) == 0x54000000)				/* b.cond */
		return pc + (self_condition(insn & 15, m->pstate) ? self_offset(insn, 5, 19) : 4);
	if ((insn & 0x7e000000) == 0x34000000)				/* cbz, cbnz */
		return pc + (!(insn >> 31 ? value : (uint32_t)value) != flip ? self_offset(insn, 5, 19) : 4);
	if ((insn & 0x7e000000) == 0x36000000)				/* tbz, tbnz */
		return pc + ((value >> bit & 1) == flip ? self_offset(insn, 5, 14) : 4);
	if ((insn & 0x3fe00000) == 0x08400000)				/* ldxr, ldaxr, and pairs */
		return self_behind_exclusive(pc);
	return pc + 4;
}

static int self_next(ucontext_t *uc)
{
	const mcontext_t *m = &uc->uc_mcontext;
	uint32_t insn;

	memcpy(&insn, (void *)m->pc, sizeof(insn));
	return self_plant(self_next_pc(m, insn));
}

#else
#error "stepping without a tracer: this port's way is missing"
#endif
#endif
