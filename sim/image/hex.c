/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The decoder of hexadecimal text. */
#include "sim/image/hex.h"

#include <stdlib.h>
#include <string.h>

static int digit_of(char c)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	const char *digit = c ? strchr(digits, c) : NULL;

	return digit ? (int)((digit - digits) & 0xf) : -1;
}

bool rsb_hex_decode(const char *text, uint8_t **bytes, size_t *size, struct rsb_error *error)
{
	size_t room = strlen(text) / 2;
	const char *at = text + strspn(text, " \t\r\n");

	*bytes = NULL;
	*size = 0;
	if (!*at)
		return true;
	*bytes = malloc(room ? room : 1);
	if (!*bytes)
		return rsb_error_set(error, "out of memory");
	while (*at) {
		int high = digit_of(at[0]), low = high < 0 ? -1 : digit_of(at[1]);

		if (low < 0) {
			free(*bytes);
			*bytes = NULL;
			return rsb_error_set(error,
					     "expected pairs of hexadecimal digits, found \"%.2s\" "
					     "at character %zu",
					     at, (size_t)(at - text) + 1);
		}
		(*bytes)[(*size)++] = (uint8_t)(high << 4 | low);
		at += 2;
		at += strspn(at, " \t\r\n");
	}
	return true;
}
