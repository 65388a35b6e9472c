/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsbsim sweep: layouts or a trace over many values of parameters. */
#include "sim/cli/sweep.h"

#include "sim/cli/output.h"
#include "sim/score/score.h"
#include "sim/sweep/jobs.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* "K/N" */
static bool take_shard(const struct cli_option *option, void *field, const char *text,
		       struct rsb_error *error)
{
	struct rsb_shard *shard = field;
	unsigned long long index, count;
	char *end;

	(void)option;
	errno = 0;
	index = strtoull(text, &end, 10);
	if (*text >= '0' && *text <= '9' && end[0] == '/' && end[1] >= '0' && end[1] <= '9') {
		count = strtoull(end + 1, &end, 10);
		if (!*end && !errno && index >= 1 && index <= count && count <= RSB_SHARDS_MAX) {
			*shard = (struct rsb_shard){ index, count };
			return true;
		}
	}
	return rsb_error_set(error, "expected K/N, from 1/N to N/N, N at most %d, got '%s'",
			     RSB_SHARDS_MAX, text);
}

static unsigned count_jobs(const struct cli_sweep_request *request)
{
	long processors;

	if (request->jobs.given)
		return (unsigned)request->jobs.value;
	processors = sysconf(_SC_NPROCESSORS_ONLN);
	if (processors < 1)
		return 1;
	return processors < RSB_JOBS_MAX ? (unsigned)processors : RSB_JOBS_MAX;
}

struct rsb_sweep_options cli_sweep_options(struct cli_sweep_work *work)
{
	return (struct rsb_sweep_options){
		.jobs = count_jobs(work->request),
		.progress = cli_progress_bar,
		.context = &work->progress,
	};
}

bool cli_sweep_plan(struct cli_sweep_work *work, const struct rsb_sweep_subject *subjects,
		    size_t count, struct rsb_error *error)
{
	const struct rsb_shard *shard = &work->request->shard;

	work->sweep = rsb_sweep_new(subjects, count, work->profiles.all, work->profiles.count,
				    &work->grid, error);
	if (!work->sweep || !cli_sweep_report_plan(&work->request->report, work->sweep, error))
		return false;
	if (shard->count)
		rsb_sweep_shard(work->sweep, shard->index, shard->count);
	return true;
}

/* A layout, and in which scenarios. */
struct subject {
	struct rsb_layout *layout;
	struct rsb_scenario scenarios[CLI_SCENARIOS];
	size_t count;
};

static bool sweep_case(struct cli_sweep_work *work, struct rsb_layout *layout, size_t number,
		       struct rsb_error *error)
{
	const struct rsb_sweep_options options = cli_sweep_options(work);
	const struct rsb_run_options run_options = {
		.kinds = RSB_SCORE_KINDS | cli_profiles_kinds(&work->profiles),
		.budget = work->request->budget.value,
		.progress = cli_progress_show,
		.context = &work->progress,
	};
	struct rsb_image *image =
		rsb_layout_image(layout, &work->sweep->cases[number].scenario, error);
	struct rsb_run *run = image ? rsb_run_new(image, &run_options, error) : NULL;
	bool good = run || rsb_error_prefix(error, "%s", rsb_layout_name(layout));

	good = good && rsb_sweep_run(work->sweep, number, run, &options, error);
	rsb_run_free(run);
	rsb_image_free(image);
	return good;
}

static bool load(struct subject *subjects, const struct cli_sweep_work *work,
		 struct rsb_error *error)
{
	const struct cli_sweep_request *request = work->request;

	for (size_t i = 0; i < request->layouts.count; i++) {
		struct subject *subject = &subjects[i];

		subject->layout = cli_forms_load(&request->forms, &request->layouts.all[i],
						 work->profiles.all, work->profiles.count, error);
		if (!subject->layout)
			return false;
		subject->count = cli_scenarios_choose(&request->scenarios, subject->layout,
						      subject->scenarios);
	}
	return true;
}

