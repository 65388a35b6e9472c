/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Object files, put together by the system's assembler: where sections lie, what relocations make
 * of fields (psABI of x86-64, section 4.4.1), and what is made up for what is not there.
 */
#include "sim/image/assemble.h"
#include "sim/image/elf.h"
#include "tests/unit/unit.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct rsb_error error;

static bool has_assembler(void)
{
	return system("as --version >/dev/null 2>&1") == 0;
}

static struct rsb_file assemble(const char *text)
{
	struct rsb_assembled assembled;
	FILE *file = fopen("test_elf.s", "w");

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
	ck_assert_msg(rsb_assemble("test_elf.s", false, &assembled, &error), "%s", error.text);
	unlink("test_elf.s");
	return assembled.object;
}

static bool is_f(const void *context, const char *symbol)
{
	(void)context;
	return strcmp(symbol, "f") == 0;
}

static struct rsb_image *load_with(const char *text, const struct rsb_elf_options *options)
{
	struct rsb_file file = assemble(text);
	struct rsb_image *image = rsb_image_new();
	bool good = rsb_elf_load(image, "t.o", file.bytes, file.size, options, &error);

	rsb_file_clear(&file);
	if (good)
		return image;
	rsb_image_free(image);
	return NULL;
}

static struct rsb_image *load(const char *text)
{
	const struct rsb_elf_options options = { .has_base = true, .base = 0x10000 };
	struct rsb_image *image = load_with(text, &options);

	ck_assert_msg(image, "%s", error.text);
	return image;
}

static uint64_t address_of(const struct rsb_image *image, const char *name)
{
	uint64_t address = 0;

	ck_assert_msg(rsb_image_find(image, name, &address, &error), "%s", error.text);
	return address;
}

/* The number of so many bytes at a symbol, its sign kept. */
static int64_t value_at(const struct rsb_image *image, const char *name, unsigned width)
{
	uint64_t value = 0;
	uint8_t bytes[8];

	ck_assert_msg(rsb_image_read(image, address_of(image, name), bytes, width, &error), "%s",
		      name);
	for (unsigned i = width; i-- > 0;)
		value = value << 8 | bytes[i];
	return (int64_t)(value << (64 - 8 * width)) >> (64 - 8 * width);
}

/* Code comes first, each kind of section begins a page, and alignments are kept. */
START_TEST(lays_out_sections)
{
	struct rsb_image *image;

	if (!has_assembler())
		return;
	image = load(".globl f\nf: ret\n.balign 64\ng: ret\n"
		     ".section .rodata\nc: .byte 1\n"
		     ".data\n.balign 32\nd: .byte 2\n"
		     ".bss\n.balign 8192\nb: .skip 16\n.comm shared, 8, 4096\n");
	ck_assert_uint_eq(address_of(image, "f"), 0x10000);
	ck_assert_uint_eq(address_of(image, "g"), 0x10040);
	ck_assert_uint_eq(address_of(image, "c") % RSB_PAGE, 0);
	ck_assert_uint_gt(address_of(image, "c"), address_of(image, "g"));
	ck_assert_uint_gt(address_of(image, "d"), address_of(image, "c"));
	ck_assert_uint_eq(address_of(image, "b") % 8192, 0);
	ck_assert_uint_eq(address_of(image, "shared") % 4096, 0);
	ck_assert_int_eq(value_at(image, "c", 1), 1);
	ck_assert_int_eq(value_at(image, "d", 1), 2);
	ck_assert_int_eq(value_at(image, "b", 8), 0);
	ck_assert_uint_eq(address_of(image, ".text"), 0x10000);
	rsb_image_free(image);
}
END_TEST

