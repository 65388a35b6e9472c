/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Layout files: what each key does. */
#include "sim/image/layout.h"
#include "sim/score/score.h"
#include "tests/unit/layouts.h"
#include "tests/unit/unit.h"

#include <capstone/capstone.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint8_t byte_at(const struct rsb_image *image, uint64_t address)
{
	uint8_t byte = 0;

	ck_assert_msg(rsb_image_read(image, address, &byte, 1, &layouts_error), "0x%llx",
		      (unsigned long long)address);
	return byte;
}

/* What a layout says of itself, and what it is called if it does not. */
START_TEST(says_what_it_is)
{
	struct rsb_layout *layout =
		layouts_good("{ \"name\": \"n\", \"summary\": \"s\", \"source\": \"o\", " BYTES CALL
			     ", \"expect\": { \"balance_layout\": -1.5 } }");
	struct rsb_layout *bare = layouts_good("{ " BYTES CALL " }");
	double value = 0;

	ck_assert_str_eq(rsb_layout_name(layout), "n");
	ck_assert_str_eq(rsb_layout_summary(layout), "s");
	ck_assert_str_eq(rsb_layout_source(layout), "o");
	ck_assert_ptr_null(rsb_layout_path(layout));
	ck_assert(rsb_layout_expect(layout, "balance_layout", &value));
	ck_assert_double_eq(value, -1.5);
	ck_assert(!rsb_layout_expect(layout, "balance", &value));
	ck_assert_str_eq(rsb_layout_name(bare), "t");
	ck_assert_str_eq(rsb_layout_summary(bare), "");
	ck_assert_str_eq(rsb_layout_source(bare), "");
	ck_assert(!rsb_layout_expect(bare, "balance", &value));
	rsb_layout_free(layout);
	rsb_layout_free(bare);
}
END_TEST

/* Every figure of a score can be expected, but for the one that is an interval. */
START_TEST(expects_any_figure)
{
	char text[256];
	double value;

	for (const struct rsb_figure *figure = rsb_figures(); figure->key; figure++) {
		struct rsb_layout *layout;

		if (figure->high) /* an interval: what a CPU makes of the code */
			continue;
		snprintf(text, sizeof(text), "{ " BYTES CALL ", \"expect\": { \"%s\": 2 } }",
			 figure->key);
		layout = layouts_good(text);
		ck_assert(rsb_layout_expect(layout, figure->key, &value));
		rsb_layout_free(layout);
	}
}
END_TEST

/* Of a scenario that is given in part, the rest is as in "unwind". */
START_TEST(completes_its_scenario)
{
	struct rsb_layout *layout =
		layouts_good("{ " BYTES CALL ", \"scenario\": { \"batch\": 7 } }");
	struct rsb_layout *bare = layouts_good("{ " BYTES CALL " }");
	struct rsb_scenario scenario;

	ck_assert(rsb_layout_scenario(layout, &scenario));
	ck_assert_str_eq(scenario.name, "own");
	ck_assert_uint_eq(scenario.depth, 8);
	ck_assert_uint_eq(scenario.batch, 7);
	ck_assert_uint_eq(scenario.spacing, 128);
	ck_assert(!rsb_layout_scenario(bare, &scenario));
	rsb_layout_free(layout);
	rsb_layout_free(bare);
}
END_TEST

/* Bytes stand at their base, with callers of them near by. */
START_TEST(calls_bytes)
{
	struct rsb_image *image = layouts_image("{ " BYTES CALL " }");
	uint64_t call = layouts_address(image, "rsb_traced_call");
	uint8_t field[4];

	ck_assert_uint_eq(byte_at(image, 0x401005), 0x90);
	ck_assert_uint_ne(layouts_address(image, "rsb_round"), 0);
	/* e8 and the distance from the landing to the function. */
	ck_assert_uint_eq(byte_at(image, call), 0xe8);
	ck_assert_uint_eq(layouts_address(image, "rsb_landing"), call + 5);
	ck_assert(rsb_image_read(image, call + 1, field, 4, &layouts_error));
	ck_assert_uint_eq(call + 5 +
				  (uint64_t)(int32_t)(field[0] | field[1] << 8 | field[2] << 16 |
						      (uint32_t)field[3] << 24),
			  0x401000);
	rsb_image_free(image);
}
END_TEST

/* The largest scenario finds its room too. */
START_TEST(takes_the_largest_scenario)
{
	struct rsb_scenario scenario = { "own", RSB_DEPTH_MAX, 1, RSB_SPACING_MAX };
	struct rsb_image *image = layouts_image_for("{ " BYTES CALL " }", scenario);

	ck_assert_msg(image != NULL, "%s", layouts_error.text);
	ck_assert_uint_ne(layouts_address(image, "caller_4096"), 0);
	rsb_image_free(image);
}
END_TEST

/* What the innermost caller moves into a register before its call; name and low are its 64-bit and
 * 32-bit names. */
