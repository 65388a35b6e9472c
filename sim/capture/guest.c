/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The initial file system: a cpio archive in the kernel's form of it. */
#include "sim/capture/guest.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX 512 /* of a kind and a function */

#ifdef RSB_HAVE_GUEST
__asm__(".pushsection .rodata\n"
	".globl rsb_guest_start, rsb_guest_end\n"
	".hidden rsb_guest_start, rsb_guest_end\n"
	"rsb_guest_start:\n"
	".incbin \"" RSB_GUEST "\"\n"
	"rsb_guest_end:\n"
	".popsection\n");

extern const uint8_t rsb_guest_start[], rsb_guest_end[];

const uint8_t *rsb_guest_init(size_t *size)
{
	*size = (size_t)(rsb_guest_end - rsb_guest_start);
	return rsb_guest_start;
}
#else
const uint8_t *rsb_guest_init(size_t *size)
{
	*size = 0;
	return NULL;
}
#endif

bool rsb_boot_is_built_in(void)
{
	size_t size;

	return rsb_guest_init(&size);
}

/* An entry of these bytes; or the device, if number is not 0. */
static bool add(struct archive *archive, const char *name, mode_t mode, dev_t number,
		const void *bytes, size_t size)
{
	struct archive_entry *entry = archive_entry_new();
	bool good = entry;

	if (!entry)
		return false;
	archive_entry_set_pathname(entry, name);
	archive_entry_set_mode(entry, mode);
	archive_entry_set_size(entry, (la_int64_t)size);
	archive_entry_set_rdev(entry, number);
	good = archive_write_header(archive, entry) == ARCHIVE_OK &&
	       (!size || archive_write_data(archive, bytes, size) == (la_ssize_t)size);
	archive_entry_free(entry);
	return good;
}

static char *write_list(const struct rsb_attach *attach, size_t count)
{
	char *list = calloc(count + 1, LINE_MAX);
	size_t used = 0;

	for (size_t i = 0; list && i < count; i++)
		used += (size_t)snprintf(list + used, LINE_MAX, "%s %s\n", attach[i].kind,
					 attach[i].function);
	return list;
}

static bool write_entries(struct archive *archive, const char *list)
{
	size_t size;
	const uint8_t *init = rsb_guest_init(&size);

	return add(archive, "init", AE_IFREG | 0755, 0, init, size) &&
	       add(archive, "attach", AE_IFREG | 0644, 0, list, strlen(list));
}

bool rsb_guest_write(const char *path, const struct rsb_attach *attach, size_t count,
		     struct rsb_error *error)
{
	struct archive *archive = archive_write_new();
	char *list = write_list(attach, count);
	bool good = archive && list;

	good = good && archive_write_set_format_cpio_newc(archive) == ARCHIVE_OK &&
	       archive_write_open_filename(archive, path) == ARCHIVE_OK &&
	       write_entries(archive, list) && archive_write_close(archive) == ARCHIVE_OK;
	if (!good)
		rsb_error_set(error, "%s: %s", path,
			      archive && archive_error_string(archive)
				      ? archive_error_string(archive)
				      : "out of memory");
	archive_write_free(archive);
	free(list);
	return good;
}
