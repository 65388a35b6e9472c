/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the notes of cores. */
#include "sim/image/core_notes.h"

#include "traces/bytes.h"

#include <errno.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOTES_MAX    (16u << 20) /* bytes of all notes */
#define MAPPINGS_MAX (1u << 16)

#define MAPPED_FILES 0x46494c45 /* NT_FILE */

/* struct elf_prstatus and struct user_regs_struct of x86-64 (linux/elfcore.h, sys/user.h). */
#define REGISTERS 112
#define FS_BASE   (REGISTERS + 21 * 8)
#define GS_BASE   (REGISTERS + 22 * 8)

/* QEMUCPUState, the first version of it (QEMU 7.2: target/i386/arch_dump.c). */
#define CR3 416
#define CR4 424

/* One note, in the bytes of all. */
struct note {
	uint32_t type;
	const char *name;
	size_t name_size;
	const uint8_t *bytes;
	size_t size;
};

static bool is_named(const struct note *note, const char *name)
{
	return note->name_size == strlen(name) + 1 && !memcmp(note->name, name, note->name_size);
}

/* The first thread's is the one that was running, or that gdb looked at. */
static void take_thread(struct rsb_core_notes *notes, const struct note *note)
{
	if (notes->has_thread || note->size < GS_BASE + 8)
		return;
	notes->has_thread = true;
	notes->fs_base = rsb_get_u64(note->bytes + FS_BASE);
	notes->gs_base = rsb_get_u64(note->bytes + GS_BASE);
}

static void take_auxiliary(struct rsb_core_notes *notes, const struct note *note)
{
	notes->process = true;
	for (size_t i = 0; i + 16 <= note->size; i += 16)
		if (rsb_get_u64(note->bytes + i) == AT_ENTRY)
			notes->entry = rsb_get_u64(note->bytes + i + 8);
}

/* A count, the size of a page, a row for each mapping, and their paths in the same order. */
static bool take_mappings(struct rsb_core_notes *notes, const struct note *note)
{
	uint64_t count = note->size >= 16 ? rsb_get_u64(note->bytes) : 0;
	const char *end = (const char *)note->bytes + note->size, *path;

	notes->process = true;
	if (note->size < 16 || count > MAPPINGS_MAX || count * 24 > note->size - 16 ||
	    notes->mappings)
		return false;
	path = (const char *)note->bytes + 16 + count * 24;
	notes->mappings = calloc(count ? count : 1, sizeof(*notes->mappings));
	for (size_t i = 0; notes->mappings && i < count; i++) {
		const uint8_t *row = note->bytes + 16 + i * 24;
		const char *next = path < end ? memchr(path, '\0', (size_t)(end - path)) : NULL;

		if (!next)
			return false;
		notes->mappings[notes->mapping_count++] = (struct rsb_core_mapping){
			.start = rsb_get_u64(row),
			.end = rsb_get_u64(row + 8),
			.offset = rsb_get_u64(row + 16) * rsb_get_u64(note->bytes + 8),
			.path = path,
		};
		path = next + 1;
	}
	return notes->mappings;
}

/* Lines of KEY=value; a kernel that is not moved may lack the key. */
static void take_kernel(struct rsb_core_notes *notes, const struct note *note)
{
	static const char key[] = "\nKERNELOFFSET=";
	const char *text = (const char *)note->bytes;
	char number[20] = "";

	for (size_t i = 0; i + sizeof(key) - 1 < note->size; i++) {
		size_t left = note->size - i - (sizeof(key) - 1);

		if (memcmp(text + i, key, sizeof(key) - 1) != 0)
			continue;
		memcpy(number, text + i + sizeof(key) - 1,
		       left < sizeof(number) - 1 ? left : sizeof(number) - 1);
		notes->shift = strtoull(number, NULL, 16);
		notes->has_shift = true;
		return;
	}
}

static void take_processor(struct rsb_core_notes *notes, const struct note *note)
{
	if (notes->has_control || note->size < CR4 + 8 || rsb_get_u32(note->bytes) != 1)
		return;
	notes->has_control = true;
	notes->cr3 = rsb_get_u64(note->bytes + CR3);
	notes->cr4 = rsb_get_u64(note->bytes + CR4);
}

