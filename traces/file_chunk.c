/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing chunks of a trace file. */
#include "traces/file_chunk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#define LEVEL 3 /* of zstd: its own default */

struct rsb_chunk_writer {
	FILE *out;
	uint64_t offset;
	ZSTD_CCtx *zstd;
	uint8_t *packed;
	size_t packed_room;
};

struct rsb_chunk_writer *rsb_chunk_writer_new(FILE *out)
{
	struct rsb_chunk_writer *writer = calloc(1, sizeof(*writer));

	if (!writer)
		return NULL;
	writer->out = out;
	writer->zstd = ZSTD_createCCtx();
	if (writer->zstd)
		return writer;
	rsb_chunk_writer_free(writer);
	return NULL;
}

void rsb_chunk_writer_free(struct rsb_chunk_writer *writer)
{
	if (!writer)
		return;
	ZSTD_freeCCtx(writer->zstd);
	free(writer->packed);
	free(writer);
}

uint32_t rsb_chunk_sum(const uint8_t *header, const uint8_t *bytes, size_t size)
{
	uLong sum = crc32_z(0, header, RSB_CHUNK_HEADER - 4);

	/* zlib takes NULL for the wish to begin. */
	return (uint32_t)(size ? crc32_z(sum, bytes, size) : sum);
}

static bool write_bytes(struct rsb_chunk_writer *writer, const void *bytes, size_t size)
{
	writer->offset += size;
	return !size || fwrite(bytes, size, 1, writer->out) == 1;
}

bool rsb_chunk_write_start(struct rsb_chunk_writer *writer)
{
	struct rsb_bytes start = { .bytes = NULL };
	bool good;

	rsb_put(&start, RSB_FILE_MAGIC, RSB_FILE_MAGIC_SIZE);
	rsb_put_u32(&start, RSB_FILE_ORDER);
	rsb_put_u32(&start, RSB_FILE_VERSION);
	good = !start.failed && write_bytes(writer, start.bytes, start.size);
	rsb_bytes_clear(&start);
	return good;
}

/* Compresses, if that makes it smaller. Returns how many bytes are to be stored; 0: no memory. */
static size_t pack(struct rsb_chunk_writer *writer, const struct rsb_bytes *bytes)
{
	size_t room = ZSTD_compressBound(bytes->size), size;

	if (room > writer->packed_room) {
		free(writer->packed);
		writer->packed_room = 0;
		writer->packed = malloc(room);
		if (!writer->packed)
			return 0;
		writer->packed_room = room;
	}
	size = ZSTD_compressCCtx(writer->zstd, writer->packed, room, bytes->bytes, bytes->size,
				 LEVEL);
	return ZSTD_isError(size) || size >= bytes->size ? bytes->size : size;
}

bool rsb_chunk_write(struct rsb_chunk_writer *writer, uint32_t kind, uint32_t count,
		     const struct rsb_bytes *bytes)
{
	size_t stored = bytes->failed ? 0 : pack(writer, bytes);
	const uint8_t *from = stored < bytes->size ? writer->packed : bytes->bytes;
	struct rsb_bytes header = { .bytes = NULL };
	bool good = false;

	if (!stored && bytes->size) {
		errno = ENOMEM;
		return false;
	}
	rsb_put_u32(&header, kind);
	rsb_put_u32(&header, count);
	rsb_put_u32(&header, (uint32_t)bytes->size);
	rsb_put_u32(&header, (uint32_t)stored);
	if (!header.failed)
		rsb_put_u32(&header, rsb_chunk_sum(header.bytes, from, stored));
	if (header.failed)
		errno = ENOMEM;
	else
		good = write_bytes(writer, header.bytes, header.size) &&
		       write_bytes(writer, from, stored);
	rsb_bytes_clear(&header);
	return good;
}

uint64_t rsb_chunk_writer_offset(const struct rsb_chunk_writer *writer)
{
	return writer->offset;
}
