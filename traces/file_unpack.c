/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading chunks of a trace file: nothing in them is looked at before their checksum is right. */
#include "traces/file_chunk.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

struct rsb_chunk_reader {
	struct rsb_input *input;
	ZSTD_DCtx *zstd;
	uint8_t *stored, *plain;
	size_t stored_room, plain_room;
};

struct rsb_chunk_reader *rsb_chunk_reader_new(struct rsb_input *input)
{
	struct rsb_chunk_reader *reader = calloc(1, sizeof(*reader));

	if (!reader)
		return NULL;
	reader->input = input;
	reader->zstd = ZSTD_createDCtx();
	if (reader->zstd)
		return reader;
	rsb_chunk_reader_free(reader);
	return NULL;
}

void rsb_chunk_reader_free(struct rsb_chunk_reader *reader)
{
	if (!reader)
		return;
	ZSTD_freeDCtx(reader->zstd);
	free(reader->stored);
	free(reader->plain);
	free(reader);
}

void rsb_chunk_name(uint32_t kind, char name[5])
{
	for (int i = 0; i < 4; i++)
		name[i] = (char)(kind >> 8 * i);
	name[4] = '\0';
}

/* What is wrong with these first bytes of a file? NULL: nothing. */
static const char *find_fault(const uint8_t *start, size_t size)
{
	if (!size)
		return "the file is empty: expected a trace of rsbsim";
	if (size < RSB_FILE_MAGIC_SIZE || memcmp(start, RSB_FILE_MAGIC, RSB_FILE_MAGIC_SIZE))
		return "this is no trace of rsbsim: its first 8 bytes are others; 'trace import' "
		       "reads traces from elsewhere";
	if (size < RSB_FILE_START)
		return "the file ends within its first 16 bytes";
	if (rsb_get_u32(start + 8) == UINT32_C(0x04030201))
		return "the trace was written in the wrong byte order";
	if (rsb_get_u32(start + 8) != RSB_FILE_ORDER)
		return "the mark of the byte order is damaged";
	return NULL;
}

bool rsb_chunk_read_start(struct rsb_chunk_reader *reader, struct rsb_error *error)
{
	uint8_t start[RSB_FILE_START];
	const char *fault;
	size_t got;

	if (!rsb_input_read(reader->input, start, sizeof(start), &got, error))
		return false;
	fault = find_fault(start, got);
	if (fault)
		return rsb_error_set(error, "%s: byte 0: %s", rsb_input_name(reader->input), fault);
	if (rsb_get_u32(start + 12) != RSB_FILE_VERSION)
		return rsb_error_set(error,
				     "%s: byte 12: version %" PRIu32
				     " of the format: this rsbsim reads version %d",
				     rsb_input_name(reader->input), rsb_get_u32(start + 12),
				     RSB_FILE_VERSION);
	return true;
}

static enum rsb_trace_got report_cut(const struct rsb_chunk_reader *reader,
				     const struct rsb_chunk *chunk, struct rsb_error *error)
{
	rsb_error_set(error, "%s: byte %" PRIu64 ": the file is cut short",
		      rsb_input_name(reader->input), chunk->offset);
	return RSB_TRACE_CUT;
}

__attribute__((format(printf, 4, 5))) static enum rsb_trace_got report_bad(
	const struct rsb_chunk_reader *reader, const struct rsb_chunk *chunk,
	struct rsb_error *error, const char *format, ...)
{
	char message[256];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	rsb_error_set(error, "%s: byte %" PRIu64 ": %s", rsb_input_name(reader->input),
		      chunk->offset, message);
	return RSB_TRACE_BAD;
}

static bool make_room(uint8_t **bytes, size_t *room, size_t size)
{
	if (size <= *room)
		return true;
	free(*bytes);
	*room = 0;
	*bytes = malloc(size);
	if (!*bytes)
		return false;
	*room = size;
	return true;
}

/* Brings the chunk's bytes to what they were before they were stored. */
static enum rsb_trace_got unpack(struct rsb_chunk_reader *reader, struct rsb_chunk *chunk,
				 size_t stored, struct rsb_error *error)
{
	size_t size;

	chunk->bytes = reader->stored;
	if (stored == chunk->size)
		return RSB_TRACE_BATCH;
	size = ZSTD_decompressDCtx(reader->zstd, reader->plain, chunk->size, reader->stored,
				   stored);
	chunk->bytes = reader->plain;
	if (ZSTD_isError(size))
		return report_bad(reader, chunk, error, "the chunk cannot be uncompressed: %s",
				  ZSTD_getErrorName(size));
	if (size != chunk->size)
		return report_bad(reader, chunk, error,
				  "the chunk is of %zu bytes, its header says %zu", size,
				  chunk->size);
	return RSB_TRACE_BATCH;
}

enum rsb_trace_got rsb_chunk_read(struct rsb_chunk_reader *reader, struct rsb_chunk *chunk,
				  struct rsb_error *error)
{
	uint8_t header[RSB_CHUNK_HEADER];
	size_t got, stored;
	uint32_t sum;

	chunk->offset = rsb_input_offset(reader->input);
	if (!rsb_input_read(reader->input, header, sizeof(header), &got, error))
		return RSB_TRACE_CUT;
	if (!got)
		return RSB_TRACE_END;
	if (got < sizeof(header))
		return report_cut(reader, chunk, error);
	chunk->kind = rsb_get_u32(header);
	chunk->count = rsb_get_u32(header + 4);
	chunk->size = rsb_get_u32(header + 8);
	stored = rsb_get_u32(header + 12);
	chunk->stored = sizeof(header) + stored;
	if (chunk->size > RSB_CHUNK_MAX || stored > chunk->size)
		return report_bad(
			reader, chunk, error,
			"a chunk of %zu bytes, stored in %zu: expected at most %u, and no "
			"more stored",
			chunk->size, stored, RSB_CHUNK_MAX);
	if (!make_room(&reader->stored, &reader->stored_room, stored) ||
	    !make_room(&reader->plain, &reader->plain_room, chunk->size)) {
		rsb_error_set(error, "out of memory");
		return RSB_TRACE_BAD;
	}
	if (!rsb_input_read(reader->input, reader->stored, stored, &got, error))
		return RSB_TRACE_CUT;
	if (got < stored)
		return report_cut(reader, chunk, error);
	sum = rsb_chunk_sum(header, reader->stored, stored);
	if (sum != rsb_get_u32(header + 16))
		return report_bad(reader, chunk, error,
				  "the chunk is damaged: its checksum is %08" PRIx32
				  ", expected %08" PRIx32,
				  sum, rsb_get_u32(header + 16));
	return unpack(reader, chunk, stored, error);
}
