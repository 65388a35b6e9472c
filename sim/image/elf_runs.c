/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The load segments of a linked ELF file, checked, and put together to runs. */
#include "sim/image/elf_runs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADERS_MAX 65535u              /* what e_phnum can say */
#define MEMORY_MAX  (UINT64_C(1) << 36) /* of one segment; zeros cost nothing until touched */
#define FILLED_MAX  (UINT64_C(1) << 29) /* bytes of all runs that are kept */

static uint64_t page_of(uint64_t address)
{
	return address & ~(uint64_t)(RSB_PAGE - 1);
}

static bool check_table(const struct rsb_elf *file, size_t *count, struct rsb_error *error)
{
	const GElf_Ehdr *header = &file->header;

	*count = header->e_phnum;
	if (!*count)
		return rsb_error_set(error, "%s: has no program headers", file->name);
	if (header->e_phentsize != sizeof(Elf64_Phdr))
		return rsb_error_set(error, "%s: expected program headers of %zu bytes, found %d",
				     file->name, sizeof(Elf64_Phdr), header->e_phentsize);
	if (*count >= HEADERS_MAX)
		return rsb_error_set(error, "%s: expected fewer than %u program headers",
				     file->name, HEADERS_MAX);
	if (header->e_phoff > file->size ||
	    *count * sizeof(Elf64_Phdr) > file->size - header->e_phoff)
		return rsb_error_set(error,
				     "%s: is cut short: %zu program headers at 0x%" PRIx64
				     " do not fit in its %zu bytes",
				     file->name, *count, header->e_phoff, file->size);
	return true;
}

static bool check_segment(const struct rsb_elf *file, size_t number, const GElf_Phdr *segment,
			  struct rsb_error *error)
{
	if (segment->p_filesz > segment->p_memsz && segment->p_type == PT_LOAD)
		return rsb_error_set(error,
				     "%s: segment %zu has more bytes in the file (0x%" PRIx64
				     ") than in memory (0x%" PRIx64 ")",
				     file->name, number, segment->p_filesz, segment->p_memsz);
	if (segment->p_offset > file->size || segment->p_filesz > file->size - segment->p_offset)
		return rsb_error_set(error,
				     "%s: is cut short: segment %zu needs 0x%" PRIx64
				     " bytes from 0x%" PRIx64 ", and the file has %zu",
				     file->name, number, segment->p_filesz, segment->p_offset,
				     file->size);
	return segment->p_memsz <= MEMORY_MAX ||
	       rsb_error_set(error,
			     "%s: segment %zu: expected at most 0x%" PRIx64
			     " bytes of memory, found 0x%" PRIx64,
			     file->name, number, MEMORY_MAX, segment->p_memsz);
}

/* A load segment, before those that share pages are put together. */
struct segment {
	struct rsb_elf_run run;
	uint64_t offset, given;
};

static bool add_segment(struct segment *segment, size_t number, const GElf_Phdr *header,
			const struct rsb_elf_runs *runs, const struct rsb_elf *file,
			struct rsb_error *error)
{
	uint64_t first = header->p_vaddr + runs->bias, last = first + (header->p_memsz - 1);

	/* The last page is left out, so that addresses behind a run are never 0. */
	if (header->p_vaddr + (header->p_memsz - 1) < header->p_vaddr || first < runs->bias ||
	    last < first || last >= page_of(UINT64_MAX))
		return rsb_error_set(error,
				     "%s: segment %zu wraps: 0x%" PRIx64 " bytes from 0x%" PRIx64
				     " at base 0x%" PRIx64,
				     file->name, number, header->p_memsz, header->p_vaddr,
				     runs->bias);
	segment->offset = header->p_offset;
	segment->given = header->p_filesz;
	segment->run = (struct rsb_elf_run){
		.number = number,
		.first = first,
		.last = last,
		.access = header->p_flags & (RSB_READ | RSB_WRITE | RSB_EXECUTE),
	};
	return true;
}

/* Takes note of what a segment says beside where code and data are. */
static void keep_special(struct rsb_elf_runs *runs, struct rsb_elf *file, const GElf_Phdr *header)
{
	if (header->p_type == PT_DYNAMIC) {
		runs->dynamic = header->p_vaddr + runs->bias;
		runs->dynamic_size = header->p_filesz;
	} else if (header->p_type == PT_TLS) {
		file->tls = file->bytes + header->p_offset;
		file->tls_filled = header->p_filesz;
		file->tls_size = header->p_memsz;
		file->tls_alignment = header->p_align;
	} else if (header->p_type == PT_INTERP) {
		file->start.dynamic = true;
	} else if (header->p_type == PT_GNU_STACK && header->p_flags & PF_X) {
		rsb_image_set_stack_executable(file->image);
	}
}

/* Where this segment has the program headers, if it does. */
static void find_headers(const struct rsb_elf_runs *runs, struct rsb_elf *file,
			 const GElf_Phdr *segment)
{
	uint64_t offset = file->header.e_phoff - segment->p_offset;

	if (file->header.e_phoff < segment->p_offset || offset >= segment->p_filesz)
		return;
	file->start.headers = segment->p_vaddr + offset + runs->bias;
	file->start.header_count = file->header.e_phnum;
}

static bool is_of_use(uint32_t type)
{
	return type == PT_LOAD || type == PT_DYNAMIC || type == PT_TLS;
}

static bool read_segments(struct segment *segments, size_t *count, struct rsb_elf_runs *runs,
			  struct rsb_elf *file, struct rsb_error *error)
{
	size_t all = *count;
	GElf_Phdr header;

