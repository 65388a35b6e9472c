/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A listing: the instructions of the functions that a run touches, and what each transfer does to
 * the return stack.
 */
#ifndef RSB_SIM_REPORT_LISTING_H
#define RSB_SIM_REPORT_LISTING_H

#include "sim/machine/instruction.h"
#include "sim/report/json.h"
#include "sim/score/run.h"
#include "traces/transfer.h"

struct rsb_listing_line {
	uint64_t pc;
	const char *symbol; /* that begins here, or NULL; owned by the image */
	uint8_t bytes[RSB_INSTRUCTION_MAX];
	uint8_t length;
	enum rsb_mitigation mitigation;
	struct rsb_transfer transfer;
	bool joined; /* follows the line before it without a gap */
	char text[RSB_INSTRUCTION_TEXT];
};

struct rsb_listing {
	const struct rsb_image *image;
	struct rsb_listing_line *lines;
	size_t count;
};

/*
 * Lists what the run touches; it must have recorded all kinds. The image must outlive the listing.
 * NULL: error.
 */
struct rsb_listing *rsb_listing_new(const struct rsb_image *image, const struct rsb_run *run,
				    struct rsb_error *error);

/* The same of the functions that these addresses are in. */
struct rsb_listing *rsb_listing_of(const struct rsb_image *image, const uint64_t *addresses,
				   size_t count, struct rsb_error *error);
void rsb_listing_free(struct rsb_listing *listing);

/* What this line does to the return stack: "pushes caller_1+0x5"; "" if it does not transfer. */
void rsb_listing_effect(const struct rsb_listing *listing, const struct rsb_listing_line *line,
			char *out, size_t size);

/* "retpoline", "return thunk", "RSB fill"; "" for none. */
const char *rsb_mitigation_name(enum rsb_mitigation mitigation);

void rsb_listing_text(const struct rsb_listing *listing, FILE *out, unsigned columns, bool colour);

/* Adds the lines to an array. False: no memory. */
bool rsb_listing_json(const struct rsb_listing *listing, cJSON *to);

#endif
