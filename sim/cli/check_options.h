/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the command line asks of rsbsim check. */
#ifndef RSB_SIM_CLI_CHECK_OPTIONS_H
#define RSB_SIM_CLI_CHECK_OPTIONS_H

#include "sim/check/format.h"
#include "sim/cli/forms.h"
#include "sim/cli/inputs.h"
#include "sim/cli/profiles.h"
#include "sim/cli/scenarios.h"

#define CLI_CHECK_FORMATS 16
#define CLI_DATE_SIZE     11

struct cli_check_output {
	const struct rsb_check_format *format;
	const char *path; /* NULL: standard output */
};

struct cli_check_request {
	struct cli_inputs layouts, base;
	struct cli_profile_choice profiles;
	struct cli_form_choice forms;
	struct cli_scenarios scenarios;
	struct cli_number budget;
	const char *baseline, *against;
	bool update, exit_zero;
	char today[CLI_DATE_SIZE];
	enum rsb_level levels[RSB_RULES_MAX];
	struct cli_check_output outputs[CLI_CHECK_FORMATS];
	size_t output_count;
};

/* Takes "FORMAT" or "FORMAT=FILE", "RULE=LEVEL", "2027-01-31". */
bool cli_take_check_format(const struct cli_option *option, void *field, const char *text,
			   struct rsb_error *error);
const char *cli_check_format_name(size_t index);
bool cli_take_rule(const struct cli_option *option, void *field, const char *text,
		   struct rsb_error *error);
bool cli_take_date(const struct cli_option *option, void *field, const char *text,
		   struct rsb_error *error);

/* Reads the operands, fills in what was not given, and refuses what does not go together. */
bool cli_check_complete(struct cli_check_request *request, int argc, char **argv,
			struct rsb_error *error);
void cli_check_clear(struct cli_check_request *request);

#endif
