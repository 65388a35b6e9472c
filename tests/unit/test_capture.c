/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Taking captures of a small kernel that is made here: what of it is kept, and what is not. */
#include "sim/capture/capture.h"
#include "tests/unit/elf_core.h"
#include "tests/unit/unit.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT   UINT64_C(0xffffffff81000000)
#define HELPER 0x2010
#define DATA   0x4000

static struct rsb_error error;
static char core_path[32], symbols_path[] = "rsbsim-capture-XXXXXX";

/*
 * Pages of code and data, one after the other: traced, which calls a helper two pages on; the
 * helper, which reads a word two pages on; and a page between each of them, and behind them.
 */
static void write_core(unsigned flags)
{
	/* call rel32; ret */
	static const unsigned char traced[] = { 0xe8, (HELPER - 5) & 0xff, (HELPER - 5) >> 8, 0, 0,
						0xc3 };
	/* mov rax, [rip + rel32]; ret */
	static const unsigned char helper[] = {
		0x48, 0x8b, 0x05, (DATA - HELPER - 7) & 0xff, (DATA - HELPER - 7) >> 8, 0, 0, 0xc3
	};
	static unsigned char pages[0x5000];
	static struct elf_core core;

	memset(pages, 0xcc, sizeof(pages));
	memcpy(pages, traced, sizeof(traced));
	memcpy(pages + HELPER, helper, sizeof(helper));
	elf_core_start(&core);
	elf_core_add(&core, TEXT, pages, sizeof(pages))->p_flags = flags;
	elf_core_write(&core, SIZE_MAX, core_path, sizeof(core_path));
}

