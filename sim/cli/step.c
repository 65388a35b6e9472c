/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsbsim step: steps through a run, forwards and back. */
#include "sim/cli/forms.h"
#include "sim/cli/inputs.h"
#include "sim/cli/output.h"
#include "sim/cli/profiles.h"
#include "sim/cli/scenarios.h"
#include "sim/cli/stepper.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_LEAST 10
#define SIZE_MOST  1000

struct request {
	struct cli_inputs layouts;
	const char *format, *output, *script, *size;
	struct cli_profile_choice profiles;
	struct cli_form_choice forms;
	struct cli_scenarios scenarios;
	struct cli_number events;
	bool each;
};

/* What is stepped through. */
struct work {
	const struct request *request;
	struct cli_profiles profiles;
	struct rsb_layout *layouts[CLI_SIDES];
	struct cli_subject subjects[CLI_SIDES];
	size_t count;
	struct cli_stepper stepper;
	struct rsb_screen screen; /* for a script */
	bool unicode;
};

static bool load_layout(struct work *work, size_t index, struct rsb_error *error)
{
	const struct request *request = work->request;
	struct cli_subject *subject = &work->subjects[index];
	struct rsb_layout *layout = cli_forms_load(&request->forms, &request->layouts.all[index],
						   work->profiles.all, work->profiles.count, error);

	work->layouts[index] = layout;
	if (!layout)
		return false;
	subject->name = rsb_layout_name(layout);
	subject->scenario = cli_scenarios_choose_one(&request->scenarios, layout);
	subject->layout = layout;
	subject->forms = &request->forms;
	if (request->forms.mitigations)
		return true;
	subject->image = rsb_layout_image(layout, &subject->scenario, error);
	return subject->image != NULL;
}

static bool load(struct work *work, struct rsb_error *error)
{
	const struct request *request = work->request;
	bool good = cli_profiles_load(&work->profiles, &request->profiles, error);

	for (; good && work->count < request->layouts.count; work->count++)
		good = load_layout(work, work->count, error);
	return good &&
	       cli_stepper_open(&work->stepper, work->subjects, work->count, &work->profiles,
				&request->profiles, request->events.value, error);
}

static bool write_recording(FILE *out, const void *from, struct rsb_error *error)
{
	const struct work *work = from;

	return rsb_recording_json(out, work->stepper.cursors[0].recording, error);
}

static bool write_screens(FILE *out, const void *from, struct rsb_error *error)
{
	/* A script moves the stepper while it writes. */
	struct work *work = (struct work *)from;

	return cli_stepper_script(&work->stepper, work->request->script, &work->screen,
				  work->request->each, out, error);
}

/* The size that a script's screen has: "80x24". */
static bool open_screen(struct work *work, struct rsb_error *error)
{
	const char *size = work->request->size ? work->request->size : "80x24";
	unsigned long columns, rows = 0;
	char *end;

	columns = strtoul(size, &end, 10);
	if (*end == 'x')
		rows = strtoul(end + 1, &end, 10);
	if (*end || columns < SIZE_LEAST || columns > SIZE_MOST || rows < SIZE_LEAST ||
	    rows > SIZE_MOST)
		return rsb_error_set(error,
				     "--size: '%s': expected columns and rows, like 80x24, each "
				     "from %d to %d",
				     size, SIZE_LEAST, SIZE_MOST);
	return rsb_screen_open(&work->screen, (unsigned)rows, (unsigned)columns, work->unicode) ||
	       rsb_error_set(error, "out of memory");
}

static bool show(struct work *work, struct rsb_error *error)
{
	const struct request *request = work->request;

	if (request->format)
		return cli_output_write(request->output, write_recording, work, error);
	if (!request->script)
		return cli_stepper_terminal(&work->stepper, work->unicode, error);
	return open_screen(work, error) &&
	       cli_output_write(request->output, write_screens, work, error);
}

static void clear_work(struct work *work)
{
	cli_stepper_close(&work->stepper);
	rsb_screen_close(&work->screen);
	for (size_t i = 0; i < CLI_SIDES; i++) {
		rsb_image_free(work->subjects[i].image);
		rsb_layout_free(work->layouts[i]);
	}
	cli_profiles_clear(&work->profiles);
}