/* Each formula once: S + A, S + A - P, G + GOT + A - P, S + A - GOT, Z + A. */
START_TEST(relocates)
{
	struct rsb_image *image;
	int64_t f, got, slot;

	if (!has_assembler())
		return;
	image = load(".globl f\nf: ret\n.size f, 1\n"
		     ".data\n"
		     "absolute: .quad f + 5\n"
		     "narrow: .long f + 6\n"
		     "relative: .long f - .\n"
		     "far: .quad f - .\n"
		     "got: .quad _GLOBAL_OFFSET_TABLE_ - .\n"
		     "slot: .long f@GOTPCREL\n"
		     "off: .quad f@GOTOFF\n"
		     "size: .long f@SIZE\n");
	f = (int64_t)address_of(image, "f");
	ck_assert_int_eq(value_at(image, "absolute", 8), f + 5);
	ck_assert_int_eq(value_at(image, "narrow", 4), f + 6);
	ck_assert_int_eq(value_at(image, "relative", 4),
			 f - (int64_t)address_of(image, "relative"));
	ck_assert_int_eq(value_at(image, "far", 8), f - (int64_t)address_of(image, "far"));
	got = (int64_t)address_of(image, "got") + value_at(image, "got", 8);
	ck_assert_int_eq(value_at(image, "off", 8), f - got);
	ck_assert_int_eq(value_at(image, "size", 4), 1);

	/* The slot holds f's address. */
	slot = (int64_t)address_of(image, "slot") + value_at(image, "slot", 4);
	ck_assert(rsb_image_symbol(image, "the slot", (uint64_t)slot, 8, &error));
	ck_assert_int_eq(value_at(image, "the slot", 8), f);
	rsb_image_free(image);
}
END_TEST

/* A function that is not there returns at once, and a note says so; a weak one is 0. */
START_TEST(makes_up_what_is_not_there)
{
	struct rsb_image *image;

	if (!has_assembler())
		return;
	image = load(".globl f\nf: call other\n"
		     "jmp __x86_indirect_thunk_r9\n"
		     ".weak maybe\n.data\nweak: .quad maybe\n");
	ck_assert_str_eq(rsb_image_notes(image)[0],
			 "t.o does not define these, so they return at once: other, "
			 "__x86_indirect_thunk_r9");
	ck_assert_int_eq(value_at(image, "other", 1), (int8_t)0xc3);
	ck_assert_int_eq(value_at(image, "weak", 8), 0);

	/* A thunk that compilers leave to others jumps by its register, on purpose in vain. */
	ck_assert_int_eq(value_at(image, "__x86_indirect_thunk_r9", 1), (int8_t)0xe8);
	ck_assert_int_eq(rsb_image_mitigation(image, address_of(image, "__x86_indirect_thunk_r9")),
			 RSB_MITIGATION_JUMP);
	rsb_image_free(image);
}
END_TEST

/* What the user defines is a symbol of the file or an address, also in place of a weak one. */
START_TEST(takes_definitions)
{
	const struct rsb_elf_define defines[] = { { "other", "f" }, { "maybe", "0x7000" } };
	struct rsb_elf_options options = { .defines = defines, .define_count = 2 };
	struct rsb_image *image;

	if (!has_assembler())
		return;
	image = load_with(".globl f\nf: ret\n.weak maybe\n.data\na: .quad other\nb: .quad maybe\n",
			  &options);
	ck_assert_msg(image, "%s", error.text);
	ck_assert_int_eq(value_at(image, "a", 8), RSB_ELF_BASE);
	ck_assert_int_eq(value_at(image, "b", 8), 0x7000);
	ck_assert_ptr_null(rsb_image_notes(image)[0]);
	rsb_image_free(image);
	options.define_count = 1;
	ck_assert_ptr_null(load_with(".globl g\ng: call other\n", &options));
	ck_assert_str_eq(error.text, "t.o: the definition of other: there is no symbol 'f'; the "
				     "nearest: g");
}
END_TEST

/* The FS base points to a page that begins with its own address: the rest is zero. */
START_TEST(makes_a_thread)
{
	struct rsb_image *image;
	uint64_t base;

	if (!has_assembler())
		return;
	image = load(".globl f\nf: ret\n");
	base = rsb_image_fs_base(image);
	ck_assert_uint_ne(base, 0);
	ck_assert(rsb_image_symbol(image, "thread", base, 8, &error));
	ck_assert(rsb_image_symbol(image, "protector", base + 0x28, 8, &error));
	ck_assert_int_eq(value_at(image, "thread", 8), (int64_t)base);
	ck_assert_int_eq(value_at(image, "protector", 8), 0);
	rsb_image_free(image);
}
END_TEST

