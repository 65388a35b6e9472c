/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a whole sweep is of, as JSON. */
#ifndef RSB_SIM_SWEEP_IDENTITY_H
#define RSB_SIM_SWEEP_IDENTITY_H

#include "sim/sweep/sweep.h"
#include "traces/util/json.h"

/* Adds it as key "sweep". False: no memory. */
bool rsb_sweep_identity_add(cJSON *to, const struct rsb_sweep *sweep);

/* The sweep of that object, without rows yet. NULL: error. */
struct rsb_sweep *rsb_sweep_identity_read(const struct rsb_json *json, const cJSON *object,
					  struct rsb_error *error);

#endif
