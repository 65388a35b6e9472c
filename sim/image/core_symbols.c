/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols, and the files of a process, beside its core. */
#include "sim/image/core_symbols.h"

#include "sim/image/elf_symbols.h"
#include "sim/image/file.h"
#include "sim/image/kallsyms.h"
#include "traces/input.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LABEL_SIZE 256

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The program header that a byte of the file belongs to. False: none is loaded from there. */
static bool find_segment(const struct rsb_elf *file, uint64_t offset, GElf_Phdr *header)
{
	for (int i = 0; i < file->header.e_phnum; i++)
		if (gelf_getphdr(file->elf, i, header) && header->p_type == PT_LOAD &&
		    (header->p_offset & ~(uint64_t)(RSB_PAGE - 1)) <= offset &&
		    offset < header->p_offset + header->p_filesz)
			return true;
	return false;
}

/* Where the file was: by the first of its mappings, or as the program that the core is of. */
static bool find_bias(const struct rsb_elf *file, const struct rsb_core_notes *notes,
		      const char *path, uint64_t *bias, struct rsb_error *error)
{
	GElf_Phdr header;

	*bias = notes->has_shift ? notes->shift : 0;
	if (file->header.e_type != ET_DYN && !notes->process)
		return true;
	for (size_t i = 0; i < notes->mapping_count; i++) {
		const struct rsb_core_mapping *mapping = &notes->mappings[i];

		if (strcmp(base_name(mapping->path), base_name(path)) != 0 ||
		    !find_segment(file, mapping->offset, &header))
			continue;
		*bias = mapping->start - (header.p_vaddr - header.p_offset + mapping->offset);
		return true;
	}
	*bias = notes->entry - file->header.e_entry;
	return (notes->entry && *bias % RSB_PAGE == 0 &&
		(file->header.e_type == ET_DYN || !*bias)) ||
	       rsb_error_set(error,
			     "%s: where it was in memory is not known: the core has no mapped file "
			     "of that name in its notes",
			     path);
}

/* Is something there already? */
static bool is_there(const struct rsb_image *image, uint64_t address)
{
	struct rsb_error ignored;
	uint8_t byte;

	return rsb_image_read(image, address, &byte, 1, &ignored);
}

/* Maps those pages of a segment that the image lacks, which follow each other, at once. */
static bool fill_segment(struct rsb_image *image, const struct rsb_elf *file,
			 const GElf_Phdr *header, uint64_t bias, struct rsb_error *error)
{
	uint64_t skew = header->p_offset % RSB_PAGE, offset = header->p_offset - skew;
	uint64_t address = header->p_vaddr + bias - skew, size = header->p_filesz + skew;
	unsigned access = header->p_flags & (RSB_READ | RSB_WRITE | RSB_EXECUTE);

	if (address % RSB_PAGE || address + size < address || offset > file->size ||
	    size > file->size - offset)
		return rsb_error_set(error, "%s: a segment at 0x%" PRIx64 " cannot be loaded",
				     file->name, header->p_vaddr);
	for (uint64_t at = 0, end; at < size; at = end + RSB_PAGE) {
		for (end = at; end < size && !is_there(image, address + end);)
			end += RSB_PAGE;
		if (end > at &&
		    !rsb_image_map(image, file->name, address + at, (end < size ? end : size) - at,
				   access, file->bytes + offset + at,
				   (end < size ? end : size) - at, error))
			return rsb_error_prefix(error, "%s", file->name);
	}
	return true;
}

static bool fill(struct rsb_image *image, const struct rsb_elf *file, uint64_t bias,
		 struct rsb_error *error)
{
	GElf_Phdr header;

	for (int i = 0; i < file->header.e_phnum; i++)
		if (gelf_getphdr(file->elf, i, &header) && header.p_type == PT_LOAD &&
		    header.p_filesz && !fill_segment(image, file, &header, bias, error))
			return false;
	return true;
}

static bool load_elf(struct rsb_image *image, const struct rsb_core_notes *notes, const char *path,
		     struct rsb_error *error)
{
	static const struct rsb_elf_options options;
	struct rsb_file bytes;
	struct rsb_elf file = { .name = path, .options = &options, .image = image };
	uint64_t bias;
	bool good;

	if (!rsb_file_read(&bytes, path, error))
		return false;
	file.bytes = bytes.bytes;
	file.size = bytes.size;
	good = rsb_elf_open(&file, error);
	if (good) {
		good = (file.header.e_type == ET_EXEC || file.header.e_type == ET_DYN ||
			rsb_error_set(error, "%s: expected an executable or a shared object",
				      path)) &&
		       find_bias(&file, notes, path, &bias, error) &&
		       rsb_elf_symbols_enter(&file, bias, error) &&
		       (!notes->process || fill(image, &file, bias, error));
		rsb_elf_close(&file);
	}
	rsb_file_clear(&bytes);
	return good;
}

bool rsb_core_symbols_load(struct rsb_image *image, const struct rsb_core_notes *notes,
			   const char *path, struct rsb_error *error)
{
	struct rsb_input *input = rsb_input_open(path, error);
	const void *start = NULL;
	struct rsb_error ignored;
	bool is_elf;

	/* What cannot be opened or read is for the reader of symbols to say. */
	is_elf = input && rsb_input_peek(input, SELFMAG, &start, &ignored) && start &&
		 !memcmp(start, ELFMAG, SELFMAG);
	rsb_input_free(input);
	return is_elf ? load_elf(image, notes, path, error) : rsb_kallsyms_load(image, path, error);
}

bool rsb_core_process_apply(struct rsb_image *image, const struct rsb_core_notes *notes)
{
	struct rsb_error ignored;
	char label[LABEL_SIZE];

	if (notes->process && notes->has_thread) {
		rsb_image_set_fs_base(image, notes->fs_base);
		rsb_image_set_gs_base(image, notes->gs_base);
	}
	for (size_t i = 0; i < notes->mapping_count; i++) {
		const struct rsb_core_mapping *mapping = &notes->mappings[i];

		if (mapping->end <= mapping->start || is_there(image, mapping->start))
			continue;
		snprintf(label, sizeof(label), "%.200s, which the core leaves out",
			 base_name(mapping->path));
		if (!rsb_image_symbol(image, label, mapping->start, mapping->end - mapping->start,
				      &ignored))
			return false;
	}
	return true;
}
