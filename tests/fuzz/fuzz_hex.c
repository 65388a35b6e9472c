/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes hexadecimal text. */
#include "sim/image/hex.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct rsb_error error;
	uint8_t *bytes;
	size_t count;

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	if (rsb_hex_decode(text, &bytes, &count, &error))
		free(bytes);
	free(text);
	return 0;
}
