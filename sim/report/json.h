/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON that is written. cJSON keeps numbers as doubles and prints 17 digits; here they are text
 * (sim/report/number.h). Adding NULL, or to NULL, is refused, so that one check at the end of a
 * chain of && finds any want of memory. key is NULL where the item goes into an array.
 */
#ifndef RSB_SIM_REPORT_JSON_H
#define RSB_SIM_REPORT_JSON_H

#include "sim/scenario.h"
#include "traces/util/error.h"

#include <cjson/cJSON.h>
#include <stdint.h>
#include <stdio.h>

#define RSB_SCHEMA 1 /* the version of every JSON text that is written */

/* Takes the item over, also when it is refused. */
bool rsb_add_item(cJSON *to, const char *key, cJSON *item);

bool rsb_add_number(cJSON *to, const char *key, double value); /* NAN: null */
bool rsb_add_integer(cJSON *to, const char *key, uint64_t value);
bool rsb_add_switch(cJSON *to, const char *key, bool value);
bool rsb_add_text(cJSON *to, const char *key, const char *text); /* NULL: null */

/* An address is text, "0x401000": a JSON number does not hold 64 bits. */
bool rsb_add_address(cJSON *to, const char *key, uint64_t address);

/* An object, or an array, inside another. NULL: refused. */
cJSON *rsb_add_object(cJSON *to, const char *key);
cJSON *rsb_add_array(cJSON *to, const char *key);

/* An array of texts. */
bool rsb_add_texts(cJSON *to, const char *key, char *const *texts, size_t count);

/* A scenario without a name is one that was never chosen: null. */
bool rsb_add_scenario(cJSON *to, const char *key, const struct rsb_scenario *scenario);

/* An object with its schema; NULL: no memory. */
cJSON *rsb_json_new(void);

/*
 * Writes root and frees it; built says whether all of it is there. False: no memory, or a write
 * failed.
 */
bool rsb_json_write(FILE *out, cJSON *root, bool built, struct rsb_error *error);

#endif
