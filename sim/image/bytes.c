/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The source "bytes": machine code as hexadecimal text, at an address. */
#include "sim/image/hex.h"
#include "sim/image/source.h"

static bool read_bytes(struct rsb_layout *layout, const cJSON *object, struct rsb_error *error)
{
	const struct rsb_json *json = layout->json;
	const char *hex = NULL;
	struct rsb_error why;

	if (!rsb_json_keys(json, object, "hex|base", error) ||
	    !rsb_json_text(json, object, "hex", &hex, error) ||
	    !rsb_json_address(json, object, "base", &layout->bytes.base, error))
		return false;
	if (!hex || !cJSON_GetObjectItemCaseSensitive(object, "base"))
		return rsb_json_error(json, object, error,
				      "\"bytes\": expected \"hex\", the code, and \"base\", its "
				      "address");
	if (!rsb_hex_decode(hex, &layout->bytes.bytes, &layout->bytes.size, &why))
		return rsb_json_error(json, cJSON_GetObjectItemCaseSensitive(object, "hex"), error,
				      "\"hex\": %s", why.text);
	return layout->bytes.size ||
	       rsb_json_error(json, object, error, "\"hex\": expected at least one byte");
}

/* Writable too, because the bytes may be code and the data that it changes. */
static struct rsb_image *make_bytes(const struct rsb_layout *layout,
				    const struct rsb_scenario *scenario, struct rsb_error *error)
{
	struct rsb_image *image = rsb_image_new();

	(void)scenario;
	if (!image)
		return rsb_error_null(error, "out of memory");
	if (rsb_image_map(image, "bytes", layout->bytes.base, layout->bytes.size,
			  RSB_READ | RSB_WRITE | RSB_EXECUTE, layout->bytes.bytes,
			  layout->bytes.size, error))
		return image;
	rsb_image_free(image);
	return NULL;
}

const struct rsb_source rsb_source_bytes = {
	.key = "bytes",
	.example = "{ \"hex\": \"c3\", \"base\": \"0x401000\" }",
	.called = true,
	.program = true,
	.read = read_bytes,
	.make = make_bytes,
};
