/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Remarks of a check: what is to be known of how layouts were run, and no rule is about. Each is
 * said once for all cases.
 */
#ifndef RSB_SIM_CHECK_REMARKS_H
#define RSB_SIM_CHECK_REMARKS_H

#include "sim/check/check.h"
#include "sim/score/run.h"

/*
 * Fills the remarks of a case: what the code is not as its source has it, whether the CPU ever runs
 * it, and why mitigations change nothing, if they were asked for. False: no memory.
 */
bool rsb_check_remark(struct rsb_check_case *one, const struct rsb_run *run,
		      const struct rsb_profile *profile, const char *return_thunk, bool generated,
		      bool mitigations);

typedef void rsb_check_remark_writer(void *context, const char *line);

/*
 * Calls write for each, with whom it is about: "nothing else [plain-call, bpf-fexit-jmp and 2
 * more]"; of all cases it says nothing of that. False: no memory.
 */
bool rsb_check_each_remark(const struct rsb_check *check, rsb_check_remark_writer *write,
			   void *context);

#endif
