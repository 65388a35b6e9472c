/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code under construction: labels, fields that wait for them, symbols, mitigations, errors. */
#include "sim/generate/code.h"

#include "tests/unit/listing.h"
#include "tests/unit/unit.h"

#include <string.h>

#define BASE RSB_CODE_BASE

static struct rsb_code *code;
static struct rsb_image *image;
static struct rsb_error error;

/* Finishes the code; its bytes must be these. */
static void expect_bytes(const uint8_t *want, size_t size)
{
	uint8_t got[64];

	ck_assert_uint_eq(rsb_code_here(code), BASE + size);
	image = listing_image(code);
	ck_assert(rsb_image_read(image, BASE, got, size, &error));
	ck_assert_mem_eq(got, want, size);
	rsb_image_free(image);
}

#define EXPECT_BYTES(...) \
	expect_bytes((const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }))

/* Finishing must fail with this in the message. */
static void expect_failure(const char *text)
{
	image = rsb_image_new();
	ck_assert(!rsb_code_finish(code, image, &error));
	ck_assert_msg(strstr(error.text, text), "%s", error.text);
	rsb_image_free(image);
	rsb_code_free(code);
}

static void emit_byte(uint8_t byte)
{
	rsb_code_bytes(code, &byte, 1);
}

/* Displacements count from the end of the field, in both directions. */
START_TEST(relative_fields)
{
	rsb_label start, end;

	code = rsb_code_new(BASE);
	start = rsb_code_label(code);
	end = rsb_code_label(code);
	rsb_code_place(code, start);
	rsb_code_relative32(code, end, 0);
	rsb_code_relative8(code, start);
	rsb_code_relative8(code, end);
	rsb_code_relative32(code, start, 0);
	rsb_code_place(code, end);
	EXPECT_BYTES(6, 0, 0, 0, (uint8_t)-5, 4, (uint8_t)-10, 0xff, 0xff, 0xff);
}
END_TEST

/* An immediate after the field moves where the displacement counts from. */
START_TEST(field_before_an_immediate)
{
	rsb_label label;

	code = rsb_code_new(BASE);
	label = rsb_code_label(code);
	rsb_code_relative32(code, label, 1);
	emit_byte(0x05);
	rsb_code_place(code, label);
	EXPECT_BYTES(0, 0, 0, 0, 0x05);
}
END_TEST

/* Both take the address of a label that is not in the code. */
START_TEST(absolute_and_external_fields)
{
	code = rsb_code_new(BASE);
	rsb_code_absolute64(code, rsb_code_external(code, UINT64_C(0x1122334455667788)));
	rsb_code_relative32(code, rsb_code_external(code, BASE), 0);
	EXPECT_BYTES(0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, (uint8_t)-12, 0xff, 0xff,
		     0xff);
}
END_TEST

/* A name stands for one label, whether it is used or placed first; a function starts at 16. */
START_TEST(named_labels_are_symbols)
{
	uint64_t address;

	code = rsb_code_new(BASE);
	rsb_code_relative32(code, rsb_code_named(code, "late"), 0);
	rsb_code_function(code, "late");
	emit_byte(0x90);
	ck_assert_uint_eq(rsb_code_named(code, "late"), rsb_code_named(code, "late"));
	image = listing_image(code);
	ck_assert_msg(rsb_image_find(image, "late", &address, &error), "%s", error.text);
	ck_assert_uint_eq(address, BASE + 16);
	rsb_image_free(image);
}
END_TEST

/* Data is zeros in memory of its own; each piece starts at a multiple of 16 and has a name. */
START_TEST(data)
{
	uint64_t address;
	uint8_t byte = 1;

	code = rsb_code_new(BASE);
	rsb_code_data(code, "first", 17);
	rsb_code_data(code, "second", 8);
	emit_byte(0xc3);
	image = listing_image(code);
	ck_assert_msg(rsb_image_find(image, "second", &address, &error), "%s", error.text);
	ck_assert_uint_eq(address, RSB_CODE_DATA_BASE + 32);
	ck_assert(rsb_image_read(image, address, &byte, 1, &error));
	ck_assert_uint_eq(byte, 0);
	rsb_image_free(image);
}
END_TEST

/* The filler goes up to the boundary, and is none on it. */
START_TEST(alignment)
{
	code = rsb_code_new(BASE);
	rsb_code_align(code, 4, 0xcc);
	emit_byte(1);
	rsb_code_align(code, 4, 0xcc);
	rsb_code_align(code, 4, 0xcc);
	emit_byte(2);
	EXPECT_BYTES(1, 0xcc, 0xcc, 0xcc, 2);
}
END_TEST

