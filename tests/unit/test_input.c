/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compressed input: each form is undone, and what is damaged is read as far as it is whole. */
#include "traces/input.h"

#include "tests/unit/unit.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 300000 /* more than what is read at once */

static struct rsb_error error;

/* Bytes that compress, but not to nothing. */
static char *make_text(void)
{
	char *text = malloc(SIZE);

	srand(3);
	for (size_t i = 0; i < SIZE; i++)
		text[i] = rand() % 40 ? (char)('a' + rand() % 8) : '\n';
	return text;
}

struct packed {
	char bytes[SIZE + 65536];
	size_t size;
};

static void add_member(struct archive *archive, const char *name, const void *bytes, size_t size)
{
	struct archive_entry *entry = archive_entry_new();

	archive_entry_set_pathname(entry, name);
	archive_entry_set_filetype(entry, AE_IFREG);
	archive_entry_set_size(entry, (la_int64_t)size);
	ck_assert_int_eq(archive_write_header(archive, entry), ARCHIVE_OK);
	ck_assert_int_eq(archive_write_data(archive, bytes, size), (la_ssize_t)size);
	archive_entry_free(entry);
}

/* The text under one filter; with two members if it is a zip file. */
static void pack(struct packed *packed, int filter, bool zip, const char *text)
{
	struct archive *archive = archive_write_new();

	ck_assert_int_eq(archive_write_add_filter(archive, filter), ARCHIVE_OK);
	ck_assert_int_eq(zip ? archive_write_set_format_zip(archive)
			     : archive_write_set_format_raw(archive),
			 ARCHIVE_OK);
	archive_write_set_bytes_in_last_block(archive, 1);
	ck_assert_int_eq(archive_write_open_memory(archive, packed->bytes, sizeof(packed->bytes),
						   &packed->size),
			 ARCHIVE_OK);
	if (zip) {
		add_member(archive, "chunk.0000", text, 1000);
		add_member(archive, "chunk.0001", text + 1000, SIZE - 1000);
	} else {
		add_member(archive, "data", text, SIZE);
	}
	ck_assert_int_eq(archive_write_close(archive), ARCHIVE_OK);
	archive_write_free(archive);
}

static const struct {
	const char *name;
	int filter;
	bool zip;
} forms[] = {
	{ "plain", ARCHIVE_FILTER_NONE, false },  { "gzip", ARCHIVE_FILTER_GZIP, false },
	{ "xz", ARCHIVE_FILTER_XZ, false },       { "zstd", ARCHIVE_FILTER_ZSTD, false },
	{ "bzip2", ARCHIVE_FILTER_BZIP2, false }, { "zip", ARCHIVE_FILTER_NONE, true },
};

/* In each form the same bytes come out, by pieces of any size; zip members follow one another. */
START_TEST(undoes_each_form)
{
	char *text = make_text(), *read = malloc(SIZE + 1);
	struct packed *packed = malloc(sizeof(*packed));

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		struct rsb_input *input;
		size_t used = 0, got = 1;

		pack(packed, forms[i].filter, forms[i].zip, text);
		input = rsb_input_memory(forms[i].name, packed->bytes, packed->size, &error);
		for (size_t piece = 1; got; piece = piece * 3 % 100003) {
			if (piece > SIZE + 1 - used)
				piece = SIZE + 1 - used;
			ck_assert_msg(rsb_input_read(input, read + used, piece, &got, &error), "%s",
				      error.text);
			used += got;
		}
		ck_assert_msg(used == SIZE, "%s: %zu", forms[i].name, used);
		ck_assert_msg(!memcmp(read, text, SIZE), "%s", forms[i].name);
		ck_assert_uint_eq(rsb_input_offset(input), SIZE);
		rsb_input_free(input);
	}
	free(packed);
	free(read);
	free(text);
}
END_TEST

/* A file cut short gives what can be uncompressed, then says that it is cut, time after time. */
START_TEST(reads_a_cut_file_as_far_as_it_goes)
{
	char *text = make_text(), *read = malloc(SIZE);
	struct packed *packed = malloc(sizeof(*packed));
	struct rsb_input *input;
	size_t got;

	pack(packed, ARCHIVE_FILTER_GZIP, false, text);
	input = rsb_input_memory("cut.gz", packed->bytes, packed->size / 2, &error);
	ck_assert(!rsb_input_read(input, read, SIZE, &got, &error));
	ck_assert_uint_gt(got, SIZE / 4);
	ck_assert_uint_lt(got, SIZE);
	ck_assert(!memcmp(read, text, got));
	ck_assert_msg(!strncmp(error.text, "cut.gz: byte ", 13), "%s", error.text);
	ck_assert(!rsb_input_read(input, read, 1, &got, &error));
	ck_assert_uint_eq(got, 0);
	rsb_input_free(input);
	free(packed);
	free(read);
	free(text);
}
END_TEST

