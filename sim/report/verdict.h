/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verdicts of control-flow enforcement, as every format of explanations has them. */
#ifndef RSB_SIM_REPORT_VERDICT_H
#define RSB_SIM_REPORT_VERDICT_H

#include "sim/report/finding.h"

#include <cjson/cJSON.h>

/* "violates: `ret` at ... returns to ...", with the note on what that is worth; "" for nothing. */
void rsb_shadow_phrase(const struct rsb_explanation *explanation, char out[RSB_PHRASE_SIZE]);

/* "clean: ...", "violates: ..."; "" where it is not on. */
void rsb_ibt_phrase(const struct rsb_explanation *explanation, char out[RSB_PHRASE_SIZE]);

/* Adds "shadow_stack" and "ibt", null where nothing was judged. False: no memory. */
bool rsb_add_verdicts(cJSON *to, const struct rsb_explanation *explanation);

/* Adds "findings", which are also part of recordings. False: no memory. */
bool rsb_add_findings(cJSON *to, const struct rsb_explanation *explanation);

/* Adds an instruction, or an address; null where there is none. False: no memory. */
bool rsb_add_instruction(cJSON *to, const char *key, const struct rsb_instruction *instruction);
bool rsb_add_named(cJSON *to, const char *key, const struct rsb_named_address *named);

#endif
