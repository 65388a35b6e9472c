/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The keys of a layout file that do not depend on where its code comes from. */
#include "sim/image/hex.h"
#include "sim/image/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The keys beside the sources'. */
#define KEYS                                                                                    \
	"name|summary|arch|source|call|syscall|registers|memory|gs_base|fs_base|stub|intended|" \
	"environment|scenario|expect|shadow_stack|ibt|notrack|entry|trace_call"

/* The figures of a score that a layout may state. */
#define FIGURES                                                                             \
	"calls|returns|instructions|balance|balance_layout|balance_intended|misses_inside|" \
	"misses_callers|caller_slope|intended_inside|intended_callers|misses_indirect|"     \
	"peak|headroom|cr3_writes|tlb_flushes|pages_after_flush"

#define MEMORY_MAX  (INT64_C(1) << 30) /* bytes of one piece; they cost nothing until touched */
#define SYSCALL_MAX 0x7fffffff         /* rsi has it as a signed number of 32 bits in a kernel */
#define ITEMS_MAX   1024               /* of an array */

/* By their number in x86 code; rsp belongs to the callers. */
static const char *const registers[] = { "rax", "rcx", "rdx", "rbx", NULL,  "rbp", "rsi", "rdi",
					 "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15" };
#define REGISTER_KEYS "rax|rcx|rdx|rbx|rbp|rsi|rdi|r8|r9|r10|r11|r12|r13|r14|r15"

static bool check_keys(const struct rsb_layout *layout, const cJSON *root, struct rsb_error *error)
{
	char keys[512];
	size_t used = (size_t)snprintf(keys, sizeof(keys), KEYS);

	for (const struct rsb_source *const *source = rsb_sources; *source; source++)
		used += (size_t)snprintf(keys + used, sizeof(keys) - used, "|%s", (*source)->key);
	return rsb_json_keys(layout->json, root, keys, error);
}

static void list_sources(const cJSON *root, char *all, char *found, size_t size)
{
	all[0] = found[0] = '\0';
	for (const struct rsb_source *const *source = rsb_sources; *source; source++) {
		const char *key = (*source)->key;
		size_t used = strlen(all);

		snprintf(all + used, size - used, "%s\"%s\"", used ? ", " : "", key);
		used = strlen(found);
		if (cJSON_HasObjectItem(root, key))
			snprintf(found + used, size - used, "%s\"%s\"", used ? " and " : "", key);
	}
}

/* Exactly one source. */
static bool read_source(struct rsb_layout *layout, const cJSON *root, struct rsb_error *error)
{
	char all[128], found[128];
	unsigned count = 0;

	for (const struct rsb_source *const *source = rsb_sources; *source; source++) {
		const cJSON *item = cJSON_GetObjectItemCaseSensitive(root, (*source)->key);

		if (!item)
			continue;
		layout->source = *source;
		layout->code = item;
		count++;
	}
	list_sources(root, all, found, sizeof(all));
	if (count != 1)
		return rsb_json_error(layout->json, count ? layout->code : root, error,
				      "expected one source of code (one of %s), found %s", all,
				      count ? found : "none");
	if (!cJSON_IsObject(layout->code))
		return rsb_json_error(layout->json, layout->code, error,
				      "%s: expected an object such as %s", found,
				      layout->source->example);
	return layout->source->read(layout, layout->code, error);
}

static bool check_arch(const struct rsb_layout *layout, const cJSON *root, struct rsb_error *error)
{
	const char *arch = "x86_64";

	if (!rsb_json_text(layout->json, root, "arch", &arch, error))
		return false;
	return strcmp(arch, "x86_64") == 0 ||
	       rsb_json_error(layout->json, cJSON_GetObjectItemCaseSensitive(root, "arch"), error,
			      "\"arch\": expected \"x86_64\", found \"%s\"", arch);
}

