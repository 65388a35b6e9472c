/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ELF cores: what is read from good ones, and what is said of bad ones. */
#include "sim/image/core.h"
#include "tests/unit/elf_core.h"
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define WHOLE SIZE_MAX
#define TEXT  UINT64_C(0xffffffff81000000)

static struct rsb_error error;
static struct elf_core core;

/* Two pages at TEXT: of 'a' and of 'b'. */
static Elf64_Phdr *start(void)
{
	static char pages[2 * RSB_PAGE];

	memset(pages, 'a', RSB_PAGE);
	memset(pages + RSB_PAGE, 'b', RSB_PAGE);
	elf_core_start(&core);
	return elf_core_add(&core, TEXT, pages, sizeof(pages));
}

/* Loads the first bytes of the core. The file's name is masked in the message: "CORE: ...". */
static struct rsb_image *load(size_t size)
{
	struct rsb_image *image = rsb_image_new();
	char path[32];

	ck_assert_ptr_nonnull(image);
	elf_core_write(&core, size, path, sizeof(path));
	if (!rsb_core_load(image, path, &error)) {
		ck_assert_int_eq(strncmp(error.text, path, strlen(path)), 0);
		memmove(error.text, error.text + strlen(path),
			strlen(error.text) - strlen(path) + 1);
		rsb_image_free(image);
		image = NULL;
	}
	unlink(path);
	return image;
}

static void refuses(size_t size, const char *message)
{
	ck_assert_ptr_null(load(size));
	ck_assert_str_eq(error.text, message);
}

static char byte_at(const struct rsb_image *image, uint64_t address)
{
	char byte;

	ck_assert_msg(rsb_image_read(image, address, &byte, 1, &error), "0x%llx: %s",
		      (unsigned long long)address, error.text);
	return byte;
}

static bool is_absent(const struct rsb_image *image, uint64_t address)
{
	char byte;

	return !rsb_image_read(image, address, &byte, 1, &error) && !error.text[0];
}

/* Segments are found at their virtual addresses; around them is nothing. */
START_TEST(maps_segments)
{
	struct rsb_image *image;
	uint8_t page[RSB_PAGE];
	unsigned access;

	start()->p_flags = PF_R | PF_X;
	elf_core_add(&core, 0x1000, "low", 3);
	elf_core_add(&core, TEXT + 0x2000, "next", 4);
	image = load(WHOLE);
	ck_assert_msg(image != NULL, "%s", error.text);
	ck_assert_int_eq(byte_at(image, TEXT), 'a');
	ck_assert_int_eq(byte_at(image, TEXT + 0x1fff), 'b');
	ck_assert_int_eq(byte_at(image, 0x1002), 'w');
	ck_assert_int_eq(byte_at(image, 0x1003), 0);
	ck_assert(is_absent(image, TEXT - 1) && is_absent(image, TEXT + 0x3000));
	ck_assert_int_eq(byte_at(image, TEXT + 0x2000), 'n');
	ck_assert(rsb_image_page(image, TEXT, page, &access, &error));
	ck_assert_uint_eq(access, RSB_READ | RSB_EXECUTE);
	rsb_image_free(image);
}
END_TEST

/* QEMU's dumps have no flags: everything is allowed then. */
START_TEST(allows_all_without_flags)
{
	struct rsb_image *image;
	uint8_t page[RSB_PAGE];
	unsigned access;

	start()->p_flags = 0;
	image = load(WHOLE);
	ck_assert(rsb_image_page(image, TEXT, page, &access, &error));
	ck_assert_uint_eq(access, RSB_READ | RSB_WRITE | RSB_EXECUTE);
	rsb_image_free(image);
}
END_TEST

