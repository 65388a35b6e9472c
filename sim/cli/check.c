/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsbsim check: rules over layouts, for a build that must fail when one is broken. */
#include "sim/check/baseline.h"
#include "sim/cli/check_run.h"
#include "sim/cli/message.h"
#include "sim/cli/output.h"
#include "sim/cli/progress.h"
#include "sim/cli/terminal.h"

#include <string.h>
#include <unistd.h>

struct work {
	const struct cli_check_request *request;
	struct cli_profiles profiles;
	struct rsb_baseline *baseline;  /* NULL: none */
	struct rsb_check *base, *check; /* base NULL: nothing to compare with */
};

/* Two layouts of different names are compared with each other; of more, those of one name. */
static const char *find_base_layout(const struct work *work)
{
	const struct cli_check_request *request = work->request;

	if (!work->base || request->layouts.count != 1 || request->base.count != 1)
		return NULL;
	return work->base->cases[0].layout;
}

/* Do options change how layouts run? */
static bool are_altered(const struct cli_check_request *request)
{
	return request->forms.return_thunk || request->forms.indirect || request->scenarios.name ||
	       request->scenarios.depth.given || request->scenarios.batch.given ||
	       request->scenarios.spacing.given;
}

/* Without a base that can be read, everything would seem to be new. */
static bool check_base(const struct rsb_check *base, struct rsb_error *error)
{
	for (size_t i = 0; i < base->count; i++)
		if (!base->cases[i].cpu)
			return rsb_error_set(error, "--against: %s", base->cases[i].trouble);
	return true;
}

static bool run_checks(struct work *work, struct rsb_error *error)
{
	const struct cli_check_request *request = work->request;
	struct rsb_check_options options = { .budget = request->budget.value,
					     .altered = are_altered(request),
					     .mitigations = cli_forms_automatic(&request->forms),
					     .progress = cli_progress_show };

	work->check = rsb_check_new();
	work->base = request->against ? rsb_check_new() : NULL;
	if (!work->check || (request->against && !work->base))
		return rsb_error_set(error, "out of memory");
	/* Of the base only the figures are wanted: all rules are off. */
	if (work->base && !(cli_check_run(work->base, request, &work->profiles, &request->base,
					  &options, error) &&
			    check_base(work->base, error)))
		return false;
	memcpy(options.levels, request->levels, sizeof(options.levels));
	options.base = work->base;
	options.base_layout = find_base_layout(work);
	if (!cli_check_run(work->check, request, &work->profiles, &request->layouts, &options,
			   error))
		return false;
	return !work->base || options.base_layout || rsb_check_gone(work->check, work->base) ||
	       rsb_error_set(error, "out of memory");
}

/* A baseline that is to be made need not be there. */
static bool load_baseline(struct work *work, struct rsb_error *error)
{
	const struct cli_check_request *request = work->request;

	if (!request->baseline)
		return true;
	if (request->update && !cli_output_check(request->baseline, error))
		return false;
	if (!access(request->baseline, F_OK))
		work->baseline = rsb_baseline_load(request->baseline, error);
	else if (request->update)
		work->baseline = rsb_baseline_new();
	else
		return rsb_error_set(error,
				     "--baseline: there is no file '%s': --update-baseline beside "
				     "it makes one of what is found now",
				     request->baseline);
	return work->baseline != NULL;
}

static bool write_baseline(FILE *out, const void *from, struct rsb_error *error)
{
	const struct work *work = from;

	return rsb_baseline_write(work->baseline, work->check, out, error);
}

/* What is written, and how. */
struct written {
	const struct rsb_check *check;
	const struct cli_check_output *output;
};

static bool write_report(FILE *out, const void *from, struct rsb_error *error)
{
	const struct written *written = from;
	const struct rsb_check_style style = {
		.colour = !written->output->path && cli_terminal_colour(),
		.columns = cli_terminal_columns(),
	};

	return written->output->format->write(out, written->check, &style, error);
}

static bool write_reports(const struct work *work, struct rsb_error *error)
{
	const struct cli_check_request *request = work->request;

	for (size_t i = 0; i < request->output_count; i++) {
		struct written written = { work->check, &request->outputs[i] };

		if (!cli_output_write(request->outputs[i].path, write_report, &written, error))
			return false;
	}
	return true;
}

/* Does the text on standard output have the troubles already? */
static bool has_told(const struct cli_check_request *request)
{
	for (size_t i = 0; i < request->output_count; i++) {
		const struct cli_check_output *output = &request->outputs[i];

		if (output->format->write == rsb_check_text &&
		    (!output->path || !strcmp(output->path, "-")))
			return true;
	}
	return false;
}

/* The same trouble on many CPUs is told once. */
static enum cli_status tell_troubles(const struct rsb_check *check, bool has_told)
{
	const char *told = "";
	enum cli_status status = CLI_OK;

	for (size_t i = 0; check && i < check->count; i++) {
		const char *trouble = check->cases[i].trouble;

		if (!trouble)
			continue;
		status = CLI_TROUBLE;
		/* What could not be loaded is named by its own message. */
		if (!has_told && strcmp(trouble, told) != 0)
			cli_trouble(&cli_check, "%s%s%s",
				    check->cases[i].cpu ? check->cases[i].layout : "",
				    check->cases[i].cpu ? ": " : "", trouble);
		told = trouble;
	}
	return status;
}

