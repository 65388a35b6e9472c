/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsbsim report: layouts on CPUs as one page for the browser. */
#include "sim/cli/forms.h"
#include "sim/cli/inputs.h"
#include "sim/cli/output.h"
#include "sim/cli/profiles.h"
#include "sim/cli/progress.h"
#include "sim/cli/scenarios.h"
#include "sim/report/report.h"
#include "sim/see/page.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEPTHS "depth=1..64" /* of the chart */

/* Events that one recording may have: all of a common one, and a page that stays small. */
#define EVENTS     10000
#define EVENTS_MAX 100000

struct request {
	struct cli_inputs layouts;
	struct cli_profile_choice profiles;
	struct cli_form_choice forms;
	struct cli_scenarios scenarios;
	struct cli_number events, budget;
	const char *output, *format;
};

/* What reporting gathers. */
struct work {
	const struct request *request;
	struct cli_profiles profiles;
	struct rsb_profile **deep; /* those of them whose depth can be swept */
	size_t deep_count;
	struct rsb_grid depths;
	struct rsb_score **scores;
	size_t score_count;
	struct rsb_sweep **sweeps;
	size_t sweep_count;
	struct rsb_page *page;
};

/* A layout in one scenario. */
struct subject {
	struct rsb_layout *layout;
	const struct rsb_scenario *scenario;
	struct rsb_image *image;
};

static bool load_layout(struct subject *subject, const struct work *work,
			const struct cli_input *input, struct rsb_error *error)
{
	subject->layout = cli_forms_load(&work->request->forms, input, work->profiles.all,
					 work->profiles.count, error);
	return subject->layout != NULL;
}

static bool add_score(struct work *work, const struct subject *subject, const struct rsb_run *run,
		      const struct rsb_profile *profile, struct rsb_error *error)
{
	const struct rsb_score_options options = {
		.return_thunk = rsb_image_return_thunk(subject->image),
		.vary = work->request->layouts.count > 1,
	};
	const char *layout = rsb_layout_name(subject->layout);
	struct rsb_score *score =
		rsb_score_new(run, layout, profile, subject->scenario, &options, error);

	if (!score)
		return rsb_error_prefix(error, "%s on %s", layout, rsb_profile_name(profile));
	work->scores[work->score_count++] = score;
	return true;
}

/* One machine run serves the scores of all CPUs, and the sweep. */
static bool score_scenario(struct work *work, struct subject *subject, struct rsb_sweep *sweep,
			   size_t scenario, struct rsb_error *error)
{
	struct cli_progress progress;
	const struct rsb_run_options options = {
		.kinds = RSB_KIND_BIT(RSB_CALL) | RSB_KIND_BIT(RSB_RETURN) |
			 cli_profiles_kinds(&work->profiles),
		.budget = work->request->budget.value,
		.progress = cli_progress_show,
		.context = &progress,
	};
	const struct rsb_sweep_options sweeping = { .jobs = 1 };
	struct rsb_run *run;
	bool good;

	cli_progress_start(&progress, rsb_layout_name(subject->layout));
	run = rsb_run_new(subject->image, &options, error);
	cli_progress_end(&progress);
	good = run || rsb_error_prefix(error, "%s", rsb_layout_name(subject->layout));
	for (size_t i = 0; good && i < work->profiles.count; i++)
		good = add_score(work, subject, run, work->profiles.all[i], error);
	good = good && (!sweep || rsb_sweep_run(sweep, scenario, run, &sweeping, error));
	rsb_run_free(run);
	return good;
}

static struct rsb_sweep *add_sweep(struct work *work, const char *layout,
				   const struct rsb_scenario *scenarios, size_t count,
				   struct rsb_error *error)
{
	const struct rsb_sweep_subject subject = { layout, scenarios, count };
	struct rsb_sweep *sweep =
		rsb_sweep_new(&subject, 1, work->deep, work->deep_count, &work->depths, error);

	if (sweep)
		work->sweeps[work->sweep_count++] = sweep;
	return sweep;
}

/* The scores of a layout, and its sweep where any of the CPUs has a depth. */
static bool score_layout(struct work *work, const struct cli_input *input, struct rsb_error *error)
{
	struct rsb_scenario chosen[CLI_SCENARIOS];
	struct subject subject = { .layout = NULL };
	struct rsb_sweep *sweep = NULL;
	bool good = load_layout(&subject, work, input, error);
	size_t count = 0;

	if (good) {
		count = cli_scenarios_choose(&work->request->scenarios, subject.layout, chosen);
		if (work->deep_count)
			sweep = add_sweep(work, rsb_layout_name(subject.layout), chosen, count,
					  error);
		good = sweep || !work->deep_count;
	}
	for (size_t i = 0; good && i < count; i++) {
		subject.scenario = &chosen[i];
		subject.image = rsb_layout_image(subject.layout, &chosen[i], error);
		good = subject.image && score_scenario(work, &subject, sweep, i, error);
		rsb_image_free(subject.image);
	}
	rsb_layout_free(subject.layout);
	return good;
}

