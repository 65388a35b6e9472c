/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsbsim list: what is built in. */
#include "sim/cli/names.h"
#include "sim/cli/options.h"
#include "sim/cli/output.h"
#include "sim/cli/terminal.h"
#include "sim/cli/topic.h"
#include "traces/util/suggest.h"

#include <fnmatch.h>
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
	const char *name;    /* NULL: all, or those of a pattern */
	const char *pattern; /* NULL: all, or one */
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
	return rsb_error_null(error, "nothing to list is called '%s': expected %s%s", name, nearest,
			      strncmp(name, "lesson", 6) ? ""
							 : "; rsbsim lesson lists the lessons");
}

bool cli_topic_wants(const char *pattern, const char *name)
{
	return !pattern || !fnmatch(pattern, name, 0);
}

static bool add_json(cJSON *array, const struct request *request, struct rsb_error *error)
{
	const struct cli_topic *topic = request->topic;
	const char *name;

	if (request->name)
		return topic->json(array, request->name, error);
	for (size_t i = 0; (name = topic->name_at(i)); i++)
		if (cli_topic_wants(request->pattern, name) && !topic->json(array, name, error))
			return false;
	return true;
}

static bool write_json(FILE *out, const struct request *request, struct rsb_error *error)
{
	cJSON *root = rsb_json_new();
	cJSON *array = rsb_add_array(root, request->topic->name);
	struct rsb_error memory;

	error->text[0] = '\0';
	if (array && add_json(array, request, error))
		return rsb_json_write(out, root, true, error);
	return rsb_json_write(out, root, false, *error->text ? &memory : error);
}

static bool write_list(FILE *out, const void *from, struct rsb_error *error)
{
	const struct request *request = from;
	unsigned columns = cli_terminal_columns();

	if (!strcmp(request->format, "json"))
		return write_json(out, request, error);
	if (request->name)
		return request->topic->detail(out, columns, request->name, error);
	return request->topic->list(out, columns, request->pattern, error);
}

static bool take_name(struct request *request, const char *word, struct rsb_error *error)
{
	const char *name;

	if (!word || !cli_name_is_pattern(word)) {
		request->name = word;
		return true;
	}
	request->pattern = word;
	for (size_t i = 0; (name = request->topic->name_at(i)); i++)
		if (cli_topic_wants(word, name))
			return true;
	return rsb_error_set(error, "no name matches '%s': rsbsim list %s shows them all", word,
			     request->topic->name);
}

static bool take_operands(struct request *request, int argc, char **argv, struct rsb_error *error)
{
	if (!argc)
		return rsb_error_set(error, "expected what to list: cpus, layouts or models");
	if (argc > 2)
		return rsb_error_set(error, "expected one name, got '%s' too", argv[2]);
	request->topic = find_topic(argv[0], error);
	return request->topic && take_name(request, argc > 1 ? argv[1] : NULL, error);
}

static void prepare(void *from)
{
	struct request *request = from;

	request->format = "text";
}

static enum cli_status run_list(void *from, int argc, char **argv, struct rsb_error *error)
{
	struct request *request = from;
	bool good = take_operands(request, argc, argv, error) &&
		    cli_output_write(request->output, write_list, request, error);

	return good ? CLI_OK : CLI_TROUBLE;
}

static const struct cli_option options[] = {
	CLI_TEXT_OR_JSON_ROW(offsetof(struct request, format)),
	CLI_OUTPUT_ROW(offsetof(struct request, output)),
	CLI_OPTIONS_END,
};

const struct cli_command cli_list = {
	.name = "list",
	.summary = "Lists the cpus, layouts or models there are, or tells all about one.",
	.arguments = "cpus|layouts|models [NAME]",
	.help = "NAME may also be a pattern, for the list of those alone, or a file: of a CPU, a "
		"layout, or a plug-in with a model. What the columns depth, overflow and underflow "
		"of CPUs decide is told of their model: rsbsim list models ring.",
	.example = "rsbsim list cpus amd-zen4",
	.options = options,
	.request_size = sizeof(struct request),
	.prepare = prepare,
	.run = run_list,
};
