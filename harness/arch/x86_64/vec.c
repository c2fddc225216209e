/* SPDX-License-Identifier: MIT */
/* Which vector registers there are; vec_asm.S has a version for each kind. */
#include "shim.h"

struct kind { unsigned long width, bytes; void (*call)(const void *, const void *, void *); void (*clobber)(void); };

#define KIND(name) \
	void vec_call_##name(const void *func, const void *in, void *out); \
	void vec_clobber_##name(void);
KIND(sse)
KIND(avx)
KIND(avx512)

static const struct kind *kind(void)
{
	static const struct kind kinds[] = {
		{ 16, 16 * 16, vec_call_sse, vec_clobber_sse },
		{ 32, 16 * 32, vec_call_avx, vec_clobber_avx },
		{ 64, VEC_BYTES, vec_call_avx512, vec_clobber_avx512 },
	};

	if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw"))
		return &kinds[2];
	return &kinds[!!__builtin_cpu_supports("avx")];
}

unsigned long vec_width(void)
{
	return kind()->width;
}

unsigned long vec_bytes(void)
{
	return kind()->bytes;
}

void vec_call(const void *func, const void *in, void *out)
{
	kind()->call(func, in, out);
}

void vec_clobber(void)
{
	kind()->clobber();
}
