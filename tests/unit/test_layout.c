/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Layout files: what each key does, and the message that each bad file gets. */
#include "sim/image/layout.h"
#include "sim/score/score.h"
#include "tests/unit/elf_core.h"
#include "tests/unit/unit.h"

#include <capstone/capstone.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct rsb_error error;

/* "call next; nop; ret", for layouts that are about something else. */
#define BYTES "\"bytes\": { \"hex\": \"e8 01 00 00 00 90 c3\", \"base\": \"0x401000\" }, "
#define CALL  "\"call\": \"0x401000\""

static struct rsb_layout *parse(const char *text)
{
	return rsb_layout_parse("t", text, strlen(text), ".", &error);
}

static struct rsb_layout *parse_good(const char *text)
{
	struct rsb_layout *layout = parse(text);

	ck_assert_msg(layout != NULL, "%s", error.text);
	return layout;
}

/* The image of a layout that is good. */
static struct rsb_image *build_for(const char *text, struct rsb_scenario scenario)
{
	struct rsb_layout *layout = parse_good(text);
	struct rsb_image *image = rsb_layout_image(layout, &scenario, &error);

	rsb_layout_free(layout);
	return image;
}

static struct rsb_image *build(const char *text)
{
	struct rsb_image *image = build_for(text, RSB_SCENARIO_UNWIND);

	ck_assert_msg(image != NULL, "%s", error.text);
	return image;
}

static uint64_t address_of(const struct rsb_image *image, const char *name)
{
	uint64_t address = 0;

	ck_assert_msg(rsb_image_find(image, name, &address, &error), "%s", error.text);
	return address;
}

static uint8_t byte_at(const struct rsb_image *image, uint64_t address)
{
	uint8_t byte = 0;

	ck_assert_msg(rsb_image_read(image, address, &byte, 1, &error), "0x%llx",
		      (unsigned long long)address);
	return byte;
}

struct bad {
	const char *text, *message;
};

