/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run: one image run round by round until it is known how it goes on. Each different round is
 * kept once (its events and what it counts); the run is a sequence of them. Models are not needed
 * here: one run serves all of them (sim/score/score.h).
 */
#ifndef RSB_SIM_SCORE_RUN_H
#define RSB_SIM_SCORE_RUN_H

#include "sim/machine/machine.h"

/* How a run goes on after the rounds that were run. */
enum rsb_steady {
	RSB_STEADY_PROVED,   /* registers and memory came back to an earlier round's: it must repeat
			      */
	RSB_STEADY_OBSERVED, /* only the events repeat, seen long enough */
	RSB_STEADY_NO,       /* neither; only the rounds that were run are known */
};

#define RSB_RUN_ARCH "x86_64" /* the one instruction set that layouts are of */

#define RSB_RUN_ROUNDS  512 /* rounds that are run before the word is observed or no */
#define RSB_RUN_WARMUP  32  /* rounds at the start that an observed period may leave out */
#define RSB_RUN_REPEATS 8   /* periods that must have been seen, and ... */
#define RSB_RUN_SEEN    256 /* ... rounds, for the word observed */

/* One kind of round. */
struct rsb_sequence {
	const struct rsb_event *events;
	size_t count;
	struct rsb_round round;
};

struct rsb_run_options {
	uint32_t kinds;  /* as rsb_machine_options */
	uint64_t budget; /* as rsb_machine_options */
	uint64_t rounds; /* rounds asked for; 0: none in particular */
	void (*progress)(void *context, uint64_t done, uint64_t of); /* may be NULL */
	void *context;
};

struct rsb_run;

/* Runs the image. NULL: error. The image is not needed afterwards. */
struct rsb_run *rsb_run_new(const struct rsb_image *image, const struct rsb_run_options *options,
			    struct rsb_error *error);
void rsb_run_free(struct rsb_run *run);

enum rsb_steady rsb_run_steady(const struct rsb_run *run);

/* Rounds that were run; the sequence of round index (from 0) is rsb_run_round(). */
size_t rsb_run_count(const struct rsb_run *run);

/*
 * Unless the run is RSB_STEADY_NO: the first round from which it repeats, and its period in rounds,
 * so that round first + k is round first + k % period.
 */
size_t rsb_run_first(const struct rsb_run *run);
size_t rsb_run_period(const struct rsb_run *run);

/* Which kind of round was, or will be, round index; and that kind. */
size_t rsb_run_round(const struct rsb_run *run, uint64_t index);
const struct rsb_sequence *rsb_run_sequence(const struct rsb_run *run, size_t kind);
size_t rsb_run_sequences(const struct rsb_run *run);

/* Events of the longest of them; 1 at the least. */
size_t rsb_run_longest(const struct rsb_run *run);

const struct rsb_sites *rsb_run_sites(const struct rsb_run *run);

/* A sentence about what memory still changes, "" unless RSB_STEADY_OBSERVED or NO; of a whole
 * program, about how it ended. */
const char *rsb_run_note(const struct rsb_run *run);

/* The notes of the image that was run, ended by NULL; none of a run that was read from a file. */
const char *const *rsb_run_notes(const struct rsb_run *run);

#endif