static const struct {
	const char *text, *message;
	uint64_t base;
} bad[] = {
	/* Above 2 GiB, an address does not fit in 32 bits. */
	{ ".globl f\nf: mov $f, %eax\n",
	  "t.o: relocation 0 of .rela.text, at .text+0x1 against f: R_X86_64_32: 0x100000000 does "
	  "not fit in 32 bits",
	  UINT64_C(0x100000000) },
	{ ".globl f\nf: mov $f, %rax\n",
	  "t.o: relocation 0 of .rela.text, at .text+0x3 against f: R_X86_64_32S: 0x80000000 does "
	  "not fit in 32 bits",
	  UINT64_C(0x80000000) },
	{ ".globl f\nf: nop\n.long near - .\nnear = 0\n",
	  "t.o: relocation 0 of .rela.text, at .text+0x1: R_X86_64_PC32", UINT64_C(0x100000000) },
	{ ".globl f\nf: mov %fs:x@tpoff, %eax\n.section .tbss,\"awT\"\nx: .long 0\n",
	  "t.o: relocation 0 of .rela.text, at .text+0x4 against x: a thread-local variable has no "
	  "place before the file is linked",
	  0x10000 },
	{ ".type i, @gnu_indirect_function\n.globl i\ni: ret\nf: call i\n",
	  "t.o: relocation 0 of .rela.text, at .text+0x2 against i: is an indirect function",
	  0x10000 },
	{ "f: ret\n", "t.o: base 0x10001: expected a multiple of 4096 that is not 0", 0x10001 },
	{ "f: ret\n", "t.o: there is no room for it at base 0xfffffffffffff000",
	  UINT64_C(0xfffffffffffff000) },
	{ ".bss\n.skip 1 << 30\n", "t.o: .bss: expected at most 268435456 bytes of sections in all",
	  0x10000 },
};

/* Each relocation that cannot be done is named. */
START_TEST(refuses_what_cannot_be_relocated)
{
	for (size_t i = 0; has_assembler() && i < sizeof(bad) / sizeof(*bad); i++) {
		const struct rsb_elf_options options = { .has_base = true, .base = bad[i].base };

		ck_assert_msg(!load_with(bad[i].text, &options), "%s", bad[i].text);
		ck_assert_msg(strstr(error.text, bad[i].message) == error.text, "%s\n%s",
			      bad[i].text, error.text);
	}
}
END_TEST

static bool load_bytes(const struct rsb_file *file, size_t size)
{
	const struct rsb_elf_options options = { .is_stub = is_f };
	struct rsb_image *image = rsb_image_new();
	bool good = rsb_elf_load(image, "t.o", file->bytes, size, &options, &error);

	rsb_image_free(image);
	return good;
}

/* Wherever a file is cut, there is a message, and no byte behind the end is read. */
START_TEST(refuses_a_short_file)
{
	struct rsb_file file, part;

	if (!has_assembler())
		return;
	file = assemble(".globl f\nf: call g\nret\n.data\nd: .quad f\n");
	ck_assert(load_bytes(&file, file.size));
	for (size_t size = 0; size < file.size; size += 7) {
		part.bytes = malloc(size ? size : 1);
		memcpy(part.bytes, file.bytes, size);
		ck_assert_msg(!load_bytes(&part, size), "%zu bytes", size);
		ck_assert_msg(strncmp(error.text, "t.o: ", 5) == 0, "%s", error.text);
		free(part.bytes);
	}
	rsb_file_clear(&file);
}
END_TEST

/* What is no object file, executable or shared object for x86-64. */
START_TEST(refuses_other_files)
{
	struct rsb_file file;
	Elf64_Ehdr header;

	if (!has_assembler())
		return;
	file = assemble("f: ret\n");
	memcpy(&header, file.bytes, sizeof(header));
	header.e_machine = EM_AARCH64;
	memcpy(file.bytes, &header, sizeof(header));
	ck_assert(!load_bytes(&file, file.size));
	ck_assert_str_eq(error.text, "t.o: expected code for x86-64 (62), found machine 183");
	header.e_machine = EM_X86_64;
	header.e_type = ET_CORE;
	memcpy(file.bytes, &header, sizeof(header));
	ck_assert(!load_bytes(&file, file.size));
	ck_assert_str_eq(error.text, "t.o: is a core: give it as \"core\" (with --core) instead");
	header.e_ident[EI_CLASS] = ELFCLASS32;
	memcpy(file.bytes, &header, sizeof(header));
	ck_assert(!load_bytes(&file, file.size));
	header.e_ident[0] = 'x';
	memcpy(file.bytes, &header, sizeof(header));
	ck_assert(!load_bytes(&file, file.size));
	ck_assert_str_eq(error.text, "t.o: is not an ELF file");
	rsb_file_clear(&file);
}
END_TEST

UNIT_MAIN("object files", lays_out_sections, relocates, makes_up_what_is_not_there,
	  takes_definitions, makes_a_thread, refuses_what_cannot_be_relocated, refuses_a_short_file,
	  refuses_other_files)
