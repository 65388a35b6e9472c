/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The record of a run: each miss as one line of JSON, in the order of the run. */
#ifndef RSB_SIM_REPORT_RECORD_H
#define RSB_SIM_REPORT_RECORD_H

#include "sim/score/score.h"

#include <stdio.h>

/* What the lines say besides the miss; the context of rsb_record_miss(). */
struct rsb_record {
	FILE *out;
	const char *layout, *cpu;
	const struct rsb_scenario *scenario;
	const struct rsb_image *image; /* names what is predicted */
	const char *return_thunk;      /* of the layout's code */
	bool failed;                   /* set where there was no memory for a line */
};

rsb_score_watcher rsb_record_miss;

#endif
