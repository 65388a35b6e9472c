/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading a trace: chunk after chunk, each of them a few batches. */
#include "traces/file_decode.h"
#include "traces/file_define.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct rsb_trace_reader {
	struct rsb_input *input;
	struct rsb_chunk_reader *chunks;
	struct rsb_sites *table;
	size_t label_bytes;
	struct rsb_bytes about; /* keys and values, each ended by a NUL */
	size_t about_count;
	bool begun; /* the first chunk was read */
	struct rsb_trace_extent extent;
	bool done;
	struct rsb_decoder decoder;
	void (*progress)(void *context, uint64_t done, uint64_t of); /* may be NULL */
	void *progress_context;
};

/* Puts the place of the chunk before a message about what is in it. */
static bool blame(const struct rsb_trace_reader *reader, const struct rsb_chunk *chunk,
		  struct rsb_error *error)
{
	char name[5];

	rsb_chunk_name(chunk->kind, name);
	return rsb_error_prefix(error, "%s: byte %" PRIu64 ": chunk %s",
				rsb_input_name(reader->input), chunk->offset, name);
}

static bool is_key(const char *key)
{
	return *key && strspn(key, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(key);
}

static bool read_about(struct rsb_trace_reader *reader, const struct rsb_chunk *chunk,
		       struct rsb_error *error)
{
	struct rsb_unread from = rsb_unread_of(chunk->bytes, chunk->size);

	if (chunk->count > RSB_FILE_ABOUTS_MAX - reader->about_count ||
	    chunk->size > RSB_FILE_ABOUT_MAX - reader->about.size)
		return rsb_error_set(error,
				     "more than %u keys and values, or than %u bytes of them",
				     RSB_FILE_ABOUTS_MAX, RSB_FILE_ABOUT_MAX);
	for (uint32_t i = 0; i < chunk->count && !from.bad; i++) {
		if (!is_key(rsb_take_text(&from)) && !from.bad)
			return rsb_error_set(error,
					     "key %u is not of small letters, digits and '-'", i);
		rsb_take_text(&from);
	}
	if (from.bad || from.at != from.end)
		return rsb_error_set(error, "expected %u keys and values, each ended by a NUL",
				     chunk->count);
	reader->about_count += chunk->count;
	rsb_put(&reader->about, chunk->bytes, chunk->size);
	return !reader->about.failed || rsb_error_set(error, "out of memory");
}

static bool read_done(struct rsb_trace_reader *reader, const struct rsb_chunk *chunk,
		      struct rsb_error *error)
{
	if (chunk->size != 16)
		return rsb_error_set(error, "expected 16 bytes, found %zu", chunk->size);
	if (rsb_get_u64(chunk->bytes) != reader->extent.events)
		return rsb_error_set(error, "the file has %" PRIu64 " events, expected %" PRIu64,
				     reader->extent.events, rsb_get_u64(chunk->bytes));
	reader->done = true;
	return true;
}

static bool read_chunk(struct rsb_trace_reader *reader, const struct rsb_chunk *chunk,
		       struct rsb_error *error)
{
	if (reader->done)
		return rsb_error_set(error, "it comes after the end of the trace");
	if (!reader->begun && chunk->kind != RSB_CHUNK_ABOUT)
		return rsb_error_set(error, "the first chunk must be ABOU");
	reader->begun = true;
	switch (chunk->kind) {
	case RSB_CHUNK_ABOUT:
		return read_about(reader, chunk, error);
	case RSB_CHUNK_SITES:
		return rsb_define_read(reader->table, &reader->decoder.guess, &reader->label_bytes,
				       chunk, error);
	case RSB_CHUNK_EVENTS:
		reader->extent.chunks++;
		reader->extent.events += chunk->count;
		reader->extent.bytes += chunk->stored;
		rsb_decode_start(&reader->decoder, chunk);
		return true;
	case RSB_CHUNK_DONE:
		return read_done(reader, chunk, error);
	default:
		return RSB_CHUNK_OPTIONAL(chunk->kind) ||
		       rsb_error_set(error, "this rsbsim does not know it, and it must be known");
	}
}

/* Reads chunks up to one of that kind. */
static enum rsb_trace_got read_to(struct rsb_trace_reader *reader, uint32_t kind,
				  struct rsb_error *error)
{
	struct rsb_chunk chunk = { .kind = 0 };
	enum rsb_trace_got got;

	do {
		got = rsb_chunk_read(reader->chunks, &chunk, error);
		if (got == RSB_TRACE_BATCH && !read_chunk(reader, &chunk, error)) {
			blame(reader, &chunk, error);
			return RSB_TRACE_BAD;
		}
	} while (got == RSB_TRACE_BATCH && chunk.kind != kind);
	if (got != RSB_TRACE_END || reader->done)
		return got;
	rsb_error_set(error, "%s: byte %" PRIu64 ": the file is cut short",
		      rsb_input_name(reader->input), chunk.offset);
	return RSB_TRACE_CUT;
}

struct rsb_trace_reader *rsb_trace_reader_new(struct rsb_input *input, struct rsb_error *error)
{
	struct rsb_trace_reader *reader = calloc(1, sizeof(*reader));

	if (!reader)
		return rsb_error_null(error, "out of memory");
	reader->input = input;
	reader->chunks = rsb_chunk_reader_new(input);
	reader->table = rsb_sites_new();
	if (!reader->chunks || !reader->table)
		rsb_error_set(error, "out of memory");
	else if (rsb_chunk_read_start(reader->chunks, error) &&
		 read_to(reader, RSB_CHUNK_ABOUT, error) == RSB_TRACE_BATCH)
		return reader;
	rsb_trace_reader_free(reader);
	return NULL;
}

void rsb_trace_reader_free(struct rsb_trace_reader *reader)
{
	if (!reader)
		return;
	rsb_chunk_reader_free(reader->chunks);
	rsb_sites_free(reader->table);
	rsb_guess_clear(&reader->decoder.guess);
	rsb_bytes_clear(&reader->about);
	free(reader);
}

enum rsb_trace_got rsb_trace_reader_next(struct rsb_trace_reader *reader,
					 struct rsb_trace_batch *batch, struct rsb_error *error)
{
	enum rsb_trace_got got;

	if (rsb_decode_ended(&reader->decoder)) {
		got = read_to(reader, RSB_CHUNK_EVENTS, error);
		if (got != RSB_TRACE_BATCH)
			return got;
	}
	if (rsb_decode_batch(&reader->decoder, batch, error)) {
		if (reader->progress)
			reader->progress(reader->progress_context, reader->extent.bytes, 0);
		return RSB_TRACE_BATCH;
	}
	rsb_error_prefix(error, "%s", rsb_input_name(reader->input));
	return RSB_TRACE_BAD;
}

void rsb_trace_reader_watch(struct rsb_trace_reader *reader,
			    void (*progress)(void *context, uint64_t done, uint64_t of),
			    void *context)
{
	reader->progress = progress;
	reader->progress_context = context;
}

const struct rsb_sites *rsb_trace_reader_sites(const struct rsb_trace_reader *reader)
{
	return reader->table;
}

struct rsb_sites *rsb_trace_reader_take_sites(struct rsb_trace_reader *reader)
{
	struct rsb_sites *table = reader->table;

	reader->table = NULL;
	return table;
}

const char *rsb_trace_reader_name(const struct rsb_trace_reader *reader)
{
	return rsb_input_name(reader->input);
}

const char *rsb_trace_reader_arch(const struct rsb_trace_reader *reader)
{
	const char *arch = rsb_trace_reader_value(reader, "arch");

	return arch ? arch : "";
}

const char *rsb_trace_reader_about(const struct rsb_trace_reader *reader, size_t index,
				   const char **value)
{
	struct rsb_unread from = rsb_unread_of(reader->about.bytes, reader->about.size);
	const char *key;

	do {
		key = rsb_take_text(&from);
		*value = rsb_take_text(&from);
	} while (index-- && !from.bad);
	return from.bad ? NULL : key;
}

const char *rsb_trace_reader_value(const struct rsb_trace_reader *reader, const char *key)
{
	const char *found, *value;

	for (size_t i = 0; (found = rsb_trace_reader_about(reader, i, &value)); i++)
		if (!strcmp(found, key))
			return value;
	return NULL;
}

struct rsb_trace_extent rsb_trace_reader_extent(const struct rsb_trace_reader *reader)
{
	return reader->extent;
}
