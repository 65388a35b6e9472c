/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cleans text to the characters of XML 1.0 (https://www.w3.org/TR/xml/#charsets), without those that
 * end a line or change the order in which what is around them is shown, UAX #9: the rest of a line
 * would seem to be another one.
 */
#include "traces/util/clean.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of a sequence that begins like this, and the bits of the first that count. */
static size_t measure(uint8_t first, uint32_t *value)
{
	static const struct {
		uint8_t mask, lead;
	} rows[] = { { 0x80, 0x00 }, { 0xe0, 0xc0 }, { 0xf0, 0xe0 }, { 0xf8, 0xf0 } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if ((first & rows[i].mask) != rows[i].lead)
			continue;
		*value = first & (uint8_t)~rows[i].mask;
		return i + 1;
	}
	return 0;
}

/* Line and paragraph separators, embeddings, overrides and isolates. */
static bool is_layout(uint32_t value)
{
	return (value >= 0x2028 && value <= 0x202e) || (value >= 0x2066 && value <= 0x2069);
}

static bool is_character(uint32_t value, size_t size)
{
	static const uint32_t least[] = { 0x20, 0xa0, 0x800, 0x10000 };

	if (value < least[size - 1] || value > 0x10ffff || value == 0x7f || is_layout(value))
		return false;
	return (value < 0xd800 || value > 0xdfff) && value != 0xfffe && value != 0xffff;
}

size_t rsb_clean_character(const char *text)
{
	uint32_t value = 0;
	size_t size = measure((uint8_t)*text, &value);

	for (size_t i = 1; i < size; i++) {
		if (((uint8_t)text[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | ((uint8_t)text[i] & 0x3f);
	}
	return size && is_character(value, size) ? size : 0;
}

char *rsb_clean(char *text)
{
	for (char *at = text; at && *at;) {
		size_t size = rsb_clean_character(at);

		if (!size)
			*at = '?';
		at += size ? size : 1;
	}
	return text;
}
