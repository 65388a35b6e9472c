/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsbsim trace record: the events of a layout, in a file. */
#include "sim/cli/forms.h"
#include "sim/cli/inputs.h"
#include "sim/cli/progress.h"
#include "sim/cli/scenarios.h"
#include "sim/cli/trace.h"
#include "sim/score/run_file.h"
#include "sim/score/score.h"

#define ROUNDS     64 /* that are written unless told otherwise */
#define ROUNDS_MAX 1000000000

struct request {
	struct cli_inputs layout;
	const char *output;
	struct cli_form_choice forms;
	struct cli_scenarios scenarios;
	struct cli_number rounds, budget;
	bool all;
};

/* What any model that is built in can ask for; or all. */
static uint32_t choose_kinds(const struct request *request)
{
	uint32_t kinds = RSB_SCORE_KINDS;

	for (const struct rsb_model_type *const *type = rsb_model_types(); *type; type++)
		kinds |= (*type)->kinds | (*type)->predicts;
	return request->all ? RSB_KIND_ALL : kinds;
}

static struct rsb_run *run_layout(const struct request *request, const char *name,
				  const struct rsb_image *image, struct rsb_error *error)
{
	struct cli_progress progress;
	const struct rsb_run_options options = {
		.kinds = choose_kinds(request),
		.budget = request->budget.value,
		.rounds = request->rounds.given ? request->rounds.value : 0,
		.progress = cli_progress_show,
		.context = &progress,
	};
	struct rsb_run *run;

	cli_progress_start(&progress, name);
	run = rsb_run_new(image, &options, error);
	cli_progress_end(&progress);
	if (!run)
		rsb_error_prefix(error, "%s", name);
	return run;
}

static bool write_run(const struct request *request, const struct rsb_run *run,
		      const struct rsb_run_about *about, struct rsb_error *error)
{
	uint64_t rounds = request->rounds.given ? request->rounds.value : ROUNDS;
	struct cli_output output;
	struct rsb_error late;
	bool good;

	if (!cli_trace_create(&output, request->output, error))
		return false;
	good = rsb_run_save(run, about, rounds, output.stream, error);
	return cli_trace_finish(&output, good, good ? error : &late) && good;
}

static bool record_layout(const struct request *request, const struct rsb_layout *layout,
			  struct rsb_error *error)
{
	struct rsb_run_about about = {
		.layout = rsb_layout_name(layout),
		.scenario = cli_scenarios_choose_one(&request->scenarios, layout),
	};
	struct rsb_image *image = rsb_layout_image(layout, &about.scenario, error);
	struct rsb_run *run = NULL;
	bool good = false;

	if (image)
		run = run_layout(request, about.layout, image, error);
	if (run) {
		about.return_thunk = rsb_image_return_thunk(image);
		good = write_run(request, run, &about, error);
	}
	rsb_run_free(run);
	rsb_image_free(image);
	return good;
}

static bool record(struct request *request, int argc, char **argv, struct rsb_error *error)
{
	struct rsb_layout *layout;
	bool good;

	if (!cli_inputs_take_one(&request->layout, argc, argv, error) ||
	    !cli_scenarios_check(&request->scenarios, error))
		return false;
	layout = cli_forms_load(&request->forms, request->layout.all, NULL, 0, error);
	good = layout && record_layout(request, layout, error);
	rsb_layout_free(layout);
	return good;
}

static void clear(void *from)
{
	struct request *request = from;

	cli_inputs_clear(&request->layout);
}

static enum cli_status run_record(void *from, int argc, char **argv, struct rsb_error *error)
{
	return record(from, argc, argv, error) ? CLI_OK : CLI_TROUBLE;
}

static const struct cli_option options[] = {
	CLI_TRACE_OUTPUT_ROW(offsetof(struct request, output)),
	CLI_ONE_SCENARIO_ROW(offsetof(struct request, scenarios)),
	CLI_SCENARIO_ROWS(offsetof(struct request, scenarios), "8", "1"),
	CLI_FORM_ROWS(offsetof(struct request, forms)),
	CLI_SOURCE_ROWS(offsetof(struct request, layout.sources)),
	{ .name = "rounds",
	  .argument = "N",
	  .take = cli_take_number,
	  .sentence = "write at least N rounds, (default 64); as many as a score needs "
		      "are there in any case",
	  .field = offsetof(struct request, rounds),
	  .minimum = 1,
	  .maximum = ROUNDS_MAX },
	{ .name = "all",
	  .take = cli_take_switch,
	  .sentence = "record jumps and branches too, which no built-in model asks for",
	  .field = offsetof(struct request, all) },
	CLI_BUDGET_ROW(offsetof(struct request, budget)),
	CLI_OPTIONS_END,
};

const struct cli_command cli_trace_record = {
	.name = "trace record",
	.summary = "Records the events of a layout in a file, for 'trace replay' on any CPU.",
	.arguments = "[LAYOUT]",
	.help = "LAYOUT is a built-in name or a layout file.",
	.example = "rsbsim trace record bpf-fexit-skip -o skip.rsbt",
	.options = options,
	.request_size = sizeof(struct request),
	.clear = clear,
	.run = run_record,
};
