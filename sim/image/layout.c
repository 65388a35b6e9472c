/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Layouts: where they are kept, and the way from one to an image. */
#include "sim/image/layout.h"

#include "sim/generate/forms.h"
#include "sim/image/source.h"
#include "traces/util/builtin.h"
#include "traces/util/clean.h"
#include "traces/util/suggest.h"

#include <stdlib.h>
#include <string.h>

/* "a/b.json" is in "a" and called "b". False: no memory. */
static bool split_path(struct rsb_layout *layout, const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	size_t length = strlen(base);

	if (length > 5 && strcmp(base + length - 5, ".json") == 0)
		length -= 5;
	layout->path = strdup(path);
	layout->file_name = rsb_clean(strndup(base, length));
	if (!slash)
		layout->directory = strdup(".");
	else
		layout->directory = slash > path ? strndup(path, (size_t)(slash - path))
						 : strdup("/");
	return layout->path && layout->file_name && layout->directory;
}

static bool keep_name(struct rsb_layout *layout, const char *name, const char *directory)
{
	layout->file_name = rsb_clean(strdup(name));
	layout->directory = strdup(directory);
	return layout->file_name && layout->directory;
}

/* Reads the rest of a layout whose names are kept (good) and which owns json. NULL: error. */
static struct rsb_layout *finish(struct rsb_layout *layout, bool good, struct rsb_error *error)
{
	if (!good)
		rsb_error_set(error, "out of memory");
	else
		good = rsb_layout_read(layout, error);
	if (good)
		return layout;
	rsb_layout_free(layout);
	return NULL;
}

static struct rsb_layout *new_layout(struct rsb_json *json, struct rsb_error *error)
{
	struct rsb_layout *layout = json ? calloc(1, sizeof(*layout)) : NULL;

	if (layout)
		layout->json = json;
	else if (json)
		rsb_error_set(error, "out of memory");
	if (!layout)
		rsb_json_free(json);
	return layout;
}

static struct rsb_layout *load_file(const char *path, struct rsb_error *error)
{
	struct rsb_layout *layout = new_layout(rsb_json_load(path, error), error);

	return layout ? finish(layout, split_path(layout, path), error) : NULL;
}

struct rsb_layout *rsb_layout_parse(const char *name, const char *text, size_t size,
				    const char *directory, struct rsb_error *error)
{
	struct rsb_layout *layout = new_layout(rsb_json_parse(name, text, size, error), error);

	return layout ? finish(layout, keep_name(layout, name, directory), error) : NULL;
}

static struct rsb_layout *load_builtin(const char *name, struct rsb_error *error)
{
	char near[256];

	for (const struct rsb_builtin *row = rsb_builtin_layouts; row->name; row++)
		if (strcmp(row->name, name) == 0)
			return rsb_layout_parse(name, row->text, row->size, ".", error);
	rsb_suggest(name, rsb_builtin_layout_names, near, sizeof(near));
	if (*near)
		return rsb_error_null(error, "there is no layout '%s'; the nearest: %s", name,
				      near);
	return rsb_error_null(error,
			      "there is no layout '%s': rsbsim list layouts shows them, and a "
			      "file's path has a slash or ends in .json",
			      name);
}

struct rsb_layout *rsb_layout_load(const char *name_or_path, struct rsb_error *error)
{
	size_t length = strlen(name_or_path);

	if (strchr(name_or_path, '/') ||
	    (length > 5 && strcmp(name_or_path + length - 5, ".json") == 0))
		return load_file(name_or_path, error);
	return load_builtin(name_or_path, error);
}

void rsb_layout_free(struct rsb_layout *layout)
{
	if (!layout)
		return;
	for (size_t i = 0; i < layout->memory_count; i++)
		free(layout->memory[i].bytes);
	free(layout->memory);
	free(layout->bytes.bytes);
	free(layout->path);
	free(layout->directory);
	free(layout->file_name);
	rsb_json_free(layout->json);
	free(layout);
}

const char *const *rsb_layout_names(void)
{
	return rsb_builtin_layout_names;
}