static bool plan_layouts(struct cli_sweep_work *work, const struct subject *subjects,
			 struct rsb_error *error)
{
	size_t count = work->request->layouts.count;
	struct rsb_sweep_subject *all = calloc(count, sizeof(*all));
	bool good;

	if (!all)
		return rsb_error_set(error, "out of memory");
	for (size_t i = 0; i < count; i++)
		all[i] = (struct rsb_sweep_subject){ rsb_layout_name(subjects[i].layout),
						     subjects[i].scenarios, subjects[i].count };
	good = cli_sweep_plan(work, all, count, error);
	free(all);
	return good;
}

static bool sweep_layouts(struct cli_sweep_work *work, struct rsb_error *error)
{
	size_t count = work->request->layouts.count, number = 0;
	struct subject *subjects = calloc(count, sizeof(*subjects));
	bool good;

	if (!subjects)
		return rsb_error_set(error, "out of memory");
	good = load(subjects, work, error) && plan_layouts(work, subjects, error);
	for (size_t i = 0; good && i < count; i++)
		for (size_t k = 0; good && k < subjects[i].count; k++)
			good = sweep_case(work, subjects[i].layout, number++, error);
	for (size_t i = 0; i < count; i++)
		rsb_layout_free(subjects[i].layout);
	free(subjects);
	return good;
}

static bool write_part(FILE *out, const void *from, struct rsb_error *error)
{
	const struct cli_sweep_work *work = from;

	return rsb_sweep_write_part(work->sweep, &work->request->shard, out, error);
}

static bool write_result(const struct cli_sweep_work *work, struct rsb_error *error)
{
	const struct cli_sweep_request *request = work->request;
	bool cut = work->got == RSB_TRACE_CUT;

	/* Whether all of a cut trace is there would not be seen in what is merged. */
	if (cut && request->shard.count)
		return rsb_error_set(error, "%s", work->cut.text);
	if (request->shard.count
		    ? !cli_output_write(request->report.output, write_part, work, error)
		    : !cli_sweep_report_write(&request->report, work->sweep, error))
		return false;
	return !cut || rsb_error_set(error, "%s; what came before is counted", work->cut.text);
}

static bool check_request(const struct cli_sweep_request *request, struct rsb_error *error)
{
	if (!request->settings.count)
		return rsb_error_set(error, "expected a parameter to sweep: --set depth=1..64");
	if (request->shard.count && (request->report.format || request->report.plot))
		return rsb_error_set(error, "--shard writes a part, which has one format: "
					    "--format and --plot are for rsbsim merge");
	if (request->trace &&
	    (request->scenarios.name || request->scenarios.depth.given ||
	     request->scenarios.batch.given || request->scenarios.spacing.given ||
	     request->forms.return_thunk || request->forms.indirect || request->budget.given))
		return rsb_error_set(error,
				     "%s is a trace: scenarios and forms of code are for "
				     "layouts",
				     request->trace);
	return cli_scenarios_check(&request->scenarios, error) &&
	       cli_forms_check(&request->forms, error) &&
	       cli_sweep_report_check(&request->report, error);
}

static bool make_grid(struct cli_sweep_work *work, struct rsb_error *error)
{
	const struct cli_words *settings = &work->request->settings;

	for (size_t i = 0; i < settings->count; i++)
		if (!rsb_grid_add(&work->grid, settings->words[i], error))
			return rsb_error_prefix(error, "--set");
	return true;
}

static bool sweep(struct cli_sweep_work *work, struct rsb_error *error)
{
	bool good;

	if (!check_request(work->request, error) || !make_grid(work, error) ||
	    !cli_profiles_load(&work->profiles, &work->request->profiles, error))
		return false;
	cli_progress_start(&work->progress, "sweep");
	good = work->request->trace ? cli_sweep_trace(work, error) : sweep_layouts(work, error);
	cli_progress_end(&work->progress);
	return good && write_result(work, error);
}

static bool take_operands(struct cli_sweep_request *request, int argc, char **argv,
			  struct rsb_error *error)
{
	bool alone = argc == 1 && !cli_sources_count(&request->layouts.sources);

