/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fingerprints: what moves is masked, what is said is not. The bytes are encodings of the Intel
 * manual (SDM volume 2); which of them are displacement and immediate stands beside each.
 */
#include "sim/check/fingerprint.h"

#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#define BASE UINT64_C(0x401000)

static struct rsb_image *make_image(void)
{
	static const uint8_t code[64] = { 0x90 };
	struct rsb_image *image = rsb_image_new();
	struct rsb_error error;

	ck_assert_ptr_nonnull(image);
	ck_assert_msg(rsb_image_map(image, "code", BASE, RSB_PAGE, RSB_EXECUTE | RSB_READ, code,
				    sizeof(code), &error),
		      "%s", error.text);
	return image;
}

/* Masks an instruction at BASE and compares with what is expected. */
static void expect_masked(const char *bytes, const char *masked, uint8_t length)
{
	struct rsb_image *image = make_image();
	struct rsb_check_place place = { .address = BASE, .length = length };

	memcpy(place.bytes, bytes, length);
	rsb_fingerprint_mask(image, &place);
	ck_assert_mem_eq(place.bytes, masked, length);
	rsb_image_free(image);
}

/* add rsp, 8: 48 83 c4 ib. How much is dropped is what the instruction is about. */
START_TEST(keeps_a_stack_adjustment)
{
	expect_masked("\x48\x83\xc4\x08", "\x48\x83\xc4\x08", 4);
}
END_TEST

/* add rsp, 0x108: 48 81 c4 id. Four bytes, and no address. */
START_TEST(keeps_a_large_number)
{
	expect_masked("\x48\x81\xc4\x08\x01\x00\x00", "\x48\x81\xc4\x08\x01\x00\x00", 7);
}
END_TEST

/* call rel32: e8 cd; jmp rel8: eb cb; je rel8: 74 cb. */
START_TEST(masks_the_way_of_a_branch)
{
	expect_masked("\xe8\x10\x20\x30\x00", "\xe8\x00\x00\x00\x00", 5);
	expect_masked("\xeb\x10", "\xeb\x00", 2);
	expect_masked("\x74\x10", "\x74\x00", 2);
}
END_TEST

/* mov [rbp+8], rax: 48 89 45 disp8; mov rax, [rip+0x1234]: 48 8b 05 disp32. */
START_TEST(masks_a_displacement)
{
	expect_masked("\x48\x89\x45\x08", "\x48\x89\x45\x00", 4);
	expect_masked("\x48\x8b\x05\x34\x12\x00\x00", "\x48\x8b\x05\x00\x00\x00\x00", 7);
}
END_TEST

/* push 0x401010 (68 id), mov rax, 0x401010 (48 b8 io): addresses of the image; push 0x1234 is none.
 */
START_TEST(masks_an_address)
{
	expect_masked("\x68\x10\x10\x40\x00", "\x68\x00\x00\x00\x00", 5);
	expect_masked("\x48\xb8\x10\x10\x40\x00\x00\x00\x00\x00",
		      "\x48\xb8\x00\x00\x00\x00\x00\x00\x00\x00", 10);
	expect_masked("\x68\x34\x12\x00\x00", "\x68\x34\x12\x00\x00", 5);
}
END_TEST

/* Bytes that are no instruction stay as they are: 06 is none in 64-bit mode. */
START_TEST(keeps_what_is_no_instruction)
{
	expect_masked("\x06\x10", "\x06\x10", 2);
}
END_TEST

static void expect_symbol(const char *name, const char *masked)
{
	struct rsb_image *image = make_image();
	struct rsb_error error;
	char *symbol;

	ck_assert(rsb_image_symbol(image, name, BASE, 0, &error));
	symbol = rsb_fingerprint_symbol(image, NULL, BASE + 3);
	ck_assert_str_eq(symbol, masked);
	free(symbol);
	rsb_image_free(image);
}

/* Names as Linux gives them, the ids of objects and of a compiler's copies masked; words are kept.
 */
START_TEST(masks_ids_in_names)
{
	expect_symbol("bpf_prog_591d6db59a454bb0_fx1", "bpf_prog_*_fx1");
	expect_symbol("foo.llvm.12345678901234567", "foo.llvm.*");
	expect_symbol("__x64_sys_getsid", "__x64_sys_getsid");
	expect_symbol("foo.constprop.0", "foo.constprop.0");
	expect_symbol("sha256_transform_rorx", "sha256_transform_rorx");
	expect_symbol("deadbeef", "deadbeef");
}
END_TEST

/* No symbol reaches back to code before the first. */
START_TEST(code_without_a_symbol_has_no_name)
{
	struct rsb_image *image = make_image();
	char *symbol = rsb_fingerprint_symbol(image, NULL, BASE);

	ck_assert_str_eq(symbol, "");
	free(symbol);
	rsb_image_free(image);
}
END_TEST

UNIT_MAIN("fingerprints", keeps_a_stack_adjustment, keeps_a_large_number, masks_the_way_of_a_branch,
	  masks_a_displacement, masks_an_address, keeps_what_is_no_instruction, masks_ids_in_names,
	  code_without_a_symbol_has_no_name)
