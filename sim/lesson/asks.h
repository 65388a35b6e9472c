/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What queries can ask for: one row each. */
#ifndef RSB_SIM_LESSON_ASKS_H
#define RSB_SIM_LESSON_ASKS_H

#include "sim/lesson/query.h"

struct rsb_query_asks {
	const char *name; /* the word before "of"; "": any figure of a score */
	bool cpu;         /* is a CPU needed? */
	bool many;        /* are there more subjects than one? */
	bool (*answer)(const struct rsb_query *query, struct rsb_value *value,
		       struct rsb_error *error);
};

/* The row for that word. NULL: error lists the nearest words. */
const struct rsb_query_asks *rsb_query_asks_find(const char *word, struct rsb_error *error);

/* Has the query what its row needs, and no more? */
bool rsb_query_asks_check(const struct rsb_query *query, struct rsb_error *error);

#endif
