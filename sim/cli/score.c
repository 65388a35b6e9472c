/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsbsim score: layouts on CPUs, in scenarios. */
#include "sim/cli/forms.h"
#include "sim/cli/inputs.h"
#include "sim/cli/output.h"
#include "sim/cli/profiles.h"
#include "sim/cli/progress.h"
#include "sim/cli/reports.h"
#include "sim/cli/scenarios.h"
#include "sim/report/record.h"
#include "sim/score/bases.h"
#include "sim/score/notes.h"
#include "sim/score/sensitivity.h"
#include "traces/util/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the command line asks for. */
struct request {
	struct cli_inputs layouts;
	struct cli_profile_choice profiles;
	struct cli_form_choice forms;
	struct cli_reports reports;
	const char *record;
	struct cli_scenarios scenarios;
	struct cli_number rounds, budget;
	bool time;
	struct cli_decimal base_ns, ghz;
	const char *native;
};

/* What scoring gathers. */
struct work {
	const struct request *request;
	struct cli_profiles profiles;
	struct rsb_score **scores;
	size_t score_count;
	struct cli_output record; /* stream is NULL unless recording */
	struct rsb_bases *bases;  /* NULL: none are measured */
};

/* A machine run of a layout in one form. */
struct subject {
	struct rsb_layout *layout;
	const struct cli_form *form;
	const struct rsb_scenario *scenario;
	const struct rsb_image *image;
	const struct rsb_run *run;
};

static double given(const struct cli_decimal *number)
{
	return number->given ? number->value : NAN;
}

static struct rsb_time_options choose_time(const struct work *work, const struct subject *subject,
					   const struct rsb_profile *profile)
{
	const struct rsb_bases_key key = {
		.layout = rsb_layout_name(subject->layout),
		.return_thunk = rsb_image_return_thunk(subject->image),
		.cpu = rsb_profile_name(profile),
		.scenario = subject->scenario,
	};
	struct rsb_time_options time = {
		.base_ns = given(&work->request->base_ns),
		.ghz = given(&work->request->ghz),
		.base_cycles = { NAN, NAN },
		.measuring = work->bases,
	};

	if (work->bases)
		rsb_bases_find(work->bases, &key, &time.base_cycles);
	return time;
}

static bool add_score(struct work *work, const struct subject *subject,
		      const struct rsb_profile *profile, struct rsb_error *error)
{
	const char *layout = rsb_layout_name(subject->layout);
	struct rsb_record record = {
		.out = work->record.stream,
		.layout = layout,
		.cpu = rsb_profile_name(profile),
		.scenario = subject->scenario,
		.image = subject->image,
		.return_thunk = rsb_image_return_thunk(subject->image),
	};
	const struct rsb_time_options time = choose_time(work, subject, profile);
	const struct rsb_score_options options = {
		.rounds = work->request->rounds.value,
		.watcher = work->record.stream ? rsb_record_miss : NULL,
		.context = &record,
		.return_thunk = rsb_image_return_thunk(subject->image),
		.mitigations = cli_form_mitigations(&work->request->forms, subject->form, profile),
		.vary = work->request->layouts.count > 1,
		.time = work->request->time ? &time : NULL,
	};
	struct rsb_score *score;

	if (!RSB_GROW(work->scores, work->score_count))
		return rsb_error_set(error, "out of memory");
	score = rsb_score_new(subject->run, layout, profile, subject->scenario, &options, error);
	if (!score)
		return rsb_error_prefix(error, "%s on %s", layout, rsb_profile_name(profile));
	work->scores[work->score_count++] = score;
	return (!record.failed &&
		(!cli_forms_automatic(&work->request->forms) ||
		 rsb_note_mitigations(&score->notes, &score->note_count, profile,
				      score->return_thunk, score->mitigations))) ||
	       rsb_error_set(error, "out of memory");
}

/* One machine run serves all CPUs that the form is for. */
static bool score_run(struct work *work, const struct subject *subject, struct rsb_error *error)
{
	for (size_t i = 0; i < work->profiles.count; i++) {
		const struct rsb_profile *profile = work->profiles.all[i];

		if (cli_form_is_for(subject->form, profile) &&
		    !add_score(work, subject, profile, error))
			return false;
	}
	return true;
}

