/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Captures: which functions of a kernel are there to score, and a layout for each. */
#include "sim/image/capture.h"

#include "sim/image/core.h"
#include "sim/image/kallsyms.h"
#include "sim/image/source.h"
#include "sim/image/unpack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXTENSION     "core"
#define SYMBOLS       "kallsyms"
#define PREFIX        "bpf_trampoline_"
#define FUNCTIONS_MAX 4096 /* each is a run */

bool rsb_capture_is(const char *path)
{
	size_t stem = rsb_unpack_stem(path), length = strlen("." EXTENSION);

	return stem >= length && !memcmp(path + stem - length, "." EXTENSION, length);
}

/* The path of the symbols beside a core, which either may be compressed. NULL: no memory. */
static char *find_symbols(const char *core)
{
	size_t stem = rsb_unpack_stem(core) - strlen(EXTENSION), plain = stem + strlen(SYMBOLS);
	char *path = malloc(plain + sizeof(".xxx"));

	if (!path)
		return NULL;
	memcpy(path, core, stem);
	memcpy(path + stem, SYMBOLS, sizeof(SYMBOLS));
	for (const char *const *end = rsb_unpack_extensions; *end && access(path, F_OK); end++)
		sprintf(path + plain, ".%s", *end);
	if (access(path, F_OK))
		path[plain] = '\0';
	return path;
}

static struct rsb_image *load(const char *core, struct rsb_error *error)
{
	struct rsb_image *image = rsb_image_new();
	char *symbols = find_symbols(core);
	bool good = (image && symbols) || rsb_error_set(error, "out of memory");

	good = good && rsb_core_load(image, core, error) &&
	       rsb_kallsyms_load(image, symbols, error);
	free(symbols);
	if (good)
		return image;
	rsb_image_free(image);
	return NULL;
}

/*
 * What may stand before the call: endbr64, or what the kernel seals one with (gen_endbr_poison() in
 * Linux 6.12 and 7.2, arch/x86/include/asm/ibt.h).
 */
static const uint8_t pads[][4] = {
	{ 0xf3, 0x0f, 0x1e, 0xfa },
	{ 0x66, 0x0f, 0x1f, 0x00 },
	{ 0x0f, 0x1f, 0x40, 0xd6 },
};

#define PAD  sizeof(pads[0])
#define CALL 5 /* bytes of a call or a jump with rel32 */

static size_t measure_pad(const uint8_t *bytes)
{
	for (size_t i = 0; i < sizeof(pads) / sizeof(pads[0]); i++)
		if (!memcmp(bytes, pads[i], PAD))
			return PAD;
	return 0;
}

/* Where the first instruction goes by a call or a jump; 0: it is neither. */
static uint64_t find_target(const struct rsb_image *image, uint64_t function)
{
	struct rsb_error none;
	uint8_t bytes[PAD + CALL];
	int32_t offset;
	size_t pad;

	if (!rsb_image_read(image, function, bytes, sizeof(bytes), &none))
		return 0;
	pad = measure_pad(bytes);
	if (bytes[pad] != 0xe8 && bytes[pad] != 0xe9)
		return 0;
	memcpy(&offset, bytes + pad + 1, sizeof(offset));
	return function + pad + CALL + (uint64_t)(int64_t)offset;
}

static const char *find_traced(const struct rsb_image *image, const char *function,
			       uint64_t address)
{
	uint64_t target = find_target(image, address), start, end;
	const char *name = target ? rsb_image_symbol_at(image, target, &start, &end) : NULL;

	return name && start == target && !strncmp(name, PREFIX, strlen(PREFIX)) ? function : NULL;
}

static const char *find_called(const struct rsb_image *image, const char *symbol, uint64_t address)
{
	size_t length = strlen(RSB_CAPTURE_CALLED);

	(void)image;
	(void)address;
	return strncmp(symbol, RSB_CAPTURE_CALLED, length) ? NULL : symbol + length;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The function that a symbol tells of, if it does. */
typedef const char *tell(const struct rsb_image *image, const char *symbol, uint64_t address);

static bool gather(const struct rsb_image *image, tell *find, char **functions, size_t *count,
		   struct rsb_error *error)
{
	const char *name;
	uint64_t address;

	for (size_t i = 0; rsb_image_symbol_next(image, &i, &name, &address);) {
		name = find(image, name, address);
		if (!name)
			continue;
		if (*count == FUNCTIONS_MAX)
			return rsb_error_set(error, "expected at most %d functions", FUNCTIONS_MAX);
		functions[*count] = strdup(name);
		if (!functions[(*count)++])
			return rsb_error_set(error, "out of memory");
	}
	qsort(functions, *count, sizeof(*functions), compare);
	return true;
}

static bool gather_either(const struct rsb_image *image, char **functions, size_t *count,
			  struct rsb_error *error)
{
	return gather(image, find_called, functions, count, error) &&
	       (*count || gather(image, find_traced, functions, count, error)) &&
	       (*count || rsb_error_set(error, "no function begins with a call of, or a jump to, a "
					       "BPF trampoline"));
}

void rsb_capture_functions_free(char **functions, size_t count)
{
	for (size_t i = 0; functions && i < count; i++)
		free(functions[i]);
	free(functions);
}

char **rsb_capture_functions(const char *core, size_t *count, struct rsb_error *error)
{
	struct rsb_image *image = load(core, error);
	char **functions;

	*count = 0;
	if (!image)
		return NULL;
	functions = calloc(FUNCTIONS_MAX + 1, sizeof(*functions));
	if (!functions)
		rsb_error_set(error, "out of memory");
	else if (!gather_either(image, functions, count, error)) {
		rsb_error_prefix(error, "%s", core);
		rsb_capture_functions_free(functions, *count);
		functions = NULL;
	}
	rsb_image_free(image);
	return functions;
}

static char *write_layout(const char *core, const char *function)
{
	cJSON *root = cJSON_CreateObject(), *source = cJSON_AddObjectToObject(root, "core");
	cJSON *registers = cJSON_AddObjectToObject(root, "registers");
	char *symbols = find_symbols(core), *text = NULL;

	if (symbols && cJSON_AddStringToObject(root, "name", function) &&
	    cJSON_AddStringToObject(source, "file", core) &&
	    cJSON_AddStringToObject(source, "symbols", symbols) &&
	    cJSON_AddStringToObject(root, "call", function) &&
	    cJSON_AddStringToObject(registers, "rdi", "scratch"))
		text = cJSON_PrintUnformatted(root);
	free(symbols);
	cJSON_Delete(root);
	return text;
}

struct rsb_layout *rsb_capture_layout(const char *core, const char *function,
				      struct rsb_error *error)
{
	char *text = write_layout(core, function);
	struct rsb_layout *layout;

	if (!text)
		return rsb_error_null(error, "out of memory");
	layout = rsb_layout_parse(core, text, strlen(text), ".", error);
	cJSON_free(text);
	if (!layout)
		return NULL;
	layout->path = strdup(core);
	if (layout->path)
		return layout;
	rsb_layout_free(layout);
	return rsb_error_null(error, "out of memory");
}
