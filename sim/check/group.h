/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results that are alike on several CPUs, to be shown once. */
#ifndef RSB_SIM_CHECK_GROUP_H
#define RSB_SIM_CHECK_GROUP_H

#include "sim/check/check.h"

/* Is this result of this case alike to none of an earlier case? */
bool rsb_group_is_first(const struct rsb_check *check, size_t index, size_t result);

/* The CPUs of all results alike to this one: "intel-haswell, amd-zen4 and 12 more". To be freed. */
char *rsb_group_cpus(const struct rsb_check *check, size_t index, size_t result);

#endif