static bool record(struct work *work, const struct subject *subject,
		   struct rsb_recording **recordings, struct rsb_error *error)
{
	const struct request *request = work->request;
	const struct rsb_recording_options options = {
		.events = request->events.given ? request->events.value : EVENTS,
		.return_thunk = rsb_image_return_thunk(subject->image),
	};
	const char *layout = rsb_layout_name(subject->layout);

	for (size_t i = 0; i < work->profiles.count; i++) {
		const struct rsb_profile *profile = work->profiles.all[i];

		recordings[i] = rsb_recording_new(subject->image, layout, profile,
						  subject->scenario, &options, error);
		if (!recordings[i])
			return rsb_error_prefix(error, "%s on %s", layout,
						rsb_profile_name(profile));
	}
	return rsb_page_recordings(work->page, layout, rsb_layout_summary(subject->layout),
				   (const struct rsb_recording *const *)recordings,
				   work->profiles.count) ||
	       rsb_error_set(error, "out of memory");
}

/* The player of a layout: in one scenario, a recording for each CPU. */
static bool record_layout(struct work *work, const struct cli_input *input, struct rsb_error *error)
{
	struct rsb_recording **recordings = calloc(work->profiles.count, sizeof(*recordings));
	struct subject subject = { .layout = NULL };
	struct rsb_scenario scenario;
	bool good = (recordings || rsb_error_set(error, "out of memory")) &&
		    load_layout(&subject, work, input, error);

	if (good) {
		scenario = cli_scenarios_choose_one(&work->request->scenarios, subject.layout);
		subject.scenario = &scenario;
		subject.image = rsb_layout_image(subject.layout, &scenario, error);
		good = subject.image && record(work, &subject, recordings, error);
	}
	for (size_t i = 0; recordings && i < work->profiles.count; i++)
		rsb_recording_free(recordings[i]);
	free(recordings);
	rsb_image_free(subject.image);
	rsb_layout_free(subject.layout);
	return good;
}

/* A model that is unbounded has no depth. */
static void choose_deep(struct work *work)
{
	for (size_t i = 0; i < work->profiles.count; i++) {
		const struct rsb_model_type *type = rsb_profile_type(work->profiles.all[i]);

		if (rsb_parameter_find(type->parameters, "depth") >= 0)
			work->deep[work->deep_count++] = work->profiles.all[i];
	}
}

static bool prepare_work(struct work *work, struct rsb_error *error)
{
	size_t layouts = work->request->layouts.count;

	if (!cli_profiles_load(&work->profiles, &work->request->profiles, error) ||
	    !rsb_grid_add(&work->depths, DEPTHS, error))
		return false;
	work->deep = calloc(work->profiles.count, sizeof(*work->deep));
	work->scores =
		calloc(layouts * work->profiles.count * CLI_SCENARIOS, sizeof(*work->scores));
	work->sweeps = calloc(layouts, sizeof(*work->sweeps));
	if (!work->deep || !work->scores || !work->sweeps)
		return rsb_error_set(error, "out of memory");
	choose_deep(work);
	return true;
}

/* "bpf-fexit-skip on amd-zen4", "3 layouts on 2 CPUs"; the line below it has the CPUs' names. */
static struct rsb_page *new_page(const struct work *work)
{
	size_t layouts = work->request->layouts.count, cpus = work->profiles.count, used = 0;
	const char *first = work->scores[0]->layout, *cpu = work->scores[0]->cpu;
	char title[512], line[1024] = "";
	char many[64];

	snprintf(many, sizeof(many), "%zu layouts", layouts);
	if (cpus == 1)
		snprintf(title, sizeof(title), "%s on %s", layouts == 1 ? first : many, cpu);
	else
		snprintf(title, sizeof(title), "%s on %zu CPUs", layouts == 1 ? first : many, cpus);
	for (size_t i = 0; i < cpus && used < sizeof(line); i++)
		used += (size_t)snprintf(line + used, sizeof(line) - used, "%s%s", i ? ", " : "",
					 rsb_profile_name(work->profiles.all[i]));
	return rsb_page_new(title, cpus == 1 ? NULL : line);
}

