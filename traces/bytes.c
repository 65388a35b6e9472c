/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The numbers of trace files. */
#include "traces/bytes.h"

#include <stdlib.h>
#include <string.h>

#define NUMBER_MAX 10 /* bytes of a number of 64 bits */

void rsb_bytes_clear(struct rsb_bytes *to)
{
	free(to->bytes);
	*to = (struct rsb_bytes){ .bytes = NULL };
}

static bool grow(struct rsb_bytes *to, size_t size)
{
	size_t room = 2 * (to->size + size);
	uint8_t *more;

	if (to->failed)
		return false;
	if (to->size + size <= to->room)
		return true;
	more = realloc(to->bytes, room);
	if (!more) {
		to->failed = true;
		return false;
	}
	to->bytes = more;
	to->room = room;
	return true;
}

void rsb_put(struct rsb_bytes *to, const void *bytes, size_t size)
{
	if (!size || !grow(to, size))
		return;
	memcpy(to->bytes + to->size, bytes, size);
	to->size += size;
}

void rsb_put_byte(struct rsb_bytes *to, uint8_t value)
{
	if (grow(to, 1))
		to->bytes[to->size++] = value;
}

void rsb_put_u32(struct rsb_bytes *to, uint32_t value)
{
	for (int shift = 0; shift < 32; shift += 8)
		rsb_put_byte(to, (uint8_t)(value >> shift));
}

void rsb_put_u64(struct rsb_bytes *to, uint64_t value)
{
	rsb_put_u32(to, (uint32_t)value);
	rsb_put_u32(to, (uint32_t)(value >> 32));
}

void rsb_put_text(struct rsb_bytes *to, const char *text)
{
	rsb_put(to, text, strlen(text) + 1);
}

void rsb_put_number(struct rsb_bytes *to, uint64_t value)
{
	if (!grow(to, NUMBER_MAX))
		return;
	while (value >= 0x80) {
		to->bytes[to->size++] = (uint8_t)(value | 0x80);
		value >>= 7;
	}
	to->bytes[to->size++] = (uint8_t)value;
}

uint8_t rsb_take_byte(struct rsb_unread *from)
{
	if (from->at < from->end)
		return *from->at++;
	from->bad = true;
	return 0;
}

uint64_t rsb_take_number(struct rsb_unread *from)
{
	uint64_t value = 0;
	uint8_t byte;

	for (int shift = 0; shift < 64; shift += 7) {
		byte = rsb_take_byte(from);
		value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80)) {
			/* Of the tenth byte one bit is left. */
			from->bad |= shift == 63 && byte > 1;
			return from->bad ? 0 : value;
		}
	}
	from->bad = true;
	return 0;
}

const char *rsb_take_text(struct rsb_unread *from)
{
	const char *text = (const char *)from->at;
	const uint8_t *end = NULL;

	if (from->at < from->end)
		end = memchr(from->at, '\0', (size_t)(from->end - from->at));
	if (!end) {
		from->bad = true;
		return "";
	}
	from->at = end + 1;
	return text;
}

uint32_t rsb_get_u32(const uint8_t *at)
{
	return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

uint64_t rsb_get_u64(const uint8_t *at)
{
	return rsb_get_u32(at) | (uint64_t)rsb_get_u32(at + 4) << 32;
}
