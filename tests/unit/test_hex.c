/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hexadecimal text in the forms that people paste, and what is refused. */
#include "sim/image/hex.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

static struct rsb_error error;

/* "call next; nop; ret", in each form. */
static const uint8_t code[] = { 0xe8, 0x01, 0x00, 0x00, 0x00, 0x90, 0xc3 };

static const char *const forms[] = {
	"e8 01 00 00 00 90 c3",
	"E801000000 90C3",
	"\n e8 01\n00 00\t00 90\r\nc3 \n",
	"\\xe8\\x01\\x00\\x00\\x00\\x90\\xc3",
	"\"\\xe8\\x01\\x00\\x00\"\n\"\\x00\\x90\\xc3\";",
	"0xe8 0x01 0x00 0x00 0x00 0x90 0xc3",
	"0xe8, 0x01, 0x00,\n0x00, 0x00, 0x90, 0xc3,\n",

	/* xxd -i */
	"unsigned char stub[] = {\n  0xe8, 0x01, 0x00, 0x00, 0x00, 0x90, 0xc3\n};\n"
	"unsigned int stub_len = 7;\n",

	/* objdump -d of binutils 2.40 */
	"\nstub.o:     file format elf64-x86-64\n\n\nDisassembly of section .text:\n\n"
	"0000000000000000 <stub>:\n"
	"   0:\te8 01 00 00 00       \tcall   6 <stub+0x6>\n"
	"   5:\t90                   \tnop\n"
	"   6:\tc3                   \tret\n",

	/* An instruction that takes two lines there. */
	"  401000:\te8 01 00 00        \tmovabs $0x1,%rax\n  401004:\t00 90 c3 \n",

	/* gdb 13: x/7xb */
	"0x401000 <stub>:\t0xe8\t0x01\t0x00\t0x00\n0x401004 <stub+4>:\t0x00\t0x90\t0xc3\n",
};

/* All forms are the same bytes. */
START_TEST(reads_what_people_paste)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		uint8_t *bytes;
		size_t size;

		ck_assert_msg(rsb_hex_decode(forms[i], &bytes, &size, &error), "%s\n%s", forms[i],
			      error.text);
		ck_assert_msg(size == sizeof(code) && memcmp(bytes, code, size) == 0,
			      "%s: %zu bytes", forms[i], size);
		free(bytes);
	}
}
END_TEST

/* Nothing at all is no error: a piece of memory may be zeros. */
START_TEST(reads_nothing)
{
	uint8_t *bytes;
	size_t size = 1;

	ck_assert(rsb_hex_decode(" \n\t", &bytes, &size, &error));
	ck_assert_uint_eq(size, 0);
	ck_assert_ptr_null(bytes);
}
END_TEST

static const struct {
	const char *text, *message;
} bad[] = {
	{ "e8 0", "expected pairs of hexadecimal digits, found \"0\" at character 4" },
	{ "e8 zz", "expected pairs of hexadecimal digits, found \"zz\" at character 4" },
	{ "\\xe8\\x", "expected pairs of hexadecimal digits, found \"\\x\" at character 5" },
	{ "{ 232, 1 }", "expected pairs of hexadecimal digits, found \"2,\" at character 5" },
	{ "call stub", "expected pairs of hexadecimal digits, found \"ll\" at character 3" },

	/* A line that is missing would move all that follows. */
	{ "   0:\te8 01 00 00 00\tcall\n   6:\tc3\tret\n",
	  "expected a line for address 0x5 at character 27, found 0x6" },

	/* objdump writes this for zeros, and does not say how many. */
	{ "   0:\tc3\tret\n\t...\n", "expected pairs of hexadecimal digits, found \"..\"" },
};

/* Each is refused with what was expected. */
START_TEST(refuses_what_is_no_code)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		uint8_t *bytes;
		size_t size;

		ck_assert_msg(!rsb_hex_decode(bad[i].text, &bytes, &size, &error), "%s",
			      bad[i].text);
		ck_assert_msg(strstr(error.text, bad[i].message) == error.text, "%s\n%s",
			      bad[i].text, error.text);
		ck_assert_ptr_null(bytes);
	}
}
END_TEST

UNIT_MAIN("hexadecimal text", reads_what_people_paste, reads_nothing, refuses_what_is_no_code)
