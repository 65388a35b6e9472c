/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The causes: a row each. */
#include "sim/explain/explain.h"

struct row {
	const char *name, *sentence;
};

static const struct row rows[RSB_CAUSES] = {
	[RSB_CAUSE_SKIPPED_FRAME] = { "skipped-frame",
				      "a return address that a call pushed was left on the stack "
				      "without a return" },
	[RSB_CAUSE_REWRITTEN_RETURN] = { "rewritten-return",
					 "a return address was overwritten in memory, so that the "
					 "return goes elsewhere than its call predicts" },
	[RSB_CAUSE_PUSHED_RETURN] = { "pushed-return",
				      "a return goes to an address that no call pushed" },
	[RSB_CAUSE_OVERFLOW] = { "overflow",
				 "more calls were open than the return stack has entries" },
	[RSB_CAUSE_EMPTY] = { "empty", "the return stack had no entry left" },
	[RSB_CAUSE_STALE] = { "stale", "an entry was used that had been used before" },
	[RSB_CAUSE_CLOBBERED] = { "clobbered",
				  "something other than calls and returns changed the return stack" },
	[RSB_CAUSE_SHIFTED] = { "shifted",
				"an earlier imbalance puts every entry below it out of place" },
	[RSB_CAUSE_INTENDED] = { "intended", "a mitigation wants this return to miss" },
	[RSB_CAUSE_PREDICTOR] = { "predictor", "the predictor works differently from a stack" },
};

const char *rsb_cause_name(enum rsb_cause cause)
{
	return rows[cause].name;
}

const char *rsb_cause_sentence(enum rsb_cause cause)
{
	return rows[cause].sentence;
}
