/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * makedumpfile's compressed form: a small one that is made here, by the format that makedumpfile's
 * IMPLEMENTATION tells (version 1.7): two headers, two bitmaps, a descriptor for each frame that
 * the second bitmap has, the frames.
 */
#include "sim/image/core.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#define TEXT   UINT64_C(0xffffffff81000000)
#define FRAMES 1024u /* of the memory */
#define BLOCKS 16u   /* of the file */
#define WHOLE  (BLOCKS * RSB_PAGE)

static struct rsb_error error;
static uint8_t dump[BLOCKS][RSB_PAGE];

static void put32(unsigned block, unsigned offset, uint32_t value)
{
	memcpy(dump[block] + offset, &value, sizeof(value));
}

static void put64(unsigned block, unsigned offset, uint64_t value)
{
	memcpy(dump[block] + offset, &value, sizeof(value));
}

/* The file's blocks: descriptors are in the fifth, texts in the sixth, frames from there on. */
enum {
	HEADER,
	SUB,
	FIRST_MAP,
	SECOND_MAP,
	DESCRIPTORS,
	TEXTS,
	TABLES, /* the kernel's: frames 1 to 4 */
	PAGE_A = TABLES + 4,
	PAGE_B,
	PAGE_LARGE,
};

/* The next frame that the dump has, which is in this block of it, so compressed. */
static void add_frame(unsigned frame, unsigned block, uint32_t size, uint32_t flags)
{
	static unsigned count;

	if (frame == 1)
		count = 0;
	dump[SECOND_MAP][frame / 8] |= (uint8_t)(1u << frame % 8);
	put64(DESCRIPTORS, count * 24, block * RSB_PAGE);
	put32(DESCRIPTORS, count * 24 + 8, size);
	put32(DESCRIPTORS, count * 24 + 12, flags);
	count++;
}

static void set_vmcoreinfo(const char *text)
{
	strcpy((char *)dump[TEXTS], text);
	put64(SUB, 32, TEXTS * RSB_PAGE);
	put64(SUB, 40, strlen(text));
}

/* As QEMU tells a processor: a note with its control registers (target/i386/arch_dump.c). */
static void set_note(uint64_t cr3, uint64_t cr4)
{
	put32(TEXTS, 0, 5);
	put32(TEXTS, 4, 440);
	memcpy(dump[TEXTS] + 12, "QEMU", 5);
	put32(TEXTS, 20, 1);
	put32(TEXTS, 24, 440);
	put64(TEXTS, 20 + 416, cr3);
	put64(TEXTS, 20 + 424, cr4);
	put64(SUB, 48, TEXTS * RSB_PAGE);
	put64(SUB, 56, 460);
}

static void compress_page(unsigned frame, unsigned block, char letter)
{
	uint8_t page[RSB_PAGE];
	uLongf size = RSB_PAGE;

	memset(page, letter, sizeof(page));
	ck_assert_int_eq(compress(dump[block], &size, page, sizeof(page)), Z_OK);
	add_frame(frame, block, (uint32_t)size, 1);
}

/*
 * Two pages at TEXT, of 'a' and of 'b' that is compressed; one behind them that is left out of the
 * dump; a page of 2 MiB behind all, of which the dump has 4 KiB of 'l'.
 */
static void start(void)
{
	memset(dump, 0, sizeof(dump));
	memcpy(dump[HEADER], "KDUMP   ", 8);
	put32(HEADER, 8, 6);
	memcpy(dump[HEADER] + 272, "x86_64", 6);
	put32(HEADER, 424, 1);
	put32(HEADER, 428, RSB_PAGE);
	put32(HEADER, 432, 1);
	put32(HEADER, 436, 2);
	put32(HEADER, 440, FRAMES);
	put64(SUB, 96, FRAMES);
	memset(dump[FIRST_MAP], 0xff, FRAMES / 8);
	for (unsigned frame = 1; frame <= 4; frame++)
		add_frame(frame, TABLES - 1 + frame, RSB_PAGE, 0);
	put64(TABLES, 511 * 8, 0x2001);
	put64(TABLES + 1, 510 * 8, 0x3001);
	put64(TABLES + 2, 8 * 8, 0x4001);
	put64(TABLES + 2, 9 * 8, 0x200081);
	put64(TABLES + 3, 0, 0x5001);
	put64(TABLES + 3, 8, 0x6001);
	put64(TABLES + 3, 16, 0x7001);
	memset(dump[PAGE_A], 'a', RSB_PAGE);
	add_frame(5, PAGE_A, RSB_PAGE, 0);
	compress_page(6, PAGE_B, 'b');
	memset(dump[PAGE_LARGE], 'l', RSB_PAGE);
	add_frame(512, PAGE_LARGE, RSB_PAGE, 0);
	set_vmcoreinfo("SYMBOL(swapper_pg_dir)=ffffffff81c01000\nNUMBER(phys_base)=-29360128\n"
		       "KERNELOFFSET=e00000\n");
}

