/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A passage: the events of one traced call, from the caller's call to the landing. */
#ifndef RSB_SIM_REPORT_PASSAGE_H
#define RSB_SIM_REPORT_PASSAGE_H

#include "sim/report/json.h"
#include "sim/score/run.h"

struct rsb_passage {
	const struct rsb_sites *sites;
	const struct rsb_image *image; /* names targets */
	const struct rsb_event *events;
	size_t count;
};

/*
 * The first traced call of a steady round (of the last round, where none is steady). Nothing to
 * free; the run and the image must outlive it.
 */
struct rsb_passage rsb_passage_find(const struct rsb_image *image, const struct rsb_run *run);

/*
 * A line for each event, indented by how many calls are open; depth is that number after it. Where
 * it is too long, its target has a line of its own.
 */
void rsb_passage_text(const struct rsb_passage *passage, FILE *out, unsigned columns);

/* Adds the events to an array. False: no memory. */
bool rsb_passage_json(const struct rsb_passage *passage, cJSON *to);

#endif
