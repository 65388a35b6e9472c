/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsbsim show: the code of a layout, or the events of one call. */
#include "sim/cli/forms.h"
#include "sim/cli/inputs.h"
#include "sim/cli/output.h"
#include "sim/cli/scenarios.h"
#include "sim/cli/terminal.h"
#include "sim/report/listing.h"
#include "sim/report/passage.h"

#include <string.h>

struct request {
	struct cli_inputs layout;
	const char *format, *output;
	struct cli_scenarios scenarios;
	struct cli_form_choice forms;
	bool events;
};

/* A layout that was run. */
struct subject {
	const struct request *request;
	struct rsb_layout *layout;
	struct rsb_scenario scenario;
	struct rsb_image *image;
	struct rsb_run *run;
};

/*
 * One caller is enough to see a layout, and more are more of the same: so depth and batch are 1
 * unless they are given.
 */
static struct rsb_scenario choose_scenario(const struct cli_scenarios *scenarios)
{
	struct rsb_scenario scenario = RSB_SCENARIO_UNWIND;

	scenario.name = "own";
	scenario.depth = scenarios->depth.given ? (unsigned)scenarios->depth.value : 1;
	if (scenarios->batch.given)
		scenario.batch = (unsigned)scenarios->batch.value;
	if (scenarios->spacing.given)
		scenario.spacing = (unsigned)scenarios->spacing.value;
	return scenario;
}

static bool run_layout(struct subject *subject, struct rsb_error *error)
{
	const struct request *request = subject->request;
	const struct rsb_run_options options = { .kinds = RSB_KIND_ALL };

	subject->scenario = choose_scenario(&request->scenarios);
	subject->layout = cli_forms_load(&request->forms, request->layout.all, NULL, 0, error);
	if (!subject->layout)
		return false;
	subject->image = rsb_layout_image(subject->layout, &subject->scenario, error);
	if (!subject->image)
		return false;
	subject->run = rsb_run_new(subject->image, &options, error);
	return subject->run || rsb_error_prefix(error, "%s", rsb_layout_name(subject->layout));
}

static void clear_subject(struct subject *subject)
{
	rsb_run_free(subject->run);
	rsb_image_free(subject->image);
	rsb_layout_free(subject->layout);
}

static bool write_text(FILE *out, const struct subject *subject, struct rsb_error *error)
{
	const struct request *request = subject->request;
	bool colour = !request->output && cli_terminal_colour();
	struct rsb_listing *listing;

	if (request->events) {
		struct rsb_passage passage = rsb_passage_find(subject->image, subject->run);

		rsb_passage_text(&passage, out, cli_terminal_columns());
		return true;
	}
	listing = rsb_listing_new(subject->image, subject->run, error);
	if (!listing)
		return false;
	rsb_listing_text(listing, out, cli_terminal_columns(), colour);
	rsb_listing_free(listing);
	return true;
}

static bool add_lines(cJSON *to, const struct subject *subject, struct rsb_error *error)
{
	struct rsb_listing *listing = rsb_listing_new(subject->image, subject->run, error);
	bool good = listing && rsb_listing_json(listing, to);

	rsb_listing_free(listing);
	return good;
}

static bool write_json(FILE *out, const struct subject *subject, struct rsb_error *error)
{
	const struct request *request = subject->request;
	cJSON *root = rsb_json_new(), *array;
	bool good = rsb_add_text(root, "layout", rsb_layout_name(subject->layout));

	array = rsb_add_array(root, request->events ? "events" : "lines");
	if (request->events) {
		struct rsb_passage passage = rsb_passage_find(subject->image, subject->run);

		good = good && rsb_passage_json(&passage, array);
	} else {
		good = good && add_lines(array, subject, error);
	}
	return rsb_json_write(out, root, good && array, error);
}

static bool write_show(FILE *out, const void *from, struct rsb_error *error)
{
	const struct subject *subject = from;

	if (!strcmp(subject->request->format, "json"))
		return write_json(out, subject, error);
	return write_text(out, subject, error);
}

static bool take_operands(struct request *request, int argc, char **argv, struct rsb_error *error)
{
	return cli_inputs_take_one(&request->layout, argc, argv, error) &&
	       cli_scenarios_check(&request->scenarios, error);
}

static void prepare(void *from)
{
	struct request *request = from;

	request->format = "text";
}

static void clear(void *from)
{
	struct request *request = from;

	cli_inputs_clear(&request->layout);
}

static enum cli_status run_show(void *from, int argc, char **argv, struct rsb_error *error)
{
	struct request *request = from;
	struct subject subject = { .request = request };
	bool good = take_operands(request, argc, argv, error) && run_layout(&subject, error) &&
		    cli_output_write(request->output, write_show, &subject, error);

	clear_subject(&subject);
	return good ? CLI_OK : CLI_TROUBLE;
}

static const struct cli_option options[] = {
	{ .name = "events",
	  .letter = 'e',
	  .sentence = "the events of one call, in place of the code",
	  .take = cli_take_switch,
	  .field = offsetof(struct request, events) },
	CLI_SCENARIO_ROWS(offsetof(struct request, scenarios), "1", "1"),
	CLI_FORM_ROWS(offsetof(struct request, forms)),
	CLI_SOURCE_ROWS(offsetof(struct request, layout.sources)),
	CLI_TEXT_OR_JSON_ROW(offsetof(struct request, format)),
	CLI_OUTPUT_ROW(offsetof(struct request, output)),
	CLI_OPTIONS_END,
};

const struct cli_command cli_show = {
	.name = "show",
	.summary = "Shows a layout's code, and what it does to the return stack.",
	.arguments = "[LAYOUT]",
	.help = "LAYOUT is a built-in name or a layout file.",
	.example = "rsbsim show bpf-fexit-skip --events",
	.options = options,
	.request_size = sizeof(struct request),
	.prepare = prepare,
	.clear = clear,
	.run = run_show,
};
