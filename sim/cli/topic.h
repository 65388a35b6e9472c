/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What rsbsim list can list: one file and one row of sim/cli/list.c each. */
#ifndef RSB_SIM_CLI_TOPIC_H
#define RSB_SIM_CLI_TOPIC_H

#include "sim/report/json.h"

struct cli_topic {
	const char *name; /* "cpus": the word and the JSON key */

	/* The name of this number, in the order of the list. NULL: there are no more. */
	const char *(*name_at)(size_t index);

	/* Those of the pattern (NULL: all) as text; one of them, with all that is known of it. */
	bool (*list)(FILE *out, unsigned columns, const char *pattern, struct rsb_error *error);
	bool (*detail)(FILE *out, unsigned columns, const char *name, struct rsb_error *error);

	/* Adds the one of that name to an array. */
	bool (*json)(cJSON *to, const char *name, struct rsb_error *error);
};

/* Is the name one of the pattern? */
bool cli_topic_wants(const char *pattern, const char *name);

extern const struct cli_topic cli_topic_cpus;
extern const struct cli_topic cli_topic_layouts;
extern const struct cli_topic cli_topic_models;

#endif