static bool fill_page(struct work *work, struct rsb_error *error)
{
	const struct cli_inputs *layouts = &work->request->layouts;
	bool good = true;

	for (size_t i = 0; good && i < layouts->count; i++)
		good = score_layout(work, &layouts->all[i], error);
	if (!good)
		return false;
	if (!rsb_report_sort(work->scores, work->score_count) || !(work->page = new_page(work)) ||
	    !rsb_page_scores(work->page, (const struct rsb_score *const *)work->scores,
			     work->score_count) ||
	    !rsb_page_sweeps(work->page, (const struct rsb_sweep *const *)work->sweeps,
			     work->sweep_count))
		return rsb_error_set(error, "out of memory");
	for (size_t i = 0; good && i < layouts->count; i++)
		good = record_layout(work, &layouts->all[i], error);
	return good;
}

static bool write_page(FILE *out, const void *from, struct rsb_error *error)
{
	const struct work *work = from;
	const char *format = work->request->format;

	if (format && !strcmp(format, "json"))
		return rsb_page_write_json(out, work->page, error);
	return rsb_page_write(out, work->page, error);
}

static void clear_work(struct work *work)
{
	for (size_t i = 0; i < work->score_count; i++)
		rsb_score_free(work->scores[i]);
	for (size_t i = 0; i < work->sweep_count; i++)
		rsb_sweep_free(work->sweeps[i]);
	free(work->scores);
	free(work->sweeps);
	free(work->deep);
	rsb_grid_clear(&work->depths);
	rsb_page_free(work->page);
	cli_profiles_clear(&work->profiles);
}

/* Nobody reads a page on a terminal. */
static bool check_output(const struct request *request, struct rsb_error *error)
{
	bool page = !request->format || strcmp(request->format, "json") != 0;

	return request->output || !page || !isatty(STDOUT_FILENO) ||
	       rsb_error_set(error, "expected a file for the page: -o report.html");
}

static enum cli_status run_report(void *from, int argc, char **argv, struct rsb_error *error)
{
	struct request *request = from;
	struct work work = { .request = request };
	bool good = cli_inputs_take(&request->layouts, argc, argv, error) &&
		    cli_scenarios_check(&request->scenarios, error) &&
		    cli_forms_check(&request->forms, error) && check_output(request, error) &&
		    prepare_work(&work, error) && fill_page(&work, error) &&
		    cli_output_write(request->output, write_page, &work, error);

	clear_work(&work);
	return good ? CLI_OK : CLI_TROUBLE;
}

static void clear(void *from)
{
	struct request *request = from;

	cli_profile_choice_clear(&request->profiles);
	cli_inputs_clear(&request->layouts);
}

static const struct cli_option options[] = {
	CLI_PROFILE_ROWS(offsetof(struct request, profiles)),
	CLI_SOURCE_ROWS(offsetof(struct request, layouts.sources)),
	CLI_FORM_ROWS(offsetof(struct request, forms)),
	CLI_FORCE_ROW(offsetof(struct request, forms)),
	{ .name = "scenario",
	  .letter = 's',
	  .argument = "NAME",
	  .take = cli_take_choice,
	  .sentence = "only bench or unwind; without, both are scored, and the players show "
		      "unwind, or the layout's own",
	  .field = offsetof(struct request, scenarios.name),
	  .choices = "bench|unwind" },
	CLI_SCENARIO_ROWS(offsetof(struct request, scenarios), "8", "1"),
	{ .name = "events",
	  .argument = "N",
	  .take = cli_take_number,
	  .sentence = "events that each player has, at most (default 10000); the page says what "
		      "is left out",
	  .field = offsetof(struct request, events),
	  .minimum = 1,
	  .maximum = EVENTS_MAX },
	CLI_BUDGET_ROW(offsetof(struct request, budget)),
	{ .name = "format",
	  .letter = 'f',
	  .argument = "NAME",
	  .take = cli_take_choice,
	  .sentence = "html, or json: the data in the page (default html)",
	  .field = offsetof(struct request, format),
	  .choices = "html|json" },
	CLI_OUTPUT_ROW(offsetof(struct request, output)),
	CLI_OPTIONS_END,
};

const struct cli_command cli_report = {
	.name = "report",
	.summary = "Writes layouts on CPUs as a page for the browser.",
	.arguments = "[LAYOUT...]",
	.help = "LAYOUT is what rsbsim score takes. The page is one file that needs no network.",
	.example = "rsbsim report 'bpf-fexit-*' --cpu intel-haswell,amd-zen4 -o report.html",
	.options = options,
	.request_size = sizeof(struct request),
	.clear = clear,
	.run = run_report,
};
