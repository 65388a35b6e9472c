/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The running half of rsbsim check. */
#ifndef RSB_SIM_CLI_CHECK_RUN_H
#define RSB_SIM_CLI_CHECK_RUN_H

#include "sim/cli/check_options.h"

/*
 * Checks the inputs, as the request says, on each of the profiles; one that cannot be judged is
 * trouble of its own. False: want of memory.
 */
bool cli_check_run(struct rsb_check *into, const struct cli_check_request *request,
		   const struct cli_profiles *profiles, const struct cli_inputs *inputs,
		   struct rsb_check_options *options, struct rsb_error *error);

#endif
