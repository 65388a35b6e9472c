/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsbsim explain: why a layout's returns miss. */
#include "sim/cli/forms.h"
#include "sim/cli/inputs.h"
#include "sim/cli/message.h"
#include "sim/cli/output.h"
#include "sim/cli/profiles.h"
#include "sim/cli/progress.h"
#include "sim/cli/rule_page.h"
#include "sim/cli/scenarios.h"
#include "sim/cli/terminal.h"
#include "sim/explain/ibt.h"
#include "sim/explain/shadow.h"
#include "sim/report/explanation.h"

#include <stdlib.h>

struct request {
	struct cli_inputs layout;
	struct cli_sources sources;
	const char *output;
	struct cli_profile_choice profiles;
	struct cli_form_choice forms;
	struct cli_scenarios scenarios;
	const struct rsb_explanation_format *format;
	bool all, shadow_stack;
};

/* What explaining gathers. */
struct work {
	const struct request *request;
	struct cli_profiles profiles;
	struct rsb_explanation **explanations;
	size_t count;
	struct rsb_shadow_verdict shadow;
	struct rsb_ibt_verdict ibt;
};

/* A layout, and what its code did. */
struct subject {
	struct rsb_layout *layout;
	struct rsb_scenario scenario;
	struct rsb_image *image;
	struct rsb_run *run;
	struct rsb_frames *frames;
};

static bool take_format(const struct cli_option *option, const char *text, struct rsb_error *error)
{
	const struct rsb_explanation_format **format = option->target;

	*format = rsb_explanation_format_find(text, error);
	return *format != NULL;
}

static bool load_profiles(struct work *work, struct rsb_error *error)
{
	if (!cli_profiles_load(&work->profiles, &work->request->profiles, error))
		return false;
	work->explanations = calloc(work->profiles.count, sizeof(*work->explanations));
	return work->explanations || rsb_error_set(error, "out of memory");
}

/* Where nothing else is asked for, the way back up is what shows an imbalance. */
static struct rsb_scenario choose_scenario(const struct cli_scenarios *scenarios,
					   const struct rsb_layout *layout)
{
	struct rsb_scenario chosen[CLI_SCENARIOS];
	size_t count = cli_scenarios_choose(scenarios, layout, chosen);

	return chosen[count - 1];
}

/* The layout in the form that is chosen, which every CPU must be able to run. */
static bool load_layout(struct subject *subject, const struct work *work, struct rsb_error *error)
{
	const struct cli_form_choice *forms = &work->request->forms;

	subject->layout = cli_input_load(work->request->layout.all, error);
	if (!subject->layout || !cli_forms_apply(forms, subject->layout, error))
		return false;
	for (size_t i = 0; i < work->profiles.count; i++)
		if (!cli_form_occurs(forms, subject->layout, work->profiles.all[i], error))
			return false;
	return true;
}

static bool run_layout(struct subject *subject, const struct work *work, struct rsb_error *error)
{
	struct cli_progress progress;
	const struct rsb_run_options options = {
		.kinds = RSB_KIND_BIT(RSB_CALL) | RSB_KIND_BIT(RSB_RETURN) |
			 cli_profiles_kinds(&work->profiles),
		.progress = cli_progress_show,
		.context = &progress,
	};

	if (!load_layout(subject, work, error))
		return false;
	subject->scenario = choose_scenario(&work->request->scenarios, subject->layout);
	subject->image = rsb_layout_image(subject->layout, &subject->scenario, error);
	if (!subject->image)
		return false;
	if (work->request->shadow_stack)
		rsb_image_set_cet(subject->image,
				  rsb_image_cet(subject->image) | RSB_CET_SHADOW_STACK);
	cli_progress_start(&progress, rsb_layout_name(subject->layout));
	subject->run = rsb_run_new(subject->image, &options, error);
	if (subject->run)
		subject->frames = rsb_frames_new(subject->image, subject->run, error);
	cli_progress_end(&progress);
	return subject->frames || rsb_error_prefix(error, "%s", rsb_layout_name(subject->layout));
}

static void clear_subject(struct subject *subject)
{
	rsb_frames_free(subject->frames);
	rsb_run_free(subject->run);
	rsb_image_free(subject->image);
	rsb_layout_free(subject->layout);
}

/* What enforcement says does not depend on the CPU. */
static bool judge(struct work *work, const struct subject *subject, struct rsb_error *error)
{
	return (rsb_shadow_judge(subject->image, subject->run, &work->shadow, error) &&
		rsb_ibt_judge(subject->image, subject->run, &work->ibt, error)) ||
	       rsb_error_prefix(error, "%s", rsb_layout_name(subject->layout));
}

