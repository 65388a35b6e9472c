/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes an ELF core: the headers, then the pages of each segment, aligned to pages. */
#include "sim/capture/private.h"

#include <errno.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

struct headers {
	uint8_t *bytes; /* as the file has them, up to the first page */
	size_t size;
};

static size_t count_runs(const struct rsb_capture *capture)
{
	struct rsb_capture_run run = { 0 };
	size_t count = 0;

	while (rsb_capture_next_run(capture, &run))
		count++;
	return count;
}

static Elf64_Ehdr make_header(size_t segments)
{
	return (Elf64_Ehdr){
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = ET_CORE,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(Elf64_Ehdr),
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = (Elf64_Half)segments,
	};
}

static void fill_segments(const struct rsb_capture *capture, uint64_t offset, Elf64_Phdr *segments)
{
	struct rsb_capture_run run = { 0 };

	for (; rsb_capture_next_run(capture, &run); segments++) {
		const struct rsb_patch *first = capture->pages.array[run.first];

		*segments = (Elf64_Phdr){
			.p_type = PT_LOAD,
			.p_flags = first->access, /* the bits have ELF's meaning */
			.p_offset = offset,
			.p_vaddr = first->address,
			.p_filesz = run.count * RSB_PAGE,
			.p_memsz = run.count * RSB_PAGE,
			.p_align = RSB_PAGE,
		};
		offset += run.count * RSB_PAGE;
	}
}

/* Into the byte order of the file. */
static bool translate(Elf_Type type, void *from, size_t size, uint8_t *to)
{
	Elf_Data source = {
		.d_buf = from, .d_type = type, .d_size = size, .d_version = EV_CURRENT
	};
	Elf_Data target = { .d_buf = to, .d_type = type, .d_size = size, .d_version = EV_CURRENT };

	return elf64_xlatetof(&target, &source, ELFDATA2LSB);
}

static bool make_headers(const struct rsb_capture *capture, struct headers *headers,
			 struct rsb_error *error)
{
	size_t count = count_runs(capture), size = count * sizeof(Elf64_Phdr);
	Elf64_Ehdr header = make_header(count);
	Elf64_Phdr *segments;
	bool good;

	if (!count || count >= PN_XNUM)
		return rsb_error_set(error, "expected 1 to %d separate places, found %zu",
				     PN_XNUM - 1, count);
	if (elf_version(EV_CURRENT) == EV_NONE)
		return rsb_error_set(error, "libelf: %s", elf_errmsg(-1));
	headers->size = (sizeof(header) + size + RSB_PAGE - 1) / RSB_PAGE * RSB_PAGE;
	headers->bytes = calloc(1, headers->size);
	segments = calloc(count, sizeof(*segments));
	good = (headers->bytes && segments) || rsb_error_set(error, "out of memory");
	if (good) {
		fill_segments(capture, headers->size, segments);
		good = (translate(ELF_T_EHDR, &header, sizeof(header), headers->bytes) &&
			translate(ELF_T_PHDR, segments, size, headers->bytes + sizeof(header))) ||
		       rsb_error_set(error, "libelf: %s", elf_errmsg(-1));
	}
	free(segments);
	if (!good)
		free(headers->bytes);
	return good;
}

bool rsb_capture_write_core(const struct rsb_capture *capture, FILE *out, struct rsb_error *error)
{
	struct headers headers = { NULL, 0 };
	bool good;

	if (!make_headers(capture, &headers, error))
		return false;
	good = fwrite(headers.bytes, 1, headers.size, out) == headers.size;
	free(headers.bytes);
	for (size_t i = 0; good && i < capture->pages.count; i++)
		good = fwrite(capture->pages.array[i]->page, 1, RSB_PAGE, out) == RSB_PAGE;
	return good || rsb_error_set(error, "cannot be written: %s", strerror(errno));
}
