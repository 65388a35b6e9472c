/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Executables and shared objects: their segments, and all that can be wrong with a table of them.
 */
#include "sim/image/elf.h"
#include "sim/image/file.h"
#include "tests/unit/elf_core.h"
#include "tests/unit/unit.h"

#include <string.h>
#include <unistd.h>

static struct rsb_error error;

static const unsigned char code[16] = { 0xc3, 1, 2, 3 };

/* The file with its headers as they are now, loaded. NULL: error. */
static struct rsb_image *load_part(const struct elf_core *file, size_t size,
				   const struct rsb_elf_options *options)
{
	struct rsb_image *image = rsb_image_new();
	struct rsb_file bytes;
	char path[64];
	bool good;

	elf_core_write(file, size, path, sizeof(path));
	ck_assert_msg(rsb_file_read(&bytes, path, &error), "%s", error.text);
	unlink(path);
	good = rsb_elf_load(image, "x", bytes.bytes, bytes.size, options, &error);
	rsb_file_clear(&bytes);
	if (good)
		return image;
	rsb_image_free(image);
	return NULL;
}

static struct rsb_image *load(const struct elf_core *file)
{
	const struct rsb_elf_options options = { .has_base = false };

	return load_part(file, SIZE_MAX, &options);
}

static void start(struct elf_core *file, unsigned type)
{
	elf_core_start(file);
	file->header.e_type = (Elf64_Half)type;
}

static int byte_at(const struct rsb_image *image, uint64_t address)
{
	uint8_t byte;

	return rsb_image_read(image, address, &byte, 1, &error) ? byte : -1;
}

/* Segments are where they say; what the file does not have of one is zero. */
START_TEST(loads_segments)
{
	struct rsb_image *image;
	struct elf_core file;

	start(&file, ET_EXEC);
	elf_core_add(&file, 0x401008, code, sizeof(code))->p_memsz = 0x2000;
	image = load(&file);
	ck_assert_msg(image, "%s", error.text);
	ck_assert_int_eq(byte_at(image, 0x401008), 0xc3);
	ck_assert_int_eq(byte_at(image, 0x40100b), 3);
	ck_assert_int_eq(byte_at(image, 0x402000), 0);
	ck_assert_int_eq(byte_at(image, 0x404000), -1);
	rsb_image_free(image);
}
END_TEST

/* Linkers may let two segments share a page, which then can be used as both. */
START_TEST(joins_segments_of_one_page)
{
	struct rsb_image *image;
	struct elf_core file;
	uint8_t page[RSB_PAGE];
	unsigned access;

	start(&file, ET_EXEC);
	elf_core_add(&file, 0x401000, code, sizeof(code))->p_flags = PF_R | PF_X;
	elf_core_add(&file, 0x401800, code, sizeof(code))->p_flags = PF_R | PF_W;
	image = load(&file);
	ck_assert_msg(image, "%s", error.text);
	ck_assert(rsb_image_page(image, 0x401000, page, &access, &error));
	ck_assert_uint_eq(access, RSB_READ | RSB_WRITE | RSB_EXECUTE);
	ck_assert_int_eq(page[0], 0xc3);
	ck_assert_int_eq(page[0x801], 1);
	rsb_image_free(image);
}
END_TEST

/* A base moves a shared object, and an executable for fixed addresses has none. */
START_TEST(moves_what_can_be_moved)
{
	const struct rsb_elf_options options = { .has_base = true, .base = 0x70000000 };
	struct rsb_image *image;
	struct elf_core file;

	start(&file, ET_DYN);
	elf_core_add(&file, 0x1000, code, sizeof(code));
	image = load_part(&file, SIZE_MAX, &options);
	ck_assert_msg(image, "%s", error.text);
	ck_assert_int_eq(byte_at(image, 0x70001000), 0xc3);
	rsb_image_free(image);
	file.header.e_type = ET_EXEC;
	ck_assert_ptr_null(load_part(&file, SIZE_MAX, &options));
	ck_assert_str_eq(error.text, "x: was linked for fixed addresses: no base can be chosen");
}
END_TEST

