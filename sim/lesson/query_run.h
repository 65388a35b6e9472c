/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A layout of a query, run as the query says. */
#ifndef RSB_SIM_LESSON_QUERY_RUN_H
#define RSB_SIM_LESSON_QUERY_RUN_H

#include "models/profile.h"
#include "sim/image/layout.h"
#include "sim/lesson/query.h"
#include "sim/score/run.h"

struct rsb_query_run {
	struct rsb_profile *profile; /* NULL: the query names no CPU */
	struct rsb_layout *layout;
	struct rsb_scenario scenario;
	struct rsb_image *image;
	struct rsb_run *run;
};

/* Runs that layout. False: error; to be cleared in any case. */
bool rsb_query_run(struct rsb_query_run *ran, const struct rsb_query *query, const char *layout,
		   struct rsb_error *error);
void rsb_query_run_clear(struct rsb_query_run *ran);

/* The CPU of a query as its settings change it. NULL: error. */
struct rsb_profile *rsb_query_profile(const struct rsb_query *query, const char *cpu,
				      struct rsb_error *error);

#endif
