/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The headers of an ELF core, and all that can be wrong with them. */
#include "sim/image/core_read.h"

#include "sim/image/image.h"

#include <gelf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Headers that are read at all: 56 bytes each, so that a forged count costs little. */
#define HEADERS_MAX (1u << 20)

/* A load segment before it is known to be good. */
struct range {
	size_t number;
	GElf_Phdr header;
};

static bool check_kind(const struct rsb_core *core, Elf *elf, GElf_Ehdr *header,
		       struct rsb_error *error)
{
	const char *ident = elf_getident(elf, NULL);

	if (elf_kind(elf) != ELF_K_ELF || !ident)
		return rsb_error_set(error, "%s: is not an ELF file", core->name);
	if (ident[EI_CLASS] != ELFCLASS64 || ident[EI_DATA] != ELFDATA2LSB)
		return rsb_error_set(error, "%s: expected a 64-bit little-endian ELF file",
				     core->name);
	if (!gelf_getehdr(elf, header))
		return rsb_error_set(error, "%s: the ELF header: %s", core->name, elf_errmsg(-1));
	if (header->e_type != ET_CORE)
		return rsb_error_set(
			error, "%s: expected a core (ELF type %d), found an ELF file of type %d",
			core->name, ET_CORE, header->e_type);
	if (header->e_machine != EM_X86_64)
		return rsb_error_set(error, "%s: expected a core of x86-64 (%d), found machine %d",
				     core->name, EM_X86_64, header->e_machine);
	return true;
}

/*
 * The number of program headers. libelf cuts a table that the file is too short for down to what is
 * there; a count that needs the first section header (PN_XNUM) it leaves alone if there is none.
 */
static bool count_headers(const struct rsb_core *core, Elf *elf, const GElf_Ehdr *header,
			  uint64_t size, size_t *count, struct rsb_error *error)
{
	uint64_t claimed = header->e_phnum;
	GElf_Shdr section;

	if (claimed == PN_XNUM) {
		if (!header->e_shoff || !gelf_getshdr(elf_getscn(elf, 0), &section))
			return rsb_error_set(
				error,
				"%s: the number of program headers should be in the first section "
				"header, which is not there",
				core->name);
		claimed = section.sh_info;
	}
	if (!claimed)
		return rsb_error_set(error, "%s: has no program headers", core->name);
	if (header->e_phentsize != sizeof(Elf64_Phdr))
		return rsb_error_set(error, "%s: expected program headers of %zu bytes, found %d",
				     core->name, sizeof(Elf64_Phdr), header->e_phentsize);
	if (claimed > HEADERS_MAX)
		return rsb_error_set(error,
				     "%s: expected at most %u program headers, found %" PRIu64,
				     core->name, HEADERS_MAX, claimed);
	if (header->e_phoff > size || claimed * sizeof(Elf64_Phdr) > size - header->e_phoff)
		return rsb_error_set(error,
				     "%s: is cut short: %" PRIu64 " program headers at 0x%" PRIx64
				     " do not fit in its %" PRIu64 " bytes",
				     core->name, claimed, header->e_phoff, size);
	*count = claimed;
	return true;
}

static bool check_range(const struct rsb_core *core, const struct range *range, uint64_t size,
			struct rsb_error *error)
{
	const GElf_Phdr *header = &range->header;

	if (header->p_filesz > header->p_memsz)
		return rsb_error_set(error,
				     "%s: segment %zu has more bytes in the file (0x%" PRIx64
				     ") than in memory (0x%" PRIx64 ")",
				     core->name, range->number, header->p_filesz, header->p_memsz);
	if (header->p_vaddr + (header->p_memsz - 1) < header->p_vaddr)
		return rsb_error_set(error,
				     "%s: segment %zu wraps: 0x%" PRIx64 " bytes from 0x%" PRIx64,
				     core->name, range->number, header->p_memsz, header->p_vaddr);
	if (header->p_offset > size || header->p_filesz > size - header->p_offset)
		return rsb_error_set(error,
				     "%s: is cut short: segment %zu needs 0x%" PRIx64
				     " bytes from 0x%" PRIx64 ", and the file has %" PRIu64,
				     core->name, range->number, header->p_filesz, header->p_offset,
				     size);
	return true;
}

