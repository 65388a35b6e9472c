/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What rsbsim list can list: one file and one row of sim/cli/list.c each. */
#ifndef RSB_SIM_CLI_TOPIC_H
#define RSB_SIM_CLI_TOPIC_H

#include "sim/report/json.h"

struct cli_topic {
	const char *name; /* "cpus": the word and the JSON key */

	/* All of them as text; one of them, with all that is known of it. */
	bool (*list)(FILE *out, unsigned columns, struct rsb_error *error);
	bool (*detail)(FILE *out, unsigned columns, const char *name, struct rsb_error *error);

	/* Adds all to an array, or the one of that name. */
	bool (*json)(cJSON *to, const char *name, struct rsb_error *error);
};

extern const struct cli_topic cli_topic_cpus;
extern const struct cli_topic cli_topic_layouts;
extern const struct cli_topic cli_topic_models;

#endif
