/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text for a terminal: its width, and lines broken between words. */
#include "sim/report/wrap.h"

#include "traces/util/clean.h"

#include <stdbool.h>
#include <string.h>

static size_t count_columns(const char *text, size_t size)
{
	size_t width = 0;

	for (size_t i = 0; i < size; i++)
		width += ((unsigned char)text[i] & 0xc0) != 0x80;
	return width;
}

size_t rsb_wrap_width(const char *text)
{
	return count_columns(text, strlen(text));
}

static void write_word(FILE *out, const char *word, size_t size)
{
	size_t length;

	for (size_t i = 0; i < size; i += length ? length : 1) {
		length = rsb_clean_character(word + i);
		if (length)
			fwrite(word + i, 1, length, out);
		else
			fputc('?', out);
	}
}

/* The longest beginning of a word that ends in a slash and fits; 0: none does. */
static size_t find_part(const char *word, size_t size, size_t columns)
{
	size_t part = 0;

	for (size_t i = 0; i < size && count_columns(word, i + 1) <= columns; i++)
		if (word[i] == '/')
			part = i + 1;
	return part;
}

/*
 * Writes a word that is longer than a line, a path, in parts, from column at on. Returns where that
 * ends.
 */
static size_t write_long(FILE *out, const char *word, size_t size, size_t at, size_t indent,
			 size_t columns)
{
	while (at + count_columns(word, size) > columns) {
		size_t part = find_part(word, size, at < columns ? columns - at : 0);

		if (!part && at <= indent)
			break;
		write_word(out, word, part);
		fprintf(out, "\n%*s", (int)indent, "");
		at = indent;
		word += part;
		size -= part;
	}
	write_word(out, word, size);
	return at + count_columns(word, size);
}

/* Writes from column at on, without the newline at the end. */
static size_t write_words(FILE *out, const char *text, size_t at, size_t indent, size_t columns)
{
	bool first = true;

	for (;;) {
		size_t size, width;

		text += strspn(text, " ");
		size = strcspn(text, " ");
		if (!size)
			break;
		width = count_columns(text, size);
		if (!first && at + 1 + width > columns) {
			fprintf(out, "\n%*s", (int)indent, "");
			at = indent;
		} else if (!first) {
			fputc(' ', out);
			at++;
		}
		at = write_long(out, text, size, at, indent, columns);
		text += size;
		first = false;
	}
	return at;
}

void rsb_wrap_write(FILE *out, const char *text, size_t at, size_t indent, size_t columns)
{
	write_words(out, text, at, indent, columns);
	fputc('\n', out);
}

void rsb_wrap_named(FILE *out, const char *name, const char *text, size_t columns)
{
	size_t at = write_words(out, name, 0, 2, columns);

	if (*text)
		fputs(": ", out);
	rsb_wrap_write(out, text, at + 2, 2, columns);
}
