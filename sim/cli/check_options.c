/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads what is asked of rsbsim check. */
#include "sim/cli/check_options.h"

#include "sim/check/baseline.h"
#include "sim/cli/output.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

bool cli_take_check_format(const struct cli_option *option, void *field, const char *text,
			   struct rsb_error *error)
{
	struct cli_check_request *request = field;
	const char *file = strchr(text, '=');
	struct cli_check_output *output = &request->outputs[request->output_count];

	(void)option;
	if (request->output_count == CLI_CHECK_FORMATS)
		return rsb_error_set(error, "expected at most %d", CLI_CHECK_FORMATS);
	output->format =
		rsb_check_format_find(text, file ? (size_t)(file - text) : strlen(text), error);
	if (!output->format)
		return false;
	if (file && !file[1])
		return rsb_error_set(error, "expected a file after '=', got '%s'", text);
	output->path = file ? file + 1 : NULL;
	request->output_count++;
	return !file || cli_output_want(output, file + 1, error);
}

const char *cli_check_format_name(size_t index)
{
	return rsb_check_formats()[index].name;
}

static bool find_level(const char *text, enum rsb_level *level, struct rsb_error *error)
{
	for (*level = RSB_LEVEL_OFF; *level < RSB_LEVELS; (*level)++)
		if (!strcmp(text, rsb_level_name(*level)))
			return true;
	return rsb_error_set(error, "expected off, note, warning or error, got '%s'", text);
}

bool cli_take_rule(const struct cli_option *option, void *field, const char *text,
		   struct rsb_error *error)
{
	enum rsb_level *levels = field, level;
	const char *separator = strchr(text, '=');
	const struct rsb_rule *rule;
	char name[64];

	(void)option;
	if (!separator)
		return rsb_error_set(error, "expected RULE=LEVEL, got '%s'", text);
	snprintf(name, sizeof(name), "%.*s", (int)(separator - text), text);
	rule = rsb_rule_find(name, error);
	if (!rule || !find_level(separator + 1, &level, error))
		return false;
	levels[rsb_rule_index(rule)] = level;
	return true;
}

bool cli_take_date(const struct cli_option *option, void *field, const char *text,
		   struct rsb_error *error)
{
	(void)option;
	if (!rsb_baseline_date(text))
		return rsb_error_set(error, "expected a date as 2027-01-31, got '%s'", text);
	memcpy(field, text, CLI_DATE_SIZE);
	return true;
}

/* https://reproducible-builds.org/specs/source-date-epoch/ */
static bool find_today(char today[CLI_DATE_SIZE], struct rsb_error *error)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	bool good = !epoch || (*epoch && !epoch[strspn(epoch, "0123456789")]);
	time_t now = epoch ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
	struct tm date;

	if (*today)
		return true;
	if (good && gmtime_r(&now, &date) && strftime(today, CLI_DATE_SIZE, "%Y-%m-%d", &date))
		return true;
	return rsb_error_set(error, "SOURCE_DATE_EPOCH: expected seconds since 1970, got '%s'",
			     epoch ? epoch : "");
}

static bool check_outputs(const struct cli_check_request *request, struct rsb_error *error)
{
	size_t standard = 0;

	for (size_t i = 0; i < request->output_count; i++) {
		const char *path = request->outputs[i].path;

		standard += !path || !strcmp(path, "-");
	}
	return standard < 2 || rsb_error_set(error, "--format: expected one on standard output and "
						    "the others in files, FORMAT=FILE");
}

static bool check_together(const struct cli_check_request *request, struct rsb_error *error)
{
	if (request->update && !request->baseline)
		return rsb_error_set(error, "--update-baseline: expected --baseline too");
	if (request->against && request->baseline)
		return rsb_error_set(error, "--against: expected no --baseline beside it");
	return cli_scenarios_check(&request->scenarios, error) &&
	       cli_forms_check(&request->forms, error) && check_outputs(request, error);
}

bool cli_check_complete(struct cli_check_request *request, int argc, char **argv,
			struct rsb_error *error)
{
	if (!cli_inputs_take(&request->layouts, argc, argv, error))
		return false;
	if (request->against && !cli_inputs_add(&request->base, request->against, error))
		return rsb_error_prefix(error, "--against");
	if (!request->output_count)
		request->outputs[request->output_count++].format = rsb_check_formats();
	return check_together(request, error) && find_today(request->today, error);
}

void cli_check_clear(struct cli_check_request *request)
{
	cli_inputs_clear(&request->layouts);
	cli_inputs_clear(&request->base);
	cli_profile_choice_clear(&request->profiles);
}
