/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs as trace files. What a score needs beside the events (the layout's name, the scenario, the
 * word about the steady state) stands in the file's keys and values, so that a run that was read
 * gives the very score of the run that was written.
 */
#ifndef RSB_SIM_SCORE_RUN_FILE_H
#define RSB_SIM_SCORE_RUN_FILE_H

#include "sim/scenario.h"
#include "sim/score/run.h"
#include "traces/file.h"

/* What a run in a file is of. */
struct rsb_run_about {
	const char *layout;
	const char *return_thunk; /* of the image; "none" */
	struct rsb_scenario scenario;
};

/*
 * Writes a run: at least so many rounds, and as many as its averages need; of a run that does not
 * repeat, those that were run.
 */
bool rsb_run_save(const struct rsb_run *run, const struct rsb_run_about *about, uint64_t rounds,
		  FILE *out, struct rsb_error *error);

/* Is this trace a recorded run? */
bool rsb_run_is_recorded(const struct rsb_trace_reader *reader);

/*
 * Reads one. The texts of about are owned by the reader. *got is RSB_TRACE_CUT if the file
 * is cut short, and error says where; the run is then of the rounds that are whole. NULL: error.
 */
struct rsb_run *rsb_run_load(struct rsb_trace_reader *reader, struct rsb_run_about *about,
			     enum rsb_trace_got *got, struct rsb_error *error);

#endif