/* Loads the first bytes of the dump. The file's name is masked in the message: "...". */
static struct rsb_image *load(size_t size, struct rsb_core_notes *notes)
{
	struct rsb_image *image = rsb_image_new();
	char path[] = "kdump-XXXXXX";
	int file = mkstemp(path);

	ck_assert_ptr_nonnull(image);
	ck_assert_int_ge(file, 0);
	ck_assert_int_eq(write(file, dump, size), size);
	close(file);
	if (!rsb_core_load_notes(image, path, notes, &error)) {
		ck_assert_int_eq(strncmp(error.text, path, strlen(path)), 0);
		memmove(error.text, error.text + strlen(path),
			strlen(error.text) - strlen(path) + 1);
		rsb_image_free(image);
		image = NULL;
	}
	unlink(path);
	return image;
}

static void refuses(size_t size, const char *message)
{
	struct rsb_core_notes notes;

	ck_assert_ptr_null(load(size, &notes));
	rsb_core_notes_clear(&notes);
	ck_assert_str_eq(error.text, message);
}

static char byte_at(const struct rsb_image *image, uint64_t address)
{
	char byte;

	ck_assert_msg(rsb_image_read(image, address, &byte, 1, &error), "0x%llx: %s",
		      (unsigned long long)address, error.text);
	return byte;
}

static bool is_absent(const struct rsb_image *image, uint64_t address)
{
	char byte;

	return !rsb_image_read(image, address, &byte, 1, &error) && !error.text[0];
}

static void check_pages(const struct rsb_image *image)
{
	ck_assert_msg(image != NULL, "%s", error.text);
	ck_assert_int_eq(byte_at(image, TEXT), 'a');
	ck_assert_int_eq(byte_at(image, TEXT + 0x1fff), 'b');
	ck_assert_int_eq(byte_at(image, TEXT + 0x200000), 'l');
}

/*
 * Pages are where the kernel's tables say; what was left out is not there, nor what has no entry.
 */
START_TEST(reads_pages)
{
	struct rsb_core_notes notes;
	struct rsb_image *image;
	uint64_t gap;

	start();
	image = load(WHOLE, &notes);
	check_pages(image);
	ck_assert(is_absent(image, TEXT + 0x2000) && is_absent(image, TEXT + 0x3000));
	ck_assert(is_absent(image, TEXT + 0x201000) && is_absent(image, TEXT - 1));
	ck_assert(notes.has_shift);
	ck_assert_uint_eq(notes.shift, 0xe00000);
	/* There is room for callers. */
	gap = rsb_image_gap(image, TEXT, RSB_PAGE);
	ck_assert(gap && (gap < TEXT || gap >= TEXT + 0x400000));
	rsb_core_notes_clear(&notes);
	rsb_image_free(image);
}
END_TEST

/* QEMU's dumps of most guests have no VMCOREINFO; what a processor had will do. */
START_TEST(finds_tables_by_a_processor)
{
	struct rsb_core_notes notes;
	struct rsb_image *image;

	start();
	put64(SUB, 40, 0);
	set_note(0x1000 | 0x18, 0x750ef0);
	image = load(WHOLE, &notes);
	check_pages(image);
	ck_assert(!notes.has_shift);
	rsb_core_notes_clear(&notes);
	rsb_image_free(image);
}
END_TEST

/* A frame that zstd has compressed, as makedumpfile -z does. */
START_TEST(reads_zstd)
{
	struct rsb_core_notes notes;
	struct rsb_image *image;
	uint8_t page[RSB_PAGE];
	size_t size;

	start();
	memset(page, 'b', sizeof(page));
	size = ZSTD_compress(dump[PAGE_B], RSB_PAGE, page, sizeof(page), 1);
	ck_assert(!ZSTD_isError(size));
	put32(DESCRIPTORS, 5 * 24 + 8, (uint32_t)size);
	put32(DESCRIPTORS, 5 * 24 + 12, 0x20);
	image = load(WHOLE, &notes);
	check_pages(image);
	rsb_core_notes_clear(&notes);
	rsb_image_free(image);
}
END_TEST

