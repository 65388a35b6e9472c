/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The writer of small ELF cores. */
#include "tests/unit/elf_core.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CONTENTS_AT (sizeof(Elf64_Ehdr) + ELF_CORE_HEADERS * sizeof(Elf64_Phdr))

void elf_core_start(struct elf_core *core)
{
	*core = (struct elf_core){
		.header = {
			.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				     EV_CURRENT },
			.e_type = ET_CORE,
			.e_machine = EM_X86_64,
			.e_version = EV_CURRENT,
			.e_phoff = sizeof(Elf64_Ehdr),
			.e_ehsize = sizeof(Elf64_Ehdr),
			.e_phentsize = sizeof(Elf64_Phdr),
		},
	};
}

Elf64_Phdr *elf_core_add(struct elf_core *core, uint64_t address, const void *bytes, size_t size)
{
	Elf64_Phdr *segment = &core->segments[core->header.e_phnum++];

	ck_assert_uint_le(core->header.e_phnum, ELF_CORE_HEADERS);
	ck_assert_uint_le(core->size + size, sizeof(core->contents));
	*segment = (Elf64_Phdr){
		.p_type = PT_LOAD,
		.p_flags = PF_R | PF_W | PF_X,
		.p_vaddr = address,
		.p_offset = CONTENTS_AT + core->size,
		.p_filesz = size,
		.p_memsz = size,
	};
	memcpy(core->contents + core->size, bytes, size);
	core->size += size;
	return segment;
}

void elf_core_write(const struct elf_core *core, size_t size, char *path, size_t path_size)
{
	unsigned char *file = malloc(CONTENTS_AT + sizeof(core->contents));
	size_t whole = CONTENTS_AT + core->size;
	int descriptor;

	ck_assert_ptr_nonnull(file);
	memcpy(file, &core->header, sizeof(core->header));
	memcpy(file + sizeof(core->header), core->segments, sizeof(core->segments));
	memcpy(file + CONTENTS_AT, core->contents, core->size);
	snprintf(path, path_size, "core-XXXXXX");
	descriptor = mkstemp(path);
	ck_assert_int_ge(descriptor, 0);
	if (size > whole)
		size = whole;
	ck_assert_int_eq(write(descriptor, file, size), size);
	close(descriptor);
	free(file);
}