static bool step(const struct request *request, struct rsb_error *error)
{
	struct work work = { .request = request };
	bool good;

	/* Only which characters there are: numbers stay as they are. */
	setlocale(LC_CTYPE, "");
	work.unicode = !strcmp(nl_langinfo(CODESET), "UTF-8");
	good = load(&work, error) && show(&work, error);
	clear_work(&work);
	return good;
}

static bool take_operands(struct request *request, int argc, char **argv, struct rsb_error *error)
{
	if (!cli_inputs_take(&request->layouts, argc, argv, error))
		return false;
	if (request->layouts.count > (request->format ? 1 : CLI_SIDES))
		return rsb_error_set(error, "expected %s, got %zu",
				     request->format ? "one layout with --format json"
						     : "one layout, or two side by side",
				     request->layouts.count);
	if (request->format && request->script)
		return rsb_error_set(error, "expected --format json or --script, got both");
	if (!request->script && (request->size || request->each))
		return rsb_error_set(error, "--%s is for --script",
				     request->size ? "size" : "each");
	if (request->output && !request->script && !request->format)
		return rsb_error_set(error, "--output is for --script and --format json");
	return cli_scenarios_check(&request->scenarios, error) &&
	       cli_forms_check(&request->forms, error);
}

static void clear(void *from)
{
	struct request *request = from;

	cli_profile_choice_clear(&request->profiles);
	cli_inputs_clear(&request->layouts);
}

static enum cli_status run_step(void *from, int argc, char **argv, struct rsb_error *error)
{
	struct request *request = from;
	bool good = take_operands(request, argc, argv, error) && step(request, error);

	return good ? CLI_OK : CLI_TROUBLE;
}

static const struct cli_option options[] = {
	CLI_PROFILE_ROWS(offsetof(struct request, profiles)),
	CLI_SOURCE_ROWS(offsetof(struct request, layouts.sources)),
	CLI_FORM_ROWS(offsetof(struct request, forms)),
	CLI_OWN_FORM_ROW(offsetof(struct request, forms)),
	CLI_FORCE_ROW(offsetof(struct request, forms)),
	CLI_ONE_SCENARIO_ROW(offsetof(struct request, scenarios)),
	CLI_SCENARIO_ROWS(offsetof(struct request, scenarios), "8", "1"),
	{ .name = "events",
	  .argument = "N",
	  .take = cli_take_number,
	  .sentence = "events to keep at the most (default 100000)",
	  .field = offsetof(struct request, events),
	  .minimum = 1,
	  .maximum = 1000000 },
	{ .name = "format",
	  .letter = 'f',
	  .argument = "NAME",
	  .take = cli_take_choice,
	  .sentence = "json: write the recording instead, rsbsim-recording(5)",
	  .field = offsetof(struct request, format),
	  .choices = "json" },
	CLI_OUTPUT_ROW(offsetof(struct request, output)),
	{ .name = "script",
	  .argument = "KEYS",
	  .take = cli_take_text,
	  .sentence = "press these keys, with spaces between, and print the screen",
	  .field = offsetof(struct request, script) },
	{ .name = "size",
	  .argument = "CxR",
	  .take = cli_take_text,
	  .sentence = "columns and rows of that screen (default 80x24)",
	  .field = offsetof(struct request, size) },
	{ .name = "each",
	  .take = cli_take_switch,
	  .sentence = "print it after each of the keys",
	  .field = offsetof(struct request, each) },
	CLI_OPTIONS_END,
};

const struct cli_command cli_step = {
	.name = "step",
	.summary = "Steps through a layout's run, forwards and back.",
	.arguments = "[LAYOUT [LAYOUT]]",
	.help = "LAYOUT is a built-in name or a layout file; two are shown side by side. ? lists "
		"the keys.",
	.example = "rsbsim step bpf-fexit-skip --cpu amd-zen4",
	.options = options,
	.request_size = sizeof(struct request),
	.clear = clear,
	.run = run_step,
};
