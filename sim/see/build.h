/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Making a recording: what its parts share. Private to recording*.c. */
#ifndef RSB_SIM_SEE_BUILD_H
#define RSB_SIM_SEE_BUILD_H

#include "sim/explain/refusals.h"
#include "sim/explain/words.h"
#include "sim/see/intern.h"
#include "sim/see/recording.h"
#include "sim/see/watched.h"

struct rsb_build {
	struct rsb_recording *recording;
	const struct rsb_image *image;
	const struct rsb_profile *profile;
	struct rsb_watched watched;
	struct rsb_refusals refused_returns, refused_branches;
	uint64_t steady_from;     /* round */
	struct rsb_words line_of; /* pc -> index of its line */
	struct rsb_intern entries, frames;
};

/* Fills in the lines, and line_of. */
bool rsb_build_code(struct rsb_build *build, struct rsb_error *error);

/* The line at pc; RSB_RECORDING_NONE: none. */
uint32_t rsb_build_line(const struct rsb_build *build, uint64_t pc);

/* Fills in events, rounds, paths and differences; the explanation must be there. */
bool rsb_build_events(struct rsb_build *build, struct rsb_error *error);

/* Fills in the addresses and sites that the events, which must be there, have. */
bool rsb_build_tables(struct rsb_build *build, struct rsb_error *error);

#endif
