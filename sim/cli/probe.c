/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsbsim probe: this processor's return stack, as the file of a CPU. */
#include "sim/cli/measuring.h"
#include "sim/cli/options.h"
#include "sim/cli/output.h"
#include "sim/cli/progress.h"
#include "sim/cli/terminal.h"
#include "sim/report/probe.h"

#include <stdlib.h>
#include <string.h>

struct request {
	const char *output, *name;
	bool all;
	struct cli_measuring measuring;
};

struct work {
	const struct rsb_probe *probe;
	const char *name;
	bool all;
};

static bool write_text(FILE *out, const void *from, struct rsb_error *error)
{
	const struct work *work = from;

	return rsb_probe_text(out, work->probe, work->all, cli_terminal_columns(), error);
}

static bool write_profile(FILE *out, const void *from, struct rsb_error *error)
{
	const struct work *work = from;

	return rsb_probe_profile(out, work->probe, work->name, error);
}

static struct rsb_probe *probe(const struct request *request, struct rsb_error *error)
{
	struct cli_progress progress;
	const struct rsb_measure_options options =
		cli_measuring_options(&request->measuring, &progress);
	struct rsb_probe *found;

	cli_progress_start(&progress, "probe");
	found = rsb_probe_new(&options, error);
	cli_progress_end(&progress);
	return found;
}

static enum cli_status run_probe(void *from, int argc, char **argv, struct rsb_error *error)
{
	const struct request *request = from;
	struct rsb_probe *found = NULL;
	bool good;

	if (argc) {
		rsb_error_set(error, "expected no argument, got '%s'", argv[0]);
		return CLI_TROUBLE;
	}
	if (rsb_native_available(error) && cli_measuring_check(&request->measuring, error))
		found = probe(request, error);
	if (!found)
		return CLI_TROUBLE;
	good = cli_output_write(NULL, write_text, &(struct work){ found, NULL, request->all },
				error) &&
	       (!request->output ||
		cli_output_write(
			request->output, write_profile,
			&(struct work){ found, request->name ? request->name : "my-cpu", false },
			error));
	rsb_probe_free(found);
	return good ? CLI_OK : CLI_TROUBLE;
}

static const struct cli_option options[] = {
	{ .name = "output",
	  .letter = 'o',
	  .argument = "FILE",
	  .take = cli_take_output,
	  .sentence = "write the profile to FILE, whole or not at all, for --cpu ./FILE",
	  .field = offsetof(struct request, output) },
	{ .name = "name",
	  .argument = "NAME",
	  .take = cli_take_text,
	  .sentence = "what the profile is called (default my-cpu)",
	  .field = offsetof(struct request, name) },
	{ .name = "all",
	  .letter = 'a',
	  .take = cli_take_switch,
	  .sentence = "show what was measured in each experiment, too",
	  .field = offsetof(struct request, all) },
	CLI_MEASURING_ROWS(offsetof(struct request, measuring), "each experiment"),
	CLI_OPTIONS_END,
};

const struct cli_command cli_probe = {
	.name = "probe",
	.summary = "Measures this processor's return stack, and writes its profile.",
	.arguments = "",
	.help = "The profile is the model whose simulation of the experiments is nearest to what "
		"was measured of them; each field has its evidence, and one that cannot be told is "
		"null, with the reason.",
	.example = "rsbsim probe -o my-cpu.json",
	.options = options,
	.request_size = sizeof(struct request),
	.run = run_probe,
};
