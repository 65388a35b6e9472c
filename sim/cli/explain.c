/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsbsim explain: why a layout's returns miss. */
#include "sim/cli/forms.h"
#include "sim/cli/inputs.h"
#include "sim/cli/output.h"
#include "sim/cli/profiles.h"
#include "sim/cli/progress.h"
#include "sim/cli/rule_page.h"
#include "sim/cli/scenarios.h"
#include "sim/cli/terminal.h"
#include "sim/explain/ibt.h"
#include "sim/explain/shadow.h"
#include "sim/report/explanation.h"
#include "sim/score/notes.h"

#include <stdlib.h>

struct request {
	struct cli_inputs layouts;
	const char *output;
	struct cli_profile_choice profiles;
	struct cli_form_choice forms;
	struct cli_scenarios scenarios;
	const struct rsb_explanation_format *format;
	bool all, shadow_stack;
};

/* What enforcement says of a layout. */
struct enforced {
	struct rsb_shadow_verdict shadow;
	struct rsb_ibt_verdict ibt;
};

/* What explaining gathers. */
struct work {
	const struct request *request;
	struct cli_profiles profiles;
	struct rsb_explanation **explanations;
	size_t count;
	struct enforced *enforced; /* of each layout on each CPU; on some that of another */
};

/* A layout, and what its code did. */
struct subject {
	struct rsb_layout *layout;
	struct rsb_scenario scenario;
	struct rsb_image *image;
	struct rsb_run *run;
	struct rsb_frames *frames;
};

static bool take_format(const struct cli_option *option, void *field, const char *text,
			struct rsb_error *error)
{
	const struct rsb_explanation_format **format = field;

	(void)option;
	*format = rsb_explanation_format_find(text, error);
	return *format != NULL;
}

static const char *format_name(size_t index)
{
	return rsb_explanation_formats()[index].name;
}

static bool load_profiles(struct work *work, struct rsb_error *error)
{
	size_t layouts = work->request->layouts.count;

	if (!cli_profiles_load(&work->profiles, &work->request->profiles, error))
		return false;
	work->explanations = calloc(work->profiles.count * layouts, sizeof(*work->explanations));
	work->enforced = calloc(work->profiles.count * layouts, sizeof(*work->enforced));
	return (work->explanations && work->enforced) || rsb_error_set(error, "out of memory");
}

