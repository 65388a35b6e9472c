/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsbsim trace replay: a trace on CPUs. */
#include "sim/cli/profiles.h"
#include "sim/cli/progress.h"
#include "sim/cli/terminal.h"
#include "sim/cli/trace.h"
#include "sim/report/trace.h"
#include "sim/score/run_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct request {
	struct cli_profile_choice profiles;
	struct cli_number rounds;
	const char *input, *format, *output;
};

/* A trace that was replayed: a recorded layout gives scores, any other one trace_scores. */
struct result {
	struct rsb_score **scores;
	size_t count;
	struct rsb_trace_scores *trace_scores;
	enum rsb_trace_got got;
	struct rsb_error cut; /* what is to be said of a file that is cut short */
};

static void clear_result(struct result *result)
{
	for (size_t i = 0; i < result->count; i++)
		rsb_score_free(result->scores[i]);
	free(result->scores);
	rsb_trace_scores_free(result->trace_scores);
}

static bool score_run(const struct request *request, const struct cli_profiles *profiles,
		      const struct rsb_run *run, const struct rsb_run_about *about,
		      struct result *result, struct rsb_error *error)
{
	const struct rsb_score_options options = {
		.rounds = request->rounds.value,
		.return_thunk = about->return_thunk,
	};

	result->scores = calloc(profiles->count, sizeof(*result->scores));
	if (!result->scores)
		return rsb_error_set(error, "out of memory");
	for (size_t i = 0; i < profiles->count; i++) {
		result->scores[i] = rsb_score_new(run, about->layout, profiles->all[i],
						  &about->scenario, &options, error);
		if (!result->scores[i])
			return rsb_error_prefix(error, "%s on %s", about->layout,
						rsb_profile_name(profiles->all[i]));
		result->count++;
	}
	return rsb_report_sort(result->scores, result->count) ||
	       rsb_error_set(error, "out of memory");
}

/* The reader's texts are needed as long as what it is of. */
static bool replay_run(const struct request *request, const struct cli_profiles *profiles,
		       struct rsb_trace_reader *reader, struct result *result,
		       struct rsb_error *error)
{
	struct rsb_run_about about;
	struct rsb_run *run = rsb_run_load(reader, &about, &result->got, error);
	bool good;

	if (!run)
		return false;
	result->cut = *error;
	good = score_run(request, profiles, run, &about, result, error);
	rsb_run_free(run);
	return good;
}

/* A trace with wrong paths is read once more where a CPU may put back this or that after them. */
static bool find_range(const struct request *request, const struct cli_profiles *profiles,
		       struct rsb_trace_scores *scores, struct rsb_error *error)
{
	char *path = (char *)request->input;
	struct cli_trace again;
	bool good;

	if (!rsb_trace_scores_speculate(scores) ||
	    !rsb_trace_range_wanted(profiles->all, profiles->count) || !strcmp(path, "-"))
		return true;
	good = cli_trace_open(&again, 1, &path, error) &&
	       rsb_trace_scores_range(scores, again.reader, profiles->all, error);
	cli_trace_close(&again);
	return good;
}

/* The length of what a pipe brings is not known, and it has no bar. */
static void start_progress(struct cli_progress *progress, const char *path)
{
	struct stat status;

	cli_progress_start(progress, "replay");
	if (!stat(path, &status) && S_ISREG(status.st_mode))
		progress->whole = (uint64_t)status.st_size;
}

static bool replay_trace(const struct request *request, const struct cli_profiles *profiles,
			 struct rsb_trace_reader *reader, struct result *result,
			 struct rsb_error *error)
{
	struct cli_progress progress;

	if (request->rounds.given)
		return rsb_error_set(error,
				     "--rounds: the trace is of no layout and has no rounds");
	start_progress(&progress, request->input);
	rsb_trace_reader_watch(reader, cli_progress_bar, &progress);
	result->trace_scores =
		rsb_trace_scores_new(reader, profiles->all, profiles->count, &result->got, error);
	rsb_trace_reader_watch(reader, NULL, NULL);
	cli_progress_end(&progress);
	result->cut = *error;
	return result->trace_scores && find_range(request, profiles, result->trace_scores, error);
}

