/* SPDX-License-Identifier: MIT */
/* A call as four bytes, as a line of text, and at random. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model.h"

/* How often, of 256; what is left is REGISTER. */
static const struct { uint8_t often; const char *name; } kinds[CALL_KINDS] = {
	[REST]		= { 1,	"rest" },
	[REGISTER]	= { 0,	"register" },
	[UNREGISTER]	= { 48,	"unregister" },
	[FLAGS]		= { 18,	"flags" },
	[RENEW]		= { 6,	"renew" },
	[FILTER_IP]	= { 44,	"filter_ip" },
	[FILTER_IPS]	= { 14,	"filter_ips" },
	[FILTER]	= { 24,	"filter" },
	[NOTRACE]	= { 16,	"notrace" },
	[FREE_FILTER]	= { 6,	"free_filter" },
	[ENABLED]	= { 6,	"enabled" },
	[WATCHING]	= { 4,	"watching" },
	[STRICT]	= { 3,	"strict" },
	[STOP]		= { 2,	"stop" },
	[FRAME]		= { 3,	"frame" },
	[USE]		= { 2,	"use" },
	[LIBRARY]	= { 2,	"library" },
};

static const char *const flag_names[MODEL_FLAGS] = {
	"SAVE_REGS", "SAVE_VEC", "IF_SUPPORTED", "RECURSION", "RCU", "IPMODIFY", "STUB", "PERMANENT",
	"DELETED", "NO_FUNC", "NEEDS_ARG", "NEEDS_KEPT",
};
static const char *const address_names[MODEL_ADDRESSES] = {
	"tracee_a", "tracee_b", "tracee_c", "tracee_d", "globby_aa", "globby_ab", "globby_ba", "globby_ba_ab",
	"elsewhere", "solib_a", "solib_b", "solib_elsewhere", "null", "stack", "untraced", "behind",
};
static const char *const by_names[] = { "func", "site", "second_byte", "last_byte" };
static const char *const how_names[] = { "remove", "reset", "bad", "twice" };
static const char *const class_names[MODEL_CLASSES] = { "noregs", "args", "args-reserved", "regs", "vec" };

static enum call_kind kind_of(uint8_t byte)
{
	unsigned int below = 0;

	for (int k = 0; k < CALL_KINDS; k++) {
		below += kinds[k].often;
		if (byte < below)
			return k;
	}
	return REGISTER;
}

/* What of .a and .b means something. */
static struct call fitted(struct call c)
{
	switch ((enum call_kind)c.kind) {
	case FLAGS:		c.b %= 1 << (MODEL_FLAGS - 8); break;
	case FILTER_IP:		c.a %= 64; c.b &= REMOVE | RESET; break;
	case FILTER_IPS:	c.b &= REMOVE | RESET | BAD | TWICE; break;
	case FILTER:
	case NOTRACE:		c.a %= MODEL_PATTERNS; c.b &= RESET; break;
	case ENABLED: case WATCHING: case STRICT: case STOP: case USE: case LIBRARY:
				c.a %= 2; c.b = 0; break;
	case FRAME:		c.a %= MODEL_CLASSES; c.b = 0; break;
	default:		c.a = c.b = 0;
	}
	if (c.kind == REST || c.kind >= ENABLED)
		c.who = 0;
	c.inside = c.kind != REST && c.inside;
	return c;
}

/* One of eight comes from a callback. */
#define INSIDE	7

struct call call_of(const uint8_t bytes[CALL_BYTES])
{
	return fitted((struct call){
		.kind = kind_of(bytes[0]), .who = bytes[1] % MODEL_OPS, .a = bytes[2], .b = bytes[3],
		.inside = bytes[4] % 8 == INSIDE,
	});
}

void call_bytes(const struct call *c, uint8_t bytes[CALL_BYTES])
{
	unsigned int byte = 0;

	while (kind_of(byte) != c->kind)
		byte++;
	bytes[0] = byte;
	bytes[1] = c->who;
	bytes[2] = c->a;
	bytes[3] = c->b;
	bytes[4] = c->inside ? INSIDE : 0;
}

/* --- at random --- */

/* xorshift64*, never 0. */
uint64_t model_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dULL >> 16;
}

/* Flags that stand in the way of everything else are rare. */
static void thin_out(struct call *c, uint64_t r, unsigned int base)
{
	const uint8_t rare = MODEL_STUB | MODEL_PERMANENT;

	c->a &= (r & r >> 8) | (uint8_t)~rare;
	c->a &= r >> 16;
	c->b &= r >> 24 & r >> 32;
	if (c->b & (MODEL_DELETED | MODEL_NO_FUNC) >> 8 && r >> 40 & 1)
		c->b = 0;
	if (c->who < 3)
		c->a |= base;
}

struct call call_random(uint64_t *state, unsigned int base)
{
	uint64_t r = model_random(state);
	const uint8_t bytes[CALL_BYTES] = { r, r >> 8, r >> 16, r >> 24, r >> 44 };
	struct call c = call_of(bytes);

	if (c.kind == FLAGS)
		thin_out(&c, model_random(state), base);
	/* One address of four may be none, one of six is the library's. */
	if (c.kind == FILTER_IP && (r >> 32 & 3))
		c.a = (c.a & 48) | ((r >> 34) % 6 ? c.a & 7 : SOLIB_A + (c.a & 1));
	/* BAD and TWICE, and at most three sites, more often than not. */
	if (c.kind == FILTER_IPS && (r >> 32 & 3)) {
		c.a &= r >> 34;
		c.b &= REMOVE | RESET;
	}
	return c;
}