/* Reads the page at TEXT + 0x1000, and the message ends so. */
static void tells(const char *expected)
{
	struct rsb_core_notes notes;
	struct rsb_image *image = load(WHOLE, &notes);
	const char *text;
	char byte;

	ck_assert_msg(image != NULL, "%s", error.text);
	ck_assert(!rsb_image_read(image, TEXT + 0x1000, &byte, 1, &error));
	text = strchr(error.text, ':');
	ck_assert_ptr_nonnull(text);
	ck_assert_str_eq(text, expected);
	rsb_core_notes_clear(&notes);
	rsb_image_free(image);
}

/* What cannot be read of a good dump is said when it is touched. */
START_TEST(tells_damaged_frames)
{
	start();
	memset(dump[PAGE_B], 0xff, 16);
	tells(": the frame at 0x6000 is damaged");
	start();
	put32(DESCRIPTORS, 5 * 24 + 8, RSB_PAGE + 1);
	tells(": the frame at 0x6000 is damaged");
	start();
	put32(DESCRIPTORS, 5 * 24 + 12, 0);
	tells(": the frame at 0x6000 is damaged");
	start();
	put64(DESCRIPTORS, 5 * 24, WHOLE - 1);
	tells(": the frame at 0x6000 cannot be read: the file ends before it");
	start();
	put32(DESCRIPTORS, 5 * 24 + 12, 2);
	tells(": the frame at 0x6000 is compressed by LZO: expected zlib or zstd, as by "
	      "makedumpfile -c or -z");
}
END_TEST

/* A file that is too short for what it claims is refused at once. */
START_TEST(refuses_a_cut_file)
{
	start();
	refuses(100,
		": is cut short: expected two headers of 4096 bytes each, and the file has 100");
	refuses(3 * RSB_PAGE, ": is cut short: 4 blocks of headers and bitmaps do not fit in its "
			      "12288 bytes");
	refuses(TEXTS * RSB_PAGE,
		": is cut short: its VMCOREINFO need 88 bytes from 0x5000, and the "
		"file has 20480");
	put32(HEADER, 436, UINT32_MAX);
	refuses(WHOLE, ": is cut short: 4294967297 blocks of headers and bitmaps do not fit in its "
		       "65536 bytes");
	start();
	put64(SUB, 56, UINT64_C(1) << 40);
	refuses(WHOLE, ": expected at most 16777216 bytes of notes, found 1099511627776");
}
END_TEST

/* More frames than its bitmaps have bits for. */
START_TEST(refuses_forged_counts)
{
	start();
	put64(SUB, 96, UINT64_C(1) << 40);
	refuses(WHOLE, ": has bitmaps of 2 blocks, too few for 1099511627776 frames");
}
END_TEST

/*
 * Dumps of other machines, parts, other versions, and those that do not tell where the page tables
 * are.
 */
START_TEST(refuses_other_dumps)
{
	start();
	memcpy(dump[HEADER] + 272, "s390x", 6);
	refuses(WHOLE, ": expected a dump of x86_64, found 's390x'");
	start();
	put32(HEADER, 428, 65536);
	refuses(WHOLE, ": expected blocks of 4096 bytes, as x86-64 has, found 65536");
	start();
	put32(SUB, 12, 1);
	refuses(WHOLE,
		": is a part of a dump: expected it whole, as makedumpfile --reassemble writes "
		"it");
	start();
	put32(HEADER, 8, 7);
	refuses(WHOLE, ": expected version 1 to 6 of the form, found 7");
	start();
	set_vmcoreinfo("NUMBER(phys_base)=0\n");
	refuses(WHOLE, ": where its page tables are is not known: expected VMCOREINFO with "
		       "swapper_pg_dir and phys_base, or QEMU's note of a processor");
	set_vmcoreinfo("SYMBOL(swapper_pg_dir)=ffffffff80005000\nNUMBER(phys_base)=0\n");
	memset(dump[PAGE_A], 0, RSB_PAGE);
	refuses(WHOLE, ": its page tables are empty");
}
END_TEST

/* The flattened one cannot be read here and there; makedumpfile brings it in order. */
START_TEST(refuses_other_forms)
{
	start();
	memcpy(dump[HEADER], "DISKDUMP", 8);
	refuses(WHOLE,
		": is in diskdump's compressed form: expected makedumpfile's, or an ELF core");
	memcpy(dump[HEADER], "makedumpfile\0\0\0", 16);
	refuses(WHOLE,
		": is in makedumpfile's flattened form: expected it as makedumpfile -R writes "
		"it, or an ELF core");
}
END_TEST

UNIT_MAIN("makedumpfile's compressed form", reads_pages, finds_tables_by_a_processor, reads_zstd,
	  tells_damaged_frames, refuses_a_cut_file, refuses_forged_counts, refuses_other_dumps,
	  refuses_other_forms)