/* More of everything than fits at first. */
START_TEST(growth)
{
	rsb_label end;

	code = rsb_code_new(BASE);
	end = rsb_code_label(code);
	for (int i = 0; i < 1000; i++) {
		rsb_code_place(code, rsb_code_label(code));
		rsb_code_relative32(code, end, 0);
		rsb_code_mitigation(code, RSB_MITIGATION_FILL);
	}
	rsb_code_place(code, end);
	ck_assert_uint_eq(rsb_code_here(code), BASE + 4000);
	image = listing_image(code);
	rsb_image_free(image);
}
END_TEST

/* A kind holds from where it is set up to where the next one is. */
START_TEST(mitigations)
{
	code = rsb_code_new(BASE);
	emit_byte(0);
	rsb_code_mitigation(code, RSB_MITIGATION_JUMP);
	emit_byte(1);
	rsb_code_mitigation(code, RSB_MITIGATION_RETURN);
	emit_byte(2);
	rsb_code_mitigation(code, RSB_MITIGATION_NONE);
	emit_byte(3);
	rsb_code_mitigation(code, RSB_MITIGATION_FILL);
	emit_byte(4);
	image = listing_image(code);
	ck_assert_int_eq(rsb_image_mitigation(image, BASE), RSB_MITIGATION_NONE);
	ck_assert_int_eq(rsb_image_mitigation(image, BASE + 1), RSB_MITIGATION_JUMP);
	ck_assert_int_eq(rsb_image_mitigation(image, BASE + 2), RSB_MITIGATION_RETURN);
	ck_assert_int_eq(rsb_image_mitigation(image, BASE + 3), RSB_MITIGATION_NONE);
	ck_assert_int_eq(rsb_image_mitigation(image, BASE + 4), RSB_MITIGATION_FILL);
	rsb_image_free(image);
}
END_TEST

/* A use without a place is an error, by name. */
START_TEST(refuses_a_label_never_placed)
{
	code = rsb_code_new(BASE);
	rsb_code_relative32(code, rsb_code_named(code, "nowhere"), 0);
	expect_failure("nowhere is used but never placed");
}
END_TEST

/* The first error is the one that is told. */
START_TEST(refuses_a_label_placed_twice)
{
	code = rsb_code_new(BASE);
	rsb_code_function(code, "twice");
	emit_byte(0);
	rsb_code_function(code, "twice");
	rsb_code_relative32(code, rsb_code_named(code, "nowhere"), 0);
	expect_failure("twice is placed twice");
}
END_TEST

/* 127 bytes are the most that 8 bits reach forward, 128 backward. */
START_TEST(short_reach)
{
	static const uint8_t filler[129];

	for (int over = 0; over <= 1; over++) {
		rsb_label label;

		code = rsb_code_new(BASE);
		label = rsb_code_label(code);
		rsb_code_relative8(code, label);
		rsb_code_bytes(code, filler, 127 + over);
		rsb_code_place(code, label);
		if (over) {
			expect_failure("128 bytes from 0x10000001, too far");
		} else {
			image = listing_image(code);
			rsb_image_free(image);
		}
	}
	for (int over = 0; over <= 1; over++) {
		rsb_label label;

		code = rsb_code_new(BASE);
		label = rsb_code_label(code);
		rsb_code_place(code, label);
		rsb_code_bytes(code, filler, 127 + over);
		rsb_code_relative8(code, label);
		if (over) {
			expect_failure("-129 bytes from 0x10000081, too far");
		} else {
			image = listing_image(code);
			rsb_image_free(image);
		}
	}
}
END_TEST

/* A relative field that is too short is an error, and not cut. */
START_TEST(refuses_what_32_bits_do_not_reach)
{
	code = rsb_code_new(BASE);
	rsb_code_relative32(code, rsb_code_external(code, UINT64_C(0xffffffff81000000)), 0);
	expect_failure("too far for a displacement of 32 bits");
}
END_TEST

UNIT_MAIN("code", relative_fields, field_before_an_immediate, absolute_and_external_fields,
	  named_labels_are_symbols, data, alignment, growth, mitigations,
	  refuses_a_label_never_placed, refuses_a_label_placed_twice, short_reach,
	  refuses_what_32_bits_do_not_reach)
