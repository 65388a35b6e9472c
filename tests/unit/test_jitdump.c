/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jitdumps, written here by the format that Linux documents
 * (tools/perf/Documentation/jitdump-specification.txt).
 */
#include "sim/image/jitdump.h"
#include "tests/unit/unit.h"
#include "traces/bytes.h"

#include <elf.h>
#include <string.h>

static struct rsb_error error;

enum { LOAD = 0, MOVE = 1, DEBUG = 2, CLOSE = 3 };

static struct rsb_bytes dump;

static void start(uint32_t magic, uint32_t version, uint32_t machine)
{
	rsb_bytes_clear(&dump);
	rsb_put_u32(&dump, magic);
	rsb_put_u32(&dump, version);
	rsb_put_u32(&dump, 40);
	rsb_put_u32(&dump, machine);
	rsb_put_u32(&dump, 0);
	rsb_put_u32(&dump, 1234);
	rsb_put_u64(&dump, 0);
	rsb_put_u64(&dump, 0);
}

static void start_good(void)
{
	start(0x4a695444, 1, EM_X86_64);
}

static void put_prefix(uint32_t kind, size_t body)
{
	rsb_put_u32(&dump, kind);
	rsb_put_u32(&dump, (uint32_t)(16 + body));
	rsb_put_u64(&dump, 0);
}

/* A function of some bytes of one value. */
static void put_load(const char *name, uint64_t address, uint64_t size, uint64_t index,
		     uint8_t filler)
{
	put_prefix(LOAD, 40 + strlen(name) + 1 + size);
	rsb_put_u64(&dump, 0); /* pid, tid */
	rsb_put_u64(&dump, address);
	rsb_put_u64(&dump, address);
	rsb_put_u64(&dump, size);
	rsb_put_u64(&dump, index);
	rsb_put_text(&dump, name);
	for (uint64_t i = 0; i < size; i++)
		rsb_put_byte(&dump, filler);
}

static void put_move(uint64_t from, uint64_t to, uint64_t size, uint64_t index)
{
	put_prefix(MOVE, 48);
	rsb_put_u64(&dump, 0);
	rsb_put_u64(&dump, to);
	rsb_put_u64(&dump, from);
	rsb_put_u64(&dump, to);
	rsb_put_u64(&dump, size);
	rsb_put_u64(&dump, index);
}

static struct rsb_image *load(void)
{
	struct rsb_image *image = rsb_image_new();

	ck_assert(!dump.failed);
	if (rsb_jitdump_load(image, "d", dump.bytes, dump.size, &error))
		return image;
	rsb_image_free(image);
	return NULL;
}

static struct rsb_image *load_good(void)
{
	struct rsb_image *image = load();

	ck_assert_msg(image, "%s", error.text);
	return image;
}

static uint64_t address_of(const struct rsb_image *image, const char *name)
{
	uint64_t address = 0;

	ck_assert_msg(rsb_image_find(image, name, &address, &error), "%s", error.text);
	return address;
}

/* The byte at an address; -1: nothing is there. */
static int byte_at(const struct rsb_image *image, uint64_t address)
{
	uint8_t byte;

	return rsb_image_read(image, address, &byte, 1, &error) ? byte : -1;
}

/* Code is where the record says, with its name, and what other records say is passed over. */
START_TEST(loads_code)
{
	struct rsb_image *image;

	start_good();
	put_prefix(DEBUG, 8);
	rsb_put_u64(&dump, 0);
	put_load("f", 0x7f0000001010, 16, 1, 0xaa);
	put_load("g", 0x7f0000001020, 16, 2, 0xbb);
	put_prefix(CLOSE, 0);
	rsb_put_u64(&dump, 0x1111); /* behind the end */
	image = load_good();
	ck_assert_uint_eq(address_of(image, "f"), 0x7f0000001010);
	ck_assert_int_eq(byte_at(image, 0x7f000000101f), 0xaa);
	ck_assert_int_eq(byte_at(image, address_of(image, "g")), 0xbb);
	ck_assert_uint_ne(rsb_image_fs_base(image), 0);
	rsb_image_free(image);
}
END_TEST

