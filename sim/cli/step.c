/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsbsim step: steps through a run, forwards and back. */
#include "sim/cli/forms.h"
#include "sim/cli/inputs.h"
#include "sim/cli/output.h"
#include "sim/cli/profiles.h"
#include "sim/cli/scenarios.h"
#include "sim/see/recording.h"

struct request {
	struct cli_inputs layout;
	struct cli_sources sources;
	const char *format, *output;
	struct cli_profile_choice profiles;
	struct cli_form_choice forms;
	struct cli_scenarios scenarios;
	struct cli_number events;
};

/* What is stepped through. */
struct work {
	const struct request *request;
	struct cli_profiles profiles;
	struct rsb_layout *layout;
	struct rsb_scenario scenario;
	struct rsb_image *image;
	struct rsb_recording *recording;
};

static bool load(struct work *work, struct rsb_error *error)
{
	const struct request *request = work->request;

	if (!cli_profiles_load(&work->profiles, &request->profiles, error))
		return false;
	work->layout = cli_input_load(request->layout.all, error);
	if (!work->layout || !cli_forms_apply(&request->forms, work->layout, error) ||
	    !cli_form_occurs_on_all(&request->forms, work->layout, work->profiles.all,
				    work->profiles.count, error))
		return false;
	work->scenario = cli_scenarios_choose_one(&request->scenarios, work->layout);
	work->image = rsb_layout_image(work->layout, &work->scenario, error);
	return work->image != NULL;
}

static bool record(struct work *work, struct rsb_error *error)
{
	const struct rsb_recording_options options = {
		.events = work->request->events.value,
		.return_thunk = rsb_image_return_thunk(work->image),
	};
	const char *name = rsb_layout_name(work->layout);

	work->recording = rsb_recording_new(work->image, name, work->profiles.all[0],
					    &work->scenario, &options, error);
	return work->recording ||
	       rsb_error_prefix(error, "%s on %s", name, rsb_profile_name(work->profiles.all[0]));
}

static bool write_recording(FILE *out, const void *from, struct rsb_error *error)
{
	const struct work *work = from;

	return rsb_recording_json(out, work->recording, error);
}

static void clear_work(struct work *work)
{
	rsb_recording_free(work->recording);
	rsb_image_free(work->image);
	rsb_layout_free(work->layout);
	cli_profiles_clear(&work->profiles);
}

static bool step(const struct request *request, struct rsb_error *error)
{
	struct work work = { .request = request };
	bool good = load(&work, error) && record(&work, error) &&
		    cli_output_write(request->output, write_recording, &work, error);

	clear_work(&work);
	return good;
}

static void prepare(void *from)
{
	struct request *request = from;

	request->format = "json";
}

static void clear(void *from)
{
	struct request *request = from;

	cli_profile_choice_clear(&request->profiles);
	cli_inputs_clear(&request->layout);
	cli_sources_clear(&request->sources);
}

static enum cli_status run_step(void *from, int argc, char **argv, struct rsb_error *error)
{
	struct request *request = from;
	bool good = cli_inputs_take_one(&request->layout, &request->sources, argc, argv, error) &&
		    cli_scenarios_check(&request->scenarios, error) && step(request, error);

	return good ? CLI_OK : CLI_TROUBLE;
}

static const struct cli_option options[] = {
	CLI_PROFILE_ROWS(offsetof(struct request, profiles)),
	CLI_SOURCE_ROWS(offsetof(struct request, sources)),
	CLI_FORM_ROWS(offsetof(struct request, forms)),
	CLI_FORCE_ROW(offsetof(struct request, forms)),
	CLI_ONE_SCENARIO_ROW(offsetof(struct request, scenarios)),
	CLI_SCENARIO_ROWS(offsetof(struct request, scenarios), "8", "1"),
	{ .name = "events",
	  .argument = "N",
	  .take = cli_take_number,
	  .sentence = "events to keep at the most (default 100000)",
	  .field = offsetof(struct request, events),
	  .minimum = 1,
	  .maximum = 10000000 },
	{ .name = "format",
	  .letter = 'f',
	  .argument = "NAME",
	  .take = cli_take_choice,
	  .sentence = "json: write the recording, rsbsim-recording(5)",
	  .field = offsetof(struct request, format),
	  .choices = "json" },
	CLI_OUTPUT_ROW(offsetof(struct request, output)),
	CLI_OPTIONS_END,
};

const struct cli_command cli_step = {
	.name = "step",
	.summary = "Steps through a layout's run, forwards and back.",
	.arguments = "[LAYOUT]",
	.help = "LAYOUT is a built-in name or a layout file.",
	.example = "rsbsim step bpf-fexit-skip --cpu amd-zen4 -f json -o skip.json",
	.options = options,
	.request_size = sizeof(struct request),
	.prepare = prepare,
	.clear = clear,
	.run = run_step,
};