static bool run_layout(struct subject *subject, const struct work *work,
		       const struct rsb_profile *profile, struct rsb_error *error)
{
	struct cli_progress progress;
	const struct rsb_run_options options = {
		.kinds = RSB_KIND_BIT(RSB_CALL) | RSB_KIND_BIT(RSB_RETURN) |
			 cli_profiles_kinds(&work->profiles),
		.progress = cli_progress_show,
		.context = &progress,
	};

	if (!cli_form_take(&work->request->forms, subject->layout, profile, error))
		return false;
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

static void clear_run(struct subject *subject)
{
	rsb_frames_free(subject->frames);
	rsb_run_free(subject->run);
	rsb_image_free(subject->image);
	subject->frames = NULL;
	subject->run = NULL;
	subject->image = NULL;
}

/* What enforcement says does not depend on the CPU. */
static bool judge(struct enforced *enforced, const struct subject *subject, struct rsb_error *error)
{
	return (rsb_shadow_judge(subject->image, subject->run, &enforced->shadow, error) &&
		rsb_ibt_judge(subject->image, subject->run, &enforced->ibt, error)) ||
	       rsb_error_prefix(error, "%s", rsb_layout_name(subject->layout));
}

static bool explain_on(struct work *work, const struct subject *subject,
		       const struct rsb_profile *profile, struct rsb_explanation **into,
		       const struct enforced *enforced, struct rsb_error *error)
{
	const char *name = rsb_layout_name(subject->layout);
	char word[32];

	*into = rsb_explanation_new(subject->frames, name, profile, &subject->scenario, error);
	if (!*into)
		return rsb_error_prefix(error, "%s on %s", name, rsb_profile_name(profile));
	(*into)->shadow = &enforced->shadow;
	(*into)->ibt = &enforced->ibt;
	work->count++;
	return !cli_forms_automatic(&work->request->forms) ||
	       rsb_note_mitigations(&(*into)->notes, &(*into)->note_count, profile,
				    (*into)->return_thunk,
				    rsb_layout_return_thunk(subject->layout, word, sizeof(word))) ||
	       rsb_error_set(error, "out of memory");
}

/* One watched run serves all CPUs that have the code alike: this one, and those from it on. */
static bool explain_alike(struct work *work, struct subject *subject, size_t number, size_t first,
			  struct rsb_error *error)
{
	struct rsb_profile *const *all = work->profiles.all;
	size_t at = number * work->profiles.count;
	struct enforced *enforced = &work->enforced[at + first];
	bool good = run_layout(subject, work, all[first], error) && judge(enforced, subject, error);

	for (size_t i = first; good && i < work->profiles.count; i++)
		if (cli_form_alike(&work->request->forms, all[i], all[first]))
			good = explain_on(work, subject, all[i], &work->explanations[at + i],
					  enforced, error);
	clear_run(subject);
	return good;
}

static bool explain_layout(struct work *work, size_t number, struct rsb_error *error)
{
	const struct request *request = work->request;
	struct subject subject = { .layout = cli_forms_load(
					   &request->forms, &request->layouts.all[number],
					   work->profiles.all, work->profiles.count, error) };
	bool good = subject.layout;

	if (good)
		subject.scenario = cli_scenarios_choose_one(&request->scenarios, subject.layout);
	for (size_t i = 0; good && i < work->profiles.count; i++)
		if (!work->explanations[number * work->profiles.count + i])
			good = explain_alike(work, &subject, number, i, error);
	rsb_layout_free(subject.layout);
	return good;
}

static bool write_report(FILE *out, const void *from, struct rsb_error *error)
{
	const struct work *work = from;
	const struct request *request = work->request;
	const struct rsb_explanation_options options = {
		.colour = !request->output && cli_terminal_colour(),
		.columns = cli_terminal_columns(),
		.all = request->all,
	};

	return request->format->write(out,
				      (const struct rsb_explanation *const *)work->explanations,
				      work->count, &options, error);
}

static void clear_work(struct work *work)
{
	size_t count = work->profiles.count * work->request->layouts.count;

	for (size_t i = 0; work->explanations && i < count; i++)
		rsb_explanation_free(work->explanations[i]);
	for (size_t i = 0; work->enforced && i < count; i++) {
		rsb_shadow_verdict_clear(&work->enforced[i].shadow);
		rsb_ibt_verdict_clear(&work->enforced[i].ibt);
	}
	free(work->enforced);
	free(work->explanations);
	cli_profiles_clear(&work->profiles);
}

static bool explain(const struct request *request, struct rsb_error *error)
{
	struct work work = { .request = request };
	bool good = load_profiles(&work, error);

	for (size_t i = 0; good && i < request->layouts.count; i++)
		good = explain_layout(&work, i, error);
	good = good && cli_output_write(request->output, write_report, &work, error);
	clear_work(&work);
	return good;
}

static bool take_operands(struct request *request, int argc, char **argv, struct rsb_error *error)
{
	return cli_inputs_take(&request->layouts, argc, argv, error) &&
	       cli_scenarios_check(&request->scenarios, error) &&
	       cli_forms_check(&request->forms, error);
}

static void prepare(void *from)
{
	struct request *request = from;

	request->format = rsb_explanation_formats();
}

static void clear(void *from)
{
	struct request *request = from;

	cli_profile_choice_clear(&request->profiles);
	cli_inputs_clear(&request->layouts);
}

static enum cli_status run_explain(void *from, int argc, char **argv, struct rsb_error *error)
{
	struct request *request = from;
	bool good;

	if (argc == 1 && cli_rule_is_meant(argv[0]))
		good = cli_rule_page(argv[0], request->output, error);
	else
		good = take_operands(request, argc, argv, error) && explain(request, error);
	return good ? CLI_OK : CLI_TROUBLE;
}

static const struct cli_option options[] = {
	CLI_PROFILE_ROWS(offsetof(struct request, profiles)),
	CLI_SOURCE_ROWS(offsetof(struct request, layouts.sources)),
	CLI_FORM_ROWS(offsetof(struct request, forms)),
	CLI_OWN_FORM_ROW(offsetof(struct request, forms)),
	CLI_FORCE_ROW(offsetof(struct request, forms)),
	{ .name = "all",
	  .letter = 'a',
	  .take = cli_take_switch,
	  .sentence = "list every misprediction below its cause",
	  .field = offsetof(struct request, all) },
	CLI_ONE_SCENARIO_ROW(offsetof(struct request, scenarios)),
	CLI_SCENARIO_ROWS(offsetof(struct request, scenarios), "8", "1"),
	{ .name = "shadow-stack",
	  .take = cli_take_switch,
	  .sentence = "run with shadow stacks on, for code that then takes another way",
	  .field = offsetof(struct request, shadow_stack) },
	{ .name = "format",
	  .letter = 'f',
	  .argument = "NAME",
	  .take = take_format,
	  .sentence = "{} (default text)",
	  .name_of = format_name,
	  .field = offsetof(struct request, format) },
	CLI_OUTPUT_ROW(offsetof(struct request, output)),
	CLI_OPTIONS_END,
};

const struct cli_command cli_explain = {
	.name = "explain",
	.summary = "Says why a layout's returns miss, down to the instruction at fault.",
	.arguments = "[LAYOUT...|RULE]",
	.help = "LAYOUT is a built-in name, a pattern over those names, a layout file (-: standard "
		"input), a folder of them, or a kernel's capture; RULE, a rule of rsbsim check by "
		"its id (RSB001) or its name (miss-inside), shows that rule's page.",
	.example = "rsbsim explain bpf-fexit-skip --cpu amd-zen4",
	.options = options,
	.request_size = sizeof(struct request),
	.prepare = prepare,
	.clear = clear,
	.run = run_explain,
};
