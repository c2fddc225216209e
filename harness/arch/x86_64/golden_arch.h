/* SPDX-License-Identifier: MIT */
#ifndef TRAMPLAB_GOLDEN_ARCH_H
#define TRAMPLAB_GOLDEN_ARCH_H

#include <stdlib.h>
#include <string.h>
#include <tramp.h>

/* libgcc's, behind __builtin_cpu_supports(); the numbers are its ABI. */
extern struct {
	unsigned int vendor, type, subtype, features;
} __cpu_model __attribute__((visibility("hidden")));
#define CPU_AVX		(1U << 9)
#define CPU_AVX512	(1U << 15 | 1U << 21)

/* The form of a class that differs by processor, as golden code names it; "" for the rest. */
static inline const char *golden_form(enum tramp_class class)
{
	if (class != TRAMP_CLASS_VEC)
		return "";
	if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw"))
		return "avx512";
	return __builtin_cpu_supports("avx") ? "avx" : "sse";
}

/*
 * Code of another processor can be generated here, though not run: have the port
 * believe that @form is this one's.  False: it does not.
 */
static inline bool golden_pretend(enum tramp_class class, const char *form)
{
	static unsigned int features;

	features = features ? features : __cpu_model.features;
	if (!strcmp(form, "sse"))
		__cpu_model.features = features & ~(CPU_AVX | CPU_AVX512);
	else if (!strcmp(form, "avx"))
		__cpu_model.features = (features | CPU_AVX) & ~CPU_AVX512;
	else if (!strcmp(form, "avx512"))
		__cpu_model.features = features | CPU_AVX | CPU_AVX512;
	return !strcmp(form, golden_form(class));
}

#endif
