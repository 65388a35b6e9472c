/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The end of code under construction: fields get their addresses, the code goes into an image. */
#include "sim/generate/code_private.h"

#include <inttypes.h>

/* Writes one field, little-endian. */
static bool resolve(struct rsb_code *code, const struct rsb_code_fixup *fixup,
		    struct rsb_error *error)
{
	const struct rsb_code_label *label = code->labels + fixup->label;
	const char *name = label->name ? label->name : "without a name";
	uint64_t end = code->base + fixup->offset + fixup->width + fixup->after;
	uint64_t value = fixup->relative ? label->address - end : label->address;
	int64_t limit = fixup->width == 1 ? INT8_MAX : INT32_MAX;
	int64_t distance = (int64_t)value;

	if (!label->placed)
		return rsb_error_set(error, "the label %s is used but never placed", name);
	if (fixup->relative && (distance > limit || distance < -limit - 1))
		return rsb_error_set(error,
				     "the label %s is %" PRId64 " bytes from 0x%" PRIx64
				     ", too far for a displacement of %u bits",
				     name, distance, end, 8u * fixup->width);
	for (unsigned i = 0; i < fixup->width; i++)
		code->bytes[fixup->offset + i] = (uint8_t)(value >> 8 * i);
	return true;
}

/* The last symbol of the code ends with it; the others end where the next one starts. */
static bool export_symbols(const struct rsb_code *code, struct rsb_image *image,
			   struct rsb_error *error)
{
	uint64_t last = code->base;

	for (size_t i = 0; i < code->label_count; i++)
		if (code->labels[i].name && code->labels[i].address > last &&
		    code->labels[i].address < rsb_code_here(code))
			last = code->labels[i].address;
	for (size_t i = 0; i < code->label_count; i++) {
		const struct rsb_code_label *label = code->labels + i;
		uint64_t size = label->address == last ? rsb_code_here(code) - last : 0;

		if (label->name && label->placed &&
		    !rsb_image_symbol(image, label->name, label->address, size, error))
			return false;
	}
	return true;
}

static bool map_data(const struct rsb_code *code, struct rsb_image *image, struct rsb_error *error)
{
	return !code->data_size || rsb_image_map(image, "data", RSB_CODE_DATA_BASE, code->data_size,
						 RSB_READ | RSB_WRITE, NULL, 0, error);
}

static bool export_mitigations(const struct rsb_code *code, struct rsb_image *image,
			       struct rsb_error *error)
{
	for (size_t i = 0; i < code->span_count; i++) {
		const struct rsb_code_span *span = code->spans + i;

		if (span->kind != RSB_MITIGATION_NONE &&
		    !rsb_image_mitigate(image, code->base + span->start, code->base + span->end,
					span->kind))
			return rsb_error_set(error, "out of memory");
	}
	return true;
}

static bool export_returns(const struct rsb_code *code, struct rsb_image *image,
			   struct rsb_error *error)
{
	for (size_t i = 0; i < code->return_count; i++)
		if (!rsb_image_add_return(image, code->returns[i]))
			return rsb_error_set(error, "out of memory");
	return true;
}

bool rsb_code_finish(struct rsb_code *code, struct rsb_image *image, struct rsb_error *error)
{
	rsb_code_mitigation(code, RSB_MITIGATION_NONE); /* ends the last one */
	if (code->failed) {
		*error = code->error;
		return false;
	}
	for (size_t i = 0; i < code->fixup_count; i++)
		if (!resolve(code, code->fixups + i, error))
			return false;
	return rsb_image_map(image, "code", code->base, code->size, RSB_READ | RSB_EXECUTE,
			     code->bytes, code->size, error) &&
	       map_data(code, image, error) && export_symbols(code, image, error) &&
	       export_mitigations(code, image, error) && export_returns(code, image, error);
}