/* A system call of a kernel, in place of a call. */
static bool read_syscall(struct rsb_layout *layout, const cJSON *root, struct rsb_error *error)
{
	if (!layout->source->enter)
		return rsb_json_error(layout->json, layout->syscall, error,
				      "\"syscall\" does not go with \"%s\", but with a kernel's "
				      "\"core\"",
				      layout->source->key);
	if (layout->call)
		return rsb_json_error(layout->json, layout->syscall, error,
				      "\"syscall\" does not go with \"call\"");
	return rsb_json_integer(layout->json, root, "syscall", 0, SYSCALL_MAX,
				&layout->syscall_number, error);
}

/* The key of a function: NULL stays if it is absent. */
static bool read_function(const struct rsb_layout *layout, const cJSON *root, const char *key,
			  const cJSON **out, struct rsb_error *error)
{
	*out = cJSON_GetObjectItemCaseSensitive(root, key);
	return !*out || cJSON_IsString(*out) || cJSON_IsNumber(*out) ||
	       rsb_json_error(layout->json, *out, error,
			      "\"%s\": expected a symbol or an address like \"0x401000\"", key);
}

/* A whole program makes its own calls, in its own way. */
static bool check_program(const struct rsb_layout *layout, const cJSON *root,
			  struct rsb_error *error)
{
	static const char *const others[] = { "call", "syscall", "registers", "scenario" };

	if (layout->traced && !layout->entry)
		return rsb_json_error(layout->json, layout->traced, error,
				      "\"trace_call\" does not go without \"entry\"");
	if (!layout->entry)
		return true;
	if (!layout->source->program)
		return rsb_json_error(layout->json, layout->entry, error,
				      "\"entry\" does not go with \"%s\"", layout->source->key);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		const cJSON *other = cJSON_GetObjectItemCaseSensitive(root, others[i]);

		/* Options write an empty object. */
		if (other && (!cJSON_IsObject(other) || other->child))
			return rsb_json_error(layout->json, other, error,
					      "\"%s\" does not go with \"entry\": a whole program "
					      "makes its own calls",
					      others[i]);
	}
	return true;
}

/* What is called is up to the layout, unless the source knows. */
static bool read_call(struct rsb_layout *layout, const cJSON *root, struct rsb_error *error)
{
	const char *key = layout->source->key;

	if (!read_function(layout, root, "call", &layout->call, error) ||
	    !read_function(layout, root, "entry", &layout->entry, error) ||
	    !read_function(layout, root, "trace_call", &layout->traced, error) ||
	    !check_program(layout, root, error))
		return false;
	layout->syscall = cJSON_GetObjectItemCaseSensitive(root, "syscall");
	if (layout->syscall)
		return read_syscall(layout, root, error);
	if (layout->source->called && !layout->call && !layout->entry)
		return rsb_json_error(layout->json, root, error,
				      "expected \"call\", the function to call, with \"%s\"", key);
	return layout->source->called || !layout->call ||
	       rsb_json_error(layout->json, layout->call, error,
			      "\"call\" does not go with \"%s\", which calls its own", key);
}

static unsigned register_number(const char *name)
{
	unsigned number = 0;

	while (!registers[number] || strcmp(registers[number], name) != 0)
		number++;
	return number;
}

static bool read_register(struct rsb_layout *layout, const cJSON *object, const cJSON *item,
			  struct rsb_error *error)
{
	struct rsb_layout_register *entry = &layout->registers[layout->register_count++];

	entry->number = register_number(item->string);
	entry->scratch = cJSON_IsString(item) && strcmp(item->valuestring, "scratch") == 0;
	return entry->scratch ||
	       rsb_json_address(layout->json, object, item->string, &entry->value, error);
}

static bool read_registers(struct rsb_layout *layout, const cJSON *root, struct rsb_error *error)
{
	const cJSON *object = cJSON_GetObjectItemCaseSensitive(root, "registers"), *item;

	if (!object)
		return true;
	if (!cJSON_IsObject(object))
		return rsb_json_error(layout->json, object, error,
				      "\"registers\": expected an object such as "
				      "{ \"rdi\": \"scratch\", \"rsi\": 1 }");
	if (!layout->source->called)
		return rsb_json_error(layout->json, object, error,
				      "\"registers\" does not go with \"%s\"", layout->source->key);
	if (!rsb_json_keys(layout->json, object, REGISTER_KEYS, error))
		return false;
	cJSON_ArrayForEach(item, object)
	{
		if (!read_register(layout, object, item, error))
			return false;
	}
	return true;
}