static bool take(struct rsb_core_notes *notes, const struct note *note)
{
	if (is_named(note, "VMCOREINFO"))
		take_kernel(notes, note);
	if (is_named(note, "QEMU"))
		take_processor(notes, note);
	if (!is_named(note, "CORE"))
		return true;
	if (note->type == NT_PRSTATUS)
		take_thread(notes, note);
	else if (note->type == NT_AUXV)
		take_auxiliary(notes, note);
	else if (note->type == MAPPED_FILES)
		return take_mappings(notes, note);
	return true;
}

static size_t padded(uint32_t size)
{
	return ((size_t)size + 3) & ~(size_t)3;
}

/* Each note has three words, a name and its bytes. */
bool rsb_core_notes_parse(struct rsb_core_notes *notes, const uint8_t *bytes, size_t size,
			  const char *name, uint64_t offset, struct rsb_error *error)
{
	size_t at = 0;

	while (size - at >= 12) {
		uint32_t name_size = rsb_get_u32(bytes + at);
		uint32_t note_size = rsb_get_u32(bytes + at + 4);
		size_t rest = size - at - 12;
		struct note note = {
			.type = rsb_get_u32(bytes + at + 8),
			.name = (const char *)bytes + at + 12,
			.name_size = name_size,
			.bytes = bytes + at + 12 + padded(name_size),
			.size = note_size,
		};

		if (padded(name_size) > rest || note_size > rest - padded(name_size))
			return rsb_error_set(
				error, "%s: the note at 0x%" PRIx64 " is longer than its segment",
				name, offset + at);
		if (!take(notes, &note))
			return rsb_error_set(
				error, "%s: the note at 0x%" PRIx64 ", of mapped files, is damaged",
				name, offset + at);
		rest -= padded(name_size);
		at += 12 + padded(name_size) +
		      (padded(note_size) < rest ? padded(note_size) : rest);
	}
	return true;
}

static bool read_bytes(int file, const char *name, const GElf_Phdr *header, char *to,
		       struct rsb_error *error)
{
	size_t done = 0;

	while (done < header->p_filesz) {
		ssize_t got = pread(file, to + done, header->p_filesz - done,
				    (off_t)(header->p_offset + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return rsb_error_set(error,
					     "%s: is cut short: its notes need 0x%" PRIx64
					     " bytes from 0x%" PRIx64,
					     name, header->p_filesz, header->p_offset);
		done += (size_t)got;
	}
	return true;
}

/* The notes of the first segment that has some: cores have one. */
static bool read_segment(struct rsb_core_notes *notes, int file, const char *name,
			 const GElf_Phdr *header, struct rsb_error *error)
{
	if (notes->bytes)
		return true; /* paths point into those of the first */
	if (header->p_filesz > NOTES_MAX)
		return rsb_error_set(error, "%s: expected at most %u bytes of notes", name,
				     NOTES_MAX);
	notes->bytes = malloc(header->p_filesz + 1);
	if (!notes->bytes)
		return rsb_error_set(error, "%s: out of memory", name);
	return read_bytes(file, name, header, notes->bytes, error) &&
	       rsb_core_notes_parse(notes, (const uint8_t *)notes->bytes, header->p_filesz, name,
				    header->p_offset, error);
}

bool rsb_core_notes_read(struct rsb_core_notes *notes, int file, const char *name,
			 struct rsb_error *error)
{
	Elf *elf = elf_begin(file, ELF_C_READ, NULL);
	size_t count = 0;
	GElf_Phdr header;
	bool good = true;

	*notes = (struct rsb_core_notes){ .bytes = NULL };
	if (!elf || elf_getphdrnum(elf, &count) != 0)
		count = 0;
	for (size_t i = 0; good && i < count; i++)
		if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_NOTE &&
		    header.p_filesz)
			good = read_segment(notes, file, name, &header, error);
	elf_end(elf);
	return good;
}

void rsb_core_notes_clear(struct rsb_core_notes *notes)
{
	free(notes->bytes);
	free(notes->mappings);
	*notes = (struct rsb_core_notes){ .bytes = NULL };
}
