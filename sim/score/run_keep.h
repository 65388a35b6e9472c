/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a run keeps: its rounds, each different one once. Private to run*.c. */
#ifndef RSB_SIM_SCORE_RUN_KEEP_H
#define RSB_SIM_SCORE_RUN_KEEP_H

#include "sim/score/run.h"

struct rsb_run {
	struct rsb_sites *sites;
	struct rsb_sequence *sequences;
	size_t sequence_count;
	uint32_t *index; /* hash table of sequences: number + 1; 0 is free */
	size_t index_size;
	uint64_t events_kept;
	uint32_t *rounds; /* the sequence of each round that was run */
	size_t count;
	enum rsb_steady steady;
	size_t first, period;
	char note[256];
	char **notes; /* the image's, ended by NULL */
};

/* Adds the next round; its events are copied. */
bool rsb_run_keep(struct rsb_run *run, const struct rsb_sequence *round, struct rsb_error *error);

/* Copies the image's notes. False: no memory. */
bool rsb_run_keep_notes(struct rsb_run *run, const struct rsb_image *image);

#endif