/* Files that are refused when they are read. */
static const struct bad bad[] = {
	/* Sources. */
	{ "{}",
	  "t:1: expected one source of code (one of \"generate\", \"core\", \"elf\", \"asm\", "
	  "\"jitdump\", \"bytes\"), found "
	  "none" },
	{ "{ \"call\": \"f\",\n" BYTES "\n\"core\": {} }",
	  "t:2: expected one source of code (one of \"generate\", \"core\", \"elf\", \"asm\", "
	  "\"jitdump\", \"bytes\"), found "
	  "\"core\" and \"bytes\"" },
	{ "{ \"bytes\": \"e8\" }", "t:1: \"bytes\": expected an object" },
	/* Unknown keys, at each level; keys that are not there yet are no exception. */
	{ "{ " BYTES CALL ",\n\"code\": {} }", "t:2: unknown key \"code\"" },
	{ "{ " BYTES CALL ",\n\n\"shadows\": true }", "t:3: unknown key \"shadows\"" },
	{ "{ " BYTES CALL ", \"sumary\": \"\" }", "t:1: unknown key \"sumary\", expected summary" },
	{ "{ \"bytes\": {\n\"hexx\": \"\" } }", "t:2: unknown key \"hexx\", expected hex" },
	{ "{ \"core\": { \"file\": \"x\",\n\"kallsyms\": \"y\" } }",
	  "t:2: unknown key \"kallsyms\"" },
	{ "{ " BYTES CALL ", \"scenario\": { \"rounds\": 3 } }", "t:1: unknown key \"rounds\"" },
	{ "{ " BYTES CALL ", \"registers\": { \"rsp\": 0 } }", "t:1: unknown key \"rsp\"" },
	{ "{ " BYTES CALL ", \"memory\": [ { \"address\": 0 } ] }",
	  "t:1: unknown key \"address\"" },
	{ "{ " BYTES CALL ", \"expect\": { \"misses\": 0 } }", "t:1: unknown key \"misses\"" },
	/* What goes with a source. */
	{ "{ " BYTES "\"name\": \"x\" }",
	  "t:1: expected \"call\", the function to call, with \"bytes\"" },
	{ "{ \"generate\": { \"family\": \"plain-call\" },\n\"call\": \"target\" }",
	  "t:2: \"call\" does not go with \"generate\", which calls its own" },
	{ "{ \"generate\": { \"family\": \"plain-call\" },\n\"registers\": {} }",
	  "t:2: \"registers\" does not go with \"generate\"" },
	/* "bytes". */
	{ "{ \"bytes\": { \"hex\": \"c3\" }, " CALL " }",
	  "t:1: \"bytes\": expected \"hex\", the code, and \"base\", its address" },
	{ "{ \"bytes\": {\n\"hex\": \"c3 e\", \"base\": 0 }, " CALL " }",
	  "t:2: \"hex\": expected pairs of hexadecimal digits, found \"e\" at character 4" },
	{ "{ \"bytes\": { \"hex\": \"c3xy\", \"base\": 0 }, " CALL " }",
	  "t:1: \"hex\": expected pairs of hexadecimal digits, found \"xy\" at character 3" },
	{ "{ \"bytes\": { \"hex\": \" \", \"base\": 0 }, " CALL " }",
	  "t:1: \"hex\": expected at least one byte" },
	{ "{ \"bytes\": { \"hex\": \"c3\", \"base\": \"401000\" }, " CALL " }",
	  "t:1: \"base\": expected an address like \"0x401000\", found \"401000\"" },
	/* "generate". */
	{ "{ \"generate\": {} }", "t:1: \"generate\": expected \"family\", what to generate" },
	{ "{ \"generate\": { \"family\":\n\"bpf-trampolin\" } }",
	  "t:1: \"family\": unknown family 'bpf-trampolin': expected bpf-trampoline" },
	{ "{ \"generate\": { \"family\": \"bpf-trampoline\", \"fexitt\": 1 } }",
	  "t:1: unknown key \"fexitt\", expected fexit" },
	{ "{ \"generate\": { \"family\": \"bpf-trampoline\",\n\"fexit\": [ 1 ] } }",
	  "t:2: \"fexit\": expected a number, a text, true or false" },
	{ "{ \"generate\": { \"family\": \"bpf-trampoline\",\n\"fexit\": 39 } }", "t:2: " },
	{ "{ \"generate\": { \"family\": \"bpf-trampoline\",\n\"fexit\": 1.5 } }", "t:2: " },
	{ "{ \"generate\": { \"family\": \"bpf-trampoline\", \"fexit\": 1,\n"
	  "\"attach\": \"jmp\", \"exit\": \"skip-frame\" } }",
	  "t:1: \"generate\": attach jmp with exit skip-frame: " },
	{ "{ \"generate\": { \"family\": \"plain-call\",\n\"return_thunk\": \"retpoline\" } }",
	  "t:2: " },
	/* "core". */
	{ "{ \"core\": {}, \"call\": \"f\" }",
	  "t:1: \"core\": expected \"file\", the path of an ELF core" },
	{ "{ \"core\": { \"file\": 3 }, \"call\": \"f\" }",
	  "t:1: \"file\": expected a text in double quotes, found 3" },
	/* The rest. */
	{ "{ " BYTES CALL ", \"arch\": \"arm64\" }",
	  "t:1: \"arch\": expected \"x86_64\", found \"arm64\"" },
	{ "{ " BYTES "\"call\": [] }",
	  "t:1: \"call\": expected a symbol or an address like \"0x401000\"" },
	{ "{ " BYTES CALL ", \"registers\": [] }",
	  "t:1: \"registers\": expected an object of values by name" },
	{ "{ " BYTES CALL ", \"registers\": { \"rdi\": \"scratchy\" } }",
	  "t:1: \"rdi\": expected an address like \"0x401000\", found \"scratchy\"" },
	{ "{ " BYTES CALL ", \"memory\": {} }", "t:1: \"memory\": expected an array" },
	{ "{ " BYTES CALL ", \"memory\": [ 1 ] }",
	  "t:1: \"memory\": expected objects with \"at\", \"size\", \"hex\"" },
	{ "{ " BYTES CALL ", \"memory\": [ { \"at\": \"0x7000\" } ] }",
	  "t:1: \"memory\": expected \"at\", and \"size\" or \"hex\"" },
	{ "{ " BYTES CALL ", \"memory\": [ { \"size\": 16 } ] }",
	  "t:1: \"memory\": expected \"at\", and \"size\" or \"hex\"" },
	{ "{ " BYTES CALL ", \"memory\": [ { \"at\": 0, \"size\": 1, \"hex\": \"1234\" } ] }",
	  "t:1: \"hex\": expected at most \"size\" bytes, found 2" },
	{ "{ " BYTES CALL ", \"memory\": [ { \"at\": 0, \"size\": 1073741825 } ] }",
	  "t:1: \"size\": expected an integer from 1 to 1073741824, found 1073741825" },
	{ "{ " BYTES CALL ", \"gs_base\": -1 }",
	  "t:1: \"gs_base\": expected an address like \"0x401000\", found -1" },
	{ "{ " BYTES CALL ", \"stub\": \"f\" }", "t:1: \"stub\": expected an array" },
	{ "{ " BYTES CALL ", \"stub\": [\n1 ] }",
	  "t:2: \"stub\": expected symbols in double quotes" },
	{ "{ " BYTES CALL ", \"intended\": [ {} ] }",
	  "t:1: \"intended\": expected symbols in double quotes" },
	{ "{ " BYTES CALL ", \"scenario\": 8 }", "t:1: \"scenario\": expected an object" },
	{ "{ " BYTES CALL ", \"scenario\": { \"depth\": 4097 } }",
	  "t:1: \"depth\": expected an integer from 0 to 4096, found 4097" },
	{ "{ " BYTES CALL ", \"scenario\": { \"batch\": 0 } }",
	  "t:1: \"batch\": expected an integer from 1 to 100000, found 0" },
	{ "{ " BYTES CALL ", \"scenario\": { \"spacing\": 40 } }",
	  "t:1: \"spacing\": expected a multiple of 16" },
	{ "{ " BYTES CALL ", \"expect\": { \"balance\": true } }",
	  "t:1: \"balance\": expected a number" },
	{ "{ " BYTES CALL ", \"expect\": 1 }", "t:1: \"expect\": expected an object" },
};