static bool check_array(const struct rsb_layout *layout, const cJSON *array,
			struct rsb_error *error)
{
	if (!cJSON_IsArray(array))
		return rsb_json_error(layout->json, array, error, "\"%s\": expected an array",
				      array->string);
	return cJSON_GetArraySize(array) <= ITEMS_MAX ||
	       rsb_json_error(layout->json, array, error, "\"%s\": expected at most %d items",
			      array->string, ITEMS_MAX);
}

static bool read_piece(const struct rsb_layout *layout, const cJSON *item,
		       struct rsb_layout_memory *piece, struct rsb_error *error)
{
	const char *hex = "";
	int64_t size = 0;
	struct rsb_error why;

	piece->item = item;
	if (!cJSON_IsObject(item))
		return rsb_json_error(layout->json, item, error,
				      "\"memory\": expected objects with \"at\", \"size\", "
				      "\"hex\"");
	if (!rsb_json_keys(layout->json, item, "at|size|hex", error) ||
	    !rsb_json_address(layout->json, item, "at", &piece->at, error) ||
	    !rsb_json_integer(layout->json, item, "size", 1, MEMORY_MAX, &size, error) ||
	    !rsb_json_text(layout->json, item, "hex", &hex, error))
		return false;
	if (!rsb_hex_decode(hex, &piece->bytes, &piece->given, &why))
		return rsb_json_error(layout->json, item, error, "\"hex\": %s", why.text);
	piece->size = size ? (uint64_t)size : piece->given;
	if (!cJSON_HasObjectItem(item, "at") || !piece->size)
		return rsb_json_error(layout->json, item, error,
				      "\"memory\": expected \"at\", and \"size\" or \"hex\"");
	return piece->given <= piece->size ||
	       rsb_json_error(layout->json, item, error,
			      "\"hex\": expected at most \"size\" bytes, found %zu", piece->given);
}

static bool read_memory(struct rsb_layout *layout, const cJSON *root, struct rsb_error *error)
{
	const cJSON *array = cJSON_GetObjectItemCaseSensitive(root, "memory"), *item;

	if (!array)
		return true;
	if (!check_array(layout, array, error))
		return false;
	layout->memory = calloc((size_t)cJSON_GetArraySize(array) + 1, sizeof(*layout->memory));
	if (!layout->memory)
		return rsb_error_set(error, "out of memory");
	cJSON_ArrayForEach(item, array)
	{
		if (!read_piece(layout, item, &layout->memory[layout->memory_count++], error))
			return false;
	}
	return true;
}

/* An array of texts, checked; NULL stays if the key is absent. */
static bool read_texts(const struct rsb_layout *layout, const cJSON *root, const char *key,
		       const cJSON **out, struct rsb_error *error)
{
	const cJSON *array = cJSON_GetObjectItemCaseSensitive(root, key), *item;

	if (array && !check_array(layout, array, error))
		return false;
	cJSON_ArrayForEach(item, array)
	{
		if (!cJSON_IsString(item))
			return rsb_json_error(layout->json, item, error,
					      "\"%s\": expected symbols in double quotes", key);
	}
	*out = array;
	return true;
}

