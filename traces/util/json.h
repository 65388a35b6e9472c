/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON files that people write: cJSON does the parsing, this adds what a good message needs (file
 * and line of a key), refuses unknown and repeated keys, and bounds the size.
 *
 *	struct rsb_json *json = rsb_json_load("my.json", &error);
 *	const cJSON *root = rsb_json_root(json);
 *
 *	if (!rsb_json_keys(json, root, "name|summary|generate", &error) ||
 *	    !rsb_json_text(json, root, "name", &name, &error))
 *		...
 */
#ifndef RSB_TRACES_UTIL_JSON_H
#define RSB_TRACES_UTIL_JSON_H

#include "traces/util/error.h"

#include <cjson/cJSON.h>
#include <stdint.h>

#define RSB_JSON_MAX (16u << 20) /* bytes of a file; a larger one is refused */

struct rsb_json;

/* Reads and parses a file; the root must be an object. NULL: error has file:line and what was
 * expected. */
struct rsb_json *rsb_json_load(const char *path, struct rsb_error *error);

/* The same from memory; name stands for the path in messages, which have no line if it is "". */
struct rsb_json *rsb_json_parse(const char *name, const char *text, size_t size,
				struct rsb_error *error);
void rsb_json_free(struct rsb_json *json);

const cJSON *rsb_json_root(const struct rsb_json *json);

/* The line on which item (its key, if it has one) stands; 0 if it cannot be told. */
unsigned rsb_json_line(const struct rsb_json *json, const cJSON *item);

/* Sets "file:line: message" for that item; always false. */
bool rsb_json_error(const struct rsb_json *json, const cJSON *item, struct rsb_error *error,
		    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The same where the item is not of the expected type or range: 'file:line: "key": expected ...,
 * found ...'. */
bool rsb_json_mismatch(const struct rsb_json *json, const cJSON *item, const char *expected,
		       struct rsb_error *error);

/* Are all keys of the object among these ("a|b|c"), each at most once? An error lists the nearest.
 */
bool rsb_json_keys(const struct rsb_json *json, const cJSON *object, const char *known,
		   struct rsb_error *error);

/*
 * Reads one key of an object. Absent: true, and *out is as it was. There but of another type or out
 * of range: false, with a message that says what was expected. Texts are owned by json.
 */
bool rsb_json_text(const struct rsb_json *json, const cJSON *object, const char *key,
		   const char **out, struct rsb_error *error);

/* The same for a text that is shown; it is cleaned. */
bool rsb_json_label(const struct rsb_json *json, const cJSON *object, const char *key,
		    const char **out, struct rsb_error *error);

bool rsb_json_integer(const struct rsb_json *json, const cJSON *object, const char *key,
		      int64_t minimum, int64_t maximum, int64_t *out, struct rsb_error *error);
bool rsb_json_switch(const struct rsb_json *json, const cJSON *object, const char *key, bool *out,
		     struct rsb_error *error);

/* An address: a number, or a text like "0x401000" (JSON numbers cannot hold 64 bits). */
bool rsb_json_address(const struct rsb_json *json, const cJSON *object, const char *key,
		      uint64_t *out, struct rsb_error *error);

#endif