/* The format is looked up before the work is done. */
struct format {
	const struct rsb_report_format *run;
	const struct rsb_trace_format *trace;
};

static bool find_format(struct format *format, const char *name, bool recorded,
			struct rsb_error *error)
{
	*format = (struct format){ NULL, NULL };
	if (recorded)
		format->run = rsb_report_format_find(name, error);
	else
		format->trace = rsb_trace_format_find(name, error);
	return format->run || format->trace;
}

/* What is written. */
struct report {
	const struct request *request;
	const struct rsb_trace_reader *reader;
	struct format format;
	struct result result;
};

static bool write_report(FILE *out, const void *from, struct rsb_error *error)
{
	const struct report *report = from;
	const struct result *result = &report->result;
	const struct rsb_trace_subject subject = { report->reader, result->trace_scores };
	const struct rsb_report_options options = {
		.colour = !report->request->output && cli_terminal_colour(),
		.columns = cli_terminal_columns(),
	};

	if (report->format.trace)
		return report->format.trace->write(out, &subject, &options, error);
	return report->format.run->write(out, (const struct rsb_score *const *)result->scores,
					 result->count, &options, error);
}

static bool replay(const struct request *request, const struct cli_profiles *profiles,
		   struct rsb_trace_reader *reader, struct rsb_error *error)
{
	bool recorded = rsb_run_is_recorded(reader);
	struct report report = { .request = request, .reader = reader };
	struct result *result = &report.result;
	bool good = find_format(&report.format, request->format, recorded, error) &&
		    (recorded ? replay_run(request, profiles, reader, result, error)
			      : replay_trace(request, profiles, reader, result, error)) &&
		    cli_output_write(request->output, write_report, &report, error);

	if (good && result->got == RSB_TRACE_CUT)
		good = rsb_error_set(error, "%s; what came before is scored", result->cut.text);
	clear_result(result);
	return good;
}

static void prepare(void *from)
{
	struct request *request = from;

	request->format = "text";
}

static void clear(void *from)
{
	struct request *request = from;

	cli_profile_choice_clear(&request->profiles);
}

static enum cli_status run_replay(void *from, int argc, char **argv, struct rsb_error *error)
{
	struct request *request = from;
	struct cli_profiles profiles = { .count = 0 };
	struct cli_trace trace = { .input = NULL };
	bool good;

	request->input = argv[0];
	good = cli_trace_open(&trace, argc, argv, error);
	good = good && cli_profiles_load(&profiles, &request->profiles, error) &&
	       replay(request, &profiles, trace.reader, error);
	cli_trace_close(&trace);
	cli_profiles_clear(&profiles);
	return good ? CLI_OK : CLI_TROUBLE;
}

static const struct cli_option options[] = {
	CLI_PROFILE_ROWS(offsetof(struct request, profiles)),
	{ .name = "rounds",
	  .argument = "N",
	  .take = cli_take_number,
	  .sentence = "add exact totals over N rounds of a recorded layout",
	  .field = offsetof(struct request, rounds),
	  .minimum = 1,
	  .maximum = RSB_ROUNDS_MAX },
	{ .name = "format",
	  .letter = 'f',
	  .argument = "NAME",
	  .take = cli_take_text,
	  .sentence = "text or json, of a recorded layout csv or markdown too (default "
		      "text)",
	  .field = offsetof(struct request, format) },
	{ .name = "output",
	  .letter = 'o',
	  .argument = "FILE",
	  .take = cli_take_output,
	  .sentence = "write the report to FILE, whole or not at all",
	  .field = offsetof(struct request, output) },
	CLI_OPTIONS_END,
};

const struct cli_command cli_trace_replay = {
	.name = "trace replay",
	.summary = "Scores a trace: what its returns cost on a CPU's return stack.",
	.arguments = "TRACE",
	.help = "TRACE is a file, compressed or not, or - for standard input. A layout that was "
		"recorded gets the very score that 'rsbsim score' gives it.",
	.example = "rsbsim trace replay skip.rsbt --cpu all",
	.options = options,
	.request_size = sizeof(struct request),
	.prepare = prepare,
	.clear = clear,
	.run = run_replay,
};