/* Segments may start and end anywhere; those that meet inside a page are both on it. */
START_TEST(joins_unaligned_segments)
{
	struct rsb_image *image;
	uint8_t page[RSB_PAGE];
	unsigned access;

	elf_core_start(&core);
	elf_core_add(&core, 0x2804, "second", 6)->p_flags = PF_X;
	elf_core_add(&core, 0x1ffc, "first", 5)->p_flags = PF_R;
	elf_core_add(&core, 0x5fff, "xy", 2);
	image = load(WHOLE);
	ck_assert_msg(image != NULL, "%s", error.text);
	ck_assert_int_eq(byte_at(image, 0x1ffb), 0);
	ck_assert_int_eq(byte_at(image, 0x1fff), 's');
	ck_assert_int_eq(byte_at(image, 0x2000), 't');
	ck_assert_int_eq(byte_at(image, 0x2001), 0);
	ck_assert_int_eq(byte_at(image, 0x2804), 's');
	ck_assert_int_eq(byte_at(image, 0x2809), 'd');
	ck_assert_int_eq(byte_at(image, 0x5fff), 'x');
	ck_assert_int_eq(byte_at(image, 0x6000), 'y');
	ck_assert(rsb_image_page(image, 0x2000, page, &access, &error));
	ck_assert_uint_eq(access, RSB_READ | RSB_EXECUTE);
	ck_assert(is_absent(image, 0x3000) && is_absent(image, 0x7000));
	rsb_image_free(image);
}
END_TEST

/* What the dump left out (p_memsz above p_filesz) is not there, rather than zero. */
START_TEST(leaves_out_what_the_file_lacks)
{
	struct rsb_image *image;

	start()->p_memsz = 0x10000;
	elf_core_add(&core, 0x1000, "", 0)->p_memsz = 0x1000;
	image = load(WHOLE);
	ck_assert_msg(image != NULL, "%s", error.text);
	ck_assert_int_eq(byte_at(image, TEXT + 0x1fff), 'b');
	ck_assert(is_absent(image, TEXT + 0x2000) && is_absent(image, 0x1000));
	rsb_image_free(image);
}
END_TEST

/* Notes and other segments are not looked at. */
START_TEST(skips_other_segments)
{
	struct rsb_image *image;

	start();
	elf_core_add(&core, TEXT, "note", 4)->p_type = PT_NOTE;
	core.segments[1].p_offset = UINT64_MAX;
	image = load(WHOLE);
	ck_assert_msg(image != NULL, "%s", error.text);
	rsb_image_free(image);
}
END_TEST

/* A terabyte that the file is sparse in costs neither time nor memory. */
START_TEST(reads_on_demand)
{
	struct rsb_image *image = rsb_image_new();
	uint64_t size = UINT64_C(1) << 40;
	char path[32], byte;
	int file;

	start();
	core.segments[0].p_filesz = core.segments[0].p_memsz = size;
	elf_core_write(&core, WHOLE, path, sizeof(path));
	if (truncate(path, (off_t)(core.segments[0].p_offset + size)) != 0) {
		unlink(path); /* not on this file system */
		return;
	}
	core.segments[0].p_vaddr = 0;
	file = open(path, O_RDWR);
	ck_assert_int_eq(pwrite(file, core.segments, sizeof(core.segments), 64),
			 sizeof(core.segments));
	close(file);
	ck_assert_msg(rsb_core_load(image, path, &error), "%s", error.text);
	ck_assert_int_eq(byte_at(image, 0), 'a');
	ck_assert(rsb_image_read(image, size - 1, &byte, 1, &error));
	ck_assert(is_absent(image, size));
	rsb_image_free(image);
	unlink(path);
}
END_TEST

/* A file that shrinks after it was checked is an error of the page, not of the program. */
START_TEST(survives_a_shrinking_file)
{
	struct rsb_image *image = rsb_image_new();
	char path[32], byte;

	start();
	elf_core_write(&core, WHOLE, path, sizeof(path));
	ck_assert(rsb_core_load(image, path, &error));
	ck_assert_int_eq(truncate(path, (off_t)core.segments[0].p_offset + 16), 0);
	ck_assert(!rsb_image_read(image, TEXT, &byte, 1, &error));
	ck_assert_ptr_nonnull(strstr(error.text, "4080 bytes at 0x210: the file ends before them"));
	rsb_image_free(image);
	unlink(path);
}
END_TEST