/* Thread-local variables end at the FS base. */
START_TEST(places_thread_local_variables)
{
	struct rsb_image *image;
	struct elf_core file;
	Elf64_Phdr *segment;
	uint64_t base;

	start(&file, ET_EXEC);
	segment = elf_core_add(&file, 0x401000, code, sizeof(code));
	file.segments[file.header.e_phnum++] = (Elf64_Phdr){
		.p_type = PT_TLS,
		.p_offset = segment->p_offset,
		.p_filesz = 4,
		.p_memsz = 12,
		.p_align = 16,
	};
	image = load(&file);
	ck_assert_msg(image, "%s", error.text);
	base = rsb_image_fs_base(image);
	ck_assert_int_eq(byte_at(image, base - 16), 0xc3);
	ck_assert_int_eq(byte_at(image, base - 13), 3);
	ck_assert_int_eq(byte_at(image, base - 12), 0);
	rsb_image_free(image);
}
END_TEST

static void refuse(const struct elf_core *file, const char *message)
{
	ck_assert_ptr_null(load(file));
	ck_assert_str_eq(error.text, message);
}

/* Program headers that contradict themselves or each other are refused. */
START_TEST(refuses_bad_tables)
{
	struct elf_core file;
	Elf64_Phdr *first, *second;

	start(&file, ET_EXEC);
	refuse(&file, "x: has no program headers");
	first = elf_core_add(&file, 0x401000, code, sizeof(code));
	second = elf_core_add(&file, 0x40100f, code, sizeof(code));
	refuse(&file, "x: segment 1 (from 0x40100f) overlaps segment 0 (0x401000 to 0x40100f)");
	second->p_vaddr = 0x401000;
	refuse(&file, "x: segment 1 (from 0x401000) overlaps segment 0 (0x401000 to 0x40100f)");
	second->p_vaddr = UINT64_MAX - 4;
	refuse(&file, "x: segment 1 wraps: 0x10 bytes from 0xfffffffffffffffb at base 0x0");
	second->p_type = PT_NULL;
	first->p_filesz = 17;
	refuse(&file, "x: segment 0 has more bytes in the file (0x11) than in memory (0x10)");
	first->p_filesz = first->p_memsz = 0x10000;
	ck_assert_ptr_null(load(&file));
	ck_assert_ptr_nonnull(strstr(error.text, "x: is cut short: segment 0 needs 0x10000 bytes"));
	first->p_filesz = 16;
	first->p_memsz = UINT64_C(1) << 40;
	ck_assert_ptr_null(load(&file));
	ck_assert_ptr_nonnull(strstr(error.text, "x: segment 0: expected at most 0x1000000000"));
	first->p_type = PT_NULL;
	refuse(&file, "x: has no load segments");
	file.header.e_phentsize = 55;
	refuse(&file, "x: expected program headers of 56 bytes, found 55");
}
END_TEST

/* Relocations that are not there are an error; a dynamic section that is not there says nothing. */
START_TEST(refuses_relocations_that_are_not_there)
{
	static const uint64_t dynamic[] = { DT_RELA, 0x900000, DT_RELASZ, 48, DT_NULL, 0 };
	struct rsb_image *image;
	struct elf_core file;
	Elf64_Phdr *segment;

	start(&file, ET_DYN);
	segment = elf_core_add(&file, 0x1000, dynamic, sizeof(dynamic));
	file.segments[file.header.e_phnum++] = (Elf64_Phdr){
		.p_type = PT_DYNAMIC,
		.p_offset = segment->p_offset,
		.p_vaddr = 0x1000,
		.p_filesz = sizeof(dynamic),
		.p_memsz = sizeof(dynamic),
	};
	refuse(&file, "x: 2 relocations at 0x900000 are not in the file");
	file.segments[1].p_vaddr = 0x500000;
	image = load(&file);
	ck_assert_msg(image, "%s", error.text);
	rsb_image_free(image);
}
END_TEST

/* Cut anywhere, there is a message. */
START_TEST(refuses_a_short_file)
{
	const struct rsb_elf_options options = { .has_base = false };
	struct elf_core file;

	start(&file, ET_EXEC);
	elf_core_add(&file, 0x401000, code, sizeof(code));
	for (size_t size = 0; size < sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr); size += 3)
		ck_assert_ptr_null(load_part(&file, size, &options));
}
END_TEST

UNIT_MAIN("executables and shared objects", loads_segments, joins_segments_of_one_page,
	  moves_what_can_be_moved, places_thread_local_variables, refuses_bad_tables,
	  refuses_relocations_that_are_not_there, refuses_a_short_file)
