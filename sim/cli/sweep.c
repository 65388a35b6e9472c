/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsbsim sweep: a layout or a trace over many values of parameters. */
#include "sim/cli/forms.h"
#include "sim/cli/inputs.h"
#include "sim/cli/output.h"
#include "sim/cli/profiles.h"
#include "sim/cli/progress.h"
#include "sim/cli/scenarios.h"
#include "sim/cli/sweep_report.h"
#include "sim/score/run_file.h"
#include "sim/score/score.h"
#include "sim/sweep/jobs.h"
#include "sim/sweep/part.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct request {
	const char *subject;      /* an operand, or what the options call ... */
	struct cli_inputs layout; /* ... of what may be a trace instead */
	struct cli_sources sources;
	struct cli_profile_choice profiles;
	struct cli_words settings;
	struct cli_form_choice forms;
	struct cli_scenarios scenarios;
	struct cli_number jobs, budget;
	struct rsb_shard shard; /* count 0: not given */
	struct cli_sweep_report report;
};

struct work {
	const struct request *request;
	struct cli_profiles profiles;
	struct rsb_grid grid;
	struct rsb_sweep *sweep;
	struct cli_progress progress;
	enum rsb_trace_got got;
	struct rsb_error cut; /* what is to be said of a trace that is cut short */
};

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

static bool is_builtin(const char *name)
{
	for (const char *const *each = rsb_layout_names(); *each; each++)
		if (!strcmp(*each, name))
			return true;
	return false;
}

/*
 * Traces are files that are no JSON; a name that is no file is left to the layouts to complain of.
 */
static bool is_trace(const char *subject)
{
	size_t size = strlen(subject);

	if (!strcmp(subject, "-"))
		return true;
	if (size >= 5 && !strcmp(subject + size - 5, ".json"))
		return false;
	return !is_builtin(subject) && !access(subject, F_OK);
}

static unsigned count_jobs(const struct request *request)
{
	long processors;

	if (request->jobs.given)
		return (unsigned)request->jobs.value;
	processors = sysconf(_SC_NPROCESSORS_ONLN);
	if (processors < 1)
		return 1;
	return processors < RSB_JOBS_MAX ? (unsigned)processors : RSB_JOBS_MAX;
}

static struct rsb_sweep_options make_options(struct work *work)
{
	return (struct rsb_sweep_options){
		.jobs = count_jobs(work->request),
		.progress = cli_progress_bar,
		.context = &work->progress,
	};
}

/* The whole sweep, and the shard of it that is asked for. */
static bool plan(struct work *work, const char *subject, const struct rsb_scenario *scenarios,
		 size_t count, struct rsb_error *error)
{
	const struct rsb_shard *shard = &work->request->shard;

	work->sweep = rsb_sweep_new(subject, scenarios, count, work->profiles.all,
				    work->profiles.count, &work->grid, error);
	if (work->sweep && shard->count)
		rsb_sweep_shard(work->sweep, shard->index, shard->count);
	return work->sweep;
}

static bool sweep_scenario(struct work *work, struct rsb_layout *layout, size_t scenario,
			   struct rsb_error *error)
{
	const struct rsb_sweep_options options = make_options(work);
	const struct rsb_run_options run_options = {
		.kinds = RSB_SCORE_KINDS | cli_profiles_kinds(&work->profiles),
		.budget = work->request->budget.value,
		.progress = cli_progress_show,
		.context = &work->progress,
	};
	struct rsb_image *image =
		rsb_layout_image(layout, &work->sweep->scenarios[scenario], error);
	struct rsb_run *run = image ? rsb_run_new(image, &run_options, error) : NULL;
	bool good = run || rsb_error_prefix(error, "%s", rsb_layout_name(layout));

	good = good && rsb_sweep_run(work->sweep, scenario, run, &options, error);
	rsb_run_free(run);
	rsb_image_free(image);
	return good;
}