static void write_symbols(const char *text)
{
	FILE *file;

	strcpy(symbols_path + strlen(symbols_path) - 6, "XXXXXX");
	file = fdopen(mkstemp(symbols_path), "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

static bool add(struct rsb_capture *capture, const char *call)
{
	const struct rsb_capture_options options = { .budget = 0 };
	struct rsb_layout *layout;
	char text[512];
	bool good;

	snprintf(text, sizeof(text),
		 "{ \"core\": { \"file\": \"%s\", \"symbols\": \"%s\" }, \"call\": \"%s\" }",
		 core_path, symbols_path, call);
	layout = rsb_layout_parse("kernel", text, strlen(text), ".", &error);
	ck_assert_msg(layout != NULL, "%s", error.text);
	good = rsb_capture_add(capture, layout, &options, &error);
	rsb_layout_free(layout);
	return good;
}

static struct rsb_capture *take(unsigned flags, const char *symbols)
{
	struct rsb_capture *capture = rsb_capture_new();

	write_core(flags);
	write_symbols(symbols);
	ck_assert_msg(add(capture, "traced"), "%s", error.text);
	return capture;
}

static void drop(struct rsb_capture *capture)
{
	rsb_capture_free(capture);
	unlink(core_path);
	unlink(symbols_path);
}

static size_t read_back(FILE *file, void *bytes, size_t room)
{
	size_t size;

	rewind(file);
	size = fread(bytes, 1, room, file);
	fclose(file);
	return size;
}

/*
 * Only pages that code touched are kept, at their addresses and with their access, as elf.h says.
 */
START_TEST(keeps_touched_pages)
{
	static const uint64_t expected[] = { TEXT, TEXT + 0x2000, TEXT + DATA };
	struct rsb_capture *capture = take(PF_R | PF_X, "ffffffff81000000 T traced\n");
	static unsigned char bytes[0x6000];
	FILE *file = tmpfile();
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)bytes;
	const Elf64_Phdr *segments;

	ck_assert_uint_eq(rsb_capture_pages(capture), 3);
	ck_assert_msg(rsb_capture_write_core(capture, file, &error), "%s", error.text);
	ck_assert_uint_eq(read_back(file, bytes, sizeof(bytes)), 4 * RSB_PAGE);
	ck_assert_int_eq(memcmp(bytes, ELFMAG, SELFMAG), 0);
	ck_assert_int_eq(header->e_type, ET_CORE);
	ck_assert_int_eq(header->e_machine, EM_X86_64);
	ck_assert_int_eq(header->e_phnum, 3);
	segments = (const Elf64_Phdr *)(bytes + header->e_phoff);
	for (size_t i = 0; i < 3; i++) {
		ck_assert_uint_eq(segments[i].p_type, PT_LOAD);
		ck_assert_uint_eq(segments[i].p_vaddr, expected[i]);
		ck_assert_uint_eq(segments[i].p_filesz, RSB_PAGE);
		ck_assert_uint_eq(segments[i].p_memsz, RSB_PAGE);
		ck_assert_uint_eq(segments[i].p_flags, PF_R | PF_X);
		ck_assert_uint_eq(segments[i].p_offset, (i + 1) * RSB_PAGE);
	}
	ck_assert_int_eq(bytes[RSB_PAGE], 0xe8);
	ck_assert_int_eq(bytes[2 * RSB_PAGE + HELPER % RSB_PAGE], 0x48);
	drop(capture);
}
END_TEST

/*
 * Symbols on these pages are kept, sorted, with their types and modules; and those between which
 * a page that holds no symbol at its start or its end lies, with all names of the same address.
 */
START_TEST(keeps_symbols)
{
	struct rsb_capture *capture = take(0, "ffffffff81004008 d late\t[module]\n"
					      "ffffffff81004000 D value\n"
					      "ffffffff81003800 T far\n"
					      "ffffffff81003000 T behind\n"
					      "ffffffff81003000 t behind_alias\n"
					      "ffffffff81002010 t helper_first\n"
					      "ffffffff81002010 T helper_alias\n"
					      "ffffffff81001f00 t spans\n"
					      "ffffffff81001800 t untouched\n"
					      "ffffffff81000800 t filler\n"
					      "ffffffff81000000 T traced\n"
					      "ffffffff80000000 T too_far\n");
	FILE *file = tmpfile();
	char text[1024] = "";

	ck_assert_msg(rsb_capture_write_symbols(capture, symbols_path, file, &error), "%s",
		      error.text);
	read_back(file, text, sizeof(text) - 1);
	ck_assert_str_eq(text, "ffffffff81000000 T traced\n"
			       "ffffffff81000000 T rsb_captured.traced\n"
			       "ffffffff81000800 t filler\n"
			       "ffffffff81001800 t untouched\n"
			       "ffffffff81001f00 t spans\n"
			       "ffffffff81002010 t helper_first\n"
			       "ffffffff81002010 T helper_alias\n"
			       "ffffffff81003000 T behind\n"
			       "ffffffff81003000 t behind_alias\n"
			       "ffffffff81004000 D value\n"
			       "ffffffff81004008 d late\t[module]\n");
	drop(capture);
}
END_TEST

/* A page stays as it was when it was first read: a live kernel's memory changes meanwhile. */
START_TEST(keeps_pages_as_they_were)
{
	struct rsb_capture *capture = take(0, "ffffffff81000000 T traced\n");
	static unsigned char before[4 * RSB_PAGE], after[4 * RSB_PAGE];
	FILE *file = tmpfile(), *core = fopen(core_path, "r+b");

	ck_assert(rsb_capture_write_core(capture, file, &error));
	read_back(file, before, sizeof(before));
	fseek(core, -0x1000 + 8, SEEK_END); /* on the page of the data */
	fputs("changed", core);
	fclose(core);
	ck_assert_msg(add(capture, "0xffffffff81002010"), "%s", error.text);
	file = tmpfile();
	ck_assert(rsb_capture_write_core(capture, file, &error));
	read_back(file, after, sizeof(after));
	ck_assert_int_eq(memcmp(before, after, sizeof(before)), 0);
	drop(capture);
}
END_TEST

/* What cannot be run, or is no core, is refused. */
START_TEST(refuses)
{
	static const char generated[] = "{ \"generate\": { \"family\": \"plain-call\" } }";
	const struct rsb_capture_options options = { .budget = 0 };
	struct rsb_capture *capture = take(0, "ffffffff81000000 T traced\n");
	struct rsb_layout *layout;

	ck_assert(!add(capture, "0xffffffff81001000"));
	ck_assert_ptr_nonnull(strstr(error.text, "kernel: interrupt"));
	layout = rsb_layout_parse("generated", generated, strlen(generated), ".", &error);
	ck_assert_msg(layout != NULL, "%s", error.text);
	ck_assert(!rsb_capture_add(capture, layout, &options, &error));
	ck_assert_str_eq(error.text, "generated: expected code out of a core");
	rsb_layout_free(layout);
	drop(capture);
}
END_TEST

/* A capture of nothing is none. */
START_TEST(refuses_to_write_nothing)
{
	struct rsb_capture *capture = rsb_capture_new();
	FILE *file = tmpfile();

	ck_assert(!rsb_capture_write_core(capture, file, &error));
	ck_assert_int_eq(ftell(file), 0);
	fclose(file);
	rsb_capture_free(capture);
}
END_TEST

UNIT_MAIN("captures that are taken", keeps_touched_pages, keeps_symbols, keeps_pages_as_they_were,
	  refuses, refuses_to_write_nothing)
