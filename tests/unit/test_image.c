/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Images: segments copied and read, pages, patches, free places, mitigations, ownership. */
#include "sim/image/image.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#define ALL (RSB_READ | RSB_WRITE | RSB_EXECUTE)

static struct rsb_error error;

static struct rsb_image *new_image(void)
{
	struct rsb_image *image = rsb_image_new();

	ck_assert_ptr_nonnull(image);
	return image;
}

static void map(struct rsb_image *image, const char *name, uint64_t address, uint64_t size)
{
	ck_assert_msg(rsb_image_map(image, name, address, size, ALL, NULL, 0, &error), "%s",
		      error.text);
}

/* A reader whose pages hold their own number, and which counts. */
struct counted {
	unsigned pages;
	bool broken;
};

static bool read_numbers(void *context, uint64_t address, uint8_t page[RSB_PAGE],
			 struct rsb_error *why)
{
	struct counted *counted = context;

	counted->pages++;
	memset(page, (int)(address / RSB_PAGE), RSB_PAGE);
	return !counted->broken || rsb_error_set(why, "disk: on fire");
}

/* A segment is rounded out to pages, with zeros around the given bytes. */
START_TEST(rounds_a_segment_out)
{
	struct rsb_image *image = new_image();
	uint8_t page[RSB_PAGE];
	unsigned access;

	ck_assert(rsb_image_map(image, "code", 0x401ff0, 0x20, RSB_EXECUTE, "0123456789abcdefGHIJ",
				20, &error));
	ck_assert(rsb_image_page(image, 0x401000, page, &access, &error));
	ck_assert_uint_eq(access, RSB_EXECUTE);
	ck_assert_uint_eq(page[0xfef], 0);
	ck_assert_mem_eq(page + 0xff0, "0123456789abcdef", 16);
	ck_assert(rsb_image_page(image, 0x402123, page, &access, &error));
	ck_assert_mem_eq(page, "GHIJ\0\0\0", 7);
	ck_assert(!rsb_image_page(image, 0x403000, page, &access, &error));
	ck_assert(!rsb_image_page(image, 0x400fff, page, &access, &error));
	rsb_image_free(image);
}
END_TEST

/* What is not mapped is no error with a text: the machine words it. */
START_TEST(is_silent_about_absent_pages)
{
	struct rsb_image *image = new_image();
	uint8_t byte;

	rsb_error_set(&error, "old");
	ck_assert(!rsb_image_read(image, 0x1000, &byte, 1, &error));
	ck_assert_str_eq(error.text, "");
	rsb_image_free(image);
}
END_TEST

/* Segments that share a page overlap, and the message names both. */
START_TEST(refuses_overlaps)
{
	struct rsb_image *image = new_image();

	map(image, "low", 0x10000, 0x1001);
	ck_assert(!rsb_image_map(image, "high", 0x11800, 8, ALL, NULL, 0, &error));
	ck_assert_str_eq(error.text, "'high' (0x11000 to 0x11fff) overlaps 'low' (0x10000 to "
				     "0x11fff)");
	ck_assert(!rsb_image_map(image, "around", 0xf000, 0x10000, ALL, NULL, 0, &error));
	ck_assert(strstr(error.text, "'around'") && strstr(error.text, "'low'"));
	map(image, "beside", 0x12000, 1);
	map(image, "below", 0xf000, 0x1000);
	rsb_image_free(image);
}
END_TEST

/* The last page of the address space can be mapped; nothing can go beyond it. */
START_TEST(ends_where_addresses_end)
{
	struct rsb_image *image = new_image();
	uint8_t byte = 1;

	map(image, "top", UINT64_MAX - 0xfff, 0x1000);
	ck_assert(rsb_image_read(image, UINT64_MAX, &byte, 1, &error));
	ck_assert_uint_eq(byte, 0);
	ck_assert(!rsb_image_map(image, "over", UINT64_MAX - 0x1fff, 0x3000, ALL, NULL, 0, &error));
	ck_assert_str_eq(error.text,
			 "'over' wraps: 0x3000 bytes do not fit behind 0xffffffffffffe000");
	ck_assert(!rsb_image_map(image, "none", 0x1000, 0, ALL, NULL, 0, &error));
	ck_assert_str_eq(error.text, "'none' is empty");
	rsb_image_free(image);
}
END_TEST

