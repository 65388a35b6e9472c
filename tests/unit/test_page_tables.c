/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Page tables. Their format is that of the AMD64 Architecture Programmer's Manual, volume 2, 5.3
 * and 5.4: nine bits of an address an entry, bit 0 for present, bit 7 for a large page.
 */
#include "sim/image/page_tables.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#define FRAMES 16u
#define LARGE  UINT64_C(0x80)

/* A physical memory; a frame that is broken cannot be read. */
struct memory {
	uint64_t frames[FRAMES][RSB_PAGE / 8];
	unsigned broken;
};

static struct memory memory;
static struct rsb_error error;
static struct rsb_page_range *ranges;
static size_t count;

static bool read_frame(void *context, uint64_t address, uint8_t page[RSB_PAGE],
		       struct rsb_error *why)
{
	struct memory *from = context;
	uint64_t frame = address / RSB_PAGE;

	ck_assert_uint_eq(address % RSB_PAGE, 0);
	if (frame == from->broken)
		return rsb_error_set(why, "frame %u is broken", from->broken);
	if (frame >= FRAMES)
		return false;
	memcpy(page, from->frames[frame], RSB_PAGE);
	return true;
}

static struct rsb_page_tables tables = {
	.frame = read_frame, .context = &memory, .root = RSB_PAGE, .levels = 4
};

static uint64_t to(unsigned frame)
{
	return (uint64_t)frame * RSB_PAGE | 1;
}

/* Frames 1 to 4 are the tables of the kernel's code, as it is mapped from 0xffffffff81000000 on. */
static void start(void)
{
	memset(&memory, 0, sizeof(memory));
	memory.broken = FRAMES + 1;
	tables.levels = 4;
	tables.ignored = 0;
	memory.frames[1][511] = to(2);
	memory.frames[2][510] = to(3);
	memory.frames[3][8] = to(4);
	memory.frames[4][0] = to(5);
	memory.frames[4][3] = to(6);
}

static void finds(uint64_t address, uint64_t expected)
{
	uint64_t physical;

	ck_assert_msg(rsb_page_tables_find(&tables, address, &physical, &error), "0x%llx",
		      (unsigned long long)address);
	ck_assert_uint_eq(physical, expected);
}

static void lacks(uint64_t address)
{
	uint64_t physical;

	ck_assert(!rsb_page_tables_find(&tables, address, &physical, &error));
	ck_assert_str_eq(error.text, "");
}

static void lists(void)
{
	ck_assert_msg(rsb_page_tables_list(&tables, &ranges, &count, &error), "%s", error.text);
}

/* A page is found by four tables, and the addresses beside it are not there. */
START_TEST(finds_pages)
{
	start();
	finds(0xffffffff81000000, 5 * RSB_PAGE);
	finds(0xffffffff81003fff, 6 * RSB_PAGE);
	lacks(0xffffffff81001000);
	lacks(0xffffffff81200000);
	lacks(0xffffffffc0000000);
	lacks(0xffff888000000000);
}
END_TEST

/* Large pages end the walk: 2 MiB, and 1 GiB. Bit 12 of one is no part of its address (PAT). */
START_TEST(finds_large_pages)
{
	start();
	memory.frames[3][9] = 0x40000000 | 0x1000 | LARGE | 1;
	memory.frames[2][0] = 0x80000000 | LARGE | 1;
	finds(0xffffffff81200000, 0x40000000);
	finds(0xffffffff813ff123, 0x401ff000);
	finds(0xffffff8012345678, 0x92345000);
}
END_TEST

/* Five levels, where the first bit that all upper addresses share is bit 56. */
START_TEST(walks_five_levels)
{
	start();
	tables.levels = 5;
	memcpy(memory.frames[7], memory.frames[1], RSB_PAGE);
	memset(memory.frames[1], 0, RSB_PAGE);
	memory.frames[1][511] = to(7);
	finds(0xffffffff81003000, 6 * RSB_PAGE);
	memory.frames[1][256] = to(8);
	memory.frames[8][0] = to(9);
	memory.frames[9][1] = LARGE | 1;
	lists();
	ck_assert_uint_eq(count, 2);
	ck_assert_uint_eq(ranges[0].first, 0xff00000040000000);
	ck_assert_uint_eq(ranges[0].last, 0xff0000007fffffff);
	ck_assert_uint_eq(ranges[1].first, 0xffffffff81000000);
	free(ranges);
}
END_TEST

/* What the tables have is listed to 2 MiB, joined where it touches; the lower half is not. */
START_TEST(lists_ranges)
{
	start();
	memory.frames[1][0] = to(2);
	memory.frames[3][9] = LARGE | 1;
	memory.frames[3][511] = LARGE | 1;
	memory.frames[2][511] = LARGE | 1;
	lists();
	ck_assert_uint_eq(count, 2);
	ck_assert_uint_eq(ranges[0].first, 0xffffffff81000000);
	ck_assert_uint_eq(ranges[0].last, 0xffffffff813fffff);
	ck_assert_uint_eq(ranges[1].first, 0xffffffffbfe00000);
	ck_assert_uint_eq(ranges[1].last, UINT64_MAX);
	free(ranges);
}
END_TEST

/* The bit that memory encryption sets in each entry is no part of an address. */
START_TEST(ignores_the_encryption_bit)
{
	start();
	tables.ignored = UINT64_C(1) << 47;
	memory.frames[1][511] |= tables.ignored;
	memory.frames[4][0] |= tables.ignored;
	finds(0xffffffff81000000, 5 * RSB_PAGE);
}
END_TEST

/* A table that the memory lacks has nothing behind it; one that cannot be read is an error. */
START_TEST(tells_absent_from_broken)
{
	uint64_t physical;

	start();
	memory.frames[1][300] = to(FRAMES + 5);
	lists();
	ck_assert_uint_eq(count, 1);
	free(ranges);
	memory.broken = 3;
	ck_assert(!rsb_page_tables_list(&tables, &ranges, &count, &error));
	ck_assert_str_eq(error.text, "frame 3 is broken");
	ck_assert(!rsb_page_tables_find(&tables, 0xffffffff81000000, &physical, &error));
	ck_assert_str_eq(error.text, "frame 3 is broken");
}
END_TEST

/* Tables that are in each other, and ranges without number, end soon. */
START_TEST(ends_with_forged_tables)
{
	start();
	for (unsigned i = 0; i < 512; i++)
		memory.frames[1][i] = to(1);
	ck_assert(!rsb_page_tables_list(&tables, &ranges, &count, &error));
	ck_assert_str_eq(error.text, "there are more than 131072 page tables");
	for (unsigned i = 0; i < 512; i++) {
		memory.frames[1][i] = to(2);
		memory.frames[2][i] = to(3);
		memory.frames[3][i] = i % 2;
	}
	ck_assert(!rsb_page_tables_list(&tables, &ranges, &count, &error));
	ck_assert_str_eq(error.text, "the page tables have more than 262144 separate ranges");
}
END_TEST

UNIT_MAIN("page tables", finds_pages, finds_large_pages, walks_five_levels, lists_ranges,
	  ignores_the_encryption_bit, tells_absent_from_broken, ends_with_forged_tables)
