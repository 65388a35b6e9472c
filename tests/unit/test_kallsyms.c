/* SPDX-License-Identifier: GPL-2.0-or-later */
/* /proc/kallsyms: its lines, its modules, what is refused and where, and its size. */
#include "sim/image/kallsyms.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct rsb_error error;

static bool parse(struct rsb_image *image, const char *text)
{
	return rsb_kallsyms_parse(image, "k", text, strlen(text), &error);
}

static void refuses(const char *text, const char *message)
{
	struct rsb_image *image = rsb_image_new();

	ck_assert_msg(!parse(image, text), "%s", text);
	ck_assert_str_eq(error.text, message);
	rsb_image_free(image);
}

static uint64_t address_of(const struct rsb_image *image, const char *name)
{
	uint64_t address = 0;

	ck_assert_msg(rsb_image_find(image, name, &address, &error), "%s", error.text);
	return address;
}

/* The kernel's own format (kernel/kallsyms.c, s_show): a tab before a module's name. */
START_TEST(reads_the_kernels_lines)
{
	struct rsb_image *image = rsb_image_new();

	ck_assert_msg(parse(image, "0000000000000000 A fixed_percpu_data\n"
				   "ffffffff81000000 T _stext\n"
				   "ffffffffc0201000 t bpf_trampoline_6442\t[bpf]\n"
				   "ffffffffc0203000 t nf_hook [nf_tables]  \n"
				   "FFFFFFFFC0205000 w last_without_line_end"),
		      "%s", error.text);
	ck_assert_uint_eq(address_of(image, "_stext"), 0xffffffff81000000);
	ck_assert_uint_eq(address_of(image, "bpf_trampoline_6442"), 0xffffffffc0201000);
	ck_assert_uint_eq(address_of(image, "nf_hook"), 0xffffffffc0203000);
	ck_assert_uint_eq(address_of(image, "last_without_line_end"), 0xffffffffc0205000);
	ck_assert_uint_eq(address_of(image, "fixed_percpu_data"), 0);
	rsb_image_free(image);
}
END_TEST

/* A malformed line is told by file and line, with what it says. */
START_TEST(refuses_malformed_lines)
{
#define EXPECTED "expected \"address type name [module]\" with a hexadecimal address, found "
	refuses("ffffffff81000000 T a\n\n", "k:2: " EXPECTED "\"\"");
	refuses("ffffffff81000000 T\n", "k:1: " EXPECTED "\"ffffffff81000000 T\"");
	refuses("ffffffff81000000 TT a\n", "k:1: " EXPECTED "\"ffffffff81000000 TT a\"");
	refuses("0xffffffff81000000 T a\n", "k:1: " EXPECTED "\"0xffffffff81000000 T a\"");
	refuses("1ffffffff81000000 T a\n", "k:1: " EXPECTED "\"1ffffffff81000000 T a\"");
	refuses("a T b\na T b\nhello\n", "k:3: " EXPECTED "\"hello\"");
	refuses("a T b module\n", "k:1: " EXPECTED "\"a T b module\"");
	refuses("a T b [m] more\n", "k:1: " EXPECTED "\"a T b [m] more\"");
	refuses("\x7f"
		"ELF\x02",
		"k:1: " EXPECTED "\"?ELF?\"");
#undef EXPECTED
}
END_TEST

/* A line as long as a file is not printed whole, nor taken for a name. */
START_TEST(refuses_endless_names)
{
	char text[2000] = "ffffffff81000000 T ";

	memset(text + 19, 'n', 1900);
	text[1919] = '\0';
	ck_assert_uint_eq(strlen(text), 1919);
	refuses(text, "k:1: expected \"address type name [module]\" with a hexadecimal address, "
		      "found \"ffffffff81000000 T nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn\"");
}
END_TEST

/* An unprivileged reader gets zeros: the message says what to do. */
START_TEST(explains_hidden_addresses)
{
	refuses("0000000000000000 T _text\n0000000000000000 T _stext\n",
		"k: every address is 0: the kernel hid them when the file was read; read it as "
		"root, with kernel.kptr_restrict at 0 or 1");
}
END_TEST

/* An empty file is not an empty kernel. */
START_TEST(refuses_an_empty_file)
{
	refuses("", "k: lists no symbols");
}
END_TEST

/* A file that is not there. */
START_TEST(refuses_a_missing_file)
{
	struct rsb_image *image = rsb_image_new();

	ck_assert(!rsb_kallsyms_load(image, "not/there", &error));
	ck_assert_str_eq(error.text, "not/there: cannot be opened: No such file or directory");
	rsb_image_free(image);
}
END_TEST

/* Bytes and lines are bounded. */
START_TEST(bounds_a_file)
{
	enum { LINES = (2 << 20) + 1 };
	struct rsb_image *image = rsb_image_new();
	char path[] = "kallsyms-XXXXXX", *text = malloc(LINES * 6);
	int file = mkstemp(path);

	ck_assert_int_ge(file, 0);
	ck_assert_int_eq(ftruncate(file, (64 << 20) + 1), 0);
	close(file);
	ck_assert(!rsb_kallsyms_load(image, path, &error));
	ck_assert_ptr_nonnull(strstr(error.text, ": expected at most 67108864 bytes"));
	unlink(path);

	for (size_t i = 0; i < LINES; i++)
		memcpy(text + i * 6, "1 T a\n", 6);
	ck_assert(!rsb_kallsyms_parse(image, "k", text, LINES * 6, &error));
	ck_assert_str_eq(error.text, "k: expected at most 2097152 lines");
	free(text);
	rsb_image_free(image);
}
END_TEST

/* A file as long as a kernel's is read in a moment. */
START_TEST(reads_a_kernels_file)
{
	enum { LINES = 250000, WIDTH = 64 };
	struct rsb_image *image = rsb_image_new();
	char path[] = "kallsyms-XXXXXX";
	FILE *file = fdopen(mkstemp(path), "w");
	clock_t began;

	ck_assert_ptr_nonnull(file);
	for (unsigned i = 0; i < LINES; i++)
		fprintf(file, "%016lx t function_with_a_name_%u\n", 0xffffffff81000000 + i * 16, i);
	ck_assert_int_eq(fclose(file), 0);
	began = clock();
	ck_assert_msg(rsb_kallsyms_load(image, path, &error), "%s", error.text);
	ck_assert_uint_eq(address_of(image, "function_with_a_name_249999"),
			  0xffffffff81000000 + 249999 * 16);
	ck_assert_msg(clock() - began < 2 * CLOCKS_PER_SEC, "it took more than 2 s");
	unlink(path);
	rsb_image_free(image);
}
END_TEST

UNIT_MAIN("kallsyms", reads_the_kernels_lines, refuses_malformed_lines, refuses_endless_names,
	  explains_hidden_addresses, refuses_an_empty_file, refuses_a_missing_file, bounds_a_file,
	  reads_a_kernels_file)