static bool run_scenario(struct work *work, struct subject *subject, struct rsb_error *error)
{
	const char *layout = rsb_layout_name(subject->layout);
	struct rsb_image *image = rsb_layout_image(subject->layout, subject->scenario, error);
	struct cli_progress progress;
	const struct rsb_run_options options = {
		/* The score counts calls and returns, whatever the models need. */
		.kinds = RSB_SCORE_KINDS | cli_profiles_kinds(&work->profiles),
		.budget = work->request->budget.value,
		.rounds = work->request->rounds.value,
		.progress = cli_progress_show,
		.context = &progress,
	};
	struct rsb_run *run = NULL;
	bool good;

	if (image) {
		cli_progress_start(&progress, layout);
		run = rsb_run_new(image, &options, error);
		cli_progress_end(&progress);
	}
	good = run || rsb_error_prefix(error, "%s", layout);
	subject->image = image;
	subject->run = run;
	good = good && score_run(work, subject, error);
	rsb_run_free(run);
	rsb_image_free(image);
	return good;
}

/* Gives the layout the form, which every CPU that it is for must be able to run. */
static bool take_form(const struct work *work, struct rsb_layout *layout,
		      const struct cli_form *form, struct rsb_error *error)
{
	if (form->return_thunk &&
	    !rsb_layout_set_form(layout, "return_thunk", form->return_thunk, error))
		return false;
	for (size_t i = 0; i < work->profiles.count; i++)
		if (cli_form_is_for(form, work->profiles.all[i]) &&
		    !cli_form_occurs(&work->request->forms, layout, work->profiles.all[i], error))
			return false;
	return true;
}

static bool score_forms(struct work *work, struct rsb_layout *layout, struct rsb_error *error)
{
	const struct request *request = work->request;
	struct rsb_scenario chosen[CLI_SCENARIOS];
	struct cli_form forms[CLI_FORMS];
	size_t scenarios = cli_scenarios_choose(&request->scenarios, layout, chosen);
	size_t count = cli_forms_list(&request->forms, layout, work->profiles.all,
				      work->profiles.count, forms);

	for (size_t i = 0; i < count; i++) {
		struct subject subject = { .layout = layout, .form = &forms[i] };

		if (!take_form(work, layout, &forms[i], error))
			return false;
		for (size_t k = 0; k < scenarios; k++) {
			subject.scenario = &chosen[k];
			if (!run_scenario(work, &subject, error))
				return false;
		}
	}
	return true;
}

static bool score_layout(struct work *work, const struct cli_input *input, struct rsb_error *error)
{
	struct rsb_layout *layout = cli_forms_load(&work->request->forms, input, NULL, 0, error);
	bool good = layout && score_forms(work, layout, error);

	rsb_layout_free(layout);
	return good;
}

/* Records on standard output leave no room for a report there. */
static bool write_reports(const struct work *work, struct rsb_error *error)
{
	const char *record = work->request->record;

	return cli_reports_write(&work->request->reports,
				 (const struct rsb_score *const *)work->scores, work->score_count,
				 !record || strcmp(record, "-") != 0, error);
}

static bool close_record(struct work *work, bool good, struct rsb_error *error)
{
	struct rsb_error late;

	if (!work->record.stream)
		return good;
	return cli_output_close(&work->record, good, good ? error : &late) && good;
}

/* Those that were measured in other forms than are scored are of other code. */
static bool load_bases(struct work *work, struct rsb_error *error)
{
	const char *wanted = work->request->forms.indirect, *measured;

	if (!work->request->native)
		return true;
	work->bases = rsb_bases_load(work->request->native, error);
	if (!work->bases)
		return false;
	measured = rsb_bases_indirect(work->bases);
	if (!wanted == !measured && (!wanted || !strcmp(wanted, measured)))
		return true;
	return rsb_error_set(
		error, "--native: %s was measured %s%s, which this is not", work->request->native,
		measured ? "with --indirect " : "without --indirect", measured ? measured : "");
}

/* Of a file that has no base of anything that is scored, something is not as it was meant. */
static bool check_bases(const struct work *work, struct rsb_error *error)
{
	for (size_t i = 0; i < work->score_count; i++)
		if (work->scores[i]->time.base == RSB_TIME_MEASURED)
			return true;
	return !work->bases ||
	       rsb_error_set(error,
			     "--native: %s has no base of these layouts in these scenarios on "
			     "these CPUs: it was measured with %s simulated, which "
			     "rsbsim native --cpu chooses",
			     work->request->native, rsb_bases_cpu(work->bases));
}

static bool score_all(struct work *work, struct rsb_error *error)
{
	const struct request *request = work->request;
	bool good = cli_profiles_load(&work->profiles, &request->profiles, error) &&
		    load_bases(work, error);

	if (good && request->record)
		good = cli_output_open(&work->record, request->record, error);
	for (size_t i = 0; good && i < request->layouts.count; i++)
		good = score_layout(work, &request->layouts.all[i], error);
	good = good && check_bases(work, error);
	if (good && !rsb_report_sort(work->scores, work->score_count))
		good = rsb_error_set(error, "out of memory");
	good = good && rsb_sensitivity_note(work->scores, work->score_count, error);
	good = close_record(work, good, error);
	return good && write_reports(work, error);
}

