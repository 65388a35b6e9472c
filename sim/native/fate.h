/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What became of the runner's child, in words. */
#ifndef RSB_SIM_NATIVE_FATE_H
#define RSB_SIM_NATIVE_FATE_H

#include "sim/native/child.h"

struct rsb_native_fate {
	const struct rsb_image *image;
	const struct rsb_native_plan *plan;
	int status; /* as waitpid() gave it */
	bool late;  /* its time was over */

	/* As they were on the board, so they may be anything. */
	uint32_t step, refusal;
	int number;
	uint64_t where;
};

/* Did it end as it should? */
bool rsb_native_fate_good(const struct rsb_native_fate *fate);

/* Says how it ended instead; always false. */
bool rsb_native_fate_tell(const struct rsb_native_fate *fate, struct rsb_error *error);

#endif