/* The message begins as the table says; the lists of keys behind it may grow. */
static void begins(const char *text, const char *message)
{
	ck_assert_msg(strncmp(error.text, message, strlen(message)) == 0,
		      "%s\nexpected: %s\nfound: %s", text, message, error.text);
}

START_TEST(refuses_bad_files)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct rsb_layout *layout = parse(bad[i].text);

		ck_assert_msg(!layout, "%s", bad[i].text);
		begins(bad[i].text, bad[i].message);
	}
}
END_TEST

/* Layouts that can be read, but of which no image can be made. */
static const struct bad impossible[] = {
	{ "{ " BYTES "\n\"call\": \"f\" }", "t:2: \"call\": there is no symbol 'f'" },
	{ "{ " BYTES "\"call\": \"0x\" }",
	  "t:1: \"call\": expected an address like \"0x401000\", found \"0x\"" },
	{ "{ " BYTES "\"call\": \"0x500000\" }",
	  "t:1: \"call\": 0x500000 (0x500000): its page is not in the image" },
	{ "{ " BYTES CALL ", \"stub\": [\n\"f\" ] }", "t:2: \"stub\": there is no symbol 'f'" },
	{ "{ " BYTES CALL ", \"intended\": [\n\"srso_*\" ] }",
	  "t:2: \"intended\": no symbol matches \"srso_*\"" },
	{ "{ " BYTES CALL ",\n\"memory\": [ { \"at\": \"0x400000\", \"size\": 8192 } ] }",
	  "t:2: \"memory\": 'memory' (0x400000 to 0x401fff) overlaps 'bytes' (0x401000 to "
	  "0x401fff)" },
	{ "{ " BYTES CALL ",\n\"memory\": [ { \"at\": \"0x401000\", \"size\": 8192 } ] }",
	  "t:2: \"memory\": only its beginning is mapped already" },
	{ "{ " BYTES CALL ", \"memory\": [ { \"at\": \"0x800000\", \"size\": 33554432 },\n"
	  "{ \"at\": \"0x800000\", \"size\": 16777217 } ] }",
	  "t:2: \"memory\": expected at most 16777216 bytes over what is mapped already" },
	{ "{ " BYTES CALL ", \"memory\": [ { \"at\": \"0xffffffffffffffff\", \"size\": 2 } ] }",
	  "t:1: \"memory\": 'memory' wraps" },
	{ "{\n\"core\": { \"file\": \"not-there.core\" }, \"call\": \"f\" }",
	  "t:2: not-there.core: cannot be opened: No such file or directory" },
};

