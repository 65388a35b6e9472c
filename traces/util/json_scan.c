/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The grammar of JSON, one function a rule; depth is bounded, so recursion is too. */
#include "traces/util/json_scan.h"

#include "traces/util/clean.h"

#include <string.h>

#define DIGITS_MAX 63 /* cJSON 1.7.15, parse_number(): number_c_string[64] */

struct scan {
	const char *at, *end; /* *end is NUL, so that *at can always be read */
	const char *line_start;
	unsigned line;
	unsigned depth;
	size_t values;
	size_t wanted;        /* the number of a value ... */
	unsigned wanted_line; /* ... and its line, once it is met */
	const char *expected; /* at the fault */
};

static bool scan_value(struct scan *scan, unsigned line);

static bool fail(struct scan *scan, const char *expected)
{
	scan->expected = expected;
	return false;
}

static void skip_space(struct scan *scan)
{
	for (;; scan->at++) {
		if (*scan->at == '\n') {
			scan->line++;
			scan->line_start = scan->at + 1;
		} else if (*scan->at != ' ' && *scan->at != '\t' && *scan->at != '\r') {
			return;
		}
	}
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The value of four hex digits, or -1. */
static int read_hex4(const char *at)
{
	int value = 0, i;

	for (i = 0; i < 4; i++) {
		if (is_digit(at[i]))
			value = value * 16 + at[i] - '0';
		else if ((at[i] | 0x20) >= 'a' && (at[i] | 0x20) <= 'f')
			value = value * 16 + (at[i] | 0x20) - 'a' + 10;
		else
			return -1;
	}
	return value;
}

/* After "\u". A half of a surrogate pair must stand before its other half. */
static bool scan_unicode(struct scan *scan)
{
	int code = read_hex4(scan->at), low;

	if (code < 0)
		return fail(scan, "four hex digits after \\u");
	if (code == 0)
		return fail(scan, "a character other than U+0000");
	if (code >= 0xd800 && code <= 0xdfff) {
		low = strncmp(scan->at + 4, "\\u", 2) == 0 ? read_hex4(scan->at + 6) : -1;
		if (code >= 0xdc00 || low < 0xdc00 || low > 0xdfff)
			return fail(scan, "both halves of a surrogate pair");
		scan->at += 6;
	}
	scan->at += 4;
	return true;
}

static bool scan_string(struct scan *scan)
{
	scan->at++;
	while (*scan->at != '"') {
		if ((unsigned char)*scan->at < 0x20)
			return fail(scan, "'\"' at the end of the text");
		if ((unsigned char)*scan->at >= 0x80) {
			size_t size = rsb_clean_character(scan->at);

			if (!size)
				return fail(scan, "a character that can be shown, in UTF-8");
			scan->at += size;
			continue;
		}
		if (*scan->at++ != '\\')
			continue;
		if (*scan->at == 'u') {
			scan->at++;
			if (!scan_unicode(scan))
				return false;
		} else if (*scan->at && strchr("\"\\/bfnrt", *scan->at)) {
			scan->at++;
		} else {
			return fail(scan, "one of \" \\ / b f n r t u after a backslash");
		}
	}
	scan->at++;
	return true;
}

static bool scan_digits(struct scan *scan)
{
	if (!is_digit(*scan->at))
		return fail(scan, "a digit");
	while (is_digit(*scan->at))
		scan->at++;
	return true;
}

static bool scan_number(struct scan *scan)
{
	const char *start = scan->at;

	if (*scan->at == '-')
		scan->at++;
	if (*scan->at == '0')
		scan->at++;
	else if (!scan_digits(scan))
		return false;
	if (*scan->at == '.') {
		scan->at++;
		if (!scan_digits(scan))
			return false;
	}
	if (*scan->at == 'e' || *scan->at == 'E') {
		scan->at++;
		if (*scan->at == '+' || *scan->at == '-')
			scan->at++;
		if (!scan_digits(scan))
			return false;
	}
	if (scan->at - start > DIGITS_MAX) {
		scan->at = start;
		return fail(scan, "a number of at most 63 characters");
	}
	return true;
}

static bool scan_word(struct scan *scan, const char *word)
{
	if (strncmp(scan->at, word, strlen(word)) != 0)
		return false;
	scan->at += strlen(word);
	return true;
}

static bool scan_member(struct scan *scan)
{
	unsigned line;

	skip_space(scan);
	line = scan->line;
	if (*scan->at != '"')
		return fail(scan, "a key in double quotes");
	if (!scan_string(scan))
		return false;
	skip_space(scan);
	if (*scan->at != ':')
		return fail(scan, "':' after the key");
	scan->at++;
	skip_space(scan);
	return scan_value(scan, line);
}

static bool scan_element(struct scan *scan)
{
	skip_space(scan);
	return scan_value(scan, scan->line);
}

/* An object or an array: members with commas between them. */
static bool scan_list(struct scan *scan, char close, bool (*member)(struct scan *scan),
		      const char *expected)
{
	if (scan->depth == RSB_JSON_DEPTH_MAX)
		return fail(scan, "no more than 64 objects and arrays in each other");
	scan->depth++;
	scan->at++;
	skip_space(scan);
	if (*scan->at != close) {
		if (!member(scan))
			return false;
		for (skip_space(scan); *scan->at == ','; skip_space(scan)) {
			scan->at++;
			if (!member(scan))
				return false;
		}
		if (*scan->at != close)
			return fail(scan, expected);
	}
	scan->depth--;
	scan->at++;
	return true;
}

/* line is where the value's key stands, or the value itself. */
static bool scan_value(struct scan *scan, unsigned line)
{
	if (scan->values == RSB_JSON_VALUES_MAX)
		return fail(scan, "no more than 1048576 values");
	if (scan->values++ == scan->wanted)
		scan->wanted_line = line;
	if (*scan->at == '{')
		return scan_list(scan, '}', scan_member, "',' or '}' after the value");
	if (*scan->at == '[')
		return scan_list(scan, ']', scan_element, "',' or ']' after the value");
	if (*scan->at == '"')
		return scan_string(scan);
	if (*scan->at == '-' || is_digit(*scan->at))
		return scan_number(scan);
	if (scan_word(scan, "true") || scan_word(scan, "false") || scan_word(scan, "null"))
		return true;
	return fail(scan, "a value");
}

static bool scan_text(struct scan *scan)
{
	skip_space(scan);
	if (*scan->at != '{')
		return fail(scan, "'{' at the start");
	if (!scan_value(scan, scan->line))
		return false;
	skip_space(scan);
	if (scan->at != scan->end)
		return fail(scan, "nothing more after the '}' of the first '{'");
	return true;
}

bool rsb_json_scan(const char *text, size_t size, struct rsb_json_fault *fault)
{
	struct scan scan = {
		.at = text,
		.end = text + size,
		.line_start = text,
		.line = 1,
		.wanted = RSB_JSON_VALUES_MAX,
	};

	if (scan_text(&scan))
		return true;
	fault->offset = (size_t)(scan.at - text);
	fault->line = scan.line;
	fault->column = (unsigned)(scan.at - scan.line_start) + 1;
	fault->expected = scan.expected;
	return false;
}

unsigned rsb_json_scan_line(const char *text, size_t size, size_t number)
{
	struct scan scan = {
		.at = text,
		.end = text + size,
		.line_start = text,
		.line = 1,
		.wanted = number,
	};

	scan_text(&scan);
	return scan.wanted_line;
}
