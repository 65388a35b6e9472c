/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The code of a recording: the functions that the run touched as they are listed elsewhere, and
 * what ran besides (code that was made while it ran, instructions inside others).
 */
#include "sim/machine/instruction.h"
#include "sim/report/listing.h"
#include "sim/see/build.h"

#include <stdlib.h>
#include <string.h>

/* Longer than any symbol that is worth reading. */
#define SYMBOL_MAX 256

uint32_t rsb_build_line(const struct rsb_build *build, uint64_t pc)
{
	const uint64_t *line = rsb_words_find(&build->line_of, pc);

	return line ? (uint32_t)*line : RSB_RECORDING_NONE;
}

static char *describe(const struct rsb_image *image, uint64_t address)
{
	char symbol[SYMBOL_MAX];

	rsb_image_describe(image, address, symbol, sizeof(symbol));
	return strdup(symbol);
}

static bool fill_line(struct rsb_recorded_line *line, const struct rsb_build *build,
		      const char *text, const char *label)
{
	line->symbol = describe(build->image, line->pc);
	line->text = strdup(text);
	line->label = label ? strdup(label) : NULL;
	line->mitigation = (uint8_t)rsb_image_mitigation(build->image, line->pc);
	return line->symbol && line->text && (line->label || !label);
}

static bool add_listed(struct rsb_build *build, const struct rsb_listing *listing)
{
	struct rsb_recording *recording = build->recording;

	recording->lines =
		calloc(listing->count + build->watched.code_count + 1, sizeof(*recording->lines));
	if (!recording->lines)
		return false;
	for (size_t i = 0; i < listing->count; i++) {
		const struct rsb_listing_line *from = &listing->lines[i];
		struct rsb_recorded_line *line = &recording->lines[recording->line_count++];

		line->pc = from->pc;
		line->length = from->length;
		memcpy(line->bytes, from->bytes, from->length);
		if (!fill_line(line, build, from->text, from->symbol) ||
		    !rsb_words_set(&build->line_of, line->pc, recording->line_count - 1))
			return false;
	}
	return true;
}

/* What ran is not in the list, or is not what the list says. */
static bool add_ran(struct rsb_build *build, const struct rsb_watched_code *code,
		    const struct rsb_disassembler *disassembler)
{
	struct rsb_recording *recording = build->recording;
	uint32_t index = rsb_build_line(build, code->pc);
	struct rsb_recorded_line *line;
	char text[RSB_INSTRUCTION_TEXT] = "";

	if (index != RSB_RECORDING_NONE &&
	    !memcmp(recording->lines[index].bytes, code->bytes, code->length))
		return true;
	rsb_instruction_decode(disassembler, code->bytes, code->length, code->pc, text);
	if (index == RSB_RECORDING_NONE) {
		line = &recording->lines[recording->line_count++];
		line->pc = code->pc;
		if (!fill_line(line, build, text, NULL))
			return false;
	} else {
		line = &recording->lines[index];
		free(line->text);
		line->text = strdup(text);
	}
	line->length = code->length;
	memcpy(line->bytes, code->bytes, code->length);
	return line->text != NULL;
}

static int compare_lines(const void *a, const void *b)
{
	const struct rsb_recorded_line *x = a, *y = b;

	return (x->pc > y->pc) - (x->pc < y->pc);
}

static bool sort_lines(struct rsb_build *build)
{
	struct rsb_recording *recording = build->recording;

	qsort(recording->lines, recording->line_count, sizeof(*recording->lines), compare_lines);
	for (size_t i = 0; i < recording->line_count; i++)
		if (!rsb_words_set(&build->line_of, recording->lines[i].pc, i))
			return false;
	return true;
}

static bool add_lines(struct rsb_build *build, const struct rsb_listing *listing)
{
	struct rsb_disassembler disassembler;
	bool good = add_listed(build, listing);

	if (!good || !rsb_disassembler_open(&disassembler))
		return false;
	for (size_t i = 0; good && i < build->watched.code_count; i++)
		good = add_ran(build, &build->watched.codes[i], &disassembler);
	rsb_disassembler_close(&disassembler);
	return good && sort_lines(build);
}

/* Where the run has been; the functions of these are listed. */
static uint64_t *find_places(const struct rsb_watched *watched, size_t *count)
{
	uint64_t *places = malloc((watched->code_count + 1) * sizeof(*places));

	*count = watched->code_count;
	for (size_t i = 0; places && i < *count; i++)
		places[i] = watched->codes[i].pc;
	return places;
}

bool rsb_build_code(struct rsb_build *build, struct rsb_error *error)
{
	size_t count;
	uint64_t *places = find_places(&build->watched, &count);
	struct rsb_listing *listing;
	bool good;

	if (!places)
		return rsb_error_set(error, "out of memory");
	listing = rsb_listing_of(build->image, places, count, error);
	free(places);
	if (!listing)
		return false;
	good = add_lines(build, listing);
	rsb_listing_free(listing);
	return good || rsb_error_set(error, "out of memory");
}
