/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Layouts of a kernel's core, and what layouts name beside them. */
#include "tests/unit/elf_core.h"
#include "tests/unit/layouts.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
	layout = layouts_good(text);
	image = rsb_layout_image(layout, &RSB_SCENARIO_UNWIND, &layouts_error);
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

		ck_assert_msg(image != NULL, "%s", layouts_error.text);
		ck_assert_uint_eq(rsb_image_gs_base(image), 0xffffffff82659000);
		ck_assert(rsb_image_read(image,
					 layouts_address(image, "rsb_traced_call") - sizeof(code),
					 code, sizeof(code), &layouts_error));
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

	ck_assert_msg(image != NULL, "%s", layouts_error.text);
	ck_assert_uint_eq(rsb_image_gs_base(image), 0xffff888000000000);
	rsb_image_free(image);
	image = build_core("ffffffff81000020 T f\n", "\"call\": \"f\"");
	ck_assert_msg(image != NULL, "%s", layouts_error.text);
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
			      cases[i].rest, layouts_error.text);
		if (cases[i].message)
			layouts_begins(cases[i].rest, cases[i].message);
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
	layout = rsb_layout_load("layout-folder/a.b.json", &layouts_error);
	ck_assert_msg(layout != NULL, "%s", layouts_error.text);
	ck_assert_str_eq(rsb_layout_name(layout), "a.b");
	ck_assert_str_eq(rsb_layout_path(layout), "layout-folder/a.b.json");
	image = rsb_layout_image(layout, &RSB_SCENARIO_UNWIND, &layouts_error);
	ck_assert_msg(image != NULL, "%s", layouts_error.text);
	rsb_image_free(image);
	rsb_layout_free(layout);
	unlink("layout-folder/a.b.json");
	rmdir("layout-folder");
	unlink(core);
	ck_assert_ptr_null(rsb_layout_load("not-there.json", &layouts_error));
	ck_assert_str_eq(layouts_error.text,
			 "not-there.json: cannot be opened: No such file or directory");
}
END_TEST

UNIT_MAIN("layouts of cores", calls_a_kernels_function, takes_a_gs_base, refuses_unfit_cores,
	  loads_files)
