/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads frames out of makedumpfile's compressed form. All that the file says is checked first. */
#include "sim/image/core_kdump_frames.h"

#include "traces/bytes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

/* In the first block: struct disk_dump_header. */
#define VERSION       8
#define LAST_VERSION  6u
#define MACHINE       272 /* of the kernel's name */
#define MACHINE_SIZE  65
#define BLOCK_SIZE    428
#define SUB_BLOCKS    432 /* of the second header */
#define BITMAP_BLOCKS 436
#define FRAMES        440

/* In the second: struct kdump_sub_header. */
#define SPLIT       12
#define MORE_FRAMES 96 /* in place of FRAMES, from version 6 on */

/* Where each text is, in the second block, and behind that how long; and since which version. */
static const struct {
	const char *name;
	size_t offset;
	uint32_t version;
} texts[RSB_KDUMP_TEXTS] = {
	[RSB_KDUMP_VMCOREINFO] = { "VMCOREINFO", 32, 3 },
	[RSB_KDUMP_NOTES] = { "notes", 48, 4 },
};

#define TEXT_MAX   (16u << 20)
#define FRAMES_MAX (UINT64_C(1) << 34) /* 64 TiB */
#define PER_BLOCK  (8 * RSB_PAGE)      /* frames of a block of the bitmap */

/* A descriptor: where the frame is, its size there, and how it is compressed. */
#define DESCRIPTOR 24
#define BY_ZLIB    0x01u
#define BY_LZO     0x02u
#define BY_SNAPPY  0x04u
#define BY_ZSTD    0x20u
#define BY_ANY     (BY_ZLIB | BY_LZO | BY_SNAPPY | BY_ZSTD)

static bool read_at(const struct rsb_kdump *kdump, uint64_t at, void *to, size_t size)
{
	return at <= INT64_MAX && pread(kdump->file, to, size, (off_t)at) == (ssize_t)size;
}

static bool find_text(struct rsb_kdump *kdump, enum rsb_kdump_text i, const uint8_t *second,
		      uint64_t file_size, struct rsb_error *error)
{
	uint64_t at = rsb_get_u64(second + texts[i].offset);
	uint64_t size = rsb_get_u64(second + texts[i].offset + 8);

	if (size > TEXT_MAX)
		return rsb_error_set(error, "expected at most %u bytes of %s, found %" PRIu64,
				     TEXT_MAX, texts[i].name, size);
	if (size && (at > file_size || size > file_size - at))
		return rsb_error_set(error,
				     "is cut short: its %s need %" PRIu64 " bytes from 0x%" PRIx64
				     ", and the file has %" PRIu64,
				     texts[i].name, size, at, file_size);
	kdump->texts[i].at = size ? at : 0;
	kdump->texts[i].size = size;
	return true;
}

static bool check_kind(const uint8_t *header, struct rsb_error *error)
{
	uint32_t version = rsb_get_u32(header + VERSION), block = rsb_get_u32(header + BLOCK_SIZE);

	if (!version || version > LAST_VERSION)
		return rsb_error_set(error, "expected version 1 to %u of the form, found %" PRIu32,
				     LAST_VERSION, version);
	if (strncmp((const char *)header + MACHINE, "x86_64", MACHINE_SIZE) != 0)
		return rsb_error_set(error, "expected a dump of x86_64, found '%.*s'", MACHINE_SIZE,
				     (const char *)header + MACHINE);
	if (block != RSB_PAGE)
		return rsb_error_set(error,
				     "expected blocks of %u bytes, as x86-64 has, found %" PRIu32,
				     RSB_PAGE, block);
	if (version >= 2 && rsb_get_u32(header + RSB_PAGE + SPLIT))
		return rsb_error_set(error, "is a part of a dump: expected it whole, as "
					    "makedumpfile --reassemble writes it");
	return true;
}

/* The second half of the bitmaps is the second one; a file that has room for only one has that. */
static bool find_frames(struct rsb_kdump *kdump, const uint8_t *header, uint64_t size,
			struct rsb_error *error)
{
	uint64_t blocks = rsb_get_u32(header + BITMAP_BLOCKS), needed;
	uint64_t start = UINT64_C(1) + rsb_get_u32(header + SUB_BLOCKS);

	if (start + blocks > size / RSB_PAGE)
		return rsb_error_set(error,
				     "is cut short: %" PRIu64
				     " blocks of headers and bitmaps do not fit in its %" PRIu64
				     " bytes",
				     start + blocks, size);
	kdump->frames = rsb_get_u32(header + FRAMES);
	if (rsb_get_u32(header + VERSION) >= 6)
		kdump->frames = rsb_get_u64(header + RSB_PAGE + MORE_FRAMES);
	needed = kdump->frames / PER_BLOCK + (kdump->frames % PER_BLOCK != 0);
	if (needed > blocks || kdump->frames > FRAMES_MAX)
		return rsb_error_set(
			error, "has bitmaps of %" PRIu64 " blocks, too few for %" PRIu64 " frames",
			blocks, kdump->frames);
	kdump->bitmap = (start + (needed <= blocks / 2 ? blocks / 2 : 0)) * RSB_PAGE;
	kdump->descriptors = (start + blocks) * RSB_PAGE;
	return true;
}