static void clear_work(struct work *work)
{
	for (size_t i = 0; i < work->score_count; i++)
		rsb_score_free(work->scores[i]);
	free(work->scores);
	cli_profiles_clear(&work->profiles);
	rsb_bases_free(work->bases);
}

/* Reads the operands. */
static bool take_layouts(struct request *request, int argc, char **argv, struct rsb_error *error)
{
	if (!request->time && (request->base_ns.given || request->ghz.given || request->native))
		return rsb_error_set(error, "%s: goes with --time",
				     request->ghz.given       ? "--ghz"
				     : request->base_ns.given ? "--base-ns"
							      : "--native");
	if (request->base_ns.given && request->native)
		return rsb_error_set(error,
				     "--native: expected either this or --base-ns, got both");
	return cli_inputs_take(&request->layouts, argc, argv, error) &&
	       cli_scenarios_check(&request->scenarios, error) &&
	       cli_forms_check(&request->forms, error) &&
	       cli_reports_check(&request->reports, error);
}

static void clear(void *from)
{
	struct request *request = from;

	cli_profile_choice_clear(&request->profiles);
	cli_inputs_clear(&request->layouts);
}

static enum cli_status run_score(void *from, int argc, char **argv, struct rsb_error *error)
{
	struct request *request = from;
	struct work work = { .request = request };
	bool good = take_layouts(request, argc, argv, error) && score_all(&work, error);

	clear_work(&work);
	return good ? CLI_OK : CLI_TROUBLE;
}

static const struct cli_option options[] = {
	CLI_PROFILE_ROWS(offsetof(struct request, profiles)),
	CLI_SOURCE_ROWS(offsetof(struct request, layouts.sources)),
	CLI_FORM_ROWS(offsetof(struct request, forms)),
	CLI_MITIGATION_ROWS(offsetof(struct request, forms)),
	{ .name = "scenario",
	  .letter = 's',
	  .argument = "NAME",
	  .take = cli_take_choice,
	  .sentence = "only bench (depth 8, batch 100) or unwind (depth 8, batch 1); without, "
		      "both, or the layout's own",
	  .field = offsetof(struct request, scenarios.name),
	  .choices = "bench|unwind" },
	CLI_SCENARIO_ROWS(offsetof(struct request, scenarios), "8", "1"),
	{ .name = "rounds",
	  .argument = "N",
	  .take = cli_take_number,
	  .sentence = "add exact totals over N rounds",
	  .field = offsetof(struct request, rounds),
	  .minimum = 1,
	  .maximum = RSB_ROUNDS_MAX },
	CLI_BUDGET_ROW(offsetof(struct request, budget)),
	{ .name = "time",
	  .take = cli_take_switch,
	  .sentence = "add what a call takes: nanoseconds, calls a second, and every term of it",
	  .field = offsetof(struct request, time) },
	{ .name = "base-ns",
	  .argument = "NS",
	  .take = cli_take_decimal,
	  .sentence = "with --time: what the balanced code takes; without, it is estimated",
	  .field = offsetof(struct request, base_ns),
	  .maximum = 1000000 },
	{ .name = "native",
	  .argument = "FILE",
	  .take = cli_take_file,
	  .sentence =
		  "with --time: what rsbsim native -f json wrote; the base is what it measured, "
		  "of each layout and scenario on its CPU",
	  .field = offsetof(struct request, native) },
	{ .name = "ghz",
	  .argument = "GHZ",
	  .take = cli_take_decimal,
	  .sentence = "with --time: the clock; without, that of the CPU's profile",
	  .field = offsetof(struct request, ghz),
	  .maximum = 100 },
	CLI_REPORT_ROWS(offsetof(struct request, reports)),
	{ .name = "record",
	  .argument = "FILE",
	  .take = cli_take_output,
	  .sentence = "write each misprediction to FILE as a line of JSON; -: to standard "
		      "output, in place of the report",
	  .field = offsetof(struct request, record) },
	CLI_OPTIONS_END,
};

const struct cli_command cli_score = {
	.name = "score",
	.summary = "Says what each call through a layout costs on a CPU's return stack.",
	.arguments = "[LAYOUT...]",
	.help = "LAYOUT is a built-in name, a pattern over those names, a layout file (-: standard "
		"input), a folder of them, or a kernel's capture (NAME.core beside "
		"NAME.kallsyms); code of your own goes without one, by --asm, --elf, --jitdump, "
		"--core or --bytes.",
	.example = "rsbsim score 'bpf-fexit-*' --cpu intel-haswell,amd-zen4",
	.options = options,
	.request_size = sizeof(struct request),
	.clear = clear,
	.run = run_score,
};