static bool sweep_layout(struct work *work, struct rsb_error *error)
{
	const struct request *request = work->request;
	struct rsb_layout *layout = cli_forms_load(&request->forms, request->layout.all,
						   work->profiles.all, work->profiles.count, error);
	struct rsb_scenario chosen[CLI_SCENARIOS];
	size_t count;
	bool good = layout;

	if (good) {
		count = cli_scenarios_choose(&request->scenarios, layout, chosen);
		good = plan(work, rsb_layout_name(layout), chosen, count, error);
		for (size_t i = 0; good && i < count; i++)
			good = sweep_scenario(work, layout, i, error);
	}
	rsb_layout_free(layout);
	return good;
}

/* A trace that a layout was recorded in is swept as that layout is. */
static bool sweep_recording(struct work *work, struct rsb_trace_reader *reader,
			    struct rsb_error *error)
{
	const struct rsb_sweep_options options = make_options(work);
	struct rsb_run_about about;
	struct rsb_run *run = rsb_run_load(reader, &about, &work->got, error);
	bool good;

	if (!run)
		return false;
	work->cut = *error;
	good = plan(work, about.layout, &about.scenario, 1, error) &&
	       rsb_sweep_run(work->sweep, 0, run, &options, error);
	rsb_run_free(run);
	return good;
}

/* The file's name, which is the same on every machine that has a part of the work. */
static const char *name_trace(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!strcmp(path, "-"))
		return "standard input";
	return slash ? slash + 1 : path;
}

static bool sweep_events(struct work *work, struct rsb_trace_reader *reader,
			 struct rsb_error *error)
{
	const struct rsb_sweep_options options = make_options(work);
	struct stat status;
	bool good;

	if (!stat(work->request->subject, &status) && S_ISREG(status.st_mode))
		work->progress.whole = (uint64_t)status.st_size;
	good = plan(work, name_trace(work->request->subject), NULL, 0, error) &&
	       rsb_sweep_trace(work->sweep, reader, &options, &work->got, error);
	work->cut = *error;
	return good;
}

static bool sweep_trace(struct work *work, struct rsb_error *error)
{
	struct rsb_input *input = rsb_input_open(work->request->subject, error);
	struct rsb_trace_reader *reader = input ? rsb_trace_reader_new(input, error) : NULL;
	bool good = reader && (rsb_run_is_recorded(reader) ? sweep_recording(work, reader, error)
							   : sweep_events(work, reader, error));

	rsb_trace_reader_free(reader);
	rsb_input_free(input);
	return good;
}

static bool write_part(FILE *out, const void *from, struct rsb_error *error)
{
	const struct work *work = from;

	return rsb_sweep_write_part(work->sweep, &work->request->shard, out, error);
}