	*count = 0;
	for (size_t i = 0; i < all; i++) {
		if (!gelf_getphdr(file->elf, (int)i, &header))
			return rsb_error_set(error, "%s: program header %zu: %s", file->name, i,
					     elf_errmsg(-1));
		if (is_of_use(header.p_type) && !check_segment(file, i, &header, error))
			return false;
		keep_special(runs, file, &header);
		if (header.p_type != PT_LOAD || !header.p_memsz)
			continue;
		find_headers(runs, file, &header);
		if (!add_segment(&segments[*count], i, &header, runs, file, error))
			return false;
		++*count;
	}
	return *count || rsb_error_set(error, "%s: has no load segments", file->name);
}

static int compare(const void *left, const void *right)
{
	const struct segment *a = left, *b = right;

	if (a->run.first != b->run.first)
		return a->run.first < b->run.first ? -1 : 1;
	return a->run.number < b->run.number ? -1 : a->run.number > b->run.number;
}

/* In sorted segments, two overlap only if two neighbours do. */
static bool check_overlaps(const struct segment *segments, size_t count, const struct rsb_elf *file,
			   struct rsb_error *error)
{
	for (size_t i = 1; i < count; i++) {
		const struct rsb_elf_run *a = &segments[i - 1].run, *b = &segments[i].run;

		if (b->first <= a->last)
			return rsb_error_set(
				error,
				"%s: segment %zu (from 0x%" PRIx64
				") overlaps segment %zu (0x%" PRIx64 " to 0x%" PRIx64 ")",
				file->name, b->number, b->first, a->number, a->first, a->last);
	}
	return true;
}

/* Copies segments, which follow each other, into one run. */
static bool fill_run(struct rsb_elf_run *run, const struct segment *segments, size_t count,
		     const struct rsb_elf *file, uint64_t *filled, struct rsb_error *error)
{
	*run = segments[0].run;
	for (size_t i = 0; i < count; i++) {
		run->last = segments[i].run.last;
		run->access |= segments[i].run.access;
		if (segments[i].given)
			run->filled = segments[i].run.first - run->first + segments[i].given;
	}
	*filled += run->filled;
	if (*filled > FILLED_MAX)
		return rsb_error_set(error, "%s: expected at most 0x%" PRIx64 " bytes in memory",
				     file->name, FILLED_MAX);
	run->bytes = calloc(1, run->filled ? run->filled : 1);
	if (!run->bytes)
		return rsb_error_set(error, "%s: out of memory", file->name);
	for (size_t i = 0; i < count; i++)
		if (segments[i].given)
			memcpy(run->bytes + (segments[i].run.first - run->first),
			       file->bytes + segments[i].offset, segments[i].given);
	return true;
}

static bool make_runs(struct rsb_elf_runs *runs, const struct segment *segments, size_t count,
		      const struct rsb_elf *file, struct rsb_error *error)
{
	uint64_t filled = 0;

	runs->all = calloc(count, sizeof(*runs->all));
	if (!runs->all)
		return rsb_error_set(error, "%s: out of memory", file->name);
	for (size_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count; next++)
			if (page_of(segments[next].run.first) >
			    page_of(segments[next - 1].run.last))
				break;
		if (!fill_run(&runs->all[runs->count++], &segments[i], next - i, file, &filled,
			      error))
			return false;
	}
	return true;
}

bool rsb_elf_runs_read(struct rsb_elf_runs *runs, struct rsb_elf *file, struct rsb_error *error)
{
	struct segment *segments;
	size_t count;
	bool good;

	if (file->header.e_type == ET_DYN)
		runs->bias = file->options->has_base || !file->options->program
				     ? file->options->base
				     : RSB_ELF_PROGRAM_BASE;
	else if (file->options->has_base)
		return rsb_error_set(error,
				     "%s: was linked for fixed addresses: no base can be chosen",
				     file->name);
	if (runs->bias % RSB_PAGE)
		return rsb_error_set(error, "%s: base 0x%" PRIx64 ": expected a multiple of %u",
				     file->name, runs->bias, RSB_PAGE);
	if (!check_table(file, &count, error))
		return false;
	segments = calloc(count, sizeof(*segments));
	if (!segments)
		return rsb_error_set(error, "%s: out of memory", file->name);
	good = read_segments(segments, &count, runs, file, error);
	if (good) {
		qsort(segments, count, sizeof(*segments), compare);
		good = check_overlaps(segments, count, file, error) &&
		       make_runs(runs, segments, count, file, error);
	}
	free(segments);
	return good;
}

void rsb_elf_runs_release(struct rsb_elf_runs *runs)
{
	for (size_t i = 0; i < runs->count; i++)
		free(runs->all[i].bytes);
	free(runs->all);
}

uint8_t *rsb_elf_runs_at(const struct rsb_elf_runs *runs, uint64_t address, uint64_t size)
{
	for (size_t i = 0; i < runs->count; i++) {
		const struct rsb_elf_run *run = &runs->all[i];

		if (address >= run->first && address - run->first <= run->filled &&
		    size <= run->filled - (address - run->first))
			return run->bytes + (address - run->first);
	}
	return NULL;
}

bool rsb_elf_runs_map(const struct rsb_elf_runs *runs, const struct rsb_elf *file,
		      struct rsb_error *error)
{
	for (size_t i = 0; i < runs->count; i++) {
		const struct rsb_elf_run *run = &runs->all[i];
		char name[256];

		snprintf(name, sizeof(name), "segment %zu of %s", run->number, file->name);
		if (!rsb_image_map(file->image, name, run->first, run->last - run->first + 1,
				   run->access, run->bytes, run->filled, error))
			return rsb_error_prefix(error, "%s", file->name);
	}
	return true;
}
