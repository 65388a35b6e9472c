/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A place as JSON. */
#include "sim/check/json_place.h"

void rsb_place_bytes(char out[RSB_PLACE_BYTES], const struct rsb_check_place *place)
{
	size_t used = 0;

	out[0] = '\0';
	for (size_t i = 0; i < place->length && i < sizeof(place->bytes); i++)
		used += (size_t)snprintf(out + used, RSB_PLACE_BYTES - used, "%s%02x", i ? " " : "",
					 place->bytes[i]);
}

bool rsb_add_place(cJSON *to, const char *key, const struct rsb_check_place *place)
{
	char bytes[RSB_PLACE_BYTES];
	cJSON *object;

	if (!place->symbol)
		return rsb_add_text(to, key, NULL);
	object = rsb_add_object(to, key);
	rsb_place_bytes(bytes, place);
	return rsb_add_text(object, "symbol", place->symbol) &&
	       rsb_add_address(object, "pc", place->address) &&
	       rsb_add_text(object, "text", place->text) && rsb_add_text(object, "bytes", bytes);
}
