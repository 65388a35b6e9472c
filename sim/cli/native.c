/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsbsim native: layouts run by this machine's own processor, beside what is simulated of them. */
#include "sim/cli/forms.h"
#include "sim/cli/inputs.h"
#include "sim/cli/measuring.h"
#include "sim/cli/output.h"
#include "sim/cli/progress.h"
#include "sim/cli/scenarios.h"
#include "sim/cli/terminal.h"
#include "sim/report/native.h"
#include "traces/util/suggest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct request {
	struct cli_inputs layouts;
	struct cli_form_choice forms;
	const char *cpu, *output;
	const struct format *format;
	struct cli_scenarios scenarios;
	struct cli_measuring measuring;
	bool spread, each, allow;
};

static bool write_text(FILE *out, const struct rsb_native *native, struct rsb_error *error)
{
	return rsb_native_text(out, native, cli_terminal_columns(), error);
}

/* To add one: one row. */
static const struct format {
	const char *name;
	bool (*write)(FILE *out, const struct rsb_native *native, struct rsb_error *error);
} formats[] = {
	{ "text", write_text },
	{ "json", rsb_native_json },
	{ "markdown", rsb_native_markdown },
	{ NULL, NULL },
};

static bool take_format(const struct cli_option *option, void *field, const char *text,
			struct rsb_error *error)
{
	const struct format **format = field;

	(void)option;
	*format = rsb_row_find(formats, sizeof(*formats), "format", text, error);
	return *format;
}

static const char *format_name(size_t index)
{
	return formats[index].name;
}

struct work {
	const struct request *request;
	struct rsb_profile *profile;
	struct rsb_layout **layouts;
	struct rsb_native native;
	struct cli_progress progress;
};

/* Shallow, middling and deep; each call by itself, and in a loop. */
static const unsigned depths[] = { 1, 4, 8, 12, 24 }, batches[] = { 1, 100 };

static bool choose_profile(struct work *work, struct rsb_error *error)
{
	const char *own = rsb_host_profile(&work->native.host), *name = work->request->cpu;

	if (!name && !own)
		return rsb_error_set(error,
				     "no profile is known for %s family %u model %u: give one "
				     "with --cpu",
				     work->native.host.vendor, work->native.host.family,
				     work->native.host.model);
	work->native.own = own && (!name || !strcmp(name, own));
	work->profile = rsb_profile_load(name ? name : own, error);
	if (!work->profile)
		return false;
	work->native.cpu = rsb_profile_name(work->profile);
	return true;
}

/* Known before anything is measured: what was asked for would be missing at the end. */
static bool check_allowed(const struct request *request, const struct rsb_layout *layout,
			  struct rsb_error *error)
{
	return request->allow || rsb_layout_code(layout) != RSB_LAYOUT_OTHER ||
	       rsb_error_set(error, "%s is code of your own: --allow-native runs it",
			     rsb_layout_name(layout));
}

static bool load_layouts(struct work *work, struct rsb_error *error)
{
	const struct cli_inputs *inputs = &work->request->layouts;

	work->layouts = calloc(inputs->count, sizeof(*work->layouts));
	if (!work->layouts)
		return rsb_error_set(error, "out of memory");
	for (size_t i = 0; i < inputs->count; i++) {
		work->layouts[i] =
			cli_forms_load(&work->request->forms, &inputs->all[i], NULL, 0, error);
		if (!work->layouts[i] || !check_allowed(work->request, work->layouts[i], error))
			return false;
	}
	return true;
}

/* A loop depends on where it lies, so that more than one place is measured there in any case. */
static size_t count_variants(const struct request *request, const struct rsb_scenario *scenario)
{
	if (request->spread)
		return RSB_SUBJECT_VARIANTS;
	return scenario->batch > 1 ? RSB_ALIGNMENTS : 1;
}

static bool compare(struct work *work, const struct rsb_scenario *scenario,
		    const struct rsb_measure_options *measure, struct rsb_error *error)
{
	const struct request *request = work->request;
	const struct rsb_comparison_options options = {
		.profile = work->profile,
		.penalty = &work->native.penalty,
		.measure = *measure,
		.variants = count_variants(request, scenario),
		.each = request->each,
		.allow = request->allow,
	};
	struct rsb_comparison *comparison = rsb_comparison_new(
		work->layouts, request->layouts.count, scenario, &options, error);

	if (comparison)
		work->native.comparisons[work->native.count++] = comparison;
	return comparison;
}

#define SCENARIOS (sizeof(depths) / sizeof(*depths) * (sizeof(batches) / sizeof(*batches)))

/* The named one; or each depth and batch that is not given. */
static size_t choose_scenarios(const struct cli_scenarios *given,
			       struct rsb_scenario chosen[SCENARIOS])
{
	size_t depth_count = given->depth.given ? 1 : sizeof(depths) / sizeof(*depths);
	size_t batch_count = given->batch.given ? 1 : sizeof(batches) / sizeof(*batches);
	size_t count = 0;

	if (given->name)
		chosen[count++] = strcmp(given->name, RSB_SCENARIO_BENCH.name) ? RSB_SCENARIO_UNWIND
									       : RSB_SCENARIO_BENCH;
	for (size_t i = 0; !given->name && i < batch_count; i++)
		for (size_t j = 0; j < depth_count; j++) {
			chosen[count] = RSB_SCENARIO_UNWIND;
			chosen[count].name = "own";
			chosen[count].batch = given->batch.given ? (unsigned)given->batch.value
								 : batches[i];
			chosen[count++].depth = given->depth.given ? (unsigned)given->depth.value
								   : depths[j];
		}
	for (size_t i = 0; given->spacing.given && i < count; i++)
		chosen[i].spacing = (unsigned)given->spacing.value;
	return count;
}

