/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a score cannot know, said in words. */
#ifndef RSB_SIM_SCORE_NOTES_H
#define RSB_SIM_SCORE_NOTES_H

#include "sim/score/replay.h"

/*
 * How well a profile is known, with the weakest field: "measured", "assumed (underflow)". To be
 * freed.
 */
char *rsb_note_known(const struct rsb_profile *profile);

/* Its model in a few words: "ring of 16", "ideal". To be freed. */
char *rsb_note_model(const struct rsb_profile *profile);

/*
 * Appends to a list of notes one for each field of the profile that a replay did not need, and for
 * each that it needed though it is only assumed. exercised is that of the model after it. False: no
 * memory.
 */
bool rsb_note_fields(char ***notes, size_t *count, const struct rsb_profile *profile,
		     uint64_t exercised);

/* Appends one note, as printf() makes it. False: no memory. */
bool rsb_note_add(char ***notes, size_t *count, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same, of a score. */
#define rsb_score_note(score, ...) rsb_note_add(&(score)->notes, &(score)->note_count, __VA_ARGS__)

/* Appends what the image is not as its source has it. False: no memory. */
bool rsb_note_image(char ***notes, size_t *count, const struct rsb_run *run);

/*
 * Appends what makes a CPU another than the one that such code runs on: its instruction set, or a
 * return thunk that it never has. False: no memory.
 */
bool rsb_note_strange(char ***notes, size_t *count, const struct rsb_profile *profile,
		      const char *return_thunk);

/*
 * Appends why mitigations that were asked for change nothing, if they do not: whoever asked sees no
 * difference otherwise. generated: can the code return as Linux has it on the CPU? False: no
 * memory.
 */
bool rsb_note_mitigations(char ***notes, size_t *count, const struct rsb_profile *profile,
			  const char *return_thunk, bool generated);

/* Appends the notes of this score. */
bool rsb_score_notes(struct rsb_score *score, const struct rsb_run *run,
		     const struct rsb_profile *profile, const struct rsb_replay *replay,
		     struct rsb_error *error);

#endif