START_TEST(refuses_impossible_images)
{
	for (size_t i = 0; i < sizeof(impossible) / sizeof(*impossible); i++) {
		struct rsb_image *image = build_for(impossible[i].text, RSB_SCENARIO_UNWIND);

		ck_assert_msg(!image, "%s", impossible[i].text);
		begins(impossible[i].text, impossible[i].message);
	}
}
END_TEST

/* What a layout says of itself, and what it is called if it does not. */
START_TEST(says_what_it_is)
{
	struct rsb_layout *layout =
		parse_good("{ \"name\": \"n\", \"summary\": \"s\", \"source\": \"o\", " BYTES CALL
			   ", \"expect\": { \"balance_layout\": -1.5 } }");
	struct rsb_layout *bare = parse_good("{ " BYTES CALL " }");
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
		layout = parse_good(text);
		ck_assert(rsb_layout_expect(layout, figure->key, &value));
		rsb_layout_free(layout);
	}
}
END_TEST

/* Of a scenario that is given in part, the rest is as in "unwind". */
START_TEST(completes_its_scenario)
{
	struct rsb_layout *layout =
		parse_good("{ " BYTES CALL ", \"scenario\": { \"batch\": 7 } }");
	struct rsb_layout *bare = parse_good("{ " BYTES CALL " }");
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
	struct rsb_image *image = build("{ " BYTES CALL " }");
	uint64_t call = address_of(image, "rsb_traced_call");
	uint8_t field[4];

	ck_assert_uint_eq(byte_at(image, 0x401005), 0x90);
	ck_assert_uint_ne(address_of(image, "rsb_round"), 0);
	/* e8 and the distance from the landing to the function. */
	ck_assert_uint_eq(byte_at(image, call), 0xe8);
	ck_assert_uint_eq(address_of(image, "rsb_landing"), call + 5);
	ck_assert(rsb_image_read(image, call + 1, field, 4, &error));
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
	struct rsb_image *image = build_for("{ " BYTES CALL " }", scenario);

	ck_assert_msg(image != NULL, "%s", error.text);
	ck_assert_uint_ne(address_of(image, "caller_4096"), 0);
	rsb_image_free(image);
}
END_TEST

/* What the innermost caller moves into a register before its call; name and low are its 64-bit and
 * 32-bit names. */