	if (!argc && !cli_sources_count(&request->layouts.sources))
		return rsb_error_set(error, "expected a layout or a trace");
	for (int i = 0; i < argc; i++)
		if (cli_sweep_is_trace(argv[i])) {
			request->trace = argv[i];
			return alone || rsb_error_set(error,
						      "%s is a trace: expected nothing else "
						      "beside it",
						      argv[i]);
		}
	return cli_inputs_take(&request->layouts, argc, argv, error);
}

static void clear_work(struct cli_sweep_work *work)
{
	rsb_sweep_free(work->sweep);
	rsb_grid_clear(&work->grid);
	cli_profiles_clear(&work->profiles);
}

static void clear(void *from)
{
	struct cli_sweep_request *request = from;

	cli_profile_choice_clear(&request->profiles);
	cli_words_clear(&request->settings);
	cli_inputs_clear(&request->layouts);
}

static enum cli_status run_sweep(void *from, int argc, char **argv, struct rsb_error *error)
{
	struct cli_sweep_request *request = from;
	struct cli_sweep_work work = { .request = request, .got = RSB_TRACE_END };
	bool good = take_operands(request, argc, argv, error) && sweep(&work, error);

	clear_work(&work);
	return good ? CLI_OK : CLI_TROUBLE;
}

static const struct cli_option options[] = {
	CLI_CPU_ROWS(offsetof(struct cli_sweep_request, profiles)),
	{ .name = "set",
	  .argument = "P=VALUES",
	  .take = cli_take_words,
	  .sentence = "the values of parameter P: a list with commas between, with ranges "
		      "1..64 and 8..64:8 in it; once for each parameter",
	  .field = offsetof(struct cli_sweep_request, settings) },
	CLI_SOURCE_ROWS(offsetof(struct cli_sweep_request, layouts.sources)),
	CLI_FORM_ROWS(offsetof(struct cli_sweep_request, forms)),
	CLI_FORCE_ROW(offsetof(struct cli_sweep_request, forms)),
	{ .name = "scenario",
	  .letter = 's',
	  .argument = "NAME",
	  .take = cli_take_choice,
	  .sentence = "only bench or unwind; without, both, or the layout's own",
	  .field = offsetof(struct cli_sweep_request, scenarios.name),
	  .choices = "bench|unwind" },
	CLI_SCENARIO_ROWS(offsetof(struct cli_sweep_request, scenarios), "8", "1"),
	CLI_BUDGET_ROW(offsetof(struct cli_sweep_request, budget)),
	{ .name = "jobs",
	  .letter = 'j',
	  .argument = "N",
	  .take = cli_take_number,
	  .sentence = "threads (default as many as there are processors); the result is "
		      "the same",
	  .field = offsetof(struct cli_sweep_request, jobs),
	  .minimum = 1,
	  .maximum = RSB_JOBS_MAX },
	{ .name = "shard",
	  .argument = "K/N",
	  .take = take_shard,
	  .sentence = "only part K of N of the work, written as JSON for rsbsim merge",
	  .field = offsetof(struct cli_sweep_request, shard) },
	CLI_SWEEP_REPORT_ROWS(offsetof(struct cli_sweep_request, report)),
	CLI_OPTIONS_END,
};

const struct cli_command cli_sweep = {
	.name = "sweep",
	.summary = "Counts misses over many values of a model's parameters.",
	.arguments = "LAYOUT...|TRACE",
	.help = "LAYOUT is a built-in name, a pattern over those names, a layout file, a folder of "
		"them, or a kernel's capture; TRACE is a trace file, compressed or not, or - for "
		"standard input. Every combination of the values of --set is worked out on every "
		"CPU.",
	.example = "rsbsim sweep 'bpf-fexit-*' --set depth=1..64 --plot fexit.svg",
	.options = options,
	.request_size = sizeof(struct cli_sweep_request),
	.clear = clear,
	.run = run_sweep,
};