/* A backed segment is read a page at a time, and only where it is touched. */
START_TEST(reads_touched_pages)
{
	struct rsb_image *image = new_image();
	struct counted counted = { 0 };
	uint8_t bytes[2];

	ck_assert(rsb_image_back(image, "huge", 0x100000, UINT64_C(1) << 40, ALL, read_numbers,
				 &counted, &error));
	ck_assert_uint_eq(counted.pages, 0);
	ck_assert(rsb_image_read(image, 0x105fff, bytes, 2, &error));
	ck_assert_uint_eq(bytes[0], 0x05);
	ck_assert_uint_eq(bytes[1], 0x06);
	ck_assert_uint_eq(counted.pages, 2);
	counted.broken = true;
	ck_assert(!rsb_image_read(image, 0x105000, bytes, 1, &error));
	ck_assert_str_eq(error.text, "disk: on fire");
	rsb_image_free(image);
}
END_TEST

/* A patch stands over a copy and over a backed page, across their border too. */
START_TEST(patches_any_page)
{
	struct rsb_image *image = new_image();
	struct counted counted = { 0 };
	char bytes[8];

	ck_assert(rsb_image_map(image, "copy", 0x1000, 0x1000, ALL, "abc", 3, &error));
	ck_assert(
		rsb_image_back(image, "file", 0x2000, 0x4000, ALL, read_numbers, &counted, &error));
	ck_assert(rsb_image_patch(image, 0x1ffe, "WXYZ", 4, &error));
	ck_assert(rsb_image_patch(image, 0x1001, "B", 1, &error));
	ck_assert(rsb_image_patch(image, 0x1ffd, "V", 1, &error));
	ck_assert(rsb_image_read(image, 0x1ffc, bytes, 8, &error));
	ck_assert_mem_eq(bytes, "\0VWXYZ\2\2", 8);
	ck_assert(rsb_image_read(image, 0x1000, bytes, 4, &error));
	ck_assert_mem_eq(bytes, "aBc\0", 4);
	ck_assert(!rsb_image_patch(image, 0x5fff, "12", 2, &error));
	ck_assert_str_eq(error.text, "");
	rsb_image_free(image);
}
END_TEST

/* A gap is near, free, and has a mebibyte of nothing on both sides if there is room for that. */
START_TEST(finds_a_gap)
{
	struct rsb_image *image = new_image();
	uint64_t gap;

	map(image, "code", 0x401000, 0x1000);
	map(image, "data", 0x500000, 0x1000);
	gap = rsb_image_gap(image, 0x401234, 0x2345);
	ck_assert_uint_ne(gap, 0);
	ck_assert_uint_eq(gap % RSB_PAGE, 0);
	ck_assert(gap + 0x2345 + 0x100000 <= 0x401000 || gap >= 0x501000 + 0x100000);
	ck_assert(gap >= 0x200000 && gap < 0x700000);
	map(image, "found", gap, 0x2345);
	rsb_image_free(image);
}
END_TEST

/* Where there is less room, the gap does without; where there is none within reach, it is 0. */
START_TEST(finds_a_narrow_gap)
{
	struct rsb_image *image = new_image();
	uint64_t middle = UINT64_C(0x100000000);

	map(image, "below", middle - 0x50000000, 0x50000000);
	map(image, "above", middle + 0x1000, 0x50000000);
	ck_assert_uint_eq(rsb_image_gap(image, middle - 0x100, 0x1000), middle);
	ck_assert_uint_eq(rsb_image_gap(image, middle - 0x100, 0x1001), 0);
	map(image, "rest", middle, 0x1000);
	ck_assert_uint_eq(rsb_image_gap(image, middle, 1), 0);
	rsb_image_free(image);
}
END_TEST