static bool compare_all(struct work *work, const struct rsb_measure_options *measure,
			struct rsb_error *error)
{
	struct rsb_scenario chosen[SCENARIOS];
	size_t count = choose_scenarios(&work->request->scenarios, chosen);

	work->native.comparisons = calloc(count, sizeof(*work->native.comparisons));
	if (!work->native.comparisons)
		return rsb_error_set(error, "out of memory");
	for (size_t i = 0; i < count; i++)
		if (!compare(work, &chosen[i], measure, error))
			return false;
	return true;
}

static bool measure(struct work *work, struct rsb_error *error)
{
	const struct rsb_measure_options options =
		cli_measuring_options(&work->request->measuring, &work->progress);
	struct rsb_measure_options longer = options;
	double all[2], stolen[2];
	bool known = rsb_native_stolen(&all[0], &stolen[0]), good;

	/* Everything is counted in what this gives. */
	longer.visits = 2 * options.visits < RSB_VISITS_MAX ? 2 * options.visits : RSB_VISITS_MAX;
	work->native.visits = options.visits;
	work->native.samples = options.samples;
	work->native.indirect = work->request->forms.indirect;
	cli_progress_start(&work->progress, "native");
	good = rsb_penalty_measure(&work->native.penalty, &longer, error) &&
	       compare_all(work, &options, error);
	cli_progress_end(&work->progress);
	known = known && rsb_native_stolen(&all[1], &stolen[1]) && all[1] > all[0];
	work->native.stolen = known ? (stolen[1] - stolen[0]) / (all[1] - all[0]) : NAN;
	return good;
}

static bool write_report(FILE *out, const void *from, struct rsb_error *error)
{
	const struct work *work = from;

	return work->request->format->write(out, &work->native, error);
}

static void clear_work(struct work *work)
{
	for (size_t i = 0; i < work->native.count; i++)
		rsb_comparison_free(work->native.comparisons[i]);
	free(work->native.comparisons);
	for (size_t i = 0; work->layouts && i < work->request->layouts.count; i++)
		rsb_layout_free(work->layouts[i]);
	free(work->layouts);
	rsb_profile_free(work->profile);
}

static void prepare(void *from)
{
	struct request *request = from;

	request->format = &formats[0];
}

static void clear(void *from)
{
	struct request *request = from;

	cli_inputs_clear(&request->layouts);
}

static enum cli_status run_native(void *from, int argc, char **argv, struct rsb_error *error)
{
	struct request *request = from;
	struct work work = { .request = request };
	bool good = cli_inputs_take(&request->layouts, argc, argv, error) &&
		    cli_scenarios_check(&request->scenarios, error) &&
		    rsb_native_available(error) &&
		    cli_measuring_check(&request->measuring, error) &&
		    cli_forms_check(&request->forms, error);

	rsb_host_read(&work.native.host);
	good = good && choose_profile(&work, error) && load_layouts(&work, error) &&
	       measure(&work, error) &&
	       cli_output_write(request->output, write_report, &work, error);
	clear_work(&work);
	return good ? CLI_OK : CLI_TROUBLE;
}

static const struct cli_option options[] = {
	{ .name = "cpu",
	  .letter = 'c',
	  .argument = "NAME",
	  .take = cli_take_text,
	  .sentence = "what to simulate: a CPU by name or file (default this processor's own, by "
		      "cpuid)",
	  .field = offsetof(struct request, cpu) },
	{ .name = "scenario",
	  .letter = 's',
	  .argument = "NAME",
	  .take = cli_take_choice,
	  .sentence = "only bench (depth 8, batch 100) or unwind (depth 8, batch 1)",
	  .field = offsetof(struct request, scenarios.name),
	  .choices = "bench|unwind" },
	CLI_SCENARIO_ROWS(offsetof(struct request, scenarios), "1, 4, 8, 12 and 24", "1 and 100"),
	{ .name = "spread",
	  .take = cli_take_switch,
	  .sentence =
		  "measure each at four alignments and with 0, 1, 2 and 4 helpers, whatever the "
		  "batch",
	  .field = offsetof(struct request, spread) },
	{ .name = "each",
	  .take = cli_take_switch,
	  .sentence =
		  "also make each return miss by itself: one that missed already costs nothing more",
	  .field = offsetof(struct request, each) },
	CLI_MEASURING_ROWS(offsetof(struct request, measuring), "each"),
	{ .name = "allow-native",
	  .take = cli_take_switch,
	  .sentence = "run code of your own too, not only what is generated here",
	  .field = offsetof(struct request, allow) },
	CLI_SOURCE_ROWS(offsetof(struct request, layouts.sources)),
	CLI_FORM_ROWS(offsetof(struct request, forms)),
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

const struct cli_command cli_native = {
	.name = "native",
	.summary = "Runs layouts on this machine's processor, beside what is simulated.",
	.arguments = "LAYOUT...",
	.help = "LAYOUT is a built-in name, a pattern, or a layout file. Misses are measured by the "
		"time that they take, in units of a misprediction that is measured as well.",
	.example = "rsbsim native 'bpf-fexit-*' --depth 8 --batch 1",
	.options = options,
	.request_size = sizeof(struct request),
	.prepare = prepare,
	.clear = clear,
	.run = run_native,
};