const char *rsb_layout_name(const struct rsb_layout *layout)
{
	return layout->name ? layout->name : layout->file_name;
}

const char *rsb_layout_summary(const struct rsb_layout *layout)
{
	return layout->summary ? layout->summary : "";
}

const char *rsb_layout_source(const struct rsb_layout *layout)
{
	return layout->origin ? layout->origin : "";
}

const char *rsb_layout_path(const struct rsb_layout *layout)
{
	return layout->path;
}

const char *rsb_layout_user_file(const struct rsb_layout *layout)
{
	if (layout->path)
		return layout->path;
	if (layout->elf.file)
		return layout->elf.file;
	return layout->core.file ? layout->core.file : layout->jitdump.file;
}

bool rsb_layout_scenario(const struct rsb_layout *layout, struct rsb_scenario *scenario)
{
	*scenario = layout->scenario;
	return layout->has_scenario;
}

bool rsb_layout_expect(const struct rsb_layout *layout, const char *figure, double *value)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(layout->expect, figure);

	if (item)
		*value = item->valuedouble;
	return item;
}

bool rsb_layout_set_form(struct rsb_layout *layout, const char *name, const char *text,
			 struct rsb_error *error)
{
	if (layout->source != &rsb_source_generate)
		return rsb_error_set(error,
				     "%s: %s cannot be chosen: the code is not generated, and has "
				     "the one it was made with",
				     rsb_layout_name(layout), name);
	return rsb_parameter_set(rsb_forms_parameters, layout->generate.forms, name, text, error);
}

const char *rsb_layout_return_thunk(const struct rsb_layout *layout, char *out, size_t size)
{
	const struct rsb_forms forms = rsb_forms_make(layout->generate.forms);

	if (layout->source != &rsb_source_generate)
		return NULL;
	return rsb_return_thunk_name(forms.return_thunk, out, size);
}

enum rsb_layout_code rsb_layout_code(const struct rsb_layout *layout)
{
	if (layout->source == &rsb_source_generate)
		return RSB_LAYOUT_GENERATED;
	return layout->source == &rsb_source_core ? RSB_LAYOUT_KERNEL : RSB_LAYOUT_OTHER;
}

bool rsb_layout_set_how(struct rsb_layout *layout, const struct rsb_generate_how *how)
{
	layout->generate.how = *how;
	return layout->source == &rsb_source_generate;
}

char *rsb_layout_file(const struct rsb_layout *layout, const char *file)
{
	bool as_given = file[0] == '/' || strcmp(layout->directory, ".") == 0;
	const char *directory = as_given ? "" : layout->directory;
	size_t length = strlen(directory);
	char *path = malloc(length + strlen(file) + 2);

	if (!path)
		return NULL;
	memcpy(path, directory, length);
	if (length && directory[length - 1] != '/')
		path[length++] = '/';
	strcpy(path + length, file);
	return path;
}

/* What calls the traced function: the program itself, or callers that are made. */
static bool add_callers(const struct rsb_layout *layout, const struct rsb_scenario *scenario,
			struct rsb_image *image, struct rsb_error *error)
{
	if (layout->entry)
		return rsb_layout_program(layout, image, error);
	return layout->syscall ? rsb_layout_syscall(layout, scenario, image, error)
			       : rsb_layout_call(layout, scenario, image, error);
}

bool rsb_layout_is_program(const struct rsb_layout *layout)
{
	return layout->entry;
}

struct rsb_image *rsb_layout_image(const struct rsb_layout *layout,
				   const struct rsb_scenario *scenario, struct rsb_error *error)
{
	struct rsb_image *image;

	if (!rsb_scenario_check(scenario, error))
		return NULL;
	image = layout->source->make(layout, scenario, error);
	if (!image) {
		rsb_json_error(layout->json, layout->code, error, "%s", error->text);
		return NULL;
	}
	if (rsb_layout_apply(layout, image, error) &&
	    (!layout->source->called || add_callers(layout, scenario, image, error)) &&
	    rsb_layout_apply_incidents(layout, image, error))
		return image;
	rsb_image_free(image);
	return NULL;
}
