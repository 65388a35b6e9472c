/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON files: reading them, the place of an item, and which keys an object may have. */
#include "traces/util/json.h"
#include "traces/util/json_scan.h"
#include "traces/util/suggest.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY (16u << 10)

struct rsb_json {
	char *name;
	char *text;
	size_t size;
	cJSON *root;
};

static void set_fault(const struct rsb_json *json, const struct rsb_json_fault *fault,
		      struct rsb_error *error)
{
	unsigned char found = (unsigned char)json->text[fault->offset];
	char shown[32];

	if (fault->offset == json->size)
		snprintf(shown, sizeof(shown), "the end of the file");
	else if (found == '\n')
		snprintf(shown, sizeof(shown), "the end of the line");
	else if (found > 0x20 && found < 0x7f)
		snprintf(shown, sizeof(shown), "'%c'", found);
	else
		snprintf(shown, sizeof(shown), "the byte 0x%02x", found);
	rsb_error_set(error, "%s:%u:%u: expected %s, found %s", json->name, fault->line,
		      fault->column, fault->expected, shown);
}

/* Takes over text, which a NUL follows. */
static struct rsb_json *parse(const char *name, char *text, size_t size, struct rsb_error *error)
{
	struct rsb_json *json = calloc(1, sizeof(*json));
	struct rsb_json_fault fault;

	if (!json) {
		free(text);
		return rsb_error_null(error, "%s: out of memory", name);
	}
	json->text = text;
	json->size = size;
	json->name = strdup(name);
	if (!json->name) {
		rsb_error_set(error, "%s: out of memory", name);
		goto fail;
	}
	if (!rsb_json_scan(text, size, &fault)) {
		set_fault(json, &fault, error);
		goto fail;
	}
	json->root = cJSON_ParseWithLength(text, size);
	if (!json->root) {
		/* All else that it could refuse, the scan has refused before. */
		rsb_error_set(error, "%s: out of memory", name);
		goto fail;
	}
	return json;

fail:
	rsb_json_free(json);
	return NULL;
}

/* Reads at most RSB_JSON_MAX + 1 bytes, whatever the file claims to be; a NUL follows them. */
static char *read_stream(FILE *stream, size_t *size)
{
	size_t capacity = FIRST_CAPACITY;
	char *text = malloc(capacity + 1), *larger;

	*size = 0;
	while (text) {
		*size += fread(text + *size, 1, capacity - *size, stream);
		if (*size < capacity || *size > RSB_JSON_MAX)
			break;
		capacity *= 2;
		if (capacity > RSB_JSON_MAX)
			capacity = RSB_JSON_MAX + 1;
		larger = realloc(text, capacity + 1);
		if (!larger)
			free(text);
		text = larger;
	}
	if (text)
		text[*size] = '\0';
	return text;
}

struct rsb_json *rsb_json_load(const char *path, struct rsb_error *error)
{
	FILE *stream = fopen(path, "rb");
	char *text;
	size_t size;

	if (!stream)
		return rsb_error_null(error, "%s: cannot be opened: %s", path, strerror(errno));
	text = read_stream(stream, &size);
	if (!text) {
		rsb_error_set(error, "%s: out of memory", path);
	} else if (ferror(stream)) {
		rsb_error_set(error, "%s: cannot be read: %s", path, strerror(errno));
		free(text);
		text = NULL;
	} else if (size > RSB_JSON_MAX) {
		rsb_error_set(error, "%s: expected at most %u bytes", path, RSB_JSON_MAX);
		free(text);
		text = NULL;
	}
	fclose(stream);
	return text ? parse(path, text, size, error) : NULL;
}

struct rsb_json *rsb_json_parse(const char *name, const char *text, size_t size,
				struct rsb_error *error)
{
	char *copy;

	if (size > RSB_JSON_MAX)
		return rsb_error_null(error, "%s: expected at most %u bytes", name, RSB_JSON_MAX);
	copy = malloc(size + 1);
	if (!copy)
		return rsb_error_null(error, "%s: out of memory", name);
	memcpy(copy, text, size);
	copy[size] = '\0';
	return parse(name, copy, size, error);
}

void rsb_json_free(struct rsb_json *json)
{
	if (!json)
		return;
	cJSON_Delete(json->root);
	free(json->text);
	free(json->name);
	free(json);
}

const cJSON *rsb_json_root(const struct rsb_json *json)
{
	return json->root;
}

/* Counts the items before the wanted one, in the order of the text; true when it is met. */
static bool count_before(const cJSON *item, const cJSON *wanted, size_t *count)
{
	const cJSON *child;

	if (item == wanted)
		return true;
	++*count;
	cJSON_ArrayForEach(child, item)
	{
		if (count_before(child, wanted, count))
			return true;
	}
	return false;
}

unsigned rsb_json_line(const struct rsb_json *json, const cJSON *item)
{
	size_t number = 0;

	if (!count_before(json->root, item, &number))
		return 0;
	return rsb_json_scan_line(json->text, json->size, number);
}

bool rsb_json_error(const struct rsb_json *json, const cJSON *item, struct rsb_error *error,
		    const char *format, ...)
{
	unsigned line = rsb_json_line(json, item);
	char text[sizeof(error->text)];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (!json->name[0])
		return rsb_error_set(error, "%s", text);
	if (line == 0)
		return rsb_error_set(error, "%s: %s", json->name, text);
	return rsb_error_set(error, "%s:%u: %s", json->name, line, text);
}

/* Cuts "a|b|c" into an array of names that ends with NULL, in one piece of memory. */
static const char **split(const char *known)
{
	size_t size = strlen(known) + 1, names = 2, i;
	const char **array;
	char *text;

	for (i = 0; known[i]; i++)
		names += known[i] == '|';
	array = malloc(names * sizeof(*array) + size);
	if (!array)
		return NULL;
	text = memcpy(array + names, known, size);
	for (i = 0; i < names - 1; i++) {
		array[i] = text;
		text += strcspn(text, "|");
		*text++ = '\0';
	}
	array[i] = NULL;
	return array;
}

static bool is_known(const char *key, const char *const *names)
{
	for (; *names; names++) {
		if (strcmp(key, *names) == 0)
			return true;
	}
	return false;
}

static bool unknown_key(const struct rsb_json *json, const cJSON *item, const char *const *names,
			const char *known, struct rsb_error *error)
{
	char nearest[256];

	rsb_suggest(item->string, names, nearest, sizeof(nearest));
	if (nearest[0])
		return rsb_json_error(json, item, error, "unknown key \"%s\", expected %s",
				      item->string, nearest);
	return rsb_json_error(json, item, error, "unknown key \"%s\", expected one of %s",
			      item->string, known);
}

bool rsb_json_keys(const struct rsb_json *json, const cJSON *object, const char *known,
		   struct rsb_error *error)
{
	const char **names;
	const cJSON *item, *first;
	bool good = true;

	if (!cJSON_IsObject(object))
		return rsb_json_mismatch(json, object, "an object", error);
	names = split(known);
	if (!names)
		return rsb_error_set(error, "%s: out of memory", json->name);
	for (item = object->child; item && good; item = item->next) {
		first = cJSON_GetObjectItemCaseSensitive(object, item->string);
		if (!is_known(item->string, names))
			good = unknown_key(json, item, names, known, error);
		else if (first != item)
			good = rsb_json_error(json, item, error,
					      "key \"%s\" is there twice, first on line %u",
					      item->string, rsb_json_line(json, first));
	}
	free(names);
	return good;
}