static uint64_t loaded(const struct rsb_image *image, const char *name, const char *low)
{
	uint64_t start = address_of(image, "caller_8"), value = 0;
	size_t size = address_of(image, "rsb_traced_call") - start;
	uint8_t code[256];
	cs_insn *insns;
	csh capstone;

	ck_assert_uint_le(size, sizeof(code));
	ck_assert(rsb_image_read(image, start, code, size, &error));
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

/* A scenario out of range is refused before anything is built. */
START_TEST(refuses_a_scenario_out_of_range)
{
	struct rsb_scenario scenario = { "own", RSB_DEPTH_MAX + 1, 1, 128 };

	ck_assert_ptr_null(build_for("{ " BYTES CALL " }", scenario));
	ck_assert_str_eq(error.text, "depth is 4097, expected 0 to 4096");
}
END_TEST

/* Each scratch register gets 64 KiB of zeros of its own, writable and no code. */
START_TEST(gives_scratch_memory)
{
	struct rsb_image *image = build("{ " BYTES CALL ", \"registers\": { \"rdi\": \"scratch\", "
					"\"r15\": \"scratch\", \"rsi\": \"0x123456789a\" } }");
	uint64_t scratch[] = { loaded(image, "rdi", "edi"), loaded(image, "r15", "r15d") };
	uint8_t page[RSB_PAGE];
	unsigned access;

	ck_assert_uint_eq(loaded(image, "rsi", "esi"), 0x123456789a);
	ck_assert_uint_ge(scratch[1] > scratch[0] ? scratch[1] - scratch[0]
						  : scratch[0] - scratch[1],
			  0x10000);
	for (size_t i = 0; i < 2; i++) {
		ck_assert(rsb_image_page(image, scratch[i], page, &access, &error));
		ck_assert(rsb_image_page(image, scratch[i] + 0xffff, page, &access, &error));
		ck_assert_uint_eq(access, RSB_READ | RSB_WRITE);
		ck_assert_uint_eq(page[0xfff], 0);
	}
	rsb_image_free(image);
}
END_TEST

/* Memory is new, or written over what is there: its bytes, then zeros. */
START_TEST(lays_memory)
{
	struct rsb_image *image =
		build("{ " BYTES CALL ", \"memory\": [ { \"at\": \"0x7000\", \"size\": 4096, "
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
	struct rsb_image *image =
		build("{ \"generate\": { \"family\": \"bpf-trampoline\", \"fexit\": 1, \"exit\": "
		      "\"skip-frame\" }, \"stub\": [ \"target\" ], \"intended\": [ \"tramp*\" ] }");
	uint64_t target = address_of(image, "target"), trampoline = address_of(image, "trampoline");

	ck_assert_uint_eq(byte_at(image, target), 0xc3);
	ck_assert_int_eq(rsb_image_mitigation(image, target), RSB_MITIGATION_NONE);
	ck_assert_int_eq(rsb_image_mitigation(image, trampoline), RSB_MITIGATION_RETURN);
	rsb_image_free(image);
}
END_TEST

/* Writes a text into a file of the working folder. */
static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
}

/* A core of one page of code at 0xffffffff81000000, whose function returns in two ways. */
static void write_core(char *path, size_t size)
{
	/* f: jmp thunk; g: jmp out of it, to f; call_depth_return_thunk: shlq $5, %gs:8; offset. */
	static const unsigned char code[RSB_PAGE] = {
		[0x00] = 0xe9, 0x1b, 0,    0,    0,                                  /* jmp 0x20 */
		[0x10] = 0xeb, 0xee,                                                 /* jmp 0x00 */
		[0x20] = 0x65, 0x48, 0xc1, 0x24, 0x25, 8,    0,    0,    0, 5, 0xc3, /* shl, ret */
		[0x40] = 0x00, 0x90, 0x65, 0x82, 0xff, 0xff, 0xff, 0xff,
	};
	static struct elf_core core;

	elf_core_start(&core);
	elf_core_add(&core, 0xffffffff81000000, code, sizeof(code));
	elf_core_write(&core, SIZE_MAX, path, size);
}

#define SYMBOLS                                                                             \
	"ffffffff81000000 T f\nffffffff81000010 T g\nffffffff81000018 t twice\n"            \
	"ffffffff81000020 T call_depth_return_thunk\nffffffff81000040 D __per_cpu_offset\n" \
	"ffffffff82000000 T far\nffffffffc0000000 t twice\n"

static struct rsb_image *build_core(const char *symbols, const char *rest)
{
	char path[32], text[512];
	struct rsb_layout *layout;
	struct rsb_image *image;

	write_core(path, sizeof(path));
	write_file("layout.kallsyms", symbols);
	snprintf(text, sizeof(text),
		 "{ \"core\": { \"file\": \"%s\", \"symbols\": \"layout.kallsyms\" }, %s }", path,
		 rest);
	layout = parse_good(text);
	image = rsb_layout_image(layout, &RSB_SCENARIO_UNWIND, &error);
	rsb_layout_free(layout);
	unlink(path);
	unlink("layout.kallsyms");
	return image;
}

/* A kernel's callers return by the thunk that the function returns by, and account as it does. */
START_TEST(calls_a_kernels_function)
{
	static const uint8_t sarq[] = { 0x65, 0x48, 0xc1, 0x3c, 0x25, 8, 0, 0, 0, 5 };
	static const char *const functions[] = { "\"call\": \"f\"", "\"call\": \"g\"",
						 "\"call\": \"0xffffffff81000000\"" };
	uint8_t code[sizeof(sarq)];

	for (size_t i = 0; i < 3; i++) {
		struct rsb_image *image = build_core(SYMBOLS, functions[i]);

		ck_assert_msg(image != NULL, "%s", error.text);
		ck_assert_uint_eq(rsb_image_gs_base(image), 0xffffffff82659000);
		ck_assert(rsb_image_read(image, address_of(image, "rsb_traced_call") - sizeof(code),
					 code, sizeof(code), &error));
		ck_assert_mem_eq(code, sarq, sizeof(sarq));
		ck_assert_int_eq(rsb_image_mitigation(image, 0xffffffff81000020),
				 RSB_MITIGATION_RETURN);
		ck_assert_int_eq(rsb_image_mitigation(image, 0xffffffff8100001f),
				 RSB_MITIGATION_NONE);
		rsb_image_free(image);
	}
}
END_TEST

/* Without its symbol, or with "gs_base", the GS base is not looked for. */
START_TEST(takes_a_gs_base)
{
	struct rsb_image *image =
		build_core("ffffffff81000020 T f\nffffffff90000000 D __per_cpu_offset\n",
			   "\"call\": \"f\", \"gs_base\": \"0xffff888000000000\"");

	ck_assert_msg(image != NULL, "%s", error.text);
	ck_assert_uint_eq(rsb_image_gs_base(image), 0xffff888000000000);
	rsb_image_free(image);
	image = build_core("ffffffff81000020 T f\n", "\"call\": \"f\"");
	ck_assert_msg(image != NULL, "%s", error.text);
	ck_assert_uint_eq(rsb_image_gs_base(image), 0);
	rsb_image_free(image);
}
END_TEST

/* What can be wrong between a core, its symbols and the layout. */
START_TEST(refuses_unfit_cores)
{
	static const struct {
		const char *symbols, *rest, *message;
	} cases[] = {
		{ SYMBOLS, "\"call\": \"h\"", "t:1: \"call\": there is no symbol 'h'" },
		{ SYMBOLS, "\"call\": \"twice\"",
		  "t:1: \"call\": symbol 'twice' is ambiguous: it is at 0xffffffff81000018 and at "
		  "0xffffffffc0000000; give the address" },
		{ SYMBOLS, "\"call\": \"far\"",
		  "t:1: \"call\": far (0xffffffff82000000): its page is not in the image" },
		{ SYMBOLS, "\"call\": \"f\", \"stub\": [ \"far\" ]",
		  "t:1: \"stub\": far (0xffffffff82000000) is not in the image" },
		{ "ffffffff90000000 D __per_cpu_offset\n", "\"call\": \"f\"",
		  "t:1: __per_cpu_offset (0xffffffff90000000), which holds the GS base, is not in "
		  "the core; give \"gs_base\"" },
		{ "ffffffff81000000 T f\nffffffff81000020 T call_depth_return_thunk\nx",
		  "\"call\": \"f\"", "t:1: layout.kallsyms:3: expected \"address type name" },
		{ "ffffffff81000000 T f\nffffffff81000020 T x_return_thunk\n", "\"call\": \"f\"",
		  NULL },
		{ "ffffffff81000010 T f\nffffffff81000000 T call_depth_return_thunk\n",
		  "\"call\": \"f\"",
		  "t:1: \"call\": call_depth_return_thunk (0xffffffff81000000) does not begin with "
		  "shlq $5 of a variable in GS" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct rsb_image *image = build_core(cases[i].symbols, cases[i].rest);

		ck_assert_msg(!image == !!cases[i].message, "%s %s: %s", cases[i].symbols,
			      cases[i].rest, error.text);
		if (cases[i].message)
			begins(cases[i].rest, cases[i].message);
		rsb_image_free(image);
	}
}
END_TEST

/* Files are loaded by their path, and what they name is beside them. */
START_TEST(loads_files)
{
	char core[32], text[256];
	struct rsb_layout *layout;
	struct rsb_image *image;

	write_core(core, sizeof(core));
	snprintf(text, sizeof(text),
		 "{ \"core\": { \"file\": \"../%s\" }, \"call\": \"0xffffffff81000020\" }", core);
	ck_assert_int_eq(system("mkdir -p layout-folder"), 0);
	write_file("layout-folder/a.b.json", text);
	layout = rsb_layout_load("layout-folder/a.b.json", &error);
	ck_assert_msg(layout != NULL, "%s", error.text);
	ck_assert_str_eq(rsb_layout_name(layout), "a.b");
	ck_assert_str_eq(rsb_layout_path(layout), "layout-folder/a.b.json");
	image = rsb_layout_image(layout, &RSB_SCENARIO_UNWIND, &error);
	ck_assert_msg(image != NULL, "%s", error.text);
	rsb_image_free(image);
	rsb_layout_free(layout);
	unlink("layout-folder/a.b.json");
	rmdir("layout-folder");
	unlink(core);
	ck_assert_ptr_null(rsb_layout_load("not-there.json", &error));
	ck_assert_str_eq(error.text, "not-there.json: cannot be opened: No such file or directory");
}
END_TEST

/* Every built-in layout makes an image for both named scenarios; unknown names list near ones. */
START_TEST(has_built_in_layouts)
{
	for (const char *const *name = rsb_layout_names(); *name; name++) {
		struct rsb_layout *layout = rsb_layout_load(*name, &error);
		struct rsb_image *image;

		ck_assert_msg(layout != NULL, "%s", error.text);
		ck_assert_str_eq(rsb_layout_name(layout), *name);
		ck_assert_str_ne(rsb_layout_summary(layout), "");
		ck_assert_ptr_null(rsb_layout_path(layout));
		image = rsb_layout_image(layout, &RSB_SCENARIO_UNWIND, &error);
		ck_assert_msg(image != NULL, "%s", error.text);
		rsb_image_free(image);
		image = rsb_layout_image(layout, &RSB_SCENARIO_BENCH, &error);
		ck_assert_msg(image != NULL, "%s", error.text);
		rsb_image_free(image);
		rsb_layout_free(layout);
	}
	ck_assert_ptr_null(rsb_layout_load("bpf-fexit-jump", &error));
	begins("", "there is no layout 'bpf-fexit-jump'; the nearest: bpf-fexit-jmp");
}
END_TEST

UNIT_MAIN("layouts", refuses_bad_files, refuses_impossible_images, says_what_it_is,
	  expects_any_figure, completes_its_scenario, calls_bytes, takes_the_largest_scenario,
	  refuses_a_scenario_out_of_range, gives_scratch_memory, lays_memory, stubs_and_intends,
	  calls_a_kernels_function, takes_a_gs_base, refuses_unfit_cores, loads_files,
	  has_built_in_layouts)