/* --- text --- */

static void add_bits(char *text, unsigned int bits, const char *const *names)
{
	for (unsigned int i = 0; bits >> i; i++)
		if (bits >> i & 1)
			sprintf(text + strlen(text), " %s", names[i]);
}

void call_print(const struct call *c, char text[CALL_TEXT])
{
	const struct call fit = fitted(*c);
	const char *pattern;

	snprintf(text, CALL_TEXT, "%s%s", fit.inside ? "inside " : "", kinds[fit.kind].name);
	if (fit.kind != REST && fit.kind < ENABLED)
		sprintf(text + strlen(text), " %c", 'A' + fit.who);
	switch ((enum call_kind)fit.kind) {
	case FLAGS:
		add_bits(text, fit.a | fit.b << 8, flag_names);
		break;
	case FILTER_IP:
		sprintf(text + strlen(text), " %s %s", address_names[ADDRESS_OF(fit.a)], by_names[ADDRESS_BY(fit.a)]);
		add_bits(text, fit.b, how_names);
		break;
	case FILTER_IPS:
		add_bits(text, fit.a, address_names);
		add_bits(text, fit.b, how_names);
		break;
	case FILTER:
	case NOTRACE:
		pattern = model_patterns[fit.a].text;
		sprintf(text + strlen(text), pattern ? " \"%s\"" : " -", pattern);
		add_bits(text, fit.b, how_names);
		break;
	case ENABLED: case WATCHING: case STRICT: case STOP: case USE: case LIBRARY:
		sprintf(text + strlen(text), " %d", fit.a);
		break;
	case FRAME:
		sprintf(text + strlen(text), " %s", class_names[fit.a]);
		break;
	default:
		break;
	}
}

static int name_in(const char *word, const char *const *names, int nr)
{
	for (int i = 0; i < nr; i++)
		if (!strcmp(word, names[i]))
			return i;
	return -1;
}

static int pattern_of(const char *word)
{
	size_t len = strlen(word);

	for (int i = 0; i < MODEL_PATTERNS; i++) {
		const char *text = model_patterns[i].text;

		if (text ? len == strlen(text) + 2 && !strncmp(word + 1, text, len - 2) : !strcmp(word, "-"))
			return i;
	}
	return -1;
}

#define NAMES(word, names) name_in(word, names, sizeof(names) / sizeof(*(names)))

/* The @nr-th word behind the kind and the ops. */
static bool parse_word(struct call *c, const char *word, int nr)
{
	int how = NAMES(word, how_names), i = -1;

	switch ((enum call_kind)c->kind) {
	case FLAGS:
		i = NAMES(word, flag_names);
		if (i >= 0 && i < 8)
			c->a |= 1 << i;
		else if (i >= 8)
			c->b |= 1 << (i - 8);
		return i >= 0;
	case FILTER_IP:
		i = nr == 0 ? NAMES(word, address_names) : nr == 1 ? NAMES(word, by_names) : how;
		if (nr < 2)
			c->a |= nr ? i * 16 : i;
		else if (i >= 0)
			c->b |= 1 << i;
		return i >= 0;
	case FILTER_IPS:
		i = how >= 0 ? how : name_in(word, address_names, 8);
		if (how >= 0)
			c->b |= 1 << how;
		else if (i >= 0)
			c->a |= 1 << i;
		return i >= 0;
	case FILTER:
	case NOTRACE:
		i = nr ? how : pattern_of(word);
		if (nr && i >= 0)
			c->b |= 1 << i;
		else if (i >= 0)
			c->a = i;
		return i >= 0;
	case ENABLED: case WATCHING: case STRICT: case STOP: case USE: case LIBRARY:
		c->a = *word == '1';
		return !strcmp(word, "0") || !strcmp(word, "1");
	case FRAME:
		i = NAMES(word, class_names);
		c->a = i;
		return i >= 0;
	default:
		return false;
	}
}

static int words_at_least(enum call_kind kind)
{
	return kind == FILTER_IP ? 2 : kind == FILTER || kind == NOTRACE || kind >= ENABLED;
}

static bool parse_kind(const char *word, struct call *c)
{
	for (int k = 0; word && k < CALL_KINDS; k++) {
		if (!strcmp(word, kinds[k].name)) {
			*c = (struct call){ .kind = k };
			return true;
		}
	}
	return false;
}

bool call_parse(const char *text, struct call *c)
{
	char copy[CALL_TEXT], *word, *rest = NULL;
	bool inside;
	int nr = 0;

	if (strlen(text) >= sizeof(copy))
		return false;
	strcpy(copy, text);
	word = strtok_r(copy, " \t\n", &rest);
	inside = word && !strcmp(word, "inside");
	if (!parse_kind(inside ? strtok_r(NULL, " \t\n", &rest) : word, c))
		return false;
	c->inside = inside;
	if (c->kind != REST && c->kind < ENABLED) {
		word = strtok_r(NULL, " \t\n", &rest);
		if (!word || word[1] || *word < 'A' || *word >= 'A' + MODEL_OPS)
			return false;
		c->who = *word - 'A';
	}
	while ((word = strtok_r(NULL, " \t\n", &rest)))
		if (!parse_word(c, word, nr++))
			return false;
	return nr >= words_at_least(c->kind);
}
