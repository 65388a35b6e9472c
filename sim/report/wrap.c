/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text for a terminal: its width, and lines broken between words. */
#include "sim/report/wrap.h"

#include "traces/util/clean.h"

#include <stdbool.h>
#include <string.h>

size_t rsb_wrap_columns(const char *text, size_t size)
{
	size_t width = 0;

	for (size_t i = 0; i < size; i++)
		width += ((unsigned char)text[i] & 0xc0) != 0x80;
	return width;
}

size_t rsb_wrap_width(const char *text)
{
	return rsb_wrap_columns(text, strlen(text));
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

/* The longest beginning of a word that ends in one of these marks and fits; 0: none does. */
static size_t find_mark(const char *word, size_t size, size_t columns, const char *marks)
{
	size_t part = 0;

	for (size_t i = 0; i < size && rsb_wrap_columns(word, i + 1) <= columns; i++)
		if (strchr(marks, word[i]))
			part = i + 1;
	return part;
}

/* Where a word, a path or a symbol, is broken best. */
static size_t find_part(const char *word, size_t size, size_t columns)
{
	size_t part = find_mark(word, size, columns, "/");

	/* The offset behind a symbol stays whole. */
	if (!part)
		part = find_mark(word, size, columns + 1, "+");
	if (part && word[part - 1] == '+' && --part)
		return part;
	return part ? part : find_mark(word, size, columns, "_-.:,");
}

/* As many characters as fit, and one at least. */
static size_t find_characters(const char *word, size_t size, size_t columns)
{
	size_t part = 0;

	do {
		part++;
	} while (part < size && (rsb_wrap_columns(word, part + 1) <= columns ||
				 ((unsigned char)word[part] & 0xc0) == 0x80));
	return part;
}

size_t rsb_wrap_take(const char *text, size_t columns)
{
	size_t size = 0, next = strspn(text, " "), part;

	next += strcspn(text + next, " ");
	/* One word more, with the spaces before it, as long as that fits. */
	while (next > size && rsb_wrap_columns(text, next) <= columns) {
		size = next;
		next += strspn(text + next, " ");
		next += strcspn(text + next, " ");
	}
	if (size || !*text)
		return size;
	part = find_part(text, next, columns);
	return part ? part : find_characters(text, next, columns);
}

/*
 * Writes a word that is longer than a line in parts, from column at on. Returns where that
 * ends.
 */
static size_t write_long(FILE *out, const char *word, size_t size, size_t at, size_t indent,
			 size_t columns)
{
	while (at + rsb_wrap_columns(word, size) > columns) {
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
	return at + rsb_wrap_columns(word, size);
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
		width = rsb_wrap_columns(text, size);
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
