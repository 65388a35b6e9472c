/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compressed input through libarchive: its filters, its raw format and its zip reader. */
#include "traces/input.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_SIZE 65536 /* also the most that can be peeked at */

struct rsb_input {
	char *name;
	struct archive *archive;
	int file;    /* -1: none that is ours to close */
	bool member; /* one is open */
	bool ended, failed;
	struct rsb_error trouble; /* why, if failed */
	uint8_t *buffer;
	size_t at, end; /* what of the buffer has not been handed out */
	uint64_t offset, lines;
	char *line;
	size_t line_room;
};

/*
 * The raw format takes anything for one member. A zip file is known by its first bytes only: the
 * other reader of zip files would look for their mark near the end of any file.
 */
static bool choose_formats(struct archive *archive)
{
	return archive_read_support_filter_gzip(archive) == ARCHIVE_OK &&
	       archive_read_support_filter_xz(archive) == ARCHIVE_OK &&
	       archive_read_support_filter_zstd(archive) == ARCHIVE_OK &&
	       archive_read_support_filter_bzip2(archive) == ARCHIVE_OK &&
	       archive_read_support_format_empty(archive) == ARCHIVE_OK &&
	       archive_read_support_format_raw(archive) == ARCHIVE_OK &&
	       archive_read_support_format_zip_streamable(archive) == ARCHIVE_OK;
}

static struct rsb_input *make_input(const char *name, struct rsb_error *error)
{
	struct rsb_input *input = calloc(1, sizeof(*input));

	if (!input)
		return rsb_error_null(error, "out of memory");
	input->file = -1;
	input->name = strdup(name);
	input->buffer = malloc(BUFFER_SIZE);
	input->archive = archive_read_new();
	if (input->name && input->buffer && input->archive && choose_formats(input->archive))
		return input;
	rsb_input_free(input);
	return rsb_error_null(error,
			      "%s: out of memory, or libarchive cannot undo gzip, xz, zstd "
			      "and bzip2",
			      name);
}

/* Keeps what libarchive says until all that was read before has been handed out. */
static void fail(struct rsb_input *input)
{
	const char *why = archive_error_string(input->archive);

	/* Of a file it says the descriptor's number. */
	if (why && !strncmp(why, "Error reading", strlen("Error reading")))
		why = strerror(archive_errno(input->archive));
	input->ended = input->failed = true;
	rsb_error_set(&input->trouble, "%s", why ? why : "it cannot be read");
}

static bool report(const struct rsb_input *input, struct rsb_error *error)
{
	return rsb_input_error(input, error, "%s", input->trouble.text);
}

struct rsb_input *rsb_input_open(const char *path, struct rsb_error *error)
{
	bool standard = !strcmp(path, "-");
	struct rsb_input *input = make_input(standard ? "standard input" : path, error);

	if (!input)
		return NULL;
	if (!standard) {
		input->file = open(path, O_RDONLY | O_CLOEXEC);
		if (input->file < 0) {
			rsb_error_set(error, "%s: %s", path, strerror(errno));
			rsb_input_free(input);
			return NULL;
		}
	}
	if (archive_read_open_fd(input->archive, standard ? STDIN_FILENO : input->file,
				 BUFFER_SIZE) == ARCHIVE_OK)
		return input;
	fail(input);
	report(input, error);
	rsb_input_free(input);
	return NULL;
}

struct rsb_input *rsb_input_memory(const char *name, const void *bytes, size_t size,
				   struct rsb_error *error)
{
	struct rsb_input *input = make_input(name, error);

	if (!input)
		return NULL;
	if (archive_read_open_memory(input->archive, bytes, size) == ARCHIVE_OK)
		return input;
	fail(input);
	report(input, error);
	rsb_input_free(input);
	return NULL;
}

void rsb_input_free(struct rsb_input *input)
{
	if (!input)
		return;
	archive_read_free(input->archive);
	if (input->file >= 0)
		close(input->file);
	free(input->line);
	free(input->buffer);
	free(input->name);
	free(input);
}

const char *rsb_input_name(const struct rsb_input *input)
{
	return input->name;
}

uint64_t rsb_input_offset(const struct rsb_input *input)
{
	return input->offset;
}

uint64_t rsb_input_lines(const struct rsb_input *input)
{
	return input->lines;
}

