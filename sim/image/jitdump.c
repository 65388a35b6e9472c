/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The source "jitdump": the functions of a jitdump as they lay in memory at its end. */
#include "sim/image/jitdump.h"

#include "sim/image/file.h"
#include "sim/image/jitdump_read.h"
#include "sim/image/kernel.h"
#include "sim/image/source.h"
#include "sim/image/thread.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t page_of(uint64_t address)
{
	return address & ~(uint64_t)(RSB_PAGE - 1);
}

/* The last loaded of a name first. */
static int compare_names(const void *left, const void *right)
{
	const struct rsb_jit_function *a = left, *b = right;
	int names = strcmp(a->name, b->name);

	if (names)
		return names;
	return a->order > b->order ? -1 : a->order < b->order;
}

/* Maps functions that share pages as one segment; writable, because such code may patch itself. */
static bool map_run(struct rsb_image *image, const struct rsb_jit *jit, size_t first, size_t count,
		    struct rsb_error *error)
{
	const struct rsb_jit_function *functions = &jit->functions[first];
	uint64_t start = functions[0].address;
	uint64_t size = functions[count - 1].address - start + functions[count - 1].size;
	uint8_t *bytes = calloc(1, size);
	bool good;

	if (!bytes)
		return rsb_error_set(error, "%s: out of memory", jit->name);
	for (size_t i = 0; i < count; i++)
		memcpy(bytes + (functions[i].address - start), functions[i].code,
		       functions[i].size);
	good = rsb_image_map(image, "code of the jitdump", start, size,
			     RSB_READ | RSB_WRITE | RSB_EXECUTE, bytes, size, error) ||
	       rsb_error_prefix(error, "%s", jit->name);
	free(bytes);
	return good;
}

static bool map_all(struct rsb_image *image, const struct rsb_jit *jit, struct rsb_error *error)
{
	for (size_t i = 0, next; i < jit->count; i = next) {
		for (next = i + 1; next < jit->count; next++) {
			const struct rsb_jit_function *before = &jit->functions[next - 1];

			if (page_of(jit->functions[next].address) >
			    page_of(before->address + before->size - 1))
				break;
		}
		if (!map_run(image, jit, i, next - i, error))
			return false;
	}
	return true;
}

/* Enters count functions of one name, the last loaded first: the others get its number too. */
static bool enter_name(struct rsb_image *image, const struct rsb_jit *jit,
		       const struct rsb_jit_function *functions, size_t count,
		       struct rsb_error *error)
{
	char name[600];

	for (size_t i = 0; i < count; i++) {
		snprintf(name, sizeof(name), i ? "%.500s#%" PRIu64 : "%.500s", functions[i].name,
			 functions[i].index);
		if (!rsb_image_symbol(image, name, functions[i].address, functions[i].size, error))
			return false;
	}
	return count == 1 ||
	       rsb_image_note(image, "%s: %.200s was loaded %zu times; the last one has the name",
			      jit->name, functions[0].name, count) ||
	       rsb_error_set(error, "out of memory");
}

static bool enter_names(struct rsb_image *image, const struct rsb_jit *jit, struct rsb_error *error)
{
	qsort(jit->functions, jit->count, sizeof(*jit->functions), compare_names);
	for (size_t i = 0, next; i < jit->count; i = next) {
		for (next = i + 1; next < jit->count; next++)
			if (strcmp(jit->functions[next].name, jit->functions[i].name) != 0)
				break;
		if (!enter_name(image, jit, &jit->functions[i], next - i, error))
			return false;
	}
	return true;
}

bool rsb_jitdump_load(struct rsb_image *image, const char *name, const uint8_t *bytes, size_t size,
		      struct rsb_error *error)
{
	struct rsb_jit jit = { .name = name, .bytes = bytes, .size = size };
	const struct rsb_thread thread = { .size = 0 };
	bool good = rsb_jit_read(&jit, error) && rsb_jit_settle(&jit, error) &&
		    map_all(image, &jit, error) && enter_names(image, &jit, error) &&
		    rsb_thread_map(image, &thread, error);

	free(jit.functions);
	return good;
}

static bool read_jitdump(struct rsb_layout *layout, const cJSON *object, struct rsb_error *error)
{
	if (!rsb_json_keys(layout->json, object, "file", error) ||
	    !rsb_json_text(layout->json, object, "file", &layout->jitdump.file, error))
		return false;
	return layout->jitdump.file ||
	       rsb_json_error(layout->json, object, error,
			      "\"jitdump\": expected \"file\", the path of a jitdump");
}

static bool load_path(struct rsb_image *image, const char *path, struct rsb_error *error)
{
	struct rsb_file file;
	bool good;

	if (!rsb_file_read(&file, path, error))
		return false;
	good = rsb_jitdump_load(image, path, file.bytes, file.size, error);
	rsb_file_clear(&file);
	return good;
}

static struct rsb_image *make_jitdump(const struct rsb_layout *layout,
				      const struct rsb_scenario *scenario, struct rsb_error *error)
{
	struct rsb_image *image = rsb_image_new();
	char *path = rsb_layout_file(layout, layout->jitdump.file);
	bool good = (image && path) || rsb_error_set(error, "out of memory");

	(void)scenario;
	good = good && load_path(image, path, error);
	free(path);
	if (good)
		return image;
	rsb_image_free(image);
	return NULL;
}

const struct rsb_source rsb_source_jitdump = {
	.key = "jitdump",
	.example = "{ \"file\": \"jit-1.dump\" }",
	.called = true,
	.read = read_jitdump,
	.make = make_jitdump,
	.forms = rsb_kernel_forms,
};
