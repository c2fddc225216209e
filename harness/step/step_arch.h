/* SPDX-License-Identifier: MIT */
/* What single-stepping has to know of the machine: very little, so all ports stand here. */
#ifndef TRAMPLAB_STEP_ARCH_H
#define TRAMPLAB_STEP_ARCH_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/types.h>

#if defined(__x86_64__)

#include <sys/user.h>

#define step_regs	user_regs_struct
#define step_regs_pc(r)	((r)->rip)
#define step_regs_sp(r)	((r)->rsp)

/* A call has pushed the return address when the function is entered. */
#define step_caller_sp(entry_sp)	((entry_sp) + 8)

static inline unsigned long step_return_address(pid_t pid, const struct step_regs *r)
{
	return ptrace(PTRACE_PEEKDATA, pid, (void *)r->rsp, NULL);
}

/* What one ops alone may cost in class args, in instructions over untraced: two more than dyn_tramp's. */
#define STEP_ONE_OPS	30

/* As many bytes as may belong to it and are there to be read. */
static inline unsigned long step_insn_size(const void *pc)
{
	unsigned long left = -(unsigned long)pc & 4095;

	return left && left < 15 ? left : 15;
}

#define STEP_CS_ARCH	CS_ARCH_X86
#define STEP_CS_MODE	CS_MODE_64
#define STEP_CS_SYNTAX(cs) cs_option(cs, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT)

/* call rel32, jmp rel32 */
static inline bool step_branch_target(const uint8_t *bytes, unsigned long pc, unsigned long *target)
{
	int32_t rel;

	if (bytes[0] != 0xe8 && bytes[0] != 0xe9)
		return false;
	memcpy(&rel, bytes + 1, sizeof(rel));
	*target = pc + 5 + rel;
	return true;
}

#elif defined(__aarch64__)

#include <asm/ptrace.h>

#define step_regs	user_pt_regs
#define step_regs_pc(r)	((r)->pc)
#define step_regs_sp(r)	((r)->sp)
#define step_caller_sp(entry_sp)	(entry_sp)
/* The arm64 kernel's. */
#define STEP_ONE_OPS	40

static inline unsigned long step_return_address(pid_t pid, const struct step_regs *r)
{
	(void)pid;
	return r->regs[30];
}

static inline unsigned long step_insn_size(const void *pc)
{
	(void)pc;
	return 4;
}

#define STEP_CS_ARCH	CS_ARCH_ARM64
#define STEP_CS_MODE	CS_MODE_LITTLE_ENDIAN
#define STEP_CS_SYNTAX(cs) ((void)(cs))

/* b, bl */
static inline bool step_branch_target(const uint8_t *bytes, unsigned long pc, unsigned long *target)
{
	uint32_t insn;

	memcpy(&insn, bytes, sizeof(insn));
	if ((insn & 0x7c000000) != 0x14000000)
		return false;
	*target = pc + ((int64_t)((uint64_t)insn << 38) >> 36);
	return true;
}

#else
#error "single-stepping: this port's registers are missing"
#endif
#endif
