/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsbsim merge: the parts of a sweep put together. */
#include "sim/cli/stdin.h"
#include "sim/cli/sweep_report.h"
#include "sim/sweep/part.h"

#include <string.h>

/* The file by which it is read as any other. */
#define STDIN_FILE "/dev/stdin"

static bool merge(const struct cli_sweep_report *report, int argc, char **argv,
		  struct rsb_error *error)
{
	struct rsb_sweep *sweep;
	bool good;

	if (!argc)
		return rsb_error_set(error, "expected the parts of a sweep (rsbsim sweep --shard)");
	if (!cli_sweep_report_check(report, error))
		return false;
	for (int i = 0; i < argc; i++)
		if (!strcmp(argv[i], CLI_STDIN))
			argv[i] = STDIN_FILE;
	sweep = rsb_sweep_merge((const char *const *)argv, (size_t)argc, error);
	good = sweep && cli_sweep_report_plan(report, sweep, error) &&
	       cli_sweep_report_write(report, sweep, error);
	rsb_sweep_free(sweep);
	return good;
}

static enum cli_status run_merge(void *from, int argc, char **argv, struct rsb_error *error)
{
	return merge(from, argc, argv, error) ? CLI_OK : CLI_TROUBLE;
}

static const struct cli_option options[] = {
	CLI_SWEEP_REPORT_ROWS(0),
	CLI_OPTIONS_END,
};

const struct cli_command cli_merge = {
	.name = "merge",
	.summary = "Puts the parts of a sweep together that were worked out apart.",
	.arguments = "PART...",
	.help = "PART is what 'rsbsim sweep --shard' wrote; -: standard input. All parts of one "
		"sweep are needed, each once; the report is the one that the whole sweep would "
		"have given.",
	.example = "rsbsim merge part-*.json --format csv",
	.options = options,
	.request_size = sizeof(struct cli_sweep_report),
	.run = run_merge,
};
