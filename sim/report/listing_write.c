/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a listing. */
#include "sim/report/listing.h"
#include "sim/report/style.h"
#include "sim/report/wrap.h"

#include <inttypes.h>
#include <string.h>

#define BYTES_MIN    10 /* that there is always room for: the longest move of a constant */
#define TEXT_COLUMNS 20

#define REMARK 768

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

/* Where a direct transfer goes, and what it does: "; to f, pushes g+0x5 [retpoline]", or "". */
static void describe(char *out, size_t size, const struct rsb_listing *listing,
		     const struct rsb_listing_line *line)
{
	const char *mitigation = rsb_mitigation_name(line->mitigation);
	char target[256] = "", effect[384];
	bool direct = line->transfer.direct;

	*out = '\0';
	rsb_listing_effect(listing, line, effect, sizeof(effect));
	if (!*effect && !*mitigation)
		return;
	if (direct)
		rsb_image_describe(listing->image, line->transfer.target, target, sizeof(target));
	snprintf(out, size, ";%s%s%s%s%s%s%s%s", direct ? " to " : "", target, direct ? "," : "",
		 *effect ? " " : "", effect, *mitigation ? " [" : "", mitigation,
		 *mitigation ? "]" : "");
}

/*
 * Behind the instruction, which ends at column at, or, where there is no room, below it: as where
 * its line is ended, at 0.
 */
static void write_remark(FILE *out, const char *remark, size_t at, size_t below, unsigned columns,
			 bool colour)
{
	size_t column = below + TEXT_COLUMNS + 2;

	if (at + 2 > column)
		column = at + 2;
	if (!at || column + rsb_wrap_width(remark) > columns) {
		if (at)
			fputc('\n', out);
		column = below + 2;
		at = 0;
	}
	fprintf(out, "%*s%s", (int)(column - at), "", rsb_style_start(RSB_STYLE_DIM, colour));
	rsb_wrap_write(out, remark, column, column + 2, columns);
	fputs(rsb_style_end(RSB_STYLE_DIM, colour), out);
}

static void write_line(FILE *out, const struct rsb_listing *listing,
		       const struct rsb_listing_line *line, int most, unsigned columns, bool colour)
{
	char remark[REMARK];
	size_t text = (size_t)fprintf(out, "  %8" PRIx64 "  ", line->pc), end;

	write_bytes(out, line, most);
	text += 3 * (size_t)most;
	end = text + strlen(line->text);
	if (end > columns) {
		rsb_wrap_write(out, line->text, text, text + 2, columns);
		end = 0;
	} else {
		fputs(line->text, out);
	}
	describe(remark, sizeof(remark), listing, line);
	if (*remark)
		write_remark(out, remark, end, text, columns, colour);
	else if (end)
		fputc('\n', out);
}

void rsb_listing_text(const struct rsb_listing *listing, FILE *out, unsigned columns, bool colour)
{
	int most = find_most(listing);

	for (size_t i = 0; i < listing->count; i++) {
		const struct rsb_listing_line *line = &listing->lines[i];

		if (i && !line->joined)
			fputc('\n', out);
		if (line->symbol)
			fprintf(out, "%s%s:%s\n", rsb_style_start(RSB_STYLE_BOLD, colour),
				line->symbol, rsb_style_end(RSB_STYLE_BOLD, colour));
		write_line(out, listing, line, most, columns, colour);
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
