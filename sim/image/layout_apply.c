/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a layout's keys do to an image of its code: CET, bases, memory, stubs, mitigations. */
#include "sim/image/source.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that a layout may write over what is mapped: each page of them is kept in memory. */
#define PATCHED_MAX (UINT64_C(16) << 20)

static bool is_mapped(const struct rsb_image *image, uint64_t address)
{
	struct rsb_error ignored;
	uint8_t byte;

	return rsb_image_read(image, address, &byte, 1, &ignored);
}

/* Writes a piece over code or data that is there. */
static bool patch_piece(const struct rsb_layout *layout, const struct rsb_layout_memory *piece,
			struct rsb_image *image, struct rsb_error *error)
{
	uint8_t *bytes = calloc(1, piece->size);
	struct rsb_error why;
	bool good;

	if (!bytes)
		return rsb_error_set(error, "out of memory");
	if (piece->given)
		memcpy(bytes, piece->bytes, piece->given);
	good = rsb_image_patch(image, piece->at, bytes, piece->size, &why);
	free(bytes);
	return good ||
	       rsb_json_error(layout->json, piece->item, error, "\"memory\": %s",
			      why.text[0] ? why.text : "only its beginning is mapped already");
}

static bool apply_memory(const struct rsb_layout *layout, struct rsb_image *image,
			 struct rsb_error *error)
{
	uint64_t patched = 0;
	struct rsb_error why;

	for (size_t i = 0; i < layout->memory_count; i++) {
		const struct rsb_layout_memory *piece = &layout->memory[i];

		if (is_mapped(image, piece->at)) {
			patched += piece->size;
			if (patched > PATCHED_MAX)
				return rsb_json_error(layout->json, piece->item, error,
						      "\"memory\": expected at most %" PRIu64
						      " bytes over what is mapped already",
						      PATCHED_MAX);
			if (!patch_piece(layout, piece, image, error))
				return false;
		} else if (!rsb_image_map(image, "memory", piece->at, piece->size,
					  RSB_READ | RSB_WRITE | RSB_EXECUTE, piece->bytes,
					  piece->given, &why)) {
			return rsb_json_error(layout->json, piece->item, error, "\"memory\": %s",
					      why.text);
		}
	}
	return true;
}

/* A stub returns at once: its first byte becomes a ret. */
static bool apply_stubs(const struct rsb_layout *layout, struct rsb_image *image,
			struct rsb_error *error)
{
	static const uint8_t ret = 0xc3;
	struct rsb_error why;
	uint64_t address;
	const cJSON *item;

	cJSON_ArrayForEach(item, layout->stubs)
	{
		if (!rsb_image_find(image, item->valuestring, &address, &why))
			return rsb_json_error(layout->json, item, error, "\"stub\": %s", why.text);
		if (!rsb_image_patch(image, address, &ret, sizeof(ret), &why))
			return rsb_json_error(layout->json, item, error,
					      "\"stub\": %s (0x%" PRIx64 ")%s%s", item->valuestring,
					      address, why.text[0] ? ": " : "",
					      why.text[0] ? why.text : " is not in the image");
	}
	return true;
}

/* Marks the symbols that a pattern matches. */
static bool intend(struct rsb_image *image, const char *pattern, bool *any)
{
	uint64_t address, start, end;
	const char *name;
	size_t index = 0;

	while (rsb_image_symbol_next(image, &index, &name, &address)) {
		if (fnmatch(pattern, name, 0) != 0)
			continue;
		*any = true;
		if (rsb_image_symbol_at(image, address, &start, &end) &&
		    !rsb_image_mitigate(image, start, end, RSB_MITIGATION_RETURN))
			return false;
	}
	return true;
}

static bool apply_intended(const struct rsb_layout *layout, struct rsb_image *image,
			   struct rsb_error *error)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, layout->intended)
	{
		bool any = false;

		if (!intend(image, item->valuestring, &any))
			return rsb_error_set(error, "out of memory");
		if (!any)
			return rsb_json_error(layout->json, item, error,
					      "\"intended\": no symbol matches \"%s\"",
					      item->valuestring);
	}
	return true;
}

bool rsb_layout_apply(const struct rsb_layout *layout, struct rsb_image *image,
		      struct rsb_error *error)
{
	rsb_image_set_cet(image, layout->cet);
	if (layout->has_gs_base)
		rsb_image_set_gs_base(image, layout->gs_base);
	if (layout->has_fs_base)
		rsb_image_set_fs_base(image, layout->fs_base);
	return apply_memory(layout, image, error) && apply_stubs(layout, image, error) &&
	       apply_intended(layout, image, error);
}