static bool write_result(const struct work *work, struct rsb_error *error)
{
	const struct request *request = work->request;
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

static bool check_request(const struct request *request, bool trace, struct rsb_error *error)
{
	if (!request->settings.count)
		return rsb_error_set(error, "expected a parameter to sweep: --set depth=1..64");
	if (request->shard.count && (request->report.format || request->report.plot))
		return rsb_error_set(error, "--shard writes a part, which has one format: "
					    "--format and --plot are for rsbsim merge");
	if (trace &&
	    (request->scenarios.name || request->scenarios.depth.given ||
	     request->scenarios.batch.given || request->scenarios.spacing.given ||
	     request->forms.return_thunk || request->forms.indirect || request->budget.given))
		return rsb_error_set(error,
				     "%s is a trace: scenarios and forms of code are for "
				     "layouts",
				     request->subject);
	return cli_scenarios_check(&request->scenarios, error) &&
	       cli_forms_check(&request->forms, error) &&
	       cli_sweep_report_check(&request->report, error);
}

static bool make_grid(struct work *work, struct rsb_error *error)
{
	const struct cli_words *settings = &work->request->settings;

	for (size_t i = 0; i < settings->count; i++)
		if (!rsb_grid_add(&work->grid, settings->words[i], error))
			return rsb_error_prefix(error, "--set");
	return true;
}

static bool sweep(struct work *work, struct rsb_error *error)
{
	bool trace = !work->request->layout.all[0].text && is_trace(work->request->subject);
	bool good;

	if (!check_request(work->request, trace, error) || !make_grid(work, error) ||
	    !cli_profiles_load(&work->profiles, &work->request->profiles, error))
		return false;
	cli_progress_start(&work->progress, "sweep");
	good = trace ? sweep_trace(work, error) : sweep_layout(work, error);
	cli_progress_end(&work->progress);
	return good && write_result(work, error);
}

static bool take_subject(struct request *request, int argc, char **argv, struct rsb_error *error)
{
	if (!argc && !cli_sources_count(&request->sources))
		return rsb_error_set(error, "expected a layout or a trace");
	if (argc > 1)
		return rsb_error_set(error, "expected one layout or trace, got '%s' too", argv[1]);
	if (!cli_inputs_take_one(&request->layout, &request->sources, argc, argv, error))
		return false;
	request->subject = request->layout.all[0].name;
	return true;
}

static void clear_work(struct work *work)
{
	rsb_sweep_free(work->sweep);
	rsb_grid_clear(&work->grid);
	cli_profiles_clear(&work->profiles);
}

static void clear(void *from)
{
	struct request *request = from;

	cli_profile_choice_clear(&request->profiles);
	cli_words_clear(&request->settings);
	cli_inputs_clear(&request->layout);
	cli_sources_clear(&request->sources);
}

static enum cli_status run_sweep(void *from, int argc, char **argv, struct rsb_error *error)
{
	struct request *request = from;
	struct work work = { .request = request, .got = RSB_TRACE_END };
	bool good = take_subject(request, argc, argv, error) && sweep(&work, error);

	clear_work(&work);
	return good ? CLI_OK : CLI_TROUBLE;
}

static const struct cli_option options[] = {
	CLI_CPU_ROWS(offsetof(struct request, profiles)),
	{ .name = "set",
	  .argument = "P=VALUES",
	  .take = cli_take_words,
	  .sentence = "the values of parameter P: a list with commas between, with ranges "
		      "1..64 and 8..64:8 in it; once for each parameter",
	  .field = offsetof(struct request, settings) },
	CLI_SOURCE_ROWS(offsetof(struct request, sources)),
	CLI_FORM_ROWS(offsetof(struct request, forms)),
	CLI_FORCE_ROW(offsetof(struct request, forms)),
	{ .name = "scenario",
	  .letter = 's',
	  .argument = "NAME",
	  .take = cli_take_choice,
	  .sentence = "only bench or unwind; without, both, or the layout's own",
	  .field = offsetof(struct request, scenarios.name),
	  .choices = "bench|unwind" },
	CLI_SCENARIO_ROWS(offsetof(struct request, scenarios), "8", "1"),
	CLI_BUDGET_ROW(offsetof(struct request, budget)),
	{ .name = "jobs",
	  .letter = 'j',
	  .argument = "N",
	  .take = cli_take_number,
	  .sentence = "threads (default as many as there are processors); the result is "
		      "the same",
	  .field = offsetof(struct request, jobs),
	  .minimum = 1,
	  .maximum = RSB_JOBS_MAX },
	{ .name = "shard",
	  .argument = "K/N",
	  .take = take_shard,
	  .sentence = "only part K of N of the work, written as JSON for rsbsim merge",
	  .field = offsetof(struct request, shard) },
	CLI_SWEEP_REPORT_ROWS(offsetof(struct request, report)),
	CLI_OPTIONS_END,
};

const struct cli_command cli_sweep = {
	.name = "sweep",
	.summary = "Counts misses over many values of a model's parameters.",
	.arguments = "LAYOUT|TRACE",
	.help = "LAYOUT is a built-in name or a layout file; TRACE is a trace file, compressed or "
		"not, or - for standard input. Every combination of the values of --set is worked "
		"out on every CPU.",
	.example = "rsbsim sweep plain-call --set depth=1..64 --set underflow=stale,none",
	.options = options,
	.request_size = sizeof(struct request),
	.clear = clear,
	.run = run_sweep,
};