/* How many of the first bits are set. */
static unsigned count_bits(const uint8_t *bytes, unsigned bits)
{
	unsigned count = 0;

	for (unsigned i = 0; i < bits / 8; i++)
		count += (unsigned)__builtin_popcount(bytes[i]);
	if (bits % 8)
		count += (unsigned)__builtin_popcount(bytes[bits / 8] & ((1u << bits % 8) - 1));
	return count;
}

static bool count_frames(struct rsb_kdump *kdump, struct rsb_error *error)
{
	size_t blocks = kdump->frames / PER_BLOCK + 1;
	uint8_t block[RSB_PAGE];
	uint64_t count = 0;

	kdump->before = calloc(blocks, sizeof(*kdump->before));
	if (!kdump->before)
		return rsb_error_set(error, "out of memory");
	for (size_t i = 0; i < blocks && i * PER_BLOCK < kdump->frames; i++) {
		if (!read_at(kdump, kdump->bitmap + i * RSB_PAGE, block, sizeof(block)))
			return rsb_error_set(error, "its bitmap cannot be read");
		kdump->before[i] = count;
		count += count_bits(block, PER_BLOCK);
	}
	return true;
}

bool rsb_kdump_read(struct rsb_kdump *kdump, struct rsb_error *error)
{
	uint8_t header[2 * RSB_PAGE];
	struct stat status;
	uint64_t size;

	if (fstat(kdump->file, &status) || !S_ISREG(status.st_mode))
		return rsb_error_set(error, "is not a regular file");
	size = (uint64_t)status.st_size;
	if (!read_at(kdump, 0, header, sizeof(header)))
		return rsb_error_set(error,
				     "is cut short: expected two headers of %u bytes each, and the "
				     "file has %" PRIu64,
				     RSB_PAGE, size);
	if (!check_kind(header, error) || !find_frames(kdump, header, size, error))
		return false;
	for (enum rsb_kdump_text i = 0; i < RSB_KDUMP_TEXTS; i++)
		if (rsb_get_u32(header + VERSION) >= texts[i].version &&
		    !find_text(kdump, i, header + RSB_PAGE, size, error))
			return false;
	return count_frames(kdump, error);
}

char *rsb_kdump_text(const struct rsb_kdump *kdump, enum rsb_kdump_text which,
		     struct rsb_error *error)
{
	size_t size = kdump->texts[which].size;
	char *text = malloc(size + 1);

	if (!text)
		return rsb_error_null(error, "out of memory");
	text[size] = '\0';
	if (read_at(kdump, kdump->texts[which].at, text, size))
		return text;
	free(text);
	return rsb_error_null(error, "its %s cannot be read", texts[which].name);
}

/* The frame's descriptor. *there is false, without an error, if the file does not have it. */
static bool find_frame(const struct rsb_kdump *kdump, uint64_t frame,
		       uint8_t descriptor[DESCRIPTOR], bool *there)
{
	unsigned bit = frame % PER_BLOCK;
	uint8_t block[RSB_PAGE];
	uint64_t index;

	*there = false;
	if (frame >= kdump->frames)
		return true;
	if (!read_at(kdump, kdump->bitmap + frame / PER_BLOCK * RSB_PAGE, block, sizeof(block)))
		return false;
	*there = block[bit / 8] >> bit % 8 & 1;
	index = kdump->before[frame / PER_BLOCK] + count_bits(block, bit);
	return !*there ||
	       read_at(kdump, kdump->descriptors + index * DESCRIPTOR, descriptor, DESCRIPTOR);
}

/* NULL: it is whole; else, what is wrong. */
static const char *unpack(const uint8_t *from, size_t size, uint32_t flags, uint8_t page[RSB_PAGE])
{
	uLongf got = RSB_PAGE;
	bool good;

	switch (flags & BY_ANY) {
	case 0:
		good = size == RSB_PAGE;
		memcpy(page, from, size);
		break;
	case BY_ZLIB:
		good = uncompress(page, &got, from, size) == Z_OK && got == RSB_PAGE;
		break;
	case BY_ZSTD:
		good = ZSTD_decompress(page, RSB_PAGE, from, size) == RSB_PAGE;
		break;
	case BY_LZO:
		return "is compressed by LZO: expected zlib or zstd, as by makedumpfile -c or -z";
	case BY_SNAPPY:
		return "is compressed by Snappy: expected zlib or zstd, as by makedumpfile -c or "
		       "-z";
	default:
		return "is compressed in a way that is not known";
	}
	return good ? NULL : "is damaged";
}

/* A frame that was left out of the dump is not there; it is not taken for zeros. */
bool rsb_kdump_frame(void *context, uint64_t address, uint8_t page[RSB_PAGE],
		     struct rsb_error *error)
{
	const struct rsb_kdump *kdump = context;
	const char *wrong = "cannot be read: the file ends before it";
	uint8_t descriptor[DESCRIPTOR] = { 0 }, bytes[RSB_PAGE];
	bool there;

	error->text[0] = '\0';
	if (find_frame(kdump, address / RSB_PAGE, descriptor, &there)) {
		uint32_t size = rsb_get_u32(descriptor + 8);

		if (!there)
			return false;
		if (!size || size > RSB_PAGE)
			wrong = "is damaged";
		else if (read_at(kdump, rsb_get_u64(descriptor), bytes, size))
			wrong = unpack(bytes, size, rsb_get_u32(descriptor + 12), page);
	}
	return !wrong || rsb_error_set(error, "the frame at 0x%" PRIx64 " %s", address, wrong);
}
