/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols: by name and by address, aliases, gaps, and a kernel's number of them. */
#include "sim/image/image.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static struct rsb_error error;

static struct rsb_image *new_image(void)
{
	struct rsb_image *image = rsb_image_new();

	ck_assert_ptr_nonnull(image);
	return image;
}

static void add(struct rsb_image *image, const char *name, uint64_t address, uint64_t size)
{
	ck_assert_msg(rsb_image_symbol(image, name, address, size, &error), "%s", error.text);
}

static void describes(const struct rsb_image *image, uint64_t address, const char *expected)
{
	char text[64];

	rsb_image_describe(image, address, text, sizeof(text));
	ck_assert_str_eq(text, expected);
}

/* A name is found whole, not by a part of it. */
START_TEST(finds_a_whole_name)
{
	struct rsb_image *image = new_image();
	uint64_t address = 0;

	add(image, "do_getpgid_slow", 0x3000, 0);
	add(image, "do_getpgid", 0x1000, 0);
	add(image, "__pfx_do_getpgid", 0xff0, 0);
	ck_assert_msg(rsb_image_find(image, "do_getpgid", &address, &error), "%s", error.text);
	ck_assert_uint_eq(address, 0x1000);
	rsb_image_free(image);
}
END_TEST

/* The message about an absent symbol lists near ones. */
START_TEST(lists_near_names)
{
	struct rsb_image *image = new_image();
	uint64_t address;

	add(image, "do_getpgid", 0x1000, 0);
	add(image, "schedule", 0x2000, 0);
	ck_assert(!rsb_image_find(image, "do_getpgidd", &address, &error));
	ck_assert_str_eq(error.text, "there is no symbol 'do_getpgidd'; the nearest: do_getpgid");
	rsb_image_free(image);
}
END_TEST

/* An image without any symbol says no more than that. */
START_TEST(has_no_names)
{
	struct rsb_image *image = new_image();
	uint64_t address;

	ck_assert(!rsb_image_find(image, "x", &address, &error));
	ck_assert_str_eq(error.text, "there is no symbol 'x'");
	describes(image, 0x1234, "0x1234");
	rsb_image_free(image);
}
END_TEST

/* One name at two addresses is refused when it is asked for, and both are named. */
START_TEST(names_both_addresses)
{
	struct rsb_image *image = new_image();
	uint64_t address;

	add(image, "init_once", 0xffffffff81000010, 0);
	add(image, "init_once", 0xffffffffc0000020, 0);
	ck_assert(!rsb_image_find(image, "init_once", &address, &error));
	ck_assert_str_eq(error.text, "symbol 'init_once' is ambiguous: it is at 0xffffffff81000010 "
				     "and at 0xffffffffc0000020; give the address");
	rsb_image_free(image);
}
END_TEST

/* The same name twice at one address is one symbol. */
START_TEST(takes_a_repeated_line)
{
	struct rsb_image *image = new_image();
	uint64_t address;

	add(image, "twice", 0x1000, 0);
	add(image, "twice", 0x1000, 0);
	ck_assert(rsb_image_find(image, "twice", &address, &error));
	rsb_image_free(image);
}
END_TEST

/* A symbol without a size lasts up to the next address that has one, aliases notwithstanding. */
START_TEST(ends_at_the_next)
{
	struct rsb_image *image = new_image();
	uint64_t start, end;

	add(image, "late", 0x2000, 0);
	add(image, "_stext", 0x1000, 0);
	add(image, "_text", 0x1000, 0);
	ck_assert_str_eq(rsb_image_symbol_at(image, 0x1fff, &start, &end), "_stext");
	ck_assert_uint_eq(start, 0x1000);
	ck_assert_uint_eq(end, 0x2000);
	describes(image, 0x1000, "_stext");
	describes(image, 0x105e, "_stext+0x5e");
	describes(image, 0x2000, "late");
	describes(image, 0xfff, "0xfff");
	rsb_image_free(image);
}
END_TEST

/* A symbol with a size speaks for no byte behind it. */
START_TEST(ends_at_its_size)
{
	struct rsb_image *image = new_image();
	uint64_t start, end;

	add(image, "stub", 0x1000, 0x10);
	add(image, "next", 0x2000, 0);
	describes(image, 0x100f, "stub+0xf");
	describes(image, 0x1010, "0x1010");
	ck_assert_ptr_null(rsb_image_symbol_at(image, 0x1800, &start, &end));
	rsb_image_free(image);
}
END_TEST

/* The last symbol speaks for 1 MiB, and one near the top of memory does not wrap around. */
START_TEST(reaches_a_mebibyte)
{
	struct rsb_image *image = new_image();
	uint64_t start, end;

	add(image, "last", 0x1000, 0);
	describes(image, 0x100fff, "last+0xfffff");
	describes(image, 0x101000, "0x101000");
	add(image, "top", UINT64_MAX - 0xfff, 0);
	describes(image, UINT64_MAX - 0xffe, "top+0x1");
	ck_assert_ptr_nonnull(rsb_image_symbol_at(image, UINT64_MAX - 1, &start, &end));
	ck_assert_uint_eq(end, UINT64_MAX);
	rsb_image_free(image);
}
END_TEST

/* The walk is in the order of addresses, whatever order they came in. */
START_TEST(walks_by_address)
{
	static const char *const expected[] = { "a", "b", "b_alias", "c" };
	struct rsb_image *image = new_image();
	const char *name;
	uint64_t address, last = 0;
	size_t index = 0, count = 0;

	add(image, "b", 0x2000, 0);
	add(image, "b_alias", 0x2000, 0);
	add(image, "c", 0x3000, 0);
	add(image, "a", 0x1000, 0);
	while (rsb_image_symbol_next(image, &index, &name, &address)) {
		ck_assert_str_eq(name, expected[count++]);
		ck_assert_uint_ge(address, last);
		last = address;
	}
	ck_assert_uint_eq(count, 4);
	rsb_image_free(image);
}
END_TEST

/* As many symbols as a kernel has, in no order, take no quadratic time. */
START_TEST(holds_a_kernel)
{
	enum { COUNT = 250000 };
	struct rsb_image *image = new_image();
	clock_t began = clock();
	uint64_t address;
	char name[32];

	for (uint64_t i = 0; i < COUNT; i++) {
		/* An odd factor makes each address once, far from the one before. */
		uint64_t place = i * 99991 % COUNT;

		snprintf(name, sizeof(name), "function_%u", (unsigned)place);
		add(image, name, 0xffffffff81000000 + place * 16, 0);
	}
	describes(image, 0xffffffff81000000 + 123456 * 16 + 3, "function_123456+0x3");
	ck_assert(rsb_image_find(image, "function_249999", &address, &error));
	ck_assert_uint_eq(address, 0xffffffff81000000 + 249999 * 16);
	ck_assert_msg(clock() - began < 20 * CLOCKS_PER_SEC, "it took more than 20 s");
	rsb_image_free(image);
}
END_TEST

UNIT_MAIN("symbols", finds_a_whole_name, lists_near_names, has_no_names, names_both_addresses,
	  takes_a_repeated_line, ends_at_the_next, ends_at_its_size, reaches_a_mebibyte,
	  walks_by_address, holds_a_kernel)