static uint64_t loaded(const struct rsb_image *image, const char *name, const char *low)
{
	uint64_t start = layouts_address(image, "caller_8"), value = 0;
	size_t size = layouts_address(image, "rsb_traced_call") - start;
	uint8_t code[256];
	cs_insn *insns;
	csh capstone;

	ck_assert_uint_le(size, sizeof(code));
	ck_assert(rsb_image_read(image, start, code, size, &layouts_error));
	ck_assert_int_eq(cs_open(CS_ARCH_X86, CS_MODE_64, &capstone), CS_ERR_OK);
	size = cs_disasm(capstone, code, size, start, 0, &insns);
	for (size_t i = 0; i < size; i++) {
		const char *comma = strchr(insns[i].op_str, ',');
		size_t length = comma ? (size_t)(comma - insns[i].op_str) : 0;

		if (length && (strncmp(insns[i].op_str, name, length) == 0 ||
			       strncmp(insns[i].op_str, low, length) == 0))
			value = strtoull(comma + 1, NULL, 0);
	}
	cs_free(insns, size);
	cs_close(&capstone);
	return value;
}

/* Each scratch register gets 64 KiB of zeros of its own, writable and no code. */
START_TEST(gives_scratch_memory)
{
	struct rsb_image *image =
		layouts_image("{ " BYTES CALL ", \"registers\": { \"rdi\": \"scratch\", "
			      "\"r15\": \"scratch\", \"rsi\": \"0x123456789a\" } }");
	uint64_t scratch[] = { loaded(image, "rdi", "edi"), loaded(image, "r15", "r15d") };
	uint8_t page[RSB_PAGE];
	unsigned access;

	ck_assert_uint_eq(loaded(image, "rsi", "esi"), 0x123456789a);
	ck_assert_uint_ge(scratch[1] > scratch[0] ? scratch[1] - scratch[0]
						  : scratch[0] - scratch[1],
			  0x10000);
	for (size_t i = 0; i < 2; i++) {
		ck_assert(rsb_image_page(image, scratch[i], page, &access, &layouts_error));
		ck_assert(
			rsb_image_page(image, scratch[i] + 0xffff, page, &access, &layouts_error));
		ck_assert_uint_eq(access, RSB_READ | RSB_WRITE);
		ck_assert_uint_eq(page[0xfff], 0);
	}
	rsb_image_free(image);
}
END_TEST

/* Memory is new, or written over what is there: its bytes, then zeros. */
START_TEST(lays_memory)
{
	struct rsb_image *image = layouts_image(
		"{ " BYTES CALL ", \"memory\": [ { \"at\": \"0x7000\", \"size\": 4096, "
		"\"hex\": \"01 02\" }, { \"at\": \"0x401005\", \"size\": 2, \"hex\": \"cc\" "
		"} ], \"gs_base\": \"0x7000\", \"fs_base\": 4096 }");

	ck_assert_uint_eq(byte_at(image, 0x7001), 2);
	ck_assert_uint_eq(byte_at(image, 0x7fff), 0);
	ck_assert_uint_eq(byte_at(image, 0x401004), 0);
	ck_assert_uint_eq(byte_at(image, 0x401005), 0xcc);
	ck_assert_uint_eq(byte_at(image, 0x401006), 0);
	ck_assert_uint_eq(rsb_image_gs_base(image), 0x7000);
	ck_assert_uint_eq(rsb_image_fs_base(image), 4096);
	rsb_image_free(image);
}
END_TEST

/* Stubs return at once; the calls of intended code count as intended, up to the next symbol. */
START_TEST(stubs_and_intends)
{
	struct rsb_image *image = layouts_image(
		"{ \"generate\": { \"family\": \"bpf-trampoline\", \"fexit\": 1, \"exit\": "
		"\"skip-frame\" }, \"stub\": [ \"target\" ], \"intended\": [ \"tramp*\" ] }");
	uint64_t target = layouts_address(image, "target"),
		 trampoline = layouts_address(image, "trampoline");

	ck_assert_uint_eq(byte_at(image, target), 0xc3);
	ck_assert_int_eq(rsb_image_mitigation(image, target), RSB_MITIGATION_NONE);
	ck_assert_int_eq(rsb_image_mitigation(image, trampoline), RSB_MITIGATION_RETURN);
	rsb_image_free(image);
}
END_TEST

/* Every built-in layout makes an image for both named scenarios; unknown names list near ones. */
START_TEST(has_built_in_layouts)
{
	for (const char *const *name = rsb_layout_names(); *name; name++) {
		struct rsb_layout *layout = rsb_layout_load(*name, &layouts_error);
		struct rsb_image *image;

		ck_assert_msg(layout != NULL, "%s", layouts_error.text);
		ck_assert_str_eq(rsb_layout_name(layout), *name);
		ck_assert_str_ne(rsb_layout_summary(layout), "");
		ck_assert_ptr_null(rsb_layout_path(layout));
		image = rsb_layout_image(layout, &RSB_SCENARIO_UNWIND, &layouts_error);
		ck_assert_msg(image != NULL, "%s", layouts_error.text);
		rsb_image_free(image);
		image = rsb_layout_image(layout, &RSB_SCENARIO_BENCH, &layouts_error);
		ck_assert_msg(image != NULL, "%s", layouts_error.text);
		rsb_image_free(image);
		rsb_layout_free(layout);
	}
	ck_assert_ptr_null(rsb_layout_load("bpf-fexit-jump", &layouts_error));
	layouts_begins("", "there is no layout 'bpf-fexit-jump'; the nearest: bpf-fexit-jmp");
}
END_TEST

UNIT_MAIN("layouts", says_what_it_is, expects_any_figure, completes_its_scenario, calls_bytes,
	  takes_the_largest_scenario, gives_scratch_memory, lays_memory, stubs_and_intends,
	  has_built_in_layouts)