static int compare(const void *left, const void *right)
{
	const struct range *a = left, *b = right;

	if (a->header.p_vaddr != b->header.p_vaddr)
		return a->header.p_vaddr < b->header.p_vaddr ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

/* In sorted ranges, two overlap only if two neighbours do. */
static bool check_overlaps(const struct rsb_core *core, const struct range *ranges, size_t count,
			   struct rsb_error *error)
{
	for (size_t i = 1; i < count; i++) {
		const struct range *a = &ranges[i - 1], *b = &ranges[i];

		if (b->header.p_vaddr - a->header.p_vaddr >= a->header.p_memsz)
			continue;
		return rsb_error_set(error,
				     "%s: segment %zu (0x%" PRIx64 " bytes at 0x%" PRIx64
				     ") overlaps segment %zu (0x%" PRIx64 " bytes at 0x%" PRIx64
				     ")",
				     core->name, b->number, b->header.p_memsz, b->header.p_vaddr,
				     a->number, a->header.p_memsz, a->header.p_vaddr);
	}
	return true;
}

static bool read_ranges(const struct rsb_core *core, Elf *elf, uint64_t size, struct range *ranges,
			size_t *count, struct rsb_error *error)
{
	size_t all = *count;

	*count = 0;
	for (size_t i = 0; i < all; i++) {
		struct range *range = &ranges[*count];

		range->number = i;
		if (!gelf_getphdr(elf, (int)i, &range->header))
			return rsb_error_set(error, "%s: program header %zu: %s", core->name, i,
					     elf_errmsg(-1));
		if (range->header.p_type != PT_LOAD || !range->header.p_memsz)
			continue;
		if (!check_range(core, range, size, error))
			return false;
		(*count)++;
	}
	return true;
}

/* QEMU writes its dumps without flags: then nothing is known, and all is allowed. */
static unsigned access_of(const GElf_Phdr *header)
{
	unsigned access = header->p_flags & (RSB_READ | RSB_WRITE | RSB_EXECUTE);

	return access ? access : RSB_READ | RSB_WRITE | RSB_EXECUTE;
}

static bool keep_parts(struct rsb_core *core, const struct range *ranges, size_t count,
		       struct rsb_error *error)
{
	core->parts = calloc(count ? count : 1, sizeof(*core->parts));
	if (!core->parts)
		return rsb_error_set(error, "%s: out of memory", core->name);
	for (size_t i = 0; i < count; i++) {
		const GElf_Phdr *header = &ranges[i].header;

		if (!header->p_filesz)
			continue;
		core->parts[core->count++] = (struct rsb_core_part){
			.number = ranges[i].number,
			.first = header->p_vaddr,
			.last = header->p_vaddr + (header->p_filesz - 1),
			.offset = header->p_offset,
			.access = access_of(header),
		};
	}
	return core->count ||
	       rsb_error_set(error, "%s: has no segments with bytes in it", core->name);
}

static bool read_headers(struct rsb_core *core, Elf *elf, uint64_t size, struct rsb_error *error)
{
	struct range *ranges;
	GElf_Ehdr header;
	size_t count = 0;
	bool good;

	if (!check_kind(core, elf, &header, error) ||
	    !count_headers(core, elf, &header, size, &count, error))
		return false;
	ranges = calloc(count, sizeof(*ranges));
	if (!ranges)
		return rsb_error_set(error, "%s: out of memory", core->name);
	good = read_ranges(core, elf, size, ranges, &count, error);
	if (good) {
		qsort(ranges, count, sizeof(*ranges), compare);
		good = check_overlaps(core, ranges, count, error) &&
		       keep_parts(core, ranges, count, error);
	}
	free(ranges);
	return good;
}

bool rsb_core_read(struct rsb_core *core, struct rsb_error *error)
{
	struct stat status;
	Elf *elf;
	bool good;

	if (fstat(core->file, &status) != 0 || !S_ISREG(status.st_mode))
		return rsb_error_set(error, "%s: is not a regular file", core->name);
	if (elf_version(EV_CURRENT) == EV_NONE)
		return rsb_error_set(error, "%s: libelf: %s", core->name, elf_errmsg(-1));
	elf = elf_begin(core->file, ELF_C_READ, NULL);
	if (!elf)
		return rsb_error_set(error, "%s: is not an ELF file: %s", core->name,
				     elf_errmsg(-1));
	good = read_headers(core, elf, (uint64_t)status.st_size, error);
	elf_end(elf);
	return good;
}