/* One watched run serves all CPUs. */
static bool explain_layout(struct work *work, struct rsb_error *error)
{
	struct subject subject = { .layout = NULL };
	bool good = run_layout(&subject, work, error) && judge(work, &subject, error);

	for (size_t i = 0; good && i < work->profiles.count; i++) {
		const char *name = rsb_layout_name(subject.layout);
		struct rsb_explanation *explanation = rsb_explanation_new(
			subject.frames, name, work->profiles.all[i], &subject.scenario, error);

		good = explanation || rsb_error_prefix(error, "%s on %s", name,
						       rsb_profile_name(work->profiles.all[i]));
		if (!good)
			break;
		explanation->shadow = &work->shadow;
		explanation->ibt = &work->ibt;
		work->explanations[work->count++] = explanation;
	}
	clear_subject(&subject);
	return good;
}

static bool write_report(const struct work *work, struct rsb_error *error)
{
	const struct request *request = work->request;
	const struct rsb_explanation_options options = {
		.colour = !request->output && cli_terminal_colour(),
		.columns = cli_terminal_columns(),
		.all = request->all,
	};
	struct cli_output output;
	struct rsb_error late;
	bool good;

	if (!cli_output_open(&output, request->output, error))
		return false;
	good = request->format->write(output.stream,
				      (const struct rsb_explanation *const *)work->explanations,
				      work->count, &options, error);
	return cli_output_close(&output, good, good ? error : &late) && good;
}

static void clear_work(struct work *work)
{
	for (size_t i = 0; i < work->count; i++)
		rsb_explanation_free(work->explanations[i]);
	rsb_shadow_verdict_clear(&work->shadow);
	rsb_ibt_verdict_clear(&work->ibt);
	free(work->explanations);
	cli_profiles_clear(&work->profiles);
}

static bool explain(const struct request *request, struct rsb_error *error)
{
	struct work work = { .request = request };
	bool good = load_profiles(&work, error) && explain_layout(&work, error) &&
		    write_report(&work, error);

	clear_work(&work);
	return good;
}

static bool take_operand(struct request *request, int argc, char **argv, struct rsb_error *error)
{
	return cli_inputs_take_one(&request->layout, &request->sources, argc, argv, error) &&
	       cli_scenarios_check(&request->scenarios, error);
}

static bool answer(struct request *request, int argc, char **argv, struct rsb_error *error)
{
	if (argc == 1 && cli_rule_is_id(argv[0]))
		return cli_rule_page(argv[0], request->output, error);
	return take_operand(request, argc, argv, error) && explain(request, error);
}

static int run_explain(const struct cli_command *command, int argc, char **argv)
{
	struct request request = { .format = rsb_explanation_formats() };
	struct rsb_error error;
	enum cli_parsed parsed;
	int status;
	const struct cli_option rows[] = {
		CLI_PROFILE_ROWS(&request.profiles),
		CLI_SOURCE_ROWS(&request.sources),
		CLI_FORM_ROWS(&request.forms),
		CLI_FORCE_ROW(&request.forms),
		{ .name = "all",
		  .letter = 'a',
		  .take = cli_take_switch,
		  .sentence = "list every misprediction below its cause",
		  .target = &request.all },
		{ .name = "scenario",
		  .letter = 's',
		  .argument = "NAME",
		  .take = cli_take_choice,
		  .sentence =
			  "bench (depth 8, batch 100) or unwind (depth 8, batch 1); without, the "
			  "layout's own, or unwind",
		  .target = &request.scenarios.name,
		  .choices = "bench|unwind" },
		CLI_SCENARIO_ROWS(&request.scenarios, "8", "1"),
		{ .name = "shadow-stack",
		  .take = cli_take_switch,
		  .sentence = "run with shadow stacks on, for code that then takes another way",
		  .target = &request.shadow_stack },
		{ .name = "format",
		  .letter = 'f',
		  .argument = "NAME",
		  .take = take_format,
		  .sentence = "text, json or markdown; in place of text",
		  .target = &request.format },
		{ .name = "output",
		  .letter = 'o',
		  .argument = "FILE",
		  .take = cli_take_text,
		  .sentence = "write to FILE, whole or not at all",
		  .target = &request.output },
		{ .name = NULL },
	};

	parsed = cli_options_parse(command, rows, &argc, &argv);
	status = parsed == CLI_REFUSED ? CLI_TROUBLE : CLI_OK;
	if (parsed == CLI_PARSED && !answer(&request, argc, argv, &error))
		status = cli_trouble(command, "%s", error.text);
	cli_profile_choice_clear(&request.profiles);
	cli_inputs_clear(&request.layout);
	cli_sources_clear(&request.sources);
	return status;
}

const struct cli_command cli_explain = {
	.name = "explain",
	.summary = "Says why a layout's returns miss, down to the instruction at fault.",
	.arguments = "[LAYOUT|RULE]",
	.help = "LAYOUT is a built-in name or a layout file; RULE, the id of a rule of rsbsim check "
		"(RSB001), shows that rule's page.",
	.example = "rsbsim explain bpf-fexit-skip --cpu amd-zen4",
	.run = run_explain,
};
