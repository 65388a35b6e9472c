/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the layout that a command line describes. */
#include "sim/cli/sources.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where bytes lie unless the options say where. */
#define BYTES_BASE "0x401000"

/* The sources: the option, and the key of a layout file with that of what the option names. */
static const struct source {
	const char *option, *key, *operand;
	size_t offset; /* in struct cli_sources */
} kinds[] = {
	{ "asm", "asm", "file", offsetof(struct cli_sources, assembly) },
	{ "elf", "elf", "file", offsetof(struct cli_sources, elf) },
	{ "jitdump", "jitdump", "file", offsetof(struct cli_sources, jitdump) },
	{ "core", "core", "file", offsetof(struct cli_sources, core) },
	{ "bytes", "bytes", "hex", offsetof(struct cli_sources, bytes) },
};

static const char *operand_of(const struct cli_sources *sources, const struct source *kind)
{
	return *(const char *const *)((const char *)sources + kind->offset);
}

/* The one that is given; NULL: none. */
static const struct source *find_kind(const struct cli_sources *sources)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (operand_of(sources, &kinds[i]))
			return &kinds[i];
	return NULL;
}

/* An option that says nothing by itself; NULL: none is given. */
static const char *find_lonely(const struct cli_sources *sources)
{
	const struct {
		const char *name;
		bool given;
	} options[] = {
		{ "symbols", sources->symbols },         { "base", sources->base },
		{ "call", sources->calls.count },        { "syntax", sources->syntax },
		{ "define", sources->defines.count },    { "stub", sources->stubs.count },
		{ "set-reg", sources->registers.count }, { "map", sources->maps.count },
		{ "gs-base", sources->gs_base },         { "fs-base", sources->fs_base },
		{ "syscall", sources->syscalls.count },  { "entry", sources->entry },
		{ "trace-call", sources->traced },
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (options[i].given)
			return options[i].name;
	return NULL;
}

static size_t count_calls(const struct cli_sources *sources)
{
	return sources->calls.count + sources->syscalls.count;
}

/* A core has no names of its own: a function that is called by one. NULL: there is none. */
static const char *find_nameless(const struct cli_sources *sources)
{
	for (size_t i = 0; sources->core && !sources->symbols && i < sources->calls.count; i++)
		if (strncmp(sources->calls.words[i], "0x", 2) != 0)
			return sources->calls.words[i];
	return NULL;
}

bool cli_sources_check(const struct cli_sources *sources, struct rsb_error *error)
{
	const struct source *kind = find_kind(sources);
	const char *lonely = find_lonely(sources);

	if (!kind)
		return !lonely || rsb_error_set(error,
						"--%s: expected code beside it, by --asm, --elf, "
						"--jitdump, --core or --bytes",
						lonely);
	for (const struct source *other = kind + 1; other < kinds + sizeof(kinds) / sizeof(*kinds);
	     other++)
		if (operand_of(sources, other))
			return rsb_error_set(error,
					     "--%s: expected one source of code, got --%s "
					     "too",
					     kind->option, other->option);
	if (sources->syscalls.count && !sources->core)
		return rsb_error_set(error, "--syscall: expected a kernel by --core, got --%s",
				     kind->option);
	if (sources->entry && sources->calls.count)
		return rsb_error_set(error,
				     "--entry: expected a whole program, which makes its own "
				     "calls, got --call too");
	if (sources->traced && !sources->entry)
		return rsb_error_set(error, "--trace-call: expected --entry, where the program is "
					    "entered, beside it");
	if (sources->core && !count_calls(sources) && !sources->entry)
		return rsb_error_set(error, "--core: expected --call, the function to call, or "
					    "--syscall beside it");
	if (find_nameless(sources))
		return rsb_error_set(error,
				     "--call: expected --symbols, the core's, beside it, or an "
				     "address, got '%s'",
				     find_nameless(sources));
	return sources->bytes || count_calls(sources) || sources->entry ||
	       rsb_error_set(error,
			     "--%s: expected --call, the function to call, beside it, or "
			     "--entry",
			     kind->option);
}

size_t cli_sources_count(const struct cli_sources *sources)
{
	if (!find_kind(sources))
		return 0;
	return count_calls(sources) ? count_calls(sources) : 1;
}

/* Bytes may do without: they are called at their start. */
const char *cli_sources_name(const struct cli_sources *sources, size_t number)
{
	if (number < sources->calls.count)
		return sources->calls.words[number];
	if (number < count_calls(sources))
		return sources->syscalls.words[number - sources->calls.count];
	if (sources->entry)
		return sources->traced ? sources->traced : sources->entry;
	return sources->base ? sources->base : BYTES_BASE;
}

static bool add_text(cJSON *object, const char *key, const char *text)
{
	return !text || cJSON_AddStringToObject(object, key, text);
}

/* Adds "SYMBOL=OTHER" words to an object, as texts. */
static bool add_defines(cJSON *object, const struct cli_words *words, struct rsb_error *error)
{
	for (size_t i = 0; i < words->count; i++) {
		const char *word = words->words[i], *value = strchr(word, '=');
		char name[256];

		if (!value || value == word || !value[1] || (size_t)(value - word) >= sizeof(name))
			return rsb_error_set(error, "--define: expected SYMBOL=OTHER, got '%s'",
					     word);
		memcpy(name, word, (size_t)(value - word));
		name[value - word] = '\0';
		if (!cJSON_AddStringToObject(object, name, value + 1))
			return rsb_error_set(error, "out of memory");
	}
	return true;
}

/* A register's value as a layout has it: decimal numbers are there for people. */
static bool add_register(cJSON *object, const char *word, struct rsb_error *error)
{
	const char *value = strchr(word, '=') + 1;
	char name[16], hex[24], *end;
	unsigned long long number;

	errno = 0;
	number = strtoull(value, &end, value[0] == '0' && value[1] == 'x' ? 16 : 10);
	if (strcmp(value, "scratch") && (*value < '0' || *value > '9' || *end || errno))
		return rsb_error_set(error,
				     "--set-reg: expected REGISTER=VALUE, a value like 7, 0x401000 "
				     "or scratch, got '%s'",
				     word);
	snprintf(name, sizeof(name), "%.*s", (int)(value - 1 - word), word);
	snprintf(hex, sizeof(hex), "0x%llx", number);
	return cJSON_AddStringToObject(object, name, *value == 's' ? value : hex) ||
	       rsb_error_set(error, "out of memory");
}

static bool add_registers(cJSON *object, const struct cli_words *words, struct rsb_error *error)
{
	for (size_t i = 0; i < words->count; i++) {
		const char *word = words->words[i], *value = strchr(word, '=');

		if (!value || value == word || !value[1])
			return rsb_error_set(error, "--set-reg: expected REGISTER=VALUE, got '%s'",
					     word);
		if (!add_register(object, word, error))
			return false;
	}
	return true;
}

static bool read_size(const char *text, const char *end, double *size)
{
	char *stop;
	unsigned long long value;

	errno = 0;
	value = strtoull(text, &stop, 0);
	*size = (double)value;
	return *text >= '0' && *text <= '9' && stop == end && !errno && value;
}

/* "ADDRESS:SIZE", or "ADDRESS:SIZE=HEX". */
static bool add_map(cJSON *array, const char *word, struct rsb_error *error)
{
	const char *colon = strchr(word, ':'), *end = word + strcspn(word, "=");
	cJSON *piece = cJSON_CreateObject();
	char address[32] = "";
	double size;

	if (colon && (size_t)(colon - word) < sizeof(address))
		memcpy(address, word, (size_t)(colon - word));
	if (!address[0] || !read_size(colon + 1, end, &size)) {
		cJSON_Delete(piece);
		return rsb_error_set(error, "--map: expected ADDRESS:SIZE, got '%s'", word);
	}
	if (cJSON_AddItemToArray(array, piece) && cJSON_AddStringToObject(piece, "at", address) &&
	    cJSON_AddNumberToObject(piece, "size", size) &&
	    add_text(piece, "hex", *end ? end + 1 : NULL))
		return true;
	return rsb_error_set(error, "out of memory");
}

static bool add_maps(cJSON *root, const struct cli_sources *sources, struct rsb_error *error)
{
	cJSON *array = cJSON_AddArrayToObject(root, "memory");

	for (size_t i = 0; i < sources->maps.count; i++)
		if (!add_map(array, sources->maps.words[i], error))
			return false;
	return array || rsb_error_set(error, "out of memory");
}

static bool add_stubs(cJSON *root, const struct cli_sources *sources)
{
	cJSON *array = cJSON_AddArrayToObject(root, "stub");

	for (size_t i = 0; i < sources->stubs.count; i++)
		if (!cJSON_AddItemToArray(array, cJSON_CreateString(sources->stubs.words[i])))
			return false;
	return array;
}

static bool fill_source(cJSON *root, const struct cli_sources *sources, struct rsb_error *error)
{
	const struct source *kind = find_kind(sources);
	cJSON *object = cJSON_AddObjectToObject(root, kind->key), *defines = NULL;
	const char *base = sources->base;

	if (!base && sources->bytes)
		base = BYTES_BASE;
	if (sources->defines.count)
		defines = cJSON_AddObjectToObject(object, "define");
	if (!add_text(object, kind->operand, operand_of(sources, kind)) ||
	    !add_text(object, "symbols", sources->symbols) ||
	    !add_text(object, "syntax", sources->syntax) || !add_text(object, "base", base))
		return rsb_error_set(error, "out of memory");
	return add_defines(defines, &sources->defines, error);
}

/* A function to call, which the layout is called by. */
static bool add_call(cJSON *root, const char *call, struct rsb_error *error)
{
	return (add_text(root, "name", call) && add_text(root, "call", call)) ||
	       rsb_error_set(error, "out of memory");
}

/* A system call; the layout is called "syscall-124". */
static bool add_syscall(cJSON *root, const char *number, struct rsb_error *error)
{
	unsigned long value;
	char name[32], *end;

	errno = 0;
	value = strtoul(number, &end, 0);
	if (*number < '0' || *number > '9' || *end || errno || value > INT32_MAX)
		return rsb_error_set(error, "--syscall: expected a number from 0 to %d, got '%s'",
				     INT32_MAX, number);
	snprintf(name, sizeof(name), "syscall-%lu", value);
	return (add_text(root, "name", name) &&
		cJSON_AddNumberToObject(root, "syscall", (double)value)) ||
	       rsb_error_set(error, "out of memory");
}

/* A whole program; the layout is called by the function that is scored. */
static bool add_program(cJSON *root, const struct cli_sources *sources, const char *name,
			struct rsb_error *error)
{
	return (add_text(root, "name", name) && add_text(root, "entry", sources->entry) &&
		add_text(root, "trace_call", sources->traced)) ||
	       rsb_error_set(error, "out of memory");
}

static bool fill(cJSON *root, const struct cli_sources *sources, size_t number,
		 struct rsb_error *error)
{
	const char *name = cli_sources_name(sources, number);
	cJSON *registers = cJSON_AddObjectToObject(root, "registers");
	bool is_call = number < sources->calls.count || !sources->syscalls.count, good;

	if (sources->entry)
		good = add_program(root, sources, name, error);
	else
		good = is_call ? add_call(root, name, error) : add_syscall(root, name, error);
	if (!good)
		return false;
	if (!add_text(root, "gs_base", sources->gs_base) ||
	    !add_text(root, "fs_base", sources->fs_base) || !add_stubs(root, sources))
		return rsb_error_set(error, "out of memory");
	return fill_source(root, sources, error) && add_maps(root, sources, error) &&
	       add_registers(registers, &sources->registers, error);
}

char *cli_sources_write(const struct cli_sources *sources, size_t number, struct rsb_error *error)
{
	cJSON *root = cJSON_CreateObject();
	char *text = NULL;

	if (fill(root, sources, number, error)) {
		text = cJSON_PrintUnformatted(root);
		if (!text)
			rsb_error_set(error, "out of memory");
	}
	cJSON_Delete(root);
	return text;
}

void cli_sources_clear(struct cli_sources *sources)
{
	cli_words_clear(&sources->calls);
	cli_words_clear(&sources->syscalls);
	cli_words_clear(&sources->registers);
	cli_words_clear(&sources->maps);
	cli_words_clear(&sources->defines);
	cli_words_clear(&sources->stubs);
}
