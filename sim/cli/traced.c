/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads the files of --image, and reads code from them. */
#include "sim/cli/traced.h"

#include "sim/image/elf.h"
#include "sim/image/file.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Cuts "@0x7f..." off the end of a file's name. An @ that no address comes after is part of the
 * name. False: there is none.
 */
static bool cut_address(char *word, uint64_t *address)
{
	char *at = strrchr(word, '@'), *end;

	if (!at || strncmp(at, "@0x", 3) != 0 || !at[3])
		return false;
	errno = 0;
	*address = strtoull(at + 1, &end, 16);
	if (*end || errno)
		return false;
	*at = '\0';
	return true;
}

/* Where the sections of such a file were when it was traced is not known. */
static bool is_relocatable(const struct rsb_file *file)
{
	Elf64_Half type;

	if (file->size < offsetof(Elf64_Ehdr, e_type) + sizeof(type))
		return false;
	memcpy(&type, file->bytes + offsetof(Elf64_Ehdr, e_type), sizeof(type));
	return type == ET_REL;
}

static bool load(struct rsb_image *image, const char *path, const struct rsb_elf_options *options,
		 struct rsb_error *error)
{
	struct rsb_file file;
	bool good;

	if (!rsb_file_read(&file, path, error))
		return false;
	good = rsb_elf_load(image, path, file.bytes, file.size, options, error);
	if (good && is_relocatable(&file))
		good = rsb_error_set(error, "%s: expected an executable or a shared object", path);
	rsb_file_clear(&file);
	return good;
}

static bool open_file(struct cli_traced *traced, const char *word, struct rsb_error *error)
{
	struct rsb_elf_options options = { .has_base = false };
	struct rsb_image *image = rsb_image_new();
	char *path = strdup(word);
	bool good = (image && path) || rsb_error_set(error, "out of memory");

	if (good) {
		options.has_base = cut_address(path, &options.base);
		good = load(image, path, &options, error);
	}
	free(path);
	if (good)
		traced->images[traced->count++] = image;
	else
		rsb_image_free(image);
	return good;
}

bool cli_traced_open(struct cli_traced *traced, const struct cli_words *files,
		     struct rsb_error *error)
{
	bool good = true;

	*traced = (struct cli_traced){ .count = 0 };
	if (!files->count)
		return true;
	traced->images = calloc(files->count, sizeof(*traced->images));
	if (!traced->images)
		return rsb_error_set(error, "out of memory");
	for (size_t i = 0; good && i < files->count; i++)
		good = open_file(traced, files->words[i], error) ||
		       rsb_error_prefix(error, "--image");
	return good;
}

void cli_traced_clear(struct cli_traced *traced)
{
	for (size_t i = 0; i < traced->count; i++)
		rsb_image_free(traced->images[i]);
	free(traced->images);
}

/* Up to the first page that holds no code. */
static size_t read_code(const struct rsb_image *image, uint64_t address, uint8_t *bytes,
			size_t size)
{
	uint8_t page[RSB_PAGE];
	struct rsb_error error;
	unsigned access;
	size_t got = 0;

	while (got < size) {
		size_t skipped = (address + got) % RSB_PAGE, piece = RSB_PAGE - skipped;

		if (!rsb_image_page(image, address + got - skipped, page, &access, &error) ||
		    !(access & RSB_EXECUTE))
			break;
		if (piece > size - got)
			piece = size - got;
		memcpy(bytes + got, page + skipped, piece);
		got += piece;
	}
	return got;
}

size_t cli_traced_code(void *context, uint64_t address, uint8_t *bytes, size_t size)
{
	const struct cli_traced *traced = context;
	size_t got = 0;

	for (size_t i = 0; !got && i < traced->count; i++)
		got = read_code(traced->images[i], address, bytes, size);
	return got;
}