/* Other files than ELF cores of x86-64 are named for what they are. */
START_TEST(refuses_other_files)
{
	start();
	core.header.e_ident[0] = '#';
	refuses(WHOLE, ": is not an ELF file");
	refuses(0, ": is not an ELF file");
	start();
	core.header.e_ident[EI_CLASS] = ELFCLASS32;
	refuses(WHOLE, ": expected a 64-bit little-endian ELF file");
	start();
	core.header.e_ident[EI_DATA] = ELFDATA2MSB;
	refuses(WHOLE, ": expected a 64-bit little-endian ELF file");
	start();
	core.header.e_type = ET_EXEC;
	refuses(WHOLE, ": expected a core (ELF type 4), found an ELF file of type 2");
	start();
	core.header.e_machine = EM_AARCH64;
	refuses(WHOLE, ": expected a core of x86-64 (62), found machine 183");
}
END_TEST

/* A missing file and a folder are told apart. */
START_TEST(refuses_what_is_no_file)
{
	struct rsb_image *image = rsb_image_new();

	ck_assert(!rsb_core_load(image, "not/there.core", &error));
	ck_assert_str_eq(error.text, "not/there.core: cannot be opened: No such file or directory");
	ck_assert(!rsb_core_load(image, ".", &error));
	ck_assert_str_eq(error.text, ".: is not a regular file");
	rsb_image_free(image);
}
END_TEST

/* A core that is cut short says which segment, what it needs, and what there is. */
START_TEST(refuses_a_cut_core)
{
	start();
	refuses(64 + 8 * 56 + 0x1000,
		": is cut short: segment 0 needs 0x2000 bytes from 0x200, and "
		"the file has 4608");
	refuses(64 + 8 * 56 + 0x1fff,
		": is cut short: segment 0 needs 0x2000 bytes from 0x200, and "
		"the file has 8703");
	refuses(100, ": is cut short: 1 program headers at 0x40 do not fit in its 100 bytes");
	refuses(40, ": is not an ELF file");
	start()->p_offset = UINT64_MAX - 1;
	refuses(WHOLE, ": is cut short: segment 0 needs 0x2000 bytes from 0xfffffffffffffffe, and "
		       "the file has 8704");
}
END_TEST

/* Segments that overlap are both named, in part or wholly, also where only memory overlaps. */
START_TEST(refuses_overlaps)
{
	start();
	elf_core_add(&core, TEXT + 0x1fff, "x", 1);
	refuses(WHOLE, ": segment 1 (0x1 bytes at 0xffffffff81001fff) overlaps segment 0 (0x2000 "
		       "bytes at 0xffffffff81000000)");
	start();
	core.segments[core.header.e_phnum++] = core.segments[0];
	refuses(WHOLE,
		": segment 1 (0x2000 bytes at 0xffffffff81000000) overlaps segment 0 (0x2000 "
		"bytes at 0xffffffff81000000)");
	start()->p_memsz = 0x3000;
	elf_core_add(&core, TEXT + 0x2000, "x", 1);
	refuses(WHOLE, ": segment 1 (0x1 bytes at 0xffffffff81002000) overlaps segment 0 (0x3000 "
		       "bytes at 0xffffffff81000000)");
}
END_TEST

/* Headers that contradict themselves. */
START_TEST(refuses_odd_headers)
{
	start()->p_memsz = 0x1000;
	refuses(WHOLE, ": segment 0 has more bytes in the file (0x2000) than in memory (0x1000)");
	start()->p_vaddr = UINT64_MAX - 0xfff;
	refuses(WHOLE, ": segment 0 wraps: 0x2000 bytes from 0xfffffffffffff000");
	start();
	core.header.e_phentsize = 32;
	refuses(WHOLE, ": expected program headers of 56 bytes, found 32");
	start();
	core.header.e_phnum = 0;
	refuses(WHOLE, ": has no program headers");
	start()->p_type = PT_NOTE;
	refuses(WHOLE, ": has no segments with bytes in it");
}
END_TEST