/* A compiler puts new code where old code was: the old is gone, its name too. */
START_TEST(replaces_code)
{
	struct rsb_image *image;
	uint64_t address;

	start_good();
	put_load("old", 0x10000, 64, 1, 0xaa);
	put_load("new", 0x10020, 64, 2, 0xbb);
	image = load_good();
	ck_assert(!rsb_image_find(image, "old", &address, &error));
	ck_assert_int_eq(byte_at(image, 0x10020), 0xbb);
	ck_assert_int_eq(byte_at(image, 0x1001f), 0);
	rsb_image_free(image);
}
END_TEST

/* A name that was loaded again means the last one; the others have their number with it. */
START_TEST(gives_a_name_to_the_last)
{
	struct rsb_image *image;

	start_good();
	put_load("f", 0x20000, 16, 7, 0xaa);
	put_load("f", 0x10000, 16, 9, 0xbb);
	image = load_good();
	ck_assert_uint_eq(address_of(image, "f"), 0x10000);
	ck_assert_uint_eq(address_of(image, "f#7"), 0x20000);
	ck_assert_str_eq(rsb_image_notes(image)[0],
			 "d: f was loaded 2 times; the last one has the name");
	rsb_image_free(image);
}
END_TEST

/* Code that moved is where it went, and covers what was there. */
START_TEST(moves_code)
{
	struct rsb_image *image;
	uint64_t address;

	start_good();
	put_load("f", 0x10000, 16, 1, 0xaa);
	put_load("g", 0x20000, 16, 2, 0xbb);
	put_move(0x10000, 0x20008, 16, 1);
	image = load_good();
	ck_assert_uint_eq(address_of(image, "f"), 0x20008);
	ck_assert_int_eq(byte_at(image, 0x20008), 0xaa);
	ck_assert(!rsb_image_find(image, "g", &address, &error));
	ck_assert_int_eq(byte_at(image, 0x10000), -1);
	rsb_image_free(image);
}
END_TEST

static void refuse(const char *message)
{
	ck_assert_ptr_null(load());
	ck_assert_str_eq(error.text, message);
}

/* Another machine's, and what is no jitdump. */
START_TEST(refuses_other_files)
{
	start(0x4454694a, 1, EM_X86_64);
	refuse("d: expected a jitdump of x86-64, found one that a big-endian machine wrote");
	start(0x464c457f, 1, EM_X86_64);
	refuse("d: is not a jitdump");
	start(0x4a695444, 2, EM_X86_64);
	refuse("d: expected version 1 of the format, found 2");
	start(0x4a695444, 1, EM_AARCH64);
	refuse("d: expected code for x86-64 (62), found machine 183");
	start_good();
	refuse("d: has no code in it");
	dump.size = 39;
	refuse("d: is cut short: the header has 40 bytes, the file 39");
	dump.size = 0;
	refuse("d: is not a jitdump");
}
END_TEST

/* Cut anywhere behind the header, a dump of one record is refused with its place. */
START_TEST(refuses_a_short_file)
{
	size_t whole;

	start_good();
	put_load("f", 0x10000, 16, 1, 0xaa);
	whole = dump.size;
	for (dump.size = 41; dump.size < whole; dump.size++)
		refuse("d: record 0 at 0x28: is cut short");
}
END_TEST

/* Each is refused by its number and place. */
START_TEST(refuses_bad_records)
{
	start_good();
	put_load("f", 0x10000, 0, 1, 0);
	refuse("d: record 0 at 0x28: expected code of at least one byte");
	start_good();
	put_load("f", UINT64_MAX - 7, 8, 1, 0);
	refuse("d: record 0 at 0x28: the code wraps around the end of memory");
	start_good();
	put_load("f", 0x10000, 16, 1, 0);
	dump.bytes[40 + 16 + 24] = 17; /* bytes of code */
	refuse("d: record 0 at 0x28: the code is longer than the record");
	start_good();
	put_prefix(LOAD, 40);
	for (int i = 0; i < 5; i++)
		rsb_put_u64(&dump, 1);
	refuse("d: record 0 at 0x28: expected the name of a function");
	start_good();
	put_load("f", 0x10000, 16, 1, 0);
	put_move(0x10000, 0x20000, 16, 2);
	refuse("d: record 1 at 0x72: moves code that was not loaded");
	start_good();
	rsb_put_u64(&dump, (uint64_t)15 << 32);
	rsb_put_u64(&dump, 0);
	refuse("d: record 0 at 0x28: its size is less than that of its header");
}
END_TEST

UNIT_MAIN("jitdumps", loads_code, replaces_code, gives_a_name_to_the_last, moves_code,
	  refuses_other_files, refuses_a_short_file, refuses_bad_records)
