/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The decoder of hexadecimal text. */
#include "sim/image/hex.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS     " \t\r\n"
#define SEPARATORS " \t\r,;\""

/* A text that is being decoded. */
struct decoder {
	const char *text;
	uint8_t *bytes;
	size_t size;
	bool addressed; /* a line with an address was seen, ... */
	uint64_t base;  /* ... and it would be this one's if it were the first */
};

static int digit_of(char c)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	const char *digit = c ? strchr(digits, c) : NULL;

	return digit ? (int)((digit - digits) & 0xf) : -1;
}

static bool refuse(const struct decoder *decoder, const char *at, struct rsb_error *error)
{
	return rsb_error_set(error,
			     "expected pairs of hexadecimal digits, found \"%.2s\" at character "
			     "%zu",
			     at, (size_t)(at - decoder->text) + 1);
}

/* Pairs of digits up to end. */
static bool decode_pairs(struct decoder *decoder, const char *at, const char *end,
			 struct rsb_error *error)
{
	for (at += strspn(at, SEPARATORS); at < end; at += strspn(at, SEPARATORS)) {
		int high, low;

		if (at + 2 < end && (at[0] == '\\' || at[0] == '0') &&
		    (at[1] == 'x' || at[1] == 'X'))
			at += 2;
		high = digit_of(at[0]);
		low = high < 0 || at + 1 >= end ? -1 : digit_of(at[1]);
		if (low < 0)
			return refuse(decoder, at, error);
		decoder->bytes[decoder->size++] = (uint8_t)(high << 4 | low);
		at += 2;
	}
	return true;
}

/*
 * The address that a line begins with, up to a colon: "  401000:" or "0x401000 <stub+4>:". Returns
 * what stands behind it; NULL: there is none.
 */
static const char *take_address(const char *line, const char *end, uint64_t *address)
{
	const char *at = line + strspn(line, " \t");
	size_t digits;

	if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X'))
		at += 2;
	*address = 0;
	for (digits = 0; digits < 16 && digit_of(at[digits]) >= 0; digits++)
		*address = *address << 4 | (uint64_t)digit_of(at[digits]);
	at += digits;
	if (digits && at[0] == ' ' && at[1] == '<') {
		at += strcspn(at, ">\n");
		at += *at == '>';
	}
	return digits && at < end && *at == ':' ? at + 1 : NULL;
}

/* Lines that are not in order would move all that follows. */
static bool check_address(struct decoder *decoder, const char *line, uint64_t address,
			  struct rsb_error *error)
{
	if (!decoder->addressed) {
		decoder->addressed = true;
		decoder->base = address - decoder->size;
	}
	return address == decoder->base + decoder->size ||
	       rsb_error_set(error,
			     "expected a line for address 0x%" PRIx64 " at character %zu, found "
			     "0x%" PRIx64,
			     decoder->base + decoder->size, (size_t)(line - decoder->text) + 1,
			     address);
}

/* What objdump writes around the code: "f.o:     file format elf64-x86-64" and the like. */
static bool is_heading(const char *line, const char *end)
{
	static const char *const headings[] = { "Disassembly of section ", "file format " };
	size_t size = (size_t)(end - line);

	for (size_t i = 0; i < sizeof(headings) / sizeof(*headings); i++) {
		const char *found = strstr(line, headings[i]);

		if (found && found < line + size)
			return true;
	}
	return false;
}

/* The bytes of a line with an address: what follows two blanks or a tab is the instruction. */
static const char *find_end(const char *at, const char *end)
{
	while (at < end && at[0] != '\t' && !(at[0] == ' ' && at[1] == ' '))
		at++;
	return at;
}

static bool decode_line(struct decoder *decoder, const char *line, const char *end,
			struct rsb_error *error)
{
	uint64_t address;
	const char *bytes = take_address(line, end, &address);

	if (!bytes)
		return is_heading(line, end) || decode_pairs(decoder, line, end, error);
	if (bytes + strspn(bytes, BLANKS) >= end && strchr(line, '<') && strchr(line, '<') < end)
		return true; /* the name of a function */
	if (!check_address(decoder, line, address, error))
		return false;
	if (strncmp(bytes + strspn(bytes, " \t"), "0x", 2) == 0)
		return decode_pairs(decoder, bytes, end, error); /* of gdb: a tab before each */
	bytes += strspn(bytes, " \t");
	return decode_pairs(decoder, bytes, find_end(bytes, end), error);
}

/* Of a C array, what is in its braces. */
static const char *find_start(const char *text, const char **end)
{
	const char *open = strchr(text, '{'), *close = open ? strchr(open, '}') : NULL;

	*end = close ? close : text + strlen(text);
	return open ? open + 1 : text;
}

static bool decode(struct decoder *decoder, struct rsb_error *error)
{
	const char *end, *line = find_start(decoder->text, &end);

	while (line < end) {
		const char *next = memchr(line, '\n', (size_t)(end - line));

		if (!next)
			next = end;
		if (!decode_line(decoder, line, next, error))
			return false;
		line = next + (next < end);
	}
	return true;
}

bool rsb_hex_decode(const char *text, uint8_t **bytes, size_t *size, struct rsb_error *error)
{
	struct decoder decoder = { .text = text, .bytes = malloc(strlen(text) / 2 + 1) };

	*bytes = NULL;
	*size = 0;
	if (!decoder.bytes)
		return rsb_error_set(error, "out of memory");
	if (!decode(&decoder, error)) {
		free(decoder.bytes);
		return false;
	}
	if (!decoder.size) {
		free(decoder.bytes);
		decoder.bytes = NULL;
	}
	*bytes = decoder.bytes;
	*size = decoder.size;
	return true;
}
