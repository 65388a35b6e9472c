/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsbsim list: what is built in. */
#include "sim/cli/message.h"
#include "sim/cli/options.h"
#include "sim/cli/output.h"
#include "sim/cli/terminal.h"
#include "sim/cli/topic.h"
#include "traces/util/suggest.h"

#include <string.h>

/* To add one: one row, sorted. */
static const struct cli_topic *const topics[] = {
	&cli_topic_cpus,
	&cli_topic_layouts,
	&cli_topic_models,
	NULL,
};

struct request {
	const struct cli_topic *topic;
	const char *name; /* NULL: all */
	const char *format, *output;
};

static const struct cli_topic *find_topic(const char *name, struct rsb_error *error)
{
	const char *known[sizeof(topics) / sizeof(*topics)] = { NULL };
	char nearest[128];

	for (size_t i = 0; topics[i]; i++) {
		if (!strcmp(topics[i]->name, name))
			return topics[i];
		known[i] = topics[i]->name;
	}
	rsb_suggest(name, known, nearest, sizeof(nearest));
	return rsb_error_null(error, "nothing to list is called '%s': expected %s", name, nearest);
}

static bool write_json(FILE *out, const struct request *request, struct rsb_error *error)
{
	cJSON *root = rsb_json_new();
	cJSON *array = rsb_add_array(root, request->topic->name);
	struct rsb_error memory;

	error->text[0] = '\0';
	if (array && request->topic->json(array, request->name, error))
		return rsb_json_write(out, root, true, error);
	return rsb_json_write(out, root, false, *error->text ? &memory : error);
}

static bool write_list(const struct request *request, struct rsb_error *error)
{
	unsigned columns = cli_terminal_columns();
	struct cli_output output;
	struct rsb_error late;
	bool good;

	if (!cli_output_open(&output, request->output, error))
		return false;
	if (!strcmp(request->format, "json"))
		good = write_json(output.stream, request, error);
	else if (request->name)
		good = request->topic->detail(output.stream, columns, request->name, error);
	else
		good = request->topic->list(output.stream, columns, error);
	return cli_output_close(&output, good, good ? error : &late) && good;
}

static bool take_operands(struct request *request, int argc, char **argv, struct rsb_error *error)
{
	if (!argc)
		return rsb_error_set(error, "expected what to list: cpus, layouts or models");
	if (argc > 2)
		return rsb_error_set(error, "expected one name, got '%s' too", argv[2]);
	request->topic = find_topic(argv[0], error);
	request->name = argv[1];
	return request->topic != NULL;
}

static int run_list(const struct cli_command *command, int argc, char **argv)
{
	struct request request = { .format = "text" };
	struct rsb_error error;
	const struct cli_option rows[] = {
		{ .name = "format",
		  .letter = 'f',
		  .argument = "NAME",
		  .sentence = "text or json; in place of text",
		  .take = cli_take_choice,
		  .target = &request.format,
		  .choices = "text|json" },
		{ .name = "output",
		  .letter = 'o',
		  .argument = "FILE",
		  .sentence = "write to FILE, whole or not at all",
		  .take = cli_take_text,
		  .target = &request.output },
		{ .name = NULL },
	};

	switch (cli_options_parse(command, rows, &argc, &argv)) {
	case CLI_ANSWERED:
		return CLI_OK;
	case CLI_REFUSED:
		return CLI_TROUBLE;
	case CLI_PARSED:
		break;
	}
	if (take_operands(&request, argc, argv, &error) && write_list(&request, &error))
		return CLI_OK;
	return cli_trouble(command, "%s", error.text);
}

const struct cli_command cli_list = {
	.name = "list",
	.summary = "Lists the cpus, layouts or models there are, or tells all about one.",
	.arguments = "cpus|layouts|models [NAME]",
	.help = "NAME may also be a file of a CPU or a layout.",
	.example = "rsbsim list cpus amd-zen4",
	.run = run_list,
};