/* What the layout does not say is as in "unwind". */
static bool read_scenario(struct rsb_layout *layout, const cJSON *root, struct rsb_error *error)
{
	const cJSON *object = cJSON_GetObjectItemCaseSensitive(root, "scenario");
	struct rsb_scenario *scenario = &layout->scenario;
	int64_t depth, batch, spacing;

	*scenario = RSB_SCENARIO_UNWIND;
	depth = scenario->depth;
	batch = scenario->batch;
	spacing = scenario->spacing;
	if (layout->entry) {
		*scenario = RSB_SCENARIO_PROGRAM;
		layout->has_scenario = true;
		return true;
	}
	if (!object)
		return true;
	if (!cJSON_IsObject(object))
		return rsb_json_error(layout->json, object, error,
				      "\"scenario\": expected an object such as "
				      "{ \"depth\": 8, \"batch\": 1 }");
	if (!rsb_json_keys(layout->json, object, "depth|batch|spacing", error) ||
	    !rsb_json_integer(layout->json, object, "depth", 0, RSB_DEPTH_MAX, &depth, error) ||
	    !rsb_json_integer(layout->json, object, "batch", 1, RSB_BATCH_MAX, &batch, error) ||
	    !rsb_json_integer(layout->json, object, "spacing", RSB_SPACING_MIN, RSB_SPACING_MAX,
			      &spacing, error))
		return false;
	if (spacing % 16)
		return rsb_json_error(layout->json,
				      cJSON_GetObjectItemCaseSensitive(object, "spacing"), error,
				      "\"spacing\": expected a multiple of 16");
	layout->has_scenario = true;
	*scenario =
		(struct rsb_scenario){ "own", (unsigned)depth, (unsigned)batch, (unsigned)spacing };
	return true;
}

static bool read_expect(struct rsb_layout *layout, const cJSON *root, struct rsb_error *error)
{
	const cJSON *object = cJSON_GetObjectItemCaseSensitive(root, "expect"), *item;

	if (object && !cJSON_IsObject(object))
		return rsb_json_error(layout->json, object, error,
				      "\"expect\": expected an object such as "
				      "{ \"balance_layout\": 0 }");
	if (object && !rsb_json_keys(layout->json, object, FIGURES, error))
		return false;
	cJSON_ArrayForEach(item, object)
	{
		if (!cJSON_IsNumber(item))
			return rsb_json_error(layout->json, item, error,
					      "\"%s\": expected a number", item->string);
	}
	layout->expect = object;
	return true;
}

static bool read_bases(struct rsb_layout *layout, const cJSON *root, struct rsb_error *error)
{
	layout->has_gs_base = cJSON_HasObjectItem(root, "gs_base");
	layout->has_fs_base = cJSON_HasObjectItem(root, "fs_base");
	return rsb_json_address(layout->json, root, "gs_base", &layout->gs_base, error) &&
	       rsb_json_address(layout->json, root, "fs_base", &layout->fs_base, error);
}

/* Control-flow enforcement: what is not said is off. */
static bool read_cet(struct rsb_layout *layout, const cJSON *root, struct rsb_error *error)
{
	bool shadow_stack = false, ibt = false, notrack = false;

	if (!rsb_json_switch(layout->json, root, "shadow_stack", &shadow_stack, error) ||
	    !rsb_json_switch(layout->json, root, "ibt", &ibt, error) ||
	    !rsb_json_switch(layout->json, root, "notrack", &notrack, error))
		return false;
	if (notrack && !ibt)
		return rsb_json_error(layout->json,
				      cJSON_GetObjectItemCaseSensitive(root, "notrack"), error,
				      "\"notrack\" does not go without \"ibt\"");
	layout->cet = (shadow_stack ? RSB_CET_SHADOW_STACK : 0) | (ibt ? RSB_CET_IBT : 0) |
		      (notrack ? RSB_CET_NOTRACK : 0);
	return true;
}

bool rsb_layout_read(struct rsb_layout *layout, struct rsb_error *error)
{
	const cJSON *root = rsb_json_root(layout->json);

	return check_keys(layout, root, error) && check_arch(layout, root, error) &&
	       rsb_json_label(layout->json, root, "name", &layout->name, error) &&
	       rsb_json_label(layout->json, root, "summary", &layout->summary, error) &&
	       rsb_json_label(layout->json, root, "source", &layout->origin, error) &&
	       read_source(layout, root, error) && read_call(layout, root, error) &&
	       read_registers(layout, root, error) && read_memory(layout, root, error) &&
	       rsb_layout_read_incidents(layout, root, error) && read_bases(layout, root, error) &&
	       read_cet(layout, root, error) &&
	       read_texts(layout, root, "stub", &layout->stubs, error) &&
	       read_texts(layout, root, "intended", &layout->intended, error) &&
	       read_scenario(layout, root, error) && read_expect(layout, root, error);
}
