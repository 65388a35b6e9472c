/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Layout files: the message that each bad one gets. */
#include "tests/unit/layouts.h"
#include "tests/unit/unit.h"

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
	{ "{ \"bytes\": \"e8\" }",
	  "t:1: \"bytes\": expected an object such as { \"hex\": \"c3\", \"base\"" },
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
	  "t:1: \"registers\": expected an object such as { \"rdi\"" },
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

/* Each is refused with its line and what was expected. */
START_TEST(refuses_bad_files)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct rsb_layout *layout = layouts_parse(bad[i].text);

		ck_assert_msg(!layout, "%s", bad[i].text);
		layouts_begins(bad[i].text, bad[i].message);
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

/* What can be read may still be no image. */
START_TEST(refuses_impossible_images)
{
	for (size_t i = 0; i < sizeof(impossible) / sizeof(*impossible); i++) {
		struct rsb_image *image =
			layouts_image_for(impossible[i].text, RSB_SCENARIO_UNWIND);

		ck_assert_msg(!image, "%s", impossible[i].text);
		layouts_begins(impossible[i].text, impossible[i].message);
	}
}
END_TEST

/* A scenario out of range is refused before anything is built. */
START_TEST(refuses_a_scenario_out_of_range)
{
	struct rsb_scenario scenario = { "own", RSB_DEPTH_MAX + 1, 1, 128 };

	ck_assert_ptr_null(layouts_image_for("{ " BYTES CALL " }", scenario));
	ck_assert_str_eq(layouts_error.text, "depth is 4097, expected 0 to 4096");
}
END_TEST

UNIT_MAIN("bad layout files", refuses_bad_files, refuses_impossible_images,
	  refuses_a_scenario_out_of_range)
