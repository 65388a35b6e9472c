/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A place as JSON. */
#ifndef RSB_SIM_CHECK_JSON_PLACE_H
#define RSB_SIM_CHECK_JSON_PLACE_H

#include "sim/check/check.h"
#include "sim/report/json.h"

/* Its bytes as text: "48 83 c4 08". */
#define RSB_PLACE_BYTES 48
void rsb_place_bytes(char out[RSB_PLACE_BYTES], const struct rsb_check_place *place);

/* Adds it; null where there is no instruction. */
bool rsb_add_place(cJSON *to, const char *key, const struct rsb_check_place *place);

#endif
