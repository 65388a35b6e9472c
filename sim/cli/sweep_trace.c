/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sweep of a trace, be it of any program or one that a layout was recorded in. */
#include "sim/cli/sweep.h"

#include "sim/cli/names.h"
#include "sim/cli/stdin.h"
#include "sim/image/capture.h"
#include "sim/score/run_file.h"

#include <string.h>
#include <sys/stat.h>

/* Traces are files that are no JSON, no folder and no capture. */
bool cli_sweep_is_trace(const char *operand)
{
	struct stat status;

	if (!strcmp(operand, CLI_STDIN))
		return true;
	if (cli_name_ends(operand, ".json"))
		return false;
	return !cli_input_is_built_in(operand) && !stat(operand, &status) &&
	       !S_ISDIR(status.st_mode) && !rsb_capture_is(operand);
}

/* A trace that a layout was recorded in is swept as that layout is. */
static bool sweep_recording(struct cli_sweep_work *work, struct rsb_trace_reader *reader,
			    struct rsb_error *error)
{
	const struct rsb_sweep_options options = cli_sweep_options(work);
	struct rsb_sweep_subject subject;
	struct rsb_run_about about;
	struct rsb_run *run = rsb_run_load(reader, &about, &work->got, error);
	bool good;

	if (!run)
		return false;
	work->cut = *error;
	subject = (struct rsb_sweep_subject){ about.layout, &about.scenario, 1 };
	good = cli_sweep_plan(work, &subject, 1, error) &&
	       rsb_sweep_run(work->sweep, 0, run, &options, error);
	rsb_run_free(run);
	return good;
}

/* The file's name, which is the same on every machine that has a part of the work. */
static const char *name_trace(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!strcmp(path, CLI_STDIN))
		return "standard input";
	return slash ? slash + 1 : path;
}

static bool sweep_events(struct cli_sweep_work *work, struct rsb_trace_reader *reader,
			 struct rsb_error *error)
{
	const struct rsb_sweep_options options = cli_sweep_options(work);
	const char *trace = work->request->trace;
	const struct rsb_sweep_subject subject = { .name = name_trace(trace) };
	struct stat status;
	bool good;

	if (!stat(trace, &status) && S_ISREG(status.st_mode))
		work->progress.whole = (uint64_t)status.st_size;
	good = cli_sweep_plan(work, &subject, 1, error) &&
	       rsb_sweep_trace(work->sweep, reader, &options, &work->got, error);
	work->cut = *error;
	return good;
}

bool cli_sweep_trace(struct cli_sweep_work *work, struct rsb_error *error)
{
	struct rsb_input *input = rsb_input_open(work->request->trace, error);
	struct rsb_trace_reader *reader = input ? rsb_trace_reader_new(input, error) : NULL;
	bool good = reader && (rsb_run_is_recorded(reader) ? sweep_recording(work, reader, error)
							   : sweep_events(work, reader, error));

	rsb_trace_reader_free(reader);
	rsb_input_free(input);
	return good;
}
