/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The callers of the function that a layout names, beside code that has none of its own. */
#include "sim/image/kernel.h"
#include "sim/image/source.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SCRATCH_SIZE UINT64_C(0x10000)

bool rsb_layout_address(const struct rsb_layout *layout, const cJSON *item,
			const struct rsb_image *image, uint64_t *address, struct rsb_error *error)
{
	struct rsb_error why;

	if (cJSON_IsNumber(item) || strncmp(item->valuestring, "0x", 2) == 0)
		return rsb_json_address(layout->json, rsb_json_root(layout->json), item->string,
					address, error);
	return rsb_image_find(image, item->valuestring, address, &why) ||
	       rsb_json_error(layout->json, item, error, "\"%s\": %s", item->string, why.text);
}

bool rsb_layout_check_present(const struct rsb_layout *layout, const cJSON *item,
			      const struct rsb_image *image, uint64_t address,
			      struct rsb_error *error)
{
	struct rsb_error why;
	char name[600];
	uint8_t byte;

	if (rsb_image_read(image, address, &byte, sizeof(byte), &why))
		return true;
	rsb_image_describe(image, address, name, sizeof(name));
	return rsb_json_error(layout->json, item, error, "\"%s\": %s (0x%" PRIx64 "): %s",
			      item->string, name, address,
			      why.text[0] ? why.text : "its page is not in the image");
}

static bool map_scratch(unsigned number, uint64_t near, struct rsb_image *image, uint64_t *address,
			struct rsb_error *error)
{
	char name[32];

	snprintf(name, sizeof(name), "scratch of register %u", number);
	*address = rsb_image_gap(image, near, SCRATCH_SIZE);
	if (!*address)
		return rsb_error_set(error, "there is no room for scratch memory near 0x%" PRIx64,
				     near);
	return rsb_image_map(image, name, *address, SCRATCH_SIZE, RSB_READ | RSB_WRITE, NULL, 0,
			     error);
}

bool rsb_layout_load_registers(const struct rsb_layout *layout, uint64_t near,
			       struct rsb_image *image, struct rsb_callers *callers,
			       struct rsb_error *error)
{
	for (unsigned i = 0; i < layout->register_count; i++) {
		const struct rsb_layout_register *entry = &layout->registers[i];
		uint64_t value = entry->value;

		if (entry->scratch && !map_scratch(entry->number, near, image, &value, error))
			return false;
		callers->registers[callers->count].number = entry->number;
		callers->registers[callers->count++].value = value;
	}
	return true;
}

/* A bound on the callers' size: a call site each, and room for what the innermost one loads. */
static uint64_t bound_size(const struct rsb_scenario *scenario)
{
	return (UINT64_C(2) + scenario->depth) * scenario->spacing + RSB_PAGE;
}

bool rsb_layout_emit_callers(struct rsb_callers *callers, const struct rsb_forms *forms,
			     uint64_t near, struct rsb_image *image, struct rsb_error *error)
{
	uint64_t base = rsb_image_gap(image, near, bound_size(callers->scenario));
	struct rsb_code *code;
	bool good;

	if (!base)
		return rsb_error_set(error, "there is no room for callers near 0x%" PRIx64, near);
	code = rsb_code_new(base);
	if (!code)
		return rsb_error_set(error, "out of memory");
	rsb_code_set_forms(code, forms);
	if (callers->by == RSB_CALLERS_CALL)
		callers->traced = rsb_code_external(code, near);
	rsb_callers_emit(code, callers);
	good = rsb_code_finish(code, image, error);
	rsb_code_free(code);
	return good;
}

void rsb_layout_note_thunk(struct rsb_image *image, const struct rsb_forms *forms)
{
	uint64_t start, end;
	const char *symbol;
	char word[32];

	if (forms->return_thunk != RSB_THUNK_EXTERNAL)
		return;
	symbol = rsb_image_symbol_at(image, forms->thunk, &start, &end);
	rsb_kernel_thunk_word(symbol ? symbol : "unknown", word, sizeof(word));
	/*
	 * gcc's has the name of the kernel's, but is no shared ret: it calls, as a safe RET does.
	 */
	if (strcmp(word, "rethunk") == 0 &&
	    rsb_image_mitigation(image, forms->thunk) == RSB_MITIGATION_RETURN)
		snprintf(word, sizeof(word), "thunk");
	rsb_image_set_return_thunk(image, word);
}

bool rsb_layout_call(const struct rsb_layout *layout, const struct rsb_scenario *scenario,
		     struct rsb_image *image, struct rsb_error *error)
{
	const struct rsb_source *source = layout->source;
	struct rsb_callers callers = { .scenario = scenario };
	struct rsb_forms forms = { .return_thunk = RSB_THUNK_NONE };
	struct rsb_error why;
	uint64_t function;

	if (!rsb_layout_address(layout, layout->call, image, &function, error) ||
	    !rsb_layout_check_present(layout, layout->call, image, function, error))
		return false;
	if ((source->forms && !source->forms(image, function, &forms, &why)) ||
	    !rsb_layout_load_registers(layout, function, image, &callers, &why) ||
	    !rsb_layout_emit_callers(&callers, &forms, function, image, &why))
		return rsb_json_error(layout->json, layout->call, error, "\"call\": %s", why.text);
	rsb_layout_note_thunk(image, &forms);
	return true;
}