/* Goes to the next member that is a file, if there is one. */
static void open_member(struct rsb_input *input)
{
	struct archive_entry *entry;
	int got;

	do {
		got = archive_read_next_header(input->archive, &entry);
	} while (got == ARCHIVE_OK && archive_entry_filetype(entry) == AE_IFDIR);
	if (got == ARCHIVE_EOF)
		input->ended = true;
	else if (got != ARCHIVE_OK && got != ARCHIVE_WARN)
		fail(input);
	input->member = !input->ended;
}

static void read_member(struct rsb_input *input)
{
	la_ssize_t got = archive_read_data(input->archive, input->buffer + input->end,
					   BUFFER_SIZE - input->end);

	if (got < 0)
		fail(input);
	else
		input->end += (size_t)got;
	input->member = got > 0;
}

/* Reads until at least size bytes are in the buffer, or all is read. */
static bool fill(struct rsb_input *input, size_t size, struct rsb_error *error)
{
	memmove(input->buffer, input->buffer + input->at, input->end - input->at);
	input->end -= input->at;
	input->at = 0;
	while (input->end < size && !input->ended) {
		if (input->member)
			read_member(input);
		else
			open_member(input);
	}
	return input->end >= size || !input->failed || report(input, error);
}

bool rsb_input_read(struct rsb_input *input, void *to, size_t size, size_t *got,
		    struct rsb_error *error)
{
	bool good = true;

	*got = 0;
	while (*got < size) {
		size_t part;

		if (input->at == input->end)
			good = fill(input, 1, error);
		if (input->at == input->end)
			break;
		part = input->end - input->at;
		if (part > size - *got)
			part = size - *got;
		memcpy((uint8_t *)to + *got, input->buffer + input->at, part);
		input->at += part;
		input->offset += part;
		*got += part;
	}
	return good;
}

bool rsb_input_peek(struct rsb_input *input, size_t size, const void **bytes,
		    struct rsb_error *error)
{
	*bytes = NULL;
	if (size > BUFFER_SIZE)
		return rsb_input_error(input, error, "%zu bytes are more than can be peeked at",
				       size);
	if (input->end - input->at < size && !fill(input, size, error))
		return false;
	if (input->end - input->at >= size)
		*bytes = input->buffer + input->at;
	return true;
}

static bool append(struct rsb_input *input, size_t used, size_t part)
{
	if (used + part + 1 > input->line_room) {
		size_t room = 2 * (used + part + 1);
		char *more = realloc(input->line, room);

		if (!more)
			return false;
		input->line = more;
		input->line_room = room;
	}
	memcpy(input->line + used, input->buffer + input->at, part);
	input->at += part;
	input->offset += part;
	return true;
}

/* Ends the line, which has used bytes. */
static char *finish_line(struct rsb_input *input, size_t used)
{
	if (used && input->line[used - 1] == '\r')
		used--;
	for (size_t i = 0; i < used; i++)
		if (!input->line[i])
			input->line[i] = '?';
	input->line[used] = '\0';
	return input->line;
}

bool rsb_input_line(struct rsb_input *input, char **line, struct rsb_error *error)
{
	const uint8_t *newline = NULL;
	size_t used = 0;

	*line = NULL;
	if (input->at == input->end && !fill(input, 1, error))
		return false;
	if (input->at == input->end)
		return true;
	input->lines++;
	while (!newline && input->at < input->end) {
		size_t part = input->end - input->at;

		newline = memchr(input->buffer + input->at, '\n', part);
		if (newline)
			part = (size_t)(newline - (input->buffer + input->at));
		if (used + part > RSB_INPUT_LINE_MAX)
			return rsb_input_error(input, error, "the line has more than %u bytes",
					       RSB_INPUT_LINE_MAX);
		if (!append(input, used, part))
			return rsb_error_set(error, "out of memory");
		used += part;
		if (!newline && !fill(input, 1, error))
			return false;
	}
	if (newline) {
		input->at++;
		input->offset++;
	}
	*line = finish_line(input, used);
	return true;
}

bool rsb_input_error(const struct rsb_input *input, struct rsb_error *error, const char *format,
		     ...)
{
	char message[sizeof(error->text)];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	if (input->lines)
		return rsb_error_set(error, "%s:%" PRIu64 ": %s", input->name, input->lines,
				     message);
	return rsb_error_set(error, "%s: byte %" PRIu64 ": %s", input->name, input->offset,
			     message);
}
