/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a trace file is made of (rsbsim-trace(5)): a start of 16 bytes, then chunks. A chunk is a
 * header of 20 bytes, then its bytes: compressed by zstd if fewer are stored than it has.
 */
#ifndef RSB_TRACES_FILE_CHUNK_H
#define RSB_TRACES_FILE_CHUNK_H

#include "traces/bytes.h"
#include "traces/file.h"

#define RSB_FILE_MAGIC \
	"\x89rsbt\r\n\x1a" /* a byte that is no text, and what would be changed in text */
#define RSB_FILE_MAGIC_SIZE 8
#define RSB_FILE_ORDER      UINT32_C(0x01020304)
#define RSB_FILE_VERSION    1
#define RSB_FILE_START      16

#define RSB_CHUNK_HEADER 20
#define RSB_CHUNK_MAX    (16u << 20) /* bytes of a chunk, compressed or not */

/*
 * Kinds: four letters, the first of which is small if a reader may pass over what it does not
 * know.
 */
#define RSB_CHUNK_KIND(a, b, c, d) \
	((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define RSB_CHUNK_ABOUT  RSB_CHUNK_KIND('A', 'B', 'O', 'U') /* keys and values */
#define RSB_CHUNK_SITES  RSB_CHUNK_KIND('S', 'I', 'T', 'E') /* new sites and addresses */
#define RSB_CHUNK_EVENTS RSB_CHUNK_KIND('E', 'V', 'N', 'T')
#define RSB_CHUNK_INDEX  RSB_CHUNK_KIND('i', 'n', 'd', 'x')
#define RSB_CHUNK_DONE   RSB_CHUNK_KIND('D', 'O', 'N', 'E')

#define RSB_CHUNK_OPTIONAL(kind) ((kind)&0x20)

/* In the bytes of RSB_CHUNK_SITES: this is no kind of site, but an address. */
#define RSB_DEFINE_ADDRESS 0xff

/* Limits, so that what a file says cannot take all memory. */
#define RSB_FILE_SITES_MAX     (UINT32_C(1) << 22)
#define RSB_FILE_ADDRESSES_MAX (UINT32_C(1) << 23)
#define RSB_FILE_LABEL_MAX     4095         /* bytes of a label */
#define RSB_FILE_LABELS_MAX    (256u << 20) /* of all labels */
#define RSB_FILE_ABOUTS_MAX    1024         /* keys and values */
#define RSB_FILE_ABOUT_MAX     (1u << 20)   /* bytes of all keys and values */

/* In the bytes of RSB_CHUNK_EVENTS: what each number stands for. */
enum rsb_file_code {
	RSB_CODE_NEXT,         /* the site that is guessed, going where is guessed */
	RSB_CODE_NEXT_TO,      /* the site that is guessed; its target follows */
	RSB_CODE_THREAD,       /* another thread, whose number follows, goes on */
	RSB_CODE_INSTRUCTIONS, /* instructions that the thread executed; their count follows */
	RSB_CODE_HIT,          /* the processor predicted the next event ... */
	RSB_CODE_MISS,         /* ... or not */
	RSB_CODE_ROUND, /* a round ends; the three numbers of struct rsb_trace_round follow */
	RSB_CODE_SITE =
		16, /* 16 + 2 n: site n, going where is guessed; 17 + 2 n: its target follows */
};

/* The checksum: the CRC-32 of the header up to itself, and of the bytes as they are stored. */
uint32_t rsb_chunk_sum(const uint8_t *header, const uint8_t *bytes, size_t size);

/* ---- writing ---- */

struct rsb_chunk_writer;

struct rsb_chunk_writer *rsb_chunk_writer_new(FILE *out); /* NULL: no memory */
void rsb_chunk_writer_free(struct rsb_chunk_writer *writer);

/* Writes the start of the file. False: errno says why, as below. */
bool rsb_chunk_write_start(struct rsb_chunk_writer *writer);
bool rsb_chunk_write(struct rsb_chunk_writer *writer, uint32_t kind, uint32_t count,
		     const struct rsb_bytes *bytes);

/* Bytes that were written so far. */
uint64_t rsb_chunk_writer_offset(const struct rsb_chunk_writer *writer);

/* ---- reading ---- */

struct rsb_chunk {
	uint32_t kind, count;
	const uint8_t *bytes; /* good until the next is read */
	size_t size;
	size_t stored;   /* bytes that it takes in the file, with its header */
	uint64_t offset; /* in the file */
};

struct rsb_chunk_reader;

struct rsb_chunk_reader *rsb_chunk_reader_new(struct rsb_input *input); /* NULL: no memory */
void rsb_chunk_reader_free(struct rsb_chunk_reader *reader);

/* Reads the start of the file. */
bool rsb_chunk_read_start(struct rsb_chunk_reader *reader, struct rsb_error *error);

/* RSB_TRACE_BATCH: a chunk; RSB_TRACE_END: there is none, which only the file's end may say. */
enum rsb_trace_got rsb_chunk_read(struct rsb_chunk_reader *reader, struct rsb_chunk *chunk,
				  struct rsb_error *error);

/* "SITE" */
void rsb_chunk_name(uint32_t kind, char name[5]);

#endif
