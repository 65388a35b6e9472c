/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cores: the headers are read and checked at once, the pages when they are touched. */
#include "sim/image/core.h"

#include "sim/image/core_kdump.h"
#include "sim/image/core_read.h"
#include "sim/image/unpack.h"
#include "traces/util/rank.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void release(void *context)
{
	struct rsb_core *core = context;

	close(core->file);
	free(core->name);
	free(core->parts);
	free(core);
}

static bool read_fully(const struct rsb_core *core, uint8_t *out, uint64_t size, uint64_t offset,
		       struct rsb_error *error)
{
	while (size) {
		ssize_t got = pread(core->file, out, size, (off_t)offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return rsb_error_set(error, "%s: %" PRIu64 " bytes at 0x%" PRIx64 ": %s",
					     core->name, size, offset,
					     got ? strerror(errno) : "the file ends before them");
		out += got;
		offset += (uint64_t)got;
		size -= (uint64_t)got;
	}
	return true;
}

/* The first part that ends behind address. */
static size_t find(const struct rsb_core *core, uint64_t address)
{
	return RSB_RANK_BELOW(core->parts, core->count, last, address);
}

/* A page may hold the end of one segment and the start of others; zeros between them. */
static bool read_page(void *context, uint64_t address, uint8_t page[RSB_PAGE],
		      struct rsb_error *error)
{
	const struct rsb_core *core = context;
	uint64_t last = address + (RSB_PAGE - 1);

	memset(page, 0, RSB_PAGE);
	for (size_t i = find(core, address); i < core->count && core->parts[i].first <= last; i++) {
		const struct rsb_core_part *part = &core->parts[i];
		uint64_t from = part->first > address ? part->first : address;
		uint64_t to = part->last < last ? part->last : last;

		if (!read_fully(core, page + (from - address), to - from + 1,
				part->offset + (from - part->first), error))
			return false;
	}
	return true;
}

/* The first and last address of the pages that a part touches. */
static uint64_t first_of(const struct rsb_core_part *part)
{
	return part->first & ~(uint64_t)(RSB_PAGE - 1);
}

static uint64_t last_of(const struct rsb_core_part *part)
{
	return part->last | (RSB_PAGE - 1);
}

/* Parts that share a page become one segment of the image, which the page may be used as both. */
static bool back_parts(struct rsb_image *image, struct rsb_core *core, struct rsb_error *error)
{
	size_t i = 0;

	while (i < core->count) {
		uint64_t first = first_of(&core->parts[i]), last = last_of(&core->parts[i]);
		unsigned access = core->parts[i].access;
		char name[256];

		snprintf(name, sizeof(name), "segment %zu of %s", core->parts[i].number,
			 core->name);
		for (i++; i < core->count && first_of(&core->parts[i]) <= last; i++) {
			last = last_of(&core->parts[i]);
			access |= core->parts[i].access;
		}
		if (!rsb_image_back(image, name, first, last - first + 1, access, read_page, core,
				    error))
			return rsb_error_prefix(error, "%s", core->name);
	}
	return true;
}

static bool open_elf(struct rsb_image *image, int file, const char *name, struct rsb_error *error)
{
	struct rsb_core *core = calloc(1, sizeof(*core));

	if (!core) {
		close(file);
		return rsb_error_set(error, "%s: out of memory", name);
	}
	core->file = file;
	core->name = strdup(name);
	if (!core->name) {
		rsb_error_set(error, "%s: out of memory", name);
		goto fail;
	}
	if (!rsb_core_read(core, error))
		goto fail;
	if (!rsb_image_own(image, core, release)) {
		rsb_error_set(error, "%s: out of memory", name);
		goto fail;
	}
	return back_parts(image, core, error);

fail:
	release(core);
	return false;
}

bool rsb_core_open(struct rsb_image *image, int file, const char *name, struct rsb_error *error)
{
	struct rsb_core_notes notes = { .bytes = NULL };
	bool good;

	if (!rsb_core_kdump_is(file))
		return open_elf(image, file, name, error);
	good = rsb_core_kdump_open(image, file, name, &notes, error);
	rsb_core_notes_clear(&notes);
	return good;
}

/* A running kernel's memory is not for everybody. */
static const char *hint(const char *path, int failure)
{
	if (strcmp(path, "/proc/kcore") != 0)
		return "";
	if (failure == ENOENT)
		return "; this kernel, or this container, does not offer its memory";
	return failure == EACCES || failure == EPERM
		       ? "; read it as root (CAP_SYS_RAWIO), on a kernel that is not locked down"
		       : "";
}

/* Opens it, unpacked; -1: error. */
static int open_core(const char *path, struct rsb_error *error)
{
	int file = rsb_unpack_open(path, error), failure = errno;
	struct rsb_error why;

	if (file < 0 && *hint(path, failure)) {
		why = *error;
		rsb_error_set(error, "%s%s", why.text, hint(path, failure));
	}
	return file;
}

bool rsb_core_load_notes(struct rsb_image *image, const char *path, struct rsb_core_notes *notes,
			 struct rsb_error *error)
{
	int file = open_core(path, error);

	*notes = (struct rsb_core_notes){ .bytes = NULL };
	if (file >= 0 && rsb_core_kdump_is(file))
		return rsb_core_kdump_open(image, file, path, notes, error);
	/* The image has the file then, and closes it when it goes. */
	return file >= 0 && open_elf(image, file, path, error) &&
	       rsb_core_notes_read(notes, file, path, error);
}

bool rsb_core_load(struct rsb_image *image, const char *path, struct rsb_error *error)
{
	int file = open_core(path, error);

	return file >= 0 && rsb_core_open(image, file, path, error);
}
