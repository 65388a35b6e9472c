/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The notes of cores: what is taken from good ones, and what is said of bad ones. Their forms are
 * those of elf(5), linux/elfcore.h and the kernel's fill_files_note() (fs/binfmt_elf.c).
 */
#include "sim/image/core.h"
#include "tests/unit/elf_core.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NT_FILES 0x46494c45

static struct rsb_error error;
static struct rsb_core_notes notes;
static unsigned char bytes[4096];
static size_t used;

static void put(const void *from, size_t size)
{
	memcpy(bytes + used, from, size);
	used += (size + 3) & ~(size_t)3;
}

/* Adds a note; the sizes are those of the words and, for one that lies, larger. */
static void add(const char *name, uint32_t type, const void *from, size_t size, uint32_t more)
{
	const uint32_t head[] = { (uint32_t)strlen(name) + 1, (uint32_t)size + more, type };

	put(head, sizeof(head));
	put(name, strlen(name) + 1);
	put(from, size);
}

/* Reads them back out of a core. The file's name is left out of the message. */
static bool read_notes(void)
{
	static struct elf_core core;
	struct rsb_image *image = rsb_image_new();
	char path[32];
	bool good;

	elf_core_start(&core);
	elf_core_add(&core, 0x1000, "code", 4);
	elf_core_add(&core, 0, bytes, used)->p_type = PT_NOTE;
	elf_core_write(&core, SIZE_MAX, path, sizeof(path));
	good = rsb_core_load_notes(image, path, &notes, &error);
	unlink(path);
	rsb_image_free(image);
	if (!good)
		memmove(error.text, error.text + strlen(path),
			strlen(error.text) - strlen(path) + 1);
	used = 0;
	return good;
}

/* The first thread's bases, the program's entry, and each mapped file with its path. */
START_TEST(tells_of_a_process)
{
	uint64_t thread[42] = { 0 };
	const uint64_t auxiliary[] = { 9, 0x401000, 0, 0 };
	struct {
		uint64_t words[2 + 6];
		char paths[16]; /* no hole behind them */
	} files = { { 2, 4096, 0x1000, 0x2000, 0, 0x5000, 0x8000, 3 }, "/a/b\0/c/dd" };

	thread[112 / 8 + 21] = 0x7000;
	add("CORE", 1, thread, sizeof(thread), 0);
	thread[112 / 8 + 21] = 0x8000;
	add("CORE", 1, thread, sizeof(thread), 0);
	add("CORE", 6, auxiliary, sizeof(auxiliary), 0);
	add("LINUX", 0x202, "xstate", 6, 0);
	add("CORE", NT_FILES, &files, sizeof(files), 0);
	ck_assert_msg(read_notes(), "%s", error.text);
	ck_assert(notes.process && notes.has_thread && !notes.has_shift);
	ck_assert_uint_eq(notes.fs_base, 0x7000);
	ck_assert_uint_eq(notes.entry, 0x401000);
	ck_assert_uint_eq(notes.mapping_count, 2);
	ck_assert_str_eq(notes.mappings[0].path, "/a/b");
	ck_assert_uint_eq(notes.mappings[1].start, 0x5000);
	ck_assert_uint_eq(notes.mappings[1].end, 0x8000);
	ck_assert_uint_eq(notes.mappings[1].offset, 3 * 4096);
	ck_assert_str_eq(notes.mappings[1].path, "/c/dd");
	rsb_core_notes_clear(&notes);
}
END_TEST

/* A kernel says how far it was moved; it is no process. */
START_TEST(tells_of_a_kernel)
{
	static const char text[] = "OSRELEASE=6.12\nKERNELOFFSET=1a000000\nPAGESIZE=4096\n";

	add("VMCOREINFO", 0, text, sizeof(text) - 1, 0);
	ck_assert_msg(read_notes(), "%s", error.text);
	ck_assert(!notes.process && notes.has_shift);
	ck_assert_uint_eq(notes.shift, 0x1a000000);
	rsb_core_notes_clear(&notes);
}
END_TEST

static void refuse(const char *message)
{
	ck_assert(!read_notes());
	ck_assert_str_eq(error.text, message);
	rsb_core_notes_clear(&notes);
}

/* The notes begin at 0x204 of the file, behind the headers and four bytes of code. */
START_TEST(refuses_damaged_notes)
{
	const uint64_t many[] = { 1000, 4096, 0, 0, 0 };
	const uint64_t huge[] = { UINT64_MAX / 24 + 2, 4096, 0, 0, 0 };
	const uint64_t unended[] = { 1, 4096, 0x1000, 0x2000, 0 };

	add("CORE", 1, "four", 4, 1000);
	refuse(": the note at 0x204 is longer than its segment");
	add("CORE", 1, "four", 4, 0);
	add("CORE", 1, "four", 4, 0xfffffff0);
	refuse(": the note at 0x21c is longer than its segment");
	add("CORE", NT_FILES, many, sizeof(many), 0);
	refuse(": the note at 0x204, of mapped files, is damaged");
	add("CORE", NT_FILES, huge, sizeof(huge), 0);
	refuse(": the note at 0x204, of mapped files, is damaged");
	add("CORE", NT_FILES, unended, sizeof(unended), 0);
	refuse(": the note at 0x204, of mapped files, is damaged");
	add("CORE", NT_FILES, "four", 4, 0);
	refuse(": the note at 0x204, of mapped files, is damaged");
}
END_TEST

UNIT_MAIN("notes of cores", tells_of_a_process, tells_of_a_kernel, refuses_damaged_notes)
