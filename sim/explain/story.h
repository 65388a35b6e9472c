/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Findings in words. */
#ifndef RSB_SIM_EXPLAIN_STORY_H
#define RSB_SIM_EXPLAIN_STORY_H

#include "sim/explain/explain.h"

/* The cause of a finding in one sentence; to be freed. NULL: no memory. */
char *rsb_story_tell(const struct rsb_finding *finding, const struct rsb_profile *profile);

/* A way out: of the code that is known, else of the cause; "" where there is none. */
const char *rsb_advice_find(const struct rsb_finding *finding);

#endif
