/* SPDX-License-Identifier: MIT */
/* Raw code for strategies that are wrong on purpose. */
#ifndef TRAMPLAB_BROKEN_ARCH_H
#define TRAMPLAB_BROKEN_ARCH_H

#include "harness/broken/broken.h"

/* CODE(name, "..."): instructions, to be copied by PUT(code, name). */
#define CODE(name, text)						\
	extern const uint8_t name[] __attribute__((visibility("hidden"))); \
	extern const uint8_t name##_end[] __attribute__((visibility("hidden"))); \
	__asm__ (".pushsection .rodata\n" #name ": " text "\n" #name "_end: .popsection")
#define PUT(code, name) tramp_code_put(code, name, name##_end - name)

/*
 * Spoils a register before the compact frame saves it, so that the function gets
 * the spoilt value; other classes are right.
 */
#define EMIT_SPOILING(name)						\
static void emit(struct tramp_code *code, struct ftrace_ops *ops, enum tramp_class class) \
{									\
	if (class == TRAMP_CLASS_ARGS)					\
		PUT(code, name);					\
	emit_right(code, ops, class);					\
	if (class == TRAMP_CLASS_ARGS)					\
		code->entry = code->pc;					\
}

#endif
