/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a listing. */
#include "sim/report/listing.h"
#include "sim/report/style.h"

#include <inttypes.h>

#define BYTES_MIN    10 /* that there is always room for: the longest move of a constant */
#define TEXT_COLUMNS 36

/* Bytes of the longest instruction. */
static int find_most(const struct rsb_listing *listing)
{
	int most = BYTES_MIN;

	for (size_t i = 0; i < listing->count; i++)
		most = listing->lines[i].length > most ? (int)listing->lines[i].length : most;
	return most;
}

static void write_bytes(FILE *out, const struct rsb_listing_line *line, int most)
{
	int used = 0;

	for (size_t i = 0; i < line->length; i++)
		used += fprintf(out, "%02x ", line->bytes[i]);
	fprintf(out, "%*s", 3 * most - used, "");
}

/* Where a direct transfer goes, and what it does. */
static void write_remark(const struct rsb_listing *listing, const struct rsb_listing_line *line,
			 FILE *out, bool colour)
{
	const char *mitigation = rsb_mitigation_name(line->mitigation);
	char target[256], effect[384];

	rsb_listing_effect(listing, line, effect, sizeof(effect));
	if (!*effect && !*mitigation)
		return;
	fprintf(out, "  %s;", rsb_style_start(RSB_STYLE_DIM, colour));
	if (line->transfer.direct) {
		rsb_image_describe(listing->image, line->transfer.target, target, sizeof(target));
		fprintf(out, " to %s,", target);
	}
	if (*effect)
		fprintf(out, " %s", effect);
	if (*mitigation)
		fprintf(out, " [%s]", mitigation);
	fputs(rsb_style_end(RSB_STYLE_DIM, colour), out);
}

void rsb_listing_text(const struct rsb_listing *listing, FILE *out, bool colour)
{
	int most = find_most(listing);

	for (size_t i = 0; i < listing->count; i++) {
		const struct rsb_listing_line *line = &listing->lines[i];
		char effect[384];

		if (i && !line->joined)
			fputc('\n', out);
		if (line->symbol)
			fprintf(out, "%s%s:%s\n", rsb_style_start(RSB_STYLE_BOLD, colour),
				line->symbol, rsb_style_end(RSB_STYLE_BOLD, colour));
		fprintf(out, "  %8" PRIx64 "  ", line->pc);
		write_bytes(out, line, most);
		rsb_listing_effect(listing, line, effect, sizeof(effect));
		fprintf(out, "%-*s", *effect || line->mitigation ? TEXT_COLUMNS : 0, line->text);
		write_remark(listing, line, out, colour);
		fputc('\n', out);
	}
}

static bool add_bytes(cJSON *to, const struct rsb_listing_line *line)
{
	char hex[2 * RSB_INSTRUCTION_MAX + 1];

	for (size_t i = 0; i < line->length; i++)
		snprintf(hex + 2 * i, 3, "%02x", line->bytes[i]);
	return rsb_add_text(to, "bytes", hex);
}

/* null for what is not there. */
static bool add_transfer(cJSON *to, const struct rsb_listing *listing,
			 const struct rsb_listing_line *line)
{
	const char *mitigation = rsb_mitigation_name(line->mitigation);
	char effect[384], target[256];

	rsb_listing_effect(listing, line, effect, sizeof(effect));
	if (line->transfer.direct)
		rsb_image_describe(listing->image, line->transfer.target, target, sizeof(target));
	return rsb_add_text(to, "transfer",
			    line->transfer.transfers ? rsb_kind_name(line->transfer.kind) : NULL) &&
	       rsb_add_text(to, "target", line->transfer.direct ? target : NULL) &&
	       rsb_add_text(to, "effect", *effect ? effect : NULL) &&
	       rsb_add_text(to, "mitigation", *mitigation ? mitigation : NULL);
}

bool rsb_listing_json(const struct rsb_listing *listing, cJSON *to)
{
	bool good = true;

	for (size_t i = 0; good && i < listing->count; i++) {
		const struct rsb_listing_line *line = &listing->lines[i];
		cJSON *object = rsb_add_object(to, NULL);
		char symbol[256];

		rsb_image_describe(listing->image, line->pc, symbol, sizeof(symbol));
		good = rsb_add_address(object, "pc", line->pc) &&
		       rsb_add_text(object, "symbol", symbol) && add_bytes(object, line) &&
		       rsb_add_text(object, "text", line->text) &&
		       add_transfer(object, listing, line);
	}
	return good;
}
