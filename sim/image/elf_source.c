/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The source "elf": an object file, an executable or a shared object. */
#include "sim/image/elf_source.h"

#include "sim/image/elf.h"
#include "sim/image/file.h"
#include "sim/image/kernel.h"

#include <stdlib.h>
#include <string.h>

#define DEFINES_MAX 1024

static bool read_defines(struct rsb_layout *layout, const cJSON *object, struct rsb_error *error)
{
	const cJSON *defines = cJSON_GetObjectItemCaseSensitive(object, "define"), *item;

	if (defines && !cJSON_IsObject(defines))
		return rsb_json_error(layout->json, defines, error,
				      "\"define\": expected an object of symbols");
	if (cJSON_GetArraySize(defines) > DEFINES_MAX)
		return rsb_json_error(layout->json, defines, error,
				      "\"define\": expected at most %d symbols", DEFINES_MAX);
	cJSON_ArrayForEach(item, defines)
	{
		if (!cJSON_IsString(item))
			return rsb_json_error(layout->json, item, error,
					      "\"define\": expected a symbol or an address like "
					      "\"0x401000\"");
	}
	layout->elf.define = defines;
	return true;
}

bool rsb_elf_source_read(struct rsb_layout *layout, const cJSON *object, struct rsb_error *error)
{
	const struct rsb_json *json = layout->json;

	if (!rsb_json_text(json, object, "file", &layout->elf.file, error) ||
	    !rsb_json_address(json, object, "base", &layout->elf.base, error) ||
	    !read_defines(layout, object, error))
		return false;
	layout->elf.has_base = cJSON_HasObjectItem(object, "base");
	return layout->elf.file ||
	       rsb_json_error(json, object, error, "\"%s\": expected \"file\", the path of a file",
			      object->string);
}

static bool is_stub(const void *context, const char *symbol)
{
	const struct rsb_layout *layout = context;
	const cJSON *item;

	cJSON_ArrayForEach(item, layout->stubs)
	{
		if (strcmp(item->valuestring, symbol) == 0)
			return true;
	}
	return false;
}

/* NULL: no memory. */
static struct rsb_elf_define *list_defines(const struct rsb_layout *layout, size_t *count)
{
	struct rsb_elf_define *defines =
		calloc((size_t)cJSON_GetArraySize(layout->elf.define) + 1, sizeof(*defines));
	const cJSON *item;

	*count = 0;
	if (!defines)
		return NULL;
	cJSON_ArrayForEach(item, layout->elf.define)
	{
		defines[(*count)++] = (struct rsb_elf_define){ item->string, item->valuestring };
	}
	return defines;
}

struct rsb_image *rsb_elf_source_make(const struct rsb_layout *layout, const char *name,
				      const void *bytes, size_t size, struct rsb_error *error)
{
	struct rsb_image *image = rsb_image_new();
	struct rsb_elf_options options = {
		.has_base = layout->elf.has_base,
		.base = layout->elf.base,
		.program = layout->entry,
		.is_stub = is_stub,
		.context = layout,
	};
	struct rsb_elf_define *defines = list_defines(layout, &options.define_count);
	bool good;

	options.defines = defines;
	good = (image && defines) || rsb_error_set(error, "out of memory");
	good = good && rsb_elf_load(image, name, bytes, size, &options, error);
	free(defines);
	if (good)
		return image;
	rsb_image_free(image);
	return NULL;
}

static bool read_elf(struct rsb_layout *layout, const cJSON *object, struct rsb_error *error)
{
	return rsb_json_keys(layout->json, object, "file|base|define", error) &&
	       rsb_elf_source_read(layout, object, error);
}

static struct rsb_image *make_elf(const struct rsb_layout *layout,
				  const struct rsb_scenario *scenario, struct rsb_error *error)
{
	char *path = rsb_layout_file(layout, layout->elf.file);
	struct rsb_image *image = NULL;
	struct rsb_file file;

	(void)scenario;
	if (!path)
		return rsb_error_null(error, "out of memory");
	if (rsb_file_read(&file, path, error)) {
		image = rsb_elf_source_make(layout, path, file.bytes, file.size, error);
		rsb_file_clear(&file);
	}
	free(path);
	return image;
}

const struct rsb_source rsb_source_elf = {
	.key = "elf",
	.example = "{ \"file\": \"stub.o\" }",
	.called = true,
	.program = true,
	.read = read_elf,
	.make = make_elf,
	.forms = rsb_kernel_forms,
};