/* A count too large for the header stands in the first section header, which may be forged. */
START_TEST(refuses_huge_counts)
{
	Elf64_Shdr section = { .sh_info = 2000000 };

	start();
	core.header.e_phnum = PN_XNUM - 1;
	refuses(WHOLE,
		": is cut short: 65534 program headers at 0x40 do not fit in its 8704 bytes");
	start();
	core.header.e_phnum = PN_XNUM;
	refuses(WHOLE, ": the number of program headers should be in the first section header, "
		       "which is not there");
	start();
	elf_core_add(&core, 0x1000, &section, sizeof(section));
	core.header.e_phnum = PN_XNUM;
	core.header.e_shoff = core.segments[1].p_offset;
	core.header.e_shnum = 1;
	core.header.e_shentsize = sizeof(section);
	refuses(WHOLE, ": expected at most 1048576 program headers, found 2000000");
}
END_TEST

/* A count that the section header tells rightly is used. */
START_TEST(reads_an_extended_count)
{
	Elf64_Shdr section = { .sh_info = 2 };
	struct rsb_image *image;

	start();
	elf_core_add(&core, 0x1000, &section, sizeof(section));
	core.header.e_phnum = PN_XNUM;
	core.header.e_shoff = core.segments[1].p_offset;
	core.header.e_shnum = 1;
	core.header.e_shentsize = sizeof(section);
	image = load(WHOLE);
	ck_assert_msg(image != NULL, "%s", error.text);
	ck_assert_int_eq(byte_at(image, TEXT), 'a');
	ck_assert_int_eq(byte_at(image, 0x1000), 0);
	rsb_image_free(image);
}
END_TEST

/* Sixty thousand segments, in falling order, take no quadratic time. */
START_TEST(holds_many_segments)
{
	enum { COUNT = 60000 };
	Elf64_Phdr *segments = calloc(COUNT, sizeof(*segments));
	struct rsb_image *image = rsb_image_new();
	clock_t began;
	char path[32];
	int file;

	start();
	for (uint64_t i = 0; i < COUNT; i++) {
		segments[i] = core.segments[0];
		segments[i].p_vaddr = (COUNT - i) * 0x10000;
	}
	elf_core_write(&core, WHOLE, path, sizeof(path));
	core.header.e_phnum = COUNT;
	core.header.e_phoff = 0x4000;
	file = open(path, O_RDWR);
	ck_assert_int_eq(pwrite(file, &core.header, sizeof(core.header), 0), sizeof(core.header));
	ck_assert_int_eq(pwrite(file, segments, COUNT * sizeof(*segments), 0x4000),
			 COUNT * sizeof(*segments));
	close(file);
	began = clock();
	ck_assert_msg(rsb_core_load(image, path, &error), "%s", error.text);
	ck_assert_int_eq(byte_at(image, 12345 * 0x10000 + 0x1000), 'b');
	ck_assert_msg(clock() - began < 3 * CLOCKS_PER_SEC, "it took more than 3 s");
	rsb_image_free(image);
	free(segments);
	unlink(path);
}
END_TEST

UNIT_MAIN("ELF cores", maps_segments, allows_all_without_flags, joins_unaligned_segments,
	  leaves_out_what_the_file_lacks, skips_other_segments, reads_on_demand,
	  survives_a_shrinking_file, refuses_other_files, refuses_what_is_no_file,
	  refuses_a_cut_core, refuses_overlaps, refuses_odd_headers, refuses_huge_counts,
	  reads_an_extended_count, holds_many_segments)
