/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What rsbsim sweep is asked, and what it works on: layouts (sweep.c), or a trace (sweep_trace.c).
 */
#ifndef RSB_SIM_CLI_SWEEP_H
#define RSB_SIM_CLI_SWEEP_H

#include "sim/cli/forms.h"
#include "sim/cli/inputs.h"
#include "sim/cli/profiles.h"
#include "sim/cli/progress.h"
#include "sim/cli/scenarios.h"
#include "sim/cli/sweep_report.h"
#include "sim/sweep/part.h"

struct cli_sweep_request {
	const char *trace; /* an operand; NULL: these layouts */
	struct cli_inputs layouts;
	struct cli_profile_choice profiles;
	struct cli_words settings;
	struct cli_form_choice forms;
	struct cli_scenarios scenarios;
	struct cli_number jobs, budget;
	struct rsb_shard shard; /* count 0: not given */
	struct cli_sweep_report report;
};

struct cli_sweep_work {
	const struct cli_sweep_request *request;
	struct cli_profiles profiles;
	struct rsb_grid grid;
	struct rsb_sweep *sweep;
	struct cli_progress progress;
	enum rsb_trace_got got;
	struct rsb_error cut; /* what is to be said of a trace that is cut short */
};

/* Plans the whole sweep, and narrows it to the shard that is asked for. */
bool cli_sweep_plan(struct cli_sweep_work *work, const struct rsb_sweep_subject *subjects,
		    size_t count, struct rsb_error *error);

struct rsb_sweep_options cli_sweep_options(struct cli_sweep_work *work);

/* Is that operand a trace? One that is no file is left to the layouts to complain of. */
bool cli_sweep_is_trace(const char *operand);

/* Plans and works out the sweep of a trace. */
bool cli_sweep_trace(struct cli_sweep_work *work, struct rsb_error *error);

#endif