/* Nothing is nothing, not an error: the reader knows what it misses. */
START_TEST(reads_an_empty_file)
{
	struct rsb_input *input = rsb_input_memory("empty", "", 0, &error);
	size_t got = 1;
	char byte, *line;

	ck_assert_ptr_nonnull(input);
	ck_assert(rsb_input_read(input, &byte, 1, &got, &error));
	ck_assert_uint_eq(got, 0);
	ck_assert(rsb_input_line(input, &line, &error));
	ck_assert_ptr_null(line);
	rsb_input_free(input);
}
END_TEST

/* What was looked at is still to be read, and no more is seen than there is. */
START_TEST(peeks)
{
	struct rsb_input *input = rsb_input_memory("t", "abcdef", 6, &error);
	const void *bytes;
	char read[8];
	size_t got;

	ck_assert(rsb_input_peek(input, 4, &bytes, &error));
	ck_assert_mem_eq(bytes, "abcd", 4);
	ck_assert(rsb_input_read(input, read, 2, &got, &error));
	ck_assert(rsb_input_peek(input, 4, &bytes, &error));
	ck_assert_mem_eq(bytes, "cdef", 4);
	ck_assert(rsb_input_peek(input, 5, &bytes, &error));
	ck_assert_ptr_null(bytes);
	ck_assert(!rsb_input_peek(input, 65537, &bytes, &error));
	ck_assert(rsb_input_read(input, read, 8, &got, &error));
	ck_assert_uint_eq(got, 4);
	rsb_input_free(input);
}
END_TEST

/*
 * Lines end with a newline, a carriage return before it or the file's end; a NUL does not end one.
 */
START_TEST(reads_lines)
{
	static const char bytes[] = "one\ntwo\r\n\nf\0ur\nlast";
	static const char *const lines[] = { "one", "two", "", "f?ur", "last" };
	struct rsb_input *input = rsb_input_memory("t", bytes, sizeof(bytes) - 1, &error);
	char *line;

	for (size_t i = 0; i < 5; i++) {
		ck_assert(rsb_input_line(input, &line, &error));
		ck_assert_str_eq(line, lines[i]);
		ck_assert_uint_eq(rsb_input_lines(input), i + 1);
	}
	ck_assert(rsb_input_line(input, &line, &error));
	ck_assert_ptr_null(line);
	rsb_input_error(input, &error, "wrong");
	ck_assert_str_eq(error.text, "t:5: wrong");
	rsb_input_free(input);
}
END_TEST

/* A line may be as long as it may be, and not a byte longer. */
START_TEST(refuses_a_line_without_end)
{
	char *bytes = malloc(RSB_INPUT_LINE_MAX + 1), *line;
	struct rsb_input *input;

	memset(bytes, 'x', RSB_INPUT_LINE_MAX + 1);
	input = rsb_input_memory("t", bytes, RSB_INPUT_LINE_MAX, &error);
	ck_assert(rsb_input_line(input, &line, &error));
	ck_assert_uint_eq(strlen(line), RSB_INPUT_LINE_MAX);
	rsb_input_free(input);
	input = rsb_input_memory("t", bytes, RSB_INPUT_LINE_MAX + 1, &error);
	ck_assert(!rsb_input_line(input, &line, &error));
	ck_assert_str_eq(error.text, "t:1: the line has more than 1048576 bytes");
	rsb_input_free(input);
	free(bytes);
}
END_TEST

/* A file that is not there, or is a folder, is told by its name. */
START_TEST(tells_what_cannot_be_opened)
{
	struct rsb_input *folder = rsb_input_open("/", &error);
	char byte;
	size_t got;

	if (folder) {
		ck_assert(!rsb_input_read(folder, &byte, 1, &got, &error));
		rsb_input_free(folder);
	}
	ck_assert_str_eq(error.text, "/: byte 0: Is a directory"); /* EISDIR of read(2) */
	ck_assert_ptr_null(rsb_input_open("/nonexistent/trace", &error));
	ck_assert_str_eq(error.text, "/nonexistent/trace: No such file or directory");
}
END_TEST

UNIT_MAIN("input", undoes_each_form, reads_a_cut_file_as_far_as_it_goes, reads_an_empty_file, peeks,
	  reads_lines, refuses_a_line_without_end, tells_what_cannot_be_opened)