/* An update accepts what it finds, except what it had been told to accept only for a while. */
static bool fails(const struct work *work)
{
	for (size_t i = 0; i < work->check->count; i++) {
		const struct rsb_check_case *one = &work->check->cases[i];

		for (size_t k = 0; k < one->count; k++)
			if (rsb_check_result_fails(&one->results[k]) &&
			    (!work->request->update || one->results[k].expired))
				return true;
	}
	return false;
}

static bool check(struct work *work, struct rsb_error *error)
{
	const struct cli_check_request *request = work->request;

	if (!cli_profiles_load(&work->profiles, &request->profiles, error) ||
	    !load_baseline(work, error) || !run_checks(work, error))
		return false;
	if (work->baseline &&
	    !rsb_baseline_compare(work->baseline, work->check, request->today, error))
		return false;
	work->check->accepting = request->update ? request->baseline : NULL;
	return write_reports(work, error) &&
	       (!request->update ||
		cli_output_write(request->baseline, write_baseline, work, error));
}

static enum cli_status find_status(const struct work *work)
{
	enum cli_status base = tell_troubles(work->base, false);
	enum cli_status status = tell_troubles(work->check, has_told(work->request));

	if (base == CLI_TROUBLE || status == CLI_TROUBLE)
		return CLI_TROUBLE;
	return !work->request->exit_zero && fails(work) ? CLI_FINDINGS : CLI_OK;
}

static void prepare(void *from)
{
	struct cli_check_request *request = from;

	rsb_check_levels(request->levels);
}

static void clear(void *from)
{
	cli_check_clear(from);
}

static enum cli_status run_check(void *from, int argc, char **argv, struct rsb_error *error)
{
	struct cli_check_request *request = from;
	struct work work = { .request = request };
	enum cli_status status = CLI_TROUBLE;

	if (cli_check_complete(request, argc, argv, error) && check(&work, error)) {
		error->text[0] = '\0';
		status = find_status(&work);
	}
	rsb_check_free(work.check);
	rsb_check_free(work.base);
	rsb_baseline_free(work.baseline);
	cli_profiles_clear(&work.profiles);
	return status;
}

static const struct cli_option options[] = {
	CLI_PROFILE_ROWS(offsetof(struct cli_check_request, profiles)),
	CLI_SOURCE_ROWS(offsetof(struct cli_check_request, layouts.sources)),
	CLI_FORM_ROWS(offsetof(struct cli_check_request, forms)),
	CLI_OWN_FORM_ROW(offsetof(struct cli_check_request, forms)),
	CLI_FORCE_ROW(offsetof(struct cli_check_request, forms)),
	CLI_ONE_SCENARIO_ROW(offsetof(struct cli_check_request, scenarios)),
	CLI_SCENARIO_ROWS(offsetof(struct cli_check_request, scenarios), "8", "1"),
	CLI_BUDGET_ROW(offsetof(struct cli_check_request, budget)),
	{ .name = "baseline",
	  .letter = 'b',
	  .argument = "FILE",
	  .take = cli_take_text,
	  .sentence = "what FILE has is accepted, and only what is new fails",
	  .field = offsetof(struct cli_check_request, baseline) },
	{ .name = "update-baseline",
	  .take = cli_take_switch,
	  .sentence = "write all that is found to the baseline; reasons and dates stay",
	  .field = offsetof(struct cli_check_request, update) },
	{ .name = "against",
	  .argument = "BASE",
	  .take = cli_take_text,
	  .sentence = "compare with another version: a layout, a folder or a capture; only "
		      "what got worse fails",
	  .field = offsetof(struct cli_check_request, against) },
	{ .name = "rule",
	  .letter = 'r',
	  .argument = "RULE=LEVEL",
	  .take = cli_take_rule,
	  .sentence = "off, note, warning or error in place of the rule's own level; may be "
		      "given more than once",
	  .field = offsetof(struct cli_check_request, levels) },
	{ .name = "format",
	  .letter = 'f',
	  .argument = "FORMAT[=FILE]",
	  .take = cli_take_check_format,
	  .sentence = "{}, to FILE or to standard output; may be given more than once",
	  .name_of = cli_check_format_name,
	  .field = 0 /* the request itself */ },
	{ .name = "exit-zero",
	  .take = cli_take_switch,
	  .sentence = "exit with 0 for findings too",
	  .field = offsetof(struct cli_check_request, exit_zero) },
	{ .name = "today",
	  .argument = "DATE",
	  .take = cli_take_date,
	  .sentence = "the day that entries of the baseline expire by, in place of "
		      "SOURCE_DATE_EPOCH or the clock's",
	  .field = offsetof(struct cli_check_request, today) },
	CLI_OPTIONS_END,
};

const struct cli_command cli_check = {
	.name = "check",
	.summary = "Fails when a layout breaks a rule: for builds, and for git bisect.",
	.arguments = "[LAYOUT...]",
	.help = "LAYOUT is a built-in name, a pattern over those names, a layout file (-: standard "
		"input), a folder of them, or a kernel's capture (NAME.core beside NAME.kallsyms).",
	.example = "rsbsim check layouts/ --baseline rsb.json --format junit=rsb.xml",
	.options = options,
	.request_size = sizeof(struct cli_check_request),
	.prepare = prepare,
	.clear = clear,
	.run = run_check,
};
