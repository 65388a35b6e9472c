/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small ELF cores for tests, good ones and bad ones. */
#ifndef RSB_TESTS_ELF_CORE_H
#define RSB_TESTS_ELF_CORE_H

#include <elf.h>
#include <stddef.h>

#define ELF_CORE_HEADERS 8

/* A file being made: the headers may be changed before it is written. */
struct elf_core {
	Elf64_Ehdr header;
	Elf64_Phdr segments[ELF_CORE_HEADERS];
	unsigned char contents[0x6000]; /* from the end of the headers on */
	size_t size;                    /* bytes of contents that are used */
};

/* A good core without segments. */
void elf_core_start(struct elf_core *core);

/* Adds a segment of these bytes at that address; returns its header. */
Elf64_Phdr *elf_core_add(struct elf_core *core, uint64_t address, const void *bytes, size_t size);

/* Writes the first size bytes of it, all if there are fewer, into a new file and its path there. */
void elf_core_write(const struct elf_core *core, size_t size, char *path, size_t path_size);

#endif