/* At both ends of the address space gaps do not wrap, and the null page stays free. */
START_TEST(keeps_gaps_inside)
{
	struct rsb_image *image = new_image();
	uint64_t top = UINT64_MAX - 0xfff;

	ck_assert_uint_ge(rsb_image_gap(image, 0, 0x1000), 0x1000);
	ck_assert_uint_le(rsb_image_gap(image, UINT64_MAX, 0x2000), top - 0x1000);
	map(image, "all", 0x1000, top - 0x1000);
	ck_assert_uint_eq(rsb_image_gap(image, top, 0x1000), top);
	ck_assert_uint_eq(rsb_image_gap(image, top, 0x2000), 0);
	ck_assert_uint_eq(rsb_image_gap(image, 0, 0x1000), 0);
	rsb_image_free(image);
}
END_TEST

/* Thousands of segments, in falling order too. */
START_TEST(holds_many_segments)
{
	struct rsb_image *image = new_image();
	uint8_t byte;

	for (uint64_t i = 5000; i > 0; i--)
		map(image, "page", i * 0x2000, 0x1000);
	for (uint64_t i = 1; i <= 5000; i++) {
		ck_assert(rsb_image_read(image, i * 0x2000 + 0xfff, &byte, 1, &error));
		ck_assert(!rsb_image_read(image, i * 0x2000 + 0x1000, &byte, 1, &error));
	}
	rsb_image_free(image);
}
END_TEST

/* A region ends before its end; of two that overlap the later counts; neighbours may join. */
START_TEST(knows_mitigations)
{
	struct rsb_image *image = new_image();

	ck_assert_int_eq(rsb_image_mitigation(image, 0x1000), RSB_MITIGATION_NONE);
	ck_assert(rsb_image_mitigate(image, 0x1000, 0x1010, RSB_MITIGATION_RETURN));
	ck_assert(rsb_image_mitigate(image, 0x1010, 0x1020, RSB_MITIGATION_RETURN));
	ck_assert(rsb_image_mitigate(image, 0x1018, 0x1030, RSB_MITIGATION_JUMP));
	ck_assert_int_eq(rsb_image_mitigation(image, 0xfff), RSB_MITIGATION_NONE);
	ck_assert_int_eq(rsb_image_mitigation(image, 0x1000), RSB_MITIGATION_RETURN);
	ck_assert_int_eq(rsb_image_mitigation(image, 0x1017), RSB_MITIGATION_RETURN);
	ck_assert_int_eq(rsb_image_mitigation(image, 0x1018), RSB_MITIGATION_JUMP);
	ck_assert_int_eq(rsb_image_mitigation(image, 0x102f), RSB_MITIGATION_JUMP);
	ck_assert_int_eq(rsb_image_mitigation(image, 0x1030), RSB_MITIGATION_NONE);
	ck_assert(rsb_image_mitigate(image, 0x1030, 0x1040, RSB_MITIGATION_FILL));
	ck_assert_int_eq(rsb_image_mitigation(image, 0x1030), RSB_MITIGATION_FILL);
	rsb_image_free(image);
}
END_TEST

static void release(void *context)
{
	++*(int *)context;
}

/* What the image owns is released with it, once. */
START_TEST(releases_what_it_owns)
{
	struct rsb_image *image = new_image();
	int first = 0, second = 0;

	ck_assert(rsb_image_own(image, &first, release));
	ck_assert(rsb_image_own(image, &second, release));
	ck_assert_int_eq(first + second, 0);
	rsb_image_free(image);
	ck_assert_int_eq(first, 1);
	ck_assert_int_eq(second, 1);
	rsb_image_free(NULL);
}
END_TEST

UNIT_MAIN("image", rounds_a_segment_out, is_silent_about_absent_pages, refuses_overlaps,
	  ends_where_addresses_end, reads_touched_pages, patches_any_page, finds_a_gap,
	  finds_a_narrow_gap, keeps_gaps_inside, holds_many_segments, knows_mitigations,
	  releases_what_it_owns)
